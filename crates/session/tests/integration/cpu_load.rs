//! CPU time by context equals the profile of each part of a window; on the event axis,
//! the contexts are those of the core lanes.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::report::ReportKind;
use rtoscope_analysis::report::profile::profile;
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_session::QueryError;
use rtoscope_trace::Ticks;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const WIDTHS: [u32; 7] = [300, 1, 100, 33, 640, 5, 12];
/// Number of parts whose profile is computed, for each window.
const PARTS: usize = 6;

fn load(
    case: &TestCase,
    core: Option<u8>,
    axis: &str,
    [start, end]: [f64; 2],
    width: u32,
) -> Value {
    case.query(json!({
        "query": "cpu-load",
        "core": core,
        "window": {"axis": axis, "start": start, "end": end},
        "width": width,
        "limit": 64,
    }))
}

fn numbers(list: &Value) -> Vec<u64> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one.as_u64().unwrap()).collect()
}

/// Time by context in a part.
fn shown(load: &Value, part: usize) -> BTreeMap<String, u64> {
    let contexts = load["contexts"].as_array().unwrap().iter();
    let rows = contexts.map(|row| {
        let ticks = row["lengths"][part].as_u64().unwrap();
        (row["name"].as_str().unwrap().to_owned(), ticks)
    });
    rows.filter(|(_, ticks)| *ticks > 0).collect()
}

#[test]
fn every_part_has_the_figures_of_its_profile() {
    let mut checked = 0;
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let mut choices: Vec<_> = case.trace.cores.iter().copied().map(Some).collect();
        choices.push(None);
        for core in choices {
            let axis = "time";
            for (window, width) in case.windows(axis).into_iter().zip(WIDTHS) {
                let load = load(&case, core, axis, window, width);
                let positions = numbers(&load["positions"]);
                assert!(positions.is_sorted_by(|one, next| one < next));
                assert!(positions.len() <= width as usize + 1);
                let [start, end] = window;
                if start >= case.end(axis) {
                    assert!(positions.is_empty());
                    continue;
                }
                if case.end(axis) > 0.0 {
                    assert!(positions[0] as f64 <= start.max(0.0));
                    assert!(*positions.last().unwrap() as f64 >= end.min(case.end(axis)));
                }
                let parts = positions.windows(2).enumerate();
                for (part, edges) in parts.step_by(positions.len() / PARTS + 1) {
                    let scope = Scope {
                        start: Some(Ticks(edges[0])),
                        end: Some(Ticks(edges[1])),
                        core,
                        ..Scope::default()
                    };
                    let stats = recording.scope_stats(scope);
                    let view = recording.view_of(&stats);
                    let rows = profile(&view).into_iter();
                    let mut expected = BTreeMap::new();
                    if ReportKind::Load.missing_time(&case.trace.clock).is_some() {
                        let whole = (edges[1] - edges[0]) * load["cores"].as_u64().unwrap();
                        let expected = (whole > 0).then(|| ("(unknown)".to_owned(), whole));
                        assert!(shown(&load, part).into_iter().eq(expected), "{}", case.name);
                        continue;
                    }
                    for row in rows.filter(|row| row.duration > 0) {
                        *expected.entry(row.context).or_default() += row.duration;
                    }
                    assert_eq!(shown(&load, part), expected, "{} {edges:?}", case.name);
                    checked += expected.len();
                }
            }
        }
    }
    assert!(checked > 1500, "{checked}");
}

/// What a core lane says about an event.
fn lane_text(case: &TestCase, lane: u64, event: u32) -> Option<String> {
    let at = f64::from(event) + 0.5;
    let probe = case.query(json!({"query": "probe", "axis": "index", "at": at, "lanes": [lane]}));
    Some(probe[0]["text"].as_str()?.to_owned())
}

#[test]
fn the_context_of_an_event_is_that_of_the_core_lanes() {
    let mut kinds = BTreeSet::new();
    for case in cases() {
        let overview = case.query(json!({"query": "overview"}));
        let lanes = overview["lanes"].as_array().unwrap();
        let cores = case.trace.cores.iter().copied();
        for core in cores {
            let is_of_core = |lane: &Value| match lane["kind"].as_str().unwrap() {
                "summary" => case.trace.cores.len() == 1,
                "core" => lane["core"] == core,
                _ => false,
            };
            let Some(lane) = lanes.iter().position(is_of_core) else {
                continue;
            };
            for event in (0..case.events()).step_by(case.events() as usize / 60 + 1) {
                let slot = [f64::from(event), f64::from(event + 1)];
                let load = load(&case, Some(core), "index", slot, 1);
                let found = shown(&load, 0);
                let Some(text) = lane_text(&case, lane as u64, event) else {
                    // A trace without any time has no slices.
                    assert!(found.is_empty());
                    continue;
                };
                let [(name, 1)] = &found.iter().collect::<Vec<_>>()[..] else {
                    panic!("{}: {event}: {found:?}", case.name);
                };
                let kind = load["contexts"][0]["kind"].as_str().unwrap();
                kinds.insert(kind.to_owned());
                let is_same = match kind {
                    "thread" => text == format!("runs {name}"),
                    "isr" => text.starts_with(name.as_str()),
                    "kernel" => text == "interrupt or scheduler",
                    "initialize" => text == "initialisation",
                    other => text == other,
                };
                assert!(is_same, "{}: {event}: {name}, {text}", case.name);
            }
        }
        let whole = [0.0, case.end("index")];
        let whole = load(&case, None, "index", whole, 7);
        let positions = numbers(&whole["positions"]);
        let parts = positions.windows(2).enumerate();
        for (part, edges) in parts {
            let sum: u64 = shown(&whole, part).into_values().sum();
            let length = (edges[1] - edges[0]) * case.trace.cores.len() as u64;
            assert_eq!(sum, if case.end("time") > 0.0 { length } else { 0 });
        }
    }
    assert!(kinds.len() >= 5, "{kinds:?}");
}

#[test]
fn contexts_beyond_the_limit_are_summed() {
    let case = TestCase::recorded("cm3_system.trx");
    let query = |limit: u32| {
        case.query(json!({
            "query": "cpu-load",
            "core": null,
            "window": {"axis": "time", "start": 0, "end": case.end("time")},
            "width": 50,
            "limit": limit,
        }))
    };
    let sum = |load: &Value| -> u64 {
        let contexts = load["contexts"].as_array().unwrap().iter();
        contexts.flat_map(|row| numbers(&row["lengths"])).sum()
    };
    let kinds = |load: &Value| -> Vec<String> {
        let contexts = load["contexts"].as_array().unwrap().iter();
        contexts
            .map(|row| row["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = query(64);
    assert_eq!(sum(&all), case.trace.events.span().0);
    assert!(!kinds(&all).contains(&"other".to_owned()));
    let few = query(2);
    assert_eq!(sum(&few), sum(&all));
    assert_eq!(kinds(&few)[2], "other");
    assert_eq!(few["contexts"][0], all["contexts"][0]);
    assert_eq!(few["contexts"][1], all["contexts"][1]);
    assert_eq!(kinds(&query(0))[0], "other");
}

#[test]
fn a_clock_that_stands_while_idle_shows_no_load() {
    let bytes = rtoscope_fixtures::read_testdata("clocks/wfi.trx.gz");
    let case = TestCase::new("wfi.trx.gz", &bytes);
    let end = case.end("time");
    let load = load(&case, None, "time", [0.0, end], 40);
    let positions = numbers(&load["positions"]);
    for part in 0..positions.len() - 1 {
        let whole = positions[part + 1] - positions[part];
        let expected = BTreeMap::from([("(unknown)".to_owned(), whole)]);
        assert_eq!(shown(&load, part), expected);
    }
    let graph = case.query(json!({
        "query": "graph",
        "source": {"kind": "load", "core": null},
        "window": {"axis": "time", "start": 0, "end": end},
        "width": 40,
    }));
    let levels = graph["max"].as_array().unwrap();
    assert!(levels.iter().all(Value::is_null), "{graph}");
}

#[test]
fn too_many_figures_and_unknown_cores_are_rejected() {
    let case = TestCase::recorded("cm3_system.trx");
    for (core, width, limit) in [(None, 8192, 17), (Some(9), 10, 1), (None, 0, 1)] {
        let query = json!({
            "query": "cpu-load",
            "core": core,
            "window": {"axis": "time", "start": 0, "end": 10},
            "width": width,
            "limit": limit,
        });
        let error = case.try_query(query).unwrap_err();
        assert!(matches!(error, QueryError::OutOfRange { .. }));
    }
}

//! Numbers agree wherever they appear: in lanes, tooltips, legend and diagrams of the
//! viewer, in its reports, and in those of the command line.

use crate::test_case::{TestCase, cases, recordings};
use rtoscope_session::Command;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value}"))
}

/// The responses of a session about a test case.
struct SessionResponses {
    overview: Value,
    report: Value,
}

fn all() -> impl Iterator<Item = (TestCase, SessionResponses)> {
    cases().into_iter().chain(recordings()).map(|case| {
        let answers = SessionResponses {
            overview: case.query(json!({"query": "overview"})),
            report: case.query(json!({"query": "report"})),
        };
        (case, answers)
    })
}

/// The label of a row of the state report in a diagram.
fn label(row: &Value) -> String {
    let share = row["percent"].as_f64();
    let share = share.map_or_else(String::new, |share| format!(" · {share:.1} #37;"));
    format!(
        "state \"{} (×{}{share})\"",
        text(&row["state"]),
        row["visits"]
    )
}

#[test]
fn figures_agree() {
    let (mut states, mut threads) = (0, 0);
    for (case, responses) in all() {
        states += time_in_states(&case, &responses);
        threads += cpu_shares(&case, &responses);
        counts(&case, &responses);
    }
    assert!(states > 60, "{states}");
    assert!(threads > 200, "{threads}");
}

/// Returns the number of compared states.
fn time_in_states(
    case: &TestCase,
    SessionResponses { overview, report }: &SessionResponses,
) -> usize {
    let mut checked = 0;
    for machine in list(&overview["machines"]) {
        let context = &overview["contexts"][number(&machine["context"]) as usize];
        let object = |one: &&Value| one["address"] == context["address"];
        let reported = list(&report["states"]).iter().find(object).unwrap();
        let rows = list(&reported["states"]);
        let diagram = case.query(json!({
            "query": "machine", "context": machine["context"], "format": "mermaid",
        }));
        // The legend, the tooltip and the lane of the machine.
        assert_eq!(list(&machine["states"]).len(), rows.len(), "{}", case.name);
        for state in list(&machine["states"]) {
            let same =
                |row: &&Value| row["state"] == state["name"] && row["ticks"] == state["residency"];
            let row = rows.iter().find(same);
            let row = row.unwrap_or_else(|| panic!("{}: {state} of {rows:?}", case.name));
            assert_eq!(row["percent"], state["share"]);
            assert_eq!(row["visits"], state["visits"]);
            let (label, drawn) = (label(row), text(&diagram["text"]));
            assert!(drawn.contains(&label), "{}: {label} in {drawn}", case.name);
            checked += 1;
        }
        // The states that contain others.
        for row in list(&reported["active"]) {
            let is_around = rows.iter().all(|one| one["address"] != row["address"]);
            let drawn = text(&diagram["text"]);
            if is_around && drawn.contains(&format!("state \"{} (×", text(&row["state"]))) {
                let label = label(row);
                assert!(drawn.contains(&label), "{}: {label} in {drawn}", case.name);
                checked += 1;
            }
        }
        let is_lane =
            |lane: &&Value| lane["kind"] == "machine" && lane["context"] == machine["context"];
        let lane = list(&overview["lanes"]).iter().find(is_lane).unwrap();
        let known = number(&lane["busy_time"]) + number(&reported["unknown_ticks"]);
        assert_eq!(known, number(&overview["span"]), "{}", case.name);
        let shares = [&lane["share"], &reported["unknown_percent"]].map(Value::as_f64);
        if let [Some(known), Some(unknown)] = shares {
            let sum = known + unknown;
            assert!((sum - 100.0).abs() < 0.0021, "{}: {sum}", case.name);
        }
    }
    checked
}

/// Returns the number of compared threads.
fn cpu_shares(case: &TestCase, SessionResponses { overview, report }: &SessionResponses) -> usize {
    let mut checked = 0;
    let rows = list(&report["profile"]);
    let of_kind = |kind: &str| {
        let rows = rows.iter().filter(|row| row["kind"] == kind);
        rows.map(|row| number(&row["ticks"])).sum::<u64>()
    };
    let contexts = list(&overview["contexts"]);
    let threads = rows.iter().filter(|row| row["kind"] == "thread");
    let mut threads: Vec<_> = threads.collect();
    for lane in list(&overview["lanes"]) {
        if lane["kind"] != "thread" {
            continue;
        }
        let context = &contexts[number(&lane["context"]) as usize];
        assert_eq!(lane["busy_time"], context["cpu_time"]);
        let same = |row: &&Value| {
            row["address"] == context["address"]
                && row["ticks"] == lane["busy_time"]
                && row["percent"] == lane["share"]
        };
        let place = threads.iter().position(same);
        let place = place.unwrap_or_else(|| panic!("{}: {lane} of {threads:?}", case.name));
        threads.remove(place);
        checked += 1;
    }
    assert!(threads.is_empty(), "{}: {threads:?}", case.name);
    let executed = |kind: &str| {
        let contexts = contexts.iter().filter(|context| context["kind"] == kind);
        contexts.map(|context| number(&context["cpu_time"])).sum()
    };
    let interrupts: u64 = executed("interrupt");
    assert_eq!(interrupts, of_kind("isr") + of_kind("kernel"));
    assert_eq!(executed("idle"), of_kind("idle"));
    assert_eq!(executed("initialize"), of_kind("initialize"));
    // The report of threads has the same time, and the load report the same sum
    // over its windows.
    for row in list(&report["threads"]) {
        let running = &row["states"]["running"];
        let profiled = rows
            .iter()
            .any(|one| one["address"] == row["address"] && one["ticks"] == *running);
        assert!(profiled, "{}: {row}", case.name);
    }
    let load = &report["load"];
    for row in list(&load["contexts"]) {
        if row["kind"] != "thread" || row["address"].is_null() {
            continue;
        }
        let sum: u64 = list(&row["ticks"]).iter().map(number).sum();
        let profiled = rows
            .iter()
            .any(|one| one["address"] == row["address"] && one["ticks"] == sum);
        assert!(profiled, "{}: {row}", case.name);
    }
    graphs_show_the_load(case, overview, of_kind);
    checked
}

/// The load graph, as a single pixel, is the sum of the profile's rows.
fn graphs_show_the_load(case: &TestCase, overview: &Value, of_kind: impl Fn(&str) -> u64) {
    let span = number(&overview["span"]);
    let unknown = of_kind("unknown");
    let whole = span as f64 * list(&overview["cores"]).len() as f64;
    let measures = |quality: &str| quality == "good" || quality == "unknown";
    if span == 0 || unknown > 0 || !measures(text(&overview["clock"]["quality"])) {
        return;
    }
    let busy = ["thread", "isr", "kernel"].map(&of_kind);
    let curve = case.query(json!({
        "query": "graph", "source": {"kind": "load", "core": null}, "width": 1,
        "window": {"axis": "time", "start": 0, "end": span},
    }));
    let shown = curve["max"][0].as_f64().unwrap();
    let expected = busy.iter().sum::<u64>() as f64 / whole * 100.0;
    let difference = (shown - expected).abs();
    // The graph has three decimals.
    assert!(difference <= 0.0006, "{}: {shown} {expected}", case.name);
}

fn counts(case: &TestCase, SessionResponses { overview, report }: &SessionResponses) {
    let name = &case.name;
    let health = &report["health"];
    assert_eq!(overview["events"], report["events"], "{name}");
    assert_eq!(overview["events"], health["events"], "{name}");
    assert_eq!(overview["span"], report["span_ticks"], "{name}");
    assert_eq!(overview["clock"]["quality"], health["clock"]["quality"]);
    assert_eq!(overview["clock"]["bits"], health["clock"]["bits"]);
    let losses = list(&overview["gaps"]).iter();
    let gaps: Vec<_> = losses.filter(|gap| gap["restart"] == false).collect();
    assert_eq!(gaps.len(), list(&health["gaps"]).len(), "{name}");
    for (gap, reported) in gaps.iter().zip(list(&health["gaps"])) {
        assert_eq!(gap["missing"], reported["missing"], "{name}");
    }
    let inversions = list(&report["inversions"]).len() as u64;
    assert_eq!(number(&overview["inversions"]), inversions, "{name}");
    for severity in ["error", "warning", "info"] {
        let diagnostics = list(&overview["diagnostics"]).iter();
        let count = diagnostics
            .filter(|one| one["severity"] == severity)
            .count();
        let reported = number(&health["severities"][severity]);
        assert_eq!(reported, count as u64, "{name}: {severity}");
    }
    // Events by kind: legend, overview, services, search.
    let kinds = list(&overview["kinds"]);
    let sum: u64 = kinds.iter().map(|kind| number(&kind["events"])).sum();
    assert_eq!(sum, number(&overview["events"]), "{name}");
    let mut services = BTreeMap::new();
    for row in list(&report["services"]) {
        *services.entry(number(&row["id"])).or_insert(0) += number(&row["count"]);
    }
    for kind in kinds {
        let count = number(&kind["events"]);
        assert_eq!(
            services.get(&number(&kind["id"])),
            Some(&count),
            "{name}: {kind}"
        );
    }
    // Events by thread: overview, lanes, report of threads.
    let contexts = list(&overview["contexts"]);
    let sum: u64 = contexts.iter().map(|one| number(&one["events"])).sum();
    assert_eq!(sum, number(&overview["events"]), "{name}");
    for row in list(&report["threads"]) {
        let same = |one: &Value| one["address"] == row["address"] && one["events"] == row["events"];
        assert!(contexts.iter().any(same), "{name}: {row}");
    }
    for lane in list(&overview["lanes"]) {
        if lane["kind"] == "thread" {
            let context = &contexts[number(&lane["context"]) as usize];
            assert_eq!(lane["events"], context["events"], "{name}: {lane}");
        }
    }
}

/// Whatever the frequency, ticks of a clock that stood still are no times.
#[test]
fn a_clock_that_does_not_measure_time() {
    let mut case = TestCase::recorded("cm3_dwt_zero.trx");
    let hz = Some(1_000_000);
    case.session
        .apply(Command::Clock { frequency_hz: hz })
        .unwrap();
    let why = "the clock stood still: only the order of events is known";
    let clock = &case.query(json!({"query": "overview"}))["clock"];
    assert_eq!(clock["frequency_hz"], Value::Null);
    assert_eq!(clock["no_time"], why);
    let report = case.query(json!({"query": "report"}));
    assert_eq!(report["frequency_hz"], Value::Null);
    assert_eq!(report["span_ns"], Value::Null);
    let findings = list(&report["findings"]);
    assert!(findings.iter().any(|finding| finding["message"] == why));
    let details = case.query(json!({"query": "event", "event": 7}));
    assert_eq!(details["time_text"], "0 ticks");
    let timed = TestCase::recorded("cm3_system.trx");
    let overview = timed.query(json!({"query": "overview"}));
    assert_eq!(overview["clock"]["no_time"], Value::Null);
}

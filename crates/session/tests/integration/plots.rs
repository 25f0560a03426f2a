//! Plots: every maximum of the reports is a point at its event, at any width.

use crate::switches::log_of;
use crate::test_case::{TestCase, cases};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::Distribution;
use rtoscope_analysis::report::latency::latency;
use rtoscope_analysis::report::markers::markers;
use rtoscope_analysis::report::periods::{PeriodRow, periods};
use rtoscope_wire::cswitch::LogEntry;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The points of the whole trace, or of a window: position, value and event.
fn points(case: &TestCase, source: &Value, axis: &str, width: u32) -> (u64, Vec<(f64, u64, u32)>) {
    let plot = case.query(json!({
        "query": "plot", "source": source, "width": width,
        "window": {"axis": axis, "start": 0.0, "end": case.end(axis).max(1.0)},
    }));
    let column = |key: &str| plot[key].as_array().unwrap().clone().into_iter();
    let points = column("positions")
        .zip(column("values"))
        .zip(column("events"));
    let points = points.map(|((position, value), event)| {
        let event = event.as_u64().unwrap() as u32;
        (position.as_f64().unwrap(), value.as_u64().unwrap(), event)
    });
    (plot["total"].as_u64().unwrap(), points.collect())
}

/// Compares the points with the distribution of a report.
fn check(case: &TestCase, source: &Value, expected: Option<&Distribution>) {
    for axis in ["time", "index"] {
        let (total, all) = points(case, source, axis, 8192);
        let what = format!("{} {source}", case.name);
        let Some(expected) = expected else {
            assert_eq!(total, 0, "{what}");
            continue;
        };
        assert_eq!(total, expected.count, "{what}");
        for width in [8192, 100, 7, 1] {
            let (total, all) = points(case, source, axis, width);
            assert_eq!(total, expected.count, "{what}");
            assert!(
                all.len() as u64 <= total && all.len() <= 2 * width as usize,
                "{what}"
            );
            assert!(all.is_sorted_by_key(|(position, ..)| *position), "{what}");
            let values = || all.iter().map(|(_, value, _)| *value);
            assert_eq!(values().min(), Some(expected.min), "{what}");
            assert_eq!(values().max(), Some(expected.max), "{what}");
            for (position, _, event) in &all {
                assert!((case.position(axis, *event) - position).abs() < 1e-6);
            }
            let largest = all.iter().filter(|(_, value, _)| *value == expected.max);
            let mut largest = largest.map(|(.., event)| *event);
            assert!(largest.any(|event| event == expected.event), "{what}");
        }
        if all.len() as u64 == total {
            let sum: u64 = all.iter().map(|(_, value, _)| value).sum();
            assert!(
                (sum as f64 / total as f64 - expected.mean).abs() < 0.01,
                "{what}"
            );
        }
    }
}

#[test]
fn points_are_those_of_the_reports() {
    let mut plotted = BTreeMap::<&str, u32>::new();
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let view = recording.view();
        let (latency, periods) = (latency(&view), periods(&view, &[]));
        let mut check = |source: &Value, expected: Option<&Distribution>, of: &'static str| {
            check(&case, source, expected);
            *plotted.entry(of).or_default() += u32::from(expected.is_some());
        };
        // Rows of threads are in the order of the trace; those without activations have none.
        let mut runs = periods.iter().filter(|row| row.kind == "thread").peekable();
        for (index, thread) in case.trace.contexts.threads().enumerate() {
            let name = case.trace.context_name(thread.id);
            let run = runs.next_if(|row| row.name == name);
            let of =
                |measure| json!({"kind": "thread", "context": thread.id.0, "measure": measure});
            if let Some(row) = run {
                check(&of("run"), row.run.as_ref(), "runs");
            }
            let Some(row) = latency.threads.get(index) else {
                continue;
            };
            check(&of("response"), row.response.as_ref(), "threads");
            check(&of("wake-up"), row.wake_up.as_ref(), "threads");
            check(&of("period"), row.period.as_ref(), "threads");
            check(&of("jitter"), row.jitter.as_ref(), "threads");
        }
        assert_eq!(runs.next(), None, "{}", case.name);
        for number in 0..512 {
            let name = case.schedule.isr_name(Some(number));
            let is_row = |row: &&PeriodRow| row.kind == "interrupt" && row.name == name;
            let Some(row) = periods.iter().find(is_row) else {
                continue;
            };
            let of = |measure| json!({"kind": "isr", "number": number, "measure": measure});
            check(&of("duration"), row.response.as_ref(), "routines");
            check(&of("period"), row.period.as_ref(), "routines");
            check(&of("run"), row.run.as_ref(), "routines");
        }
    }
    assert!(plotted["threads"] > 50, "{plotted:?}");
    assert!(plotted["runs"] > 20, "{plotted:?}");
    assert!(plotted["routines"] > 10, "{plotted:?}");
}

/// A point of a plot: its time, value and event.
type Point = (f64, u64, u32);

fn all_points(case: &TestCase, source: &Value) -> Vec<Point> {
    points(case, source, "time", 8192).1
}

#[test]
fn markers_have_durations_periods_and_values() {
    const FRAME: u64 = 0x0800_0200;
    const LATE: u64 = 0x0800_0208;
    let mut counter = 1_000;
    let mut entry = |step, kind, name, address| {
        counter += step;
        LogEntry {
            kind,
            counter,
            address,
            name,
        }
    };
    let entries = vec![
        entry(0, 16, FRAME, 7),
        entry(30, 17, FRAME, 7),
        entry(70, 16, FRAME, 40),
        entry(5, 18, LATE, 3),
        entry(20, 17, FRAME, 40),
        entry(25, 18, LATE, 1),
        entry(1, 16, FRAME, 9),
    ];
    let case = TestCase::new("markers", &log_of(&[entries]));
    let overview = case.query(json!({"query": "overview"}));
    let counts = overview["markers"].as_array().unwrap().iter();
    let counts: Vec<_> = counts
        .map(|it| (it["spans"].as_u64(), it["instants"].as_u64()))
        .collect();
    assert_eq!(counts, [(Some(3), Some(0)), (Some(0), Some(2))]);
    let of = |marker, measure| json!({"kind": "marker", "marker": marker, "measure": measure});
    for (marker, measure, expected) in [
        (0, "duration", vec![(30.0, 30, 1), (125.0, 25, 4)]),
        (0, "period", vec![(100.0, 100, 2), (151.0, 51, 6)]),
        (0, "value", vec![(0.0, 7, 0), (100.0, 40, 2), (151.0, 9, 6)]),
        (1, "duration", vec![]),
        (1, "period", vec![(150.0, 45, 5)]),
        (1, "value", vec![(105.0, 3, 3), (150.0, 1, 5)]),
    ] {
        assert_eq!(
            all_points(&case, &of(marker, measure)),
            expected,
            "{marker} {measure}"
        );
    }
    let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
    for (row, marker) in markers(&recording.view()).iter().zip(0..) {
        check(&case, &of(marker, "duration"), row.duration.as_ref());
        check(&case, &of(marker, "period"), row.period.as_ref());
    }
}

#[test]
fn arguments_of_user_events_are_those_that_the_application_passed() {
    let case = TestCase::recorded("linux32_userevents.trx");
    let truth = rtoscope_fixtures::read_testdata("threadx/linux32_userevents.events.csv");
    let truth = String::from_utf8(truth).unwrap();
    let overview = case.query(json!({"query": "overview"}));
    let kinds = overview["user_events"].as_array().unwrap();
    assert!(kinds.len() > 2, "{kinds:?}");
    for kind in kinds {
        assert_eq!(
            kind["arguments"],
            json!(["info1", "info2", "info3", "info4"])
        );
        for info in 1..=4 {
            let source = json!({
                "kind": "event", "number": kind["number"], "argument": format!("info{info}"),
            });
            let passed = truth.lines().skip(1).filter_map(|line| {
                let columns: Vec<_> = line.split(',').collect();
                let word = columns[6 + info].trim_start_matches("0x");
                let event: u32 = columns[0].parse().unwrap();
                let is_kind = columns[5].parse().ok() == kind["number"].as_u64();
                is_kind.then(|| (u64::from_str_radix(word, 16).unwrap(), event))
            });
            let found = all_points(&case, &source).into_iter();
            let found: Vec<_> = found.map(|(_, value, event)| (value, event)).collect();
            assert_eq!(found, passed.collect::<Vec<_>>(), "{source}");
        }
    }
}

#[test]
fn points_of_intervals_are_those_of_their_figures() {
    for case in cases() {
        let filters =
            json!({"from": "event & 4", "to": "event & 8", "by": "", "repeated": "first"});
        let found = case.query(json!({"query": "intervals", "filters": filters}));
        let (total, all) = points(
            &case,
            &json!({"kind": "intervals", "filters": filters}),
            "time",
            5,
        );
        let is_duration = |column: &Value| column["key"] == "duration";
        let columns = found[0]["columns"].as_array().unwrap();
        let duration = columns.iter().position(is_duration).unwrap();
        let expected = &found[0]["rows"][0][duration];
        assert_eq!(
            total,
            expected["count"].as_u64().unwrap_or(0),
            "{}",
            case.name
        );
        let max = all.iter().map(|(_, value, _)| *value).max();
        assert_eq!(max, expected["max"].as_u64(), "{}", case.name);
    }
}

//! Plots: every maximum of the reports is a point at its event, at any width.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::Distribution;
use rtoscope_analysis::report::latency::latency;
use rtoscope_analysis::report::periods::periods;
use rtoscope_session::QueryError;
use serde_json::{Value, json};

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
fn points_of_threads_are_those_of_the_latency_report() {
    let mut plotted = 0;
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let report = latency(&recording.view());
        let threads = case.trace.contexts.threads();
        for (thread, row) in threads.zip(&report.threads) {
            for (measure, expected) in [
                ("response", &row.response),
                ("wake-up", &row.wake_up),
                ("period", &row.period),
                ("jitter", &row.jitter),
            ] {
                let source = json!({"kind": "thread", "context": thread.id.0, "measure": measure});
                check(&case, &source, expected.as_ref());
                plotted += u32::from(expected.is_some());
            }
        }
    }
    assert!(plotted > 50, "{plotted}");
}

#[test]
fn points_of_routines_are_those_of_the_periods_report() {
    let mut plotted = 0;
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let rows = periods(&recording.view(), &[]);
        for number in 0..512 {
            let name = case.schedule.isr_name(Some(number));
            let row = rows
                .iter()
                .find(|row| row.kind == "interrupt" && row.name == name);
            let Some(row) = row else { continue };
            for (measure, expected) in [("duration", &row.response), ("period", &row.period)] {
                let source = json!({"kind": "isr", "number": number, "measure": measure});
                check(&case, &source, expected.as_ref());
                plotted += u32::from(expected.is_some());
            }
        }
    }
    assert!(plotted > 10, "{plotted}");
}

#[test]
fn points_of_intervals_are_those_of_their_figures() {
    for case in cases() {
        let filters =
            json!({"from": "index & 4", "to": "index & 8", "by": "", "repeated": "first"});
        let found = case.query(json!({"query": "intervals", "filters": filters}));
        let (total, all) = points(
            &case,
            &json!({"kind": "intervals", "filters": filters}),
            "time",
            5,
        );
        let expected = &found["duration"];
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

#[test]
fn unknown_threads_are_refused() {
    let case = &cases()[0];
    let source = json!({"kind": "thread", "context": 9999, "measure": "response"});
    let window = json!({"axis": "time", "start": 0.0, "end": 1.0});
    let query = json!({"query": "plot", "source": source, "window": window, "width": 1});
    let error = case.try_query(query).unwrap_err();
    assert!(
        matches!(
            error,
            QueryError::OutOfRange {
                parameter: "context",
                ..
            }
        ),
        "{error}"
    );
}

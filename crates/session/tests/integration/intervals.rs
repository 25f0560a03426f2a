//! User-defined intervals: figures as in the report, and bars that show every interval.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::intervals::Interval;
use rtoscope_analysis::report::intervals::intervals;
use rtoscope_analysis::report::{DescribedTable, FrontEnd};
use rtoscope_analysis::timing::IntervalDeclaration;
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_trace::{EventIndex, Ticks};
use serde_json::{Value, json};

/// Filters that select events in any trace: overlapping, nested, and one event each.
const FILTERS: [[&str; 4]; 3] = [
    ["event & 1", "event & 2", "", "restart"],
    ["event & 2", "event & 4", "thread", "nested"],
    ["event & 8", "event & 3", "thread", "first"],
];

fn filters([from, to, by, repeated]: [&str; 4]) -> Value {
    json!({"from": from, "to": to, "by": by, "repeated": repeated})
}

fn recording(case: &TestCase, [from, to, by, repeated]: [&str; 4]) -> AnalyzedRecording {
    let mut recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
    let by = if by.is_empty() {
        String::new()
    } else {
        format!(" [by {by}]")
    };
    let declared = format!("{from} -> {to}{by} [{repeated}] within 7 ticks");
    let declared = IntervalDeclaration::parse(&declared).unwrap();
    recording.add_intervals(&declared).unwrap();
    recording
}

#[test]
fn figures_are_those_of_the_report() {
    for case in cases() {
        let span = case.trace.events.span().0;
        for definition in FILTERS {
            let recording = recording(&case, definition);
            for (start, end) in [(None, None), (Some(span / 3), Some(span / 2))] {
                let stats = recording.scope_stats(Scope {
                    start: start.map(Ticks),
                    end: end.map(Ticks),
                    ..Scope::default()
                });
                let [mut expected] = intervals(&recording.view_of(&stats)).try_into().unwrap();
                expected.name = "shown".to_owned();
                let found = case.query(json!({
                    "query": "intervals", "filters": filters(definition), "name": "shown",
                    "deadline": 7, "start": start, "end": end,
                }));
                let expected = [
                    DescribedTable::figures(&expected, FrontEnd::Viewer),
                    DescribedTable::new(&expected.longest, FrontEnd::Viewer),
                ];
                assert_eq!(
                    found,
                    serde_json::to_value(&expected).unwrap(),
                    "{}",
                    case.name
                );
            }
        }
    }
}

/// The positions of the two ends of an interval.
fn ends(case: &TestCase, axis: &str, interval: &Interval) -> [f64; 2] {
    let last = interval.last.unwrap_or_else(|| {
        let after = case.trace.events.index_after(interval.until);
        EventIndex(after.0 - 1)
    });
    match axis {
        "time" => [interval.start.0 as f64, interval.until.0 as f64],
        _ => [interval.first, last].map(|event| case.position(axis, event.0)),
    }
}

#[test]
fn bars_show_every_interval() {
    let (mut listed, mut merged) = (0, 0);
    for case in cases() {
        for definition in FILTERS {
            let recording = recording(&case, definition);
            let all = &recording.intervals[0].series.intervals;
            for axis in ["time", "index"] {
                for (window, width) in case.windows(axis).into_iter().zip([300, 10, 100, 7, 64]) {
                    let [from, to] = window;
                    let bars = case.query(json!({
                        "query": "interval-bars", "filters": filters(definition),
                        "window": {"axis": axis, "start": from, "end": to}, "width": width,
                    }));
                    let column = |key: &str| bars[key].as_array().unwrap().clone();
                    let reals = |key: &str| -> Vec<f64> {
                        column(key).iter().map(|it| it.as_f64().unwrap()).collect()
                    };
                    let bars: Vec<_> = reals("starts").into_iter().zip(reals("ends")).collect();
                    let inside = all.iter().map(|it| (it, ends(&case, axis, it)));
                    let inside: Vec<_> = inside
                        .filter(|(_, [start, end])| *start <= to && *end >= from)
                        .collect();
                    let is_listed = inside
                        .iter()
                        .all(|(_, [start, end])| bars.contains(&(*start, *end)));
                    if is_listed && bars.len() == inside.len() {
                        listed += 1;
                        continue;
                    }
                    merged += 1;
                    assert!(bars.len() <= width, "{}", case.name);
                    let pixel = (to - from) / width as f64;
                    for (_, [start, end]) in &inside {
                        let middle = f64::midpoint(start.max(from), end.min(to));
                        let shows = |(left, right): &(f64, f64)| {
                            *left <= middle + pixel * 1e-6 && middle <= *right + pixel * 1e-6
                        };
                        assert!(
                            bars.iter().any(shows),
                            "{}: {start} to {end} in {window:?}",
                            case.name
                        );
                    }
                    let counted: f64 = reals("counts").iter().sum();
                    let begun = inside
                        .iter()
                        .filter(|(_, [start, _])| *start >= from && *start < to);
                    assert!(counted >= begun.count() as f64, "{}", case.name);
                }
            }
        }
    }
    assert!(listed > 50 && merged > 50, "{listed} {merged}");
}

#[test]
fn mistakes_are_explained() {
    let case = &TestCase::recorded("cm3_system.trx");
    for (definition, explanation) in [
        (["contxt == idle", "event == 1", "", "first"], "from: "),
        (["event == 1", "event ==", "", "first"], "to: "),
        (["event == 1", "event == 2", "", "last"], "repeated"),
    ] {
        let query = json!({"query": "intervals", "filters": filters(definition)});
        let error = case.try_query(query).unwrap_err().to_string();
        assert!(error.contains(explanation), "{error}");
    }
}

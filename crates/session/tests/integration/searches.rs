//! Searches.

use crate::test_case::{TestCase, cases, edges};
use rtoscope_session::Command;
use rtoscope_trace::filter::Filter;
use serde_json::json;

const FILTERS: [&str; 6] = [
    "event >= 0",
    "context == interrupt",
    "kind ~ queue and not core == 1",
    "info2 & 3 or priority < 5",
    "event in 3..9",
    "core == 99",
];

#[test]
fn hits_are_counted_by_pixel() {
    for case in cases() {
        for filter in FILTERS {
            let parsed = Filter::parse(filter).unwrap();
            let bound = parsed.bind(&case.trace).unwrap();
            let hits: Vec<_> = bound.matching().map(|hit| hit.0).collect();
            for axis in ["time", "index"] {
                for (window, width) in case
                    .windows(axis)
                    .into_iter()
                    .zip([1, 7, 150, 1000, 3, 2, 9])
                {
                    let [from, to] = window;
                    let found = case.query(json!({
                        "query": "search",
                        "search": {"filter": filter},
                        "window": {"axis": axis, "start": from, "end": to},
                        "width": width,
                    }));
                    assert_eq!(found["total"], hits.len());
                    let edges = edges(window, width);
                    let mut expected = vec![0; width as usize];
                    for hit in &hits {
                        let at = case.position(axis, *hit);
                        let next = edges.partition_point(|edge| *edge <= at);
                        let pixel = next.checked_sub(1).filter(|pixel| *pixel < width as usize);
                        let pixel = pixel.or((at == to).then_some(width as usize - 1));
                        if let Some(pixel) = pixel {
                            expected[pixel] += 1;
                        }
                    }
                    assert_eq!(
                        found["counts"],
                        json!(expected),
                        "{} {filter} {window:?}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
fn filter_errors_match_the_command_line() {
    let mut case = TestCase::recorded("cm3_system.trx");
    let search = |filter: &str| json!({"query": "events", "offset": 0, "limit": 0, "search": {"filter": filter}});
    for filter in [
        "",
        "core ==",
        "contxt == idle",
        "context == missing",
        "time < 1ms",
    ] {
        let expected = match Filter::parse(filter) {
            Ok(filter) => filter.bind(&case.trace).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        let error = case.try_query(search(filter)).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
    // The meaning of a time depends on the clock.
    let mut totals = Vec::new();
    for hz in [1_000_000, 25_000_000] {
        case.session
            .apply(Command::Clock {
                frequency_hz: Some(hz),
            })
            .unwrap();
        totals.push(case.query(search("time < 1ms"))["total"].as_u64().unwrap());
    }
    assert!(totals[0] < totals[1], "{totals:?}");
}

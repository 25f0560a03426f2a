//! Event table and positions.

use crate::test_case::cases;
use rtoscope_trace::EventIndex;
use serde_json::{Value, json};

fn events(rows: &Value) -> Vec<u64> {
    let rows = rows["rows"].as_array().unwrap().iter();
    rows.map(|row| row["event"].as_u64().unwrap()).collect()
}

#[test]
fn rows_match_the_events() {
    for case in cases() {
        let total = case.events();
        for (from, count) in [
            (0, 1000),
            (total - 3, 10),
            (total, 5),
            (u32::MAX, 5),
            (7, 0),
        ] {
            let rows = case.query(json!({"query": "events", "offset": from, "limit": count}));
            assert_eq!(rows["total"], total);
            let expected: Vec<_> = (from..from.saturating_add(count).min(total))
                .map(u64::from)
                .collect();
            assert_eq!(events(&rows), expected);
            for row in rows["rows"].as_array().unwrap() {
                let number = EventIndex(row["event"].as_u64().unwrap() as u32);
                let event = case.trace.events.get(number).unwrap();
                assert_eq!(row["context"], event.context.0);
                assert_eq!(row["name"], case.trace.catalogue.name(event.kind).as_ref());
                let line = case.trace.arguments_line(&event).to_string();
                assert_eq!(row["arguments"], line);
            }
        }
    }
}

#[test]
fn search_rows_match_the_hits() {
    for case in cases() {
        let search = json!({"filter": "context == interrupt or kind ~ queue"});
        let query = |from, count| json!({"query": "events", "offset": from, "limit": count, "search": search});
        let all = case.query(query(0, 1000));
        let some = case.query(query(5, 3));
        assert_eq!(all["total"], some["total"]);
        let some = events(&some);
        assert_eq!(
            some,
            events(&all).into_iter().skip(5).take(3).collect::<Vec<_>>()
        );
    }
}

#[test]
fn locate_finds_the_last_event_before() {
    for case in cases() {
        for axis in ["time", "index"] {
            for [from, to] in case.windows(axis) {
                for at in [from, to, (from + to) / 2.0] {
                    let place = case.query(json!({"query": "locate", "axis": axis, "at": at}));
                    let before = |event: &u32| match axis {
                        "time" => case.time(*event) as f64 <= at,
                        _ => f64::from(*event) <= at,
                    };
                    let expected = (0..case.events()).rev().find(before);
                    assert_eq!(place["event"], json!(expected), "{} {axis} {at}", case.name);
                }
            }
        }
    }
}

//! Messages of objects: those of the analysis, in any window.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::messages::{MessageEnding, messages};
use rtoscope_analysis::report::objects::objects;
use rtoscope_trace::ResourceId;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A message of a response: its events, its row, its positions and how it ends.
#[derive(Debug, Clone, PartialEq)]
struct Bar {
    events: [u64; 2],
    positions: [f64; 2],
    ticks: u64,
    row: u64,
    ending: String,
}

fn bars(case: &TestCase, resource: u64, axis: &str, [start, end]: [f64; 2]) -> Vec<Bar> {
    let answer = case.query(json!({
        "query": "messages", "resource": resource, "limit": 8192,
        "window": {"axis": axis, "start": start, "end": end},
    }));
    let number = |key: &str, index: usize| answer[key][index].as_u64().unwrap();
    let position = |key: &str, index: usize| answer[key][index].as_f64().unwrap();
    let count = answer["total"].as_u64().unwrap() as usize;
    let bar = |index| Bar {
        events: [number("puts", index), number("end_events", index)],
        positions: [position("starts", index), position("ends", index)],
        ticks: number("ticks", index),
        row: number("rows", index),
        ending: answer["endings"][index].as_str().unwrap().to_owned(),
    };
    assert_eq!(answer["puts"].as_array().unwrap().len(), count);
    (0..count).map(bar).collect()
}

#[test]
fn messages_are_those_of_the_analysis_in_any_window() {
    let mut endings = BTreeMap::<String, u32>::new();
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let view = recording.view();
        let figures = objects(&view);
        let overview = case.query(json!({"query": "overview"}));
        for level in overview["levels"].as_array().unwrap() {
            let resource = level["resource"].as_u64().unwrap();
            let expected = messages(&view, ResourceId(resource as u32));
            if expected.len() > 8192 {
                continue;
            }
            for axis in ["time", "index"] {
                let whole = bars(&case, resource, axis, [0.0, case.end(axis).max(1.0)]);
                let events: Vec<_> = whole.iter().map(|bar| bar.events).collect();
                let known = expected.iter();
                let known = known.map(|it| [it.put.0, it.end.0].map(u64::from));
                assert_eq!(events, known.collect::<Vec<_>>(), "{}", case.name);
                for bar in &whole {
                    let ends = bar.events.map(|event| case.position(axis, event as u32));
                    assert_eq!(bar.positions, ends);
                }
                for window in case.windows(axis) {
                    let inside = whole.iter().filter(|bar| {
                        bar.positions[0] <= window[1] && bar.positions[1] >= window[0]
                    });
                    let inside: Vec<_> = inside.cloned().collect();
                    assert_eq!(bars(&case, resource, axis, window), inside, "{window:?}");
                }
                if axis == "time" {
                    check_rows(&whole);
                    for bar in &whole {
                        *endings.entry(bar.ending.clone()).or_default() += 1;
                    }
                }
            }
            let name = view.resource_name(ResourceId(resource as u32));
            let address = recording.schedule.resources[resource as usize].address;
            let mut rows = figures.iter().filter(|row| row.object_address.0 == address);
            let row = rows.find(|row| row.object == name);
            if let Some(transfer) = row.and_then(|row| row.transfer.as_ref()) {
                let taken = expected.iter();
                let taken = taken.filter(|it| matches!(it.ending, MessageEnding::Taken(_)));
                assert_eq!(taken.count() as u64, transfer.count, "{row:?}");
            }
        }
    }
    for ending in ["taken", "trace-ended", "flushed"] {
        assert!(endings.contains_key(ending), "{ending}: {endings:?}");
    }
}

/// Messages that are in the object at the same time have different rows.
fn check_rows(bars: &[Bar]) {
    let mut free_from = BTreeMap::new();
    for bar in bars {
        let [put, end] = bar.events;
        let before = free_from.insert(bar.row, end);
        assert!(before.is_none_or(|before| before <= put), "{bar:?}");
    }
}

#[test]
fn too_many_messages_are_only_counted() {
    let case = TestCase::recorded("cm3_system.trx");
    let overview = case.query(json!({"query": "overview"}));
    let resource = overview["levels"][0]["resource"].clone();
    let query = |limit: Value| {
        json!({
            "query": "messages", "resource": resource, "limit": limit,
            "window": {"axis": "time", "start": 0.0, "end": case.end("time")},
        })
    };
    let all = case.query(query(json!(8192)));
    let total = all["total"].as_u64().unwrap();
    assert!(total > 10);
    let fewer = case.query(query(json!(total - 1)));
    assert_eq!(
        (&fewer["total"], &fewer["puts"]),
        (&all["total"], &json!([]))
    );
    assert!(case.try_query(query(json!(0))).is_err());
    assert!(case.try_query(query(json!(8193))).is_err());
}

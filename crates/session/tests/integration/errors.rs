//! Invalid parameters are rejected, and only those.

use crate::test_case::{TestCase, whole_active_case};
use rtoscope_session::query::{Axis, GraphSource, Search, SequenceFormat, Window};
use rtoscope_session::{Query, QueryError};
use serde_json::json;

#[test]
fn out_of_range_parameters_are_rejected() {
    let case = TestCase::recorded("cm3_system.trx");
    let window = json!({"axis": "time", "start": 0, "end": 10});
    let search = json!({"filter": "core == 0"});
    let long = json!({"filter": " ".repeat(4097)});
    let load = json!({"kind": "load", "core": null});
    for query in [
        json!({"query": "events", "offset": 0, "limit": 1001}),
        json!({"query": "events", "offset": 0, "limit": 1, "search": long}),
        json!({"query": "history", "object": 0, "offset": 0, "limit": 1001}),
        json!({"query": "history", "object": 9999, "offset": 0, "limit": 1}),
        json!({"query": "search", "search": search, "window": window, "width": 0}),
        json!({"query": "search", "search": search, "window": window, "width": 8193}),
        json!({"query": "graph", "source": load, "window": window, "width": 0}),
        json!({"query": "graph", "source": {"kind": "load", "core": 7}, "window": window, "width": 9}),
        json!({"query": "graph", "source": {"kind": "level", "resource": 9999}, "window": window, "width": 9}),
        json!({"query": "lanes", "window": window, "width": 8193, "lanes": [0]}),
        json!({"query": "lanes", "window": window, "width": 10, "lanes": vec![0; 257]}),
        json!({"query": "probe", "axis": "time", "at": 1, "lanes": vec![0; 257]}),
        json!({"query": "step", "from": 0, "direction": "next", "by": {"mode": "context", "context": 9999}}),
        json!({"query": "step", "from": 0, "direction": "next", "by": {"mode": "object", "object": 9999}}),
        json!({"query": "step", "from": 0, "direction": "next", "by": {"mode": "transition", "context": 4}}),
        json!({"query": "step", "from": 0, "direction": "next", "by": {"mode": "state", "context": 4, "state": 0}}),
        json!({"query": "posts", "window": window, "limit": 10_001}),
        json!({"query": "machine", "context": 4, "format": "dot"}),
        json!({"query": "sequence", "window": window, "objects": [4], "format": "svg", "states": true, "actions": true, "timers": true, "limit": 1}),
        json!({"query": "sequence", "window": window, "format": "svg", "states": true, "actions": true, "timers": true, "limit": 0}),
        json!({"query": "sequence", "window": window, "format": "svg", "states": true, "actions": true, "timers": true, "limit": 5001}),
        json!({"query": "critical-path", "event": 7, "limit": 0}),
        json!({"query": "critical-path", "event": 7, "limit": 10_001}),
        json!({"query": "plot", "source": {"kind": "thread", "context": 9999, "measure": "response"}, "window": window, "width": 1}),
        json!({"query": "plot", "source": {"kind": "marker", "marker": 0, "measure": "value"}, "window": window, "width": 1}),
        json!({"query": "report", "start": 9, "end": 8}),
        json!({"query": "report", "start": u64::MAX}),
        json!({"query": "report", "core": 7}),
        json!({"query": "report", "threads": [9999]}),
        json!({"query": "report", "context": 9999}),
    ] {
        let error = case.try_query(query.clone());
        assert!(
            matches!(error, Err(QueryError::OutOfRange { .. })),
            "{query}: {error:?}"
        );
    }
    for query in [
        json!({"query": "event", "event": 999_999}),
        json!({"query": "locate", "axis": "time", "at": -1}),
        json!({"query": "step", "from": 999_999, "direction": "next", "by": {"mode": "event"}}),
    ] {
        assert!(case.query(query).is_null());
    }
}

#[test]
fn unknown_states_are_rejected() {
    let case = whole_active_case();
    let context = case.active.objects[0].0;
    let by = json!({"mode": "state", "context": context, "state": 99});
    let query = json!({"query": "step", "from": 0, "direction": "next", "by": by});
    let error = case.try_query(query);
    assert!(
        matches!(error, Err(QueryError::OutOfRange { .. })),
        "{error:?}"
    );
}

#[test]
fn invalid_windows_are_rejected() {
    let case = TestCase::recorded("cm3_system.trx");
    let (nan, infinite) = (f64::NAN, f64::INFINITY);
    for (from, to) in [
        (nan, 1.0),
        (0.0, nan),
        (0.0, infinite),
        (-infinite, 0.0),
        (1.0, 1.0),
        (2.0, 1.0),
        (-f64::MAX, f64::MAX),
    ] {
        for axis in [Axis::Time, Axis::Index] {
            let window = Window {
                axis,
                start: from,
                end: to,
            };
            let search = Search {
                filter: "core == 0".to_owned(),
            };
            for query in [
                Query::Search {
                    search,
                    window,
                    width: 10,
                },
                Query::Graph {
                    source: GraphSource::Load { core: None },
                    window,
                    width: 10,
                },
                Query::Lanes {
                    window,
                    width: 10,
                    lanes: vec![0],
                    search: None,
                },
                Query::Posts { window, limit: 1 },
                Query::Sequence {
                    window,
                    objects: Vec::new(),
                    format: SequenceFormat::Svg,
                    states: true,
                    actions: true,
                    timers: true,
                    limit: 1,
                },
            ] {
                let error = case.session.query(&query);
                assert!(
                    matches!(error, Err(QueryError::OutOfRange { .. })),
                    "{query:?}"
                );
            }
        }
    }
    for at in [nan, infinite] {
        let query = Query::Locate {
            axis: Axis::Index,
            at,
        };
        assert!(case.session.query(&query).is_err());
    }
}

/// Windows at the limits of the number range have a response.
#[test]
fn unusual_windows_are_answered() {
    for name in ["cm3_system.trx", "cm3_dwt_zero.trx", "be64_s390x_wrap.trx"] {
        let case = TestCase::recorded(name);
        let level = case.query(json!({"query": "overview"}))["levels"][0]["resource"].clone();
        for (from, to) in [
            (-1e300, 1e300),
            (1e300, 1.1e300),
            (0.0, 1e-300),
            (-5.0, -4.0),
        ] {
            for axis in ["time", "index"] {
                let window = json!({"axis": axis, "start": from, "end": to});
                let mut curves = vec![json!({"kind": "load", "core": null})];
                if !level.is_null() {
                    curves.push(json!({"kind": "level", "resource": level}));
                }
                for of in curves {
                    let curve = case.query(
                        json!({"query": "graph", "source": of, "window": window, "width": 8192}),
                    );
                    assert!(!curve["positions"].as_array().unwrap().is_empty());
                }
                let search = json!({"filter": "event >= 0"});
                case.query(
                    json!({"query": "search", "search": search, "window": window, "width": 8192}),
                );
            }
        }
    }
}

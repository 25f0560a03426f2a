//! Snapshots of a growing recording answer as its parts do when they are opened alone.

use crate::support::stream_feed::StreamFeed;
use crate::support::{TestServer, start_with};
use rtoscope_decode::rkh;
use rtoscope_server::{LiveTraceOptions, ServerOptions};
use rtoscope_session::{Query, QueryResponse, RecordingIds, Session};
use rtoscope_trace::{Ticks, TraceOrigin};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maximum number of events of a snapshot.
const MAX_EVENTS: u64 = 1500;

fn start(feed: &StreamFeed) -> TestServer {
    start_with(ServerOptions::default(), |server| {
        let options = LiveTraceOptions {
            max_events: MAX_EVENTS,
        };
        server
            .add_live("live".to_owned(), feed.clone(), options)
            .unwrap();
    })
}

/// Queries of everything that is computed from a trace.
fn queries(session: &Session) -> Vec<Value> {
    let QueryResponse::Json(overview) = session.query(&Query::Overview).unwrap() else {
        panic!("an overview is JSON");
    };
    let overview: Value = serde_json::from_str(&overview).unwrap();
    let lanes: Vec<_> = (0..overview["lanes"].as_array().unwrap().len()).collect();
    let number = |value: &Value| value.as_u64().unwrap();
    let first = number(&overview["base"]["event"]);
    let last = first + number(&overview["events"]) - 1;
    let middle = first.midpoint(last);
    let start = number(&overview["base"]["time"]);
    let time = json!({ "axis": "time", "start": start, "end": start + number(&overview["span"]) });
    let index = json!({ "axis": "index", "start": middle, "end": last });
    vec![
        json!({ "query": "overview" }),
        json!({ "query": "report" }),
        json!({ "query": "lanes", "window": time, "width": 500, "lanes": lanes }),
        json!({ "query": "lanes", "window": index, "width": 500, "lanes": lanes }),
        json!({ "query": "posts", "window": time, "limit": 10_000 }),
        json!({ "query": "events", "offset": middle, "limit": 1000 }),
        json!({ "query": "event", "event": (2 * first + last) / 3 }),
        json!({ "query": "event", "event": last }),
    ]
}

#[test]
fn snapshots_equal_sessions_of_their_parts() {
    let options = rtoscope_generate::rkh::RkhOptions {
        records: 6000,
        ..Default::default()
    };
    let mut bytes = Vec::new();
    rtoscope_generate::rkh::write(&options, &mut bytes, &mut |_| ()).unwrap();
    let feed = StreamFeed::new(rkh::FORMAT);
    let server = start(&feed);
    let mut snapshot = 0;
    let mut starts = Vec::new();
    let ids = RecordingIds::default();
    let mut known = BTreeMap::new();
    for chunk in bytes.chunks(bytes.len() / 30) {
        let end = feed.send(chunk);
        let status = server.newer_snapshot(snapshot);
        snapshot = status["snapshot"].as_u64().unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        let base = TraceOrigin {
            event: number(&status["base"]["event"]),
            time: Ticks(number(&status["base"]["time"])),
        };
        assert_eq!(base.event + number(&status["events"]), end);
        assert!(number(&status["events"]) <= MAX_EVENTS);
        starts.push(base.event);
        let mut session = Session::new("live", feed.decode_from(base));
        session.join(&ids);
        for query in queries(&session) {
            let parsed: Query = serde_json::from_value(query.clone()).unwrap();
            let expected = match session.query(&parsed).unwrap() {
                QueryResponse::Json(text) => text.into_bytes(),
                QueryResponse::Lanes(bytes) => bytes,
            };
            let reply = server.query_snapshot(snapshot, &query);
            assert_eq!(reply.status, 200, "{}", reply.text());
            assert!(reply.body == expected, "{query} of snapshot {snapshot}");
            if query["query"] == "overview" {
                check_numbers(&reply.json(), &mut known);
            }
        }
    }
    // The first event stays for several snapshots, and then moves.
    let count = starts.len();
    starts.dedup();
    assert!((5..=count / 3).contains(&starts.len()), "{starts:?}");
}

/// Checks that whatever an overview names has the same number as in earlier ones.
fn check_numbers(overview: &Value, known: &mut BTreeMap<String, usize>) {
    let mut check = |what: String, number: usize| {
        let before = *known.entry(what.clone()).or_insert(number);
        assert_eq!(before, number, "{what}");
    };
    for (list, [kind, name]) in [
        ("contexts", ["kind", "address"]),
        ("objects", ["class", "address"]),
        ("kinds", ["component", "id"]),
        ("levels", ["class", "name"]),
    ] {
        for (number, one) in overview[list].as_array().unwrap().iter().enumerate() {
            check(format!("{list} {} {}", one[kind], one[name]), number);
        }
    }
    for machine in overview["machines"].as_array().unwrap() {
        for (number, state) in machine["states"].as_array().unwrap().iter().enumerate() {
            check(
                format!("state {} {}", machine["context"], state["name"]),
                number,
            );
        }
    }
}

//! Live traces.

use crate::support::live::{DecodeOutcome, FakeFeed, TICKS, eventually, failure, start_live};
use crate::support::{self, TestServer, start};
use rtoscope_capture::SourceState;
use rtoscope_decode::{TargetCommand, cswitch};
use serde_json::{Value, json};

fn number(status: &Value, name: &str) -> u64 {
    status[name].as_u64().unwrap()
}

/// The numbers in the recording of the events with bookmarks in a snapshot.
fn bookmarks(server: &TestServer, snapshot: u64) -> Vec<(u64, String)> {
    let response = server.query_snapshot(snapshot, &json!({ "query": "bookmarks" }));
    let response = response.json();
    let bookmarks = response.as_array().unwrap().iter();
    let bookmark = |one: &Value| {
        let note = one["note"].as_str().unwrap().to_owned();
        (number(one, "event"), note)
    };
    bookmarks.map(bookmark).collect()
}

fn command(server: &TestServer, snapshot: u64, command: &Value) -> support::Reply {
    server.query_at(
        &format!("/api/traces/1/command?snapshot={snapshot}"),
        command,
    )
}

#[test]
fn live_traces_have_no_sql() {
    let server = start_live(&FakeFeed::new());
    let headers = ["Content-Type: application/json"];
    let reply = server.request("POST /api/traces/1/sql", &headers, b"{}");
    let reason = reply.json()["unavailable"].clone();
    let reason = reason.as_str().unwrap();
    assert!(reason.contains("rtoscope live --save"), "{reason}");
}

#[test]
fn new_events_are_shown() {
    let fake = FakeFeed::new();
    let server = start_live(&fake);
    let listed = json!([{ "id": 1, "name": "live", "live": true }]);
    assert_eq!(server.get("/api/traces").json(), listed);
    server.query(1, r#"{"query":"overview"}"#).error(404);
    fake.grow(fake.shown_events());
    let first = server.newer_snapshot(0);
    assert_eq!(first["schema"], "rtoscope/live/1");
    assert_eq!(first["base"], json!({ "event": 0, "time": 0 }));
    assert_eq!(number(&first, "events"), fake.shown_events());
    assert_eq!(number(&first, "total_events"), fake.shown_events());
    assert_eq!(first["received_at"], fake.shown_events() as f64);
    let connection = json!({ "state": "connected", "text": "a test" });
    assert_eq!(first["connection"], connection);
    assert_eq!(first["has_older"], false);

    fake.grow(1000);
    let second = server.newer_snapshot(number(&first, "snapshot"));
    assert_eq!(
        second["base"],
        json!({ "event": 1000, "time": 1000 * TICKS })
    );
    assert_eq!(second["received_at"], (fake.shown_events() + 1000) as f64);
    for status in [&first, &second] {
        let snapshot = number(status, "snapshot");
        let response = server.query_snapshot(snapshot, &json!({ "query": "overview" }));
        assert_eq!(response.json()["base"], status["base"]);
        assert_eq!(response.json()["span"], status["span"]);
    }
    let newest = server.query(1, r#"{"query":"overview"}"#).json();
    assert_eq!(newest["base"], second["base"]);
    assert_eq!(newest["name"], "live");
}

#[test]
fn displayed_numbers_count_from_the_recording() {
    let fake = FakeFeed::begun();
    fake.grow(1000);
    let server = start_live(&fake);
    let snapshot = number(&server.newer_snapshot(0), "snapshot");
    let event = server.query_snapshot(snapshot, &json!({ "query": "event", "event": 1000 }));
    let text = event.json()["time_text"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with(&format!("{} ticks", 1000 * TICKS)),
        "{text}"
    );
    let search = json!({ "query": "events", "offset": 0, "limit": 9,
        "search": { "filter": "event < 1002" } });
    let found = server.query_snapshot(snapshot, &search).json();
    assert_eq!(found["total"], 2);
    assert_eq!(found["rows"][1]["event"], 1001);
}

/// More small snapshots than viewers may query without holding them.
const MORE_THAN_FOLLOWED: u64 = 20;

#[test]
fn old_snapshots_are_dropped() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let first = number(&server.newer_snapshot(0), "snapshot");
    let mut last = first;
    for _ in 0..MORE_THAN_FOLLOWED {
        assert_eq!(server.base(first), 0);
        fake.grow(1);
        last = number(&server.newer_snapshot(last), "snapshot");
    }
    let overview = json!({ "query": "overview" });
    let error = server.query_snapshot(first, &overview).error(410);
    assert!(error.contains(&first.to_string()), "{error}");
    server.query_snapshot(last + 1000, &overview).error(410);
    assert_eq!(server.base(last), MORE_THAN_FOLLOWED);
    server
        .query_at("/api/traces/1/query?snapshot=x", &overview)
        .error(400);
}

#[test]
fn held_snapshots_stay() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let held = number(&server.newer_snapshot(0), "snapshot");
    let paused = server.hold_snapshot("pause");
    assert_eq!(paused.status, 200);
    let paused = number(&paused.json(), "snapshot");
    let mut last = held;
    for _ in 0..6 {
        fake.grow(1);
        server.poll(&format!("after={last}&hold={held}&version=0"));
        last = number(&server.newer_snapshot(last), "snapshot");
    }
    assert_eq!((server.base(held), server.base(paused)), (0, 0));
    // Following viewers saw neither of them again.
    assert!(last > paused);
    assert_eq!(server.base(last), 6);
}

#[test]
fn held_snapshots_are_limited() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let hold = || number(&server.hold_snapshot("pause").json(), "snapshot");
    let held: Vec<_> = (0..5).map(|_| hold()).collect();
    let overview = json!({ "query": "overview" });
    server.query_snapshot(held[0], &overview).error(410);
    server.poll(&format!("hold={}&version=0", held[1]));
    hold();
    assert_eq!(server.base(held[1]), 0);
    server.query_snapshot(held[2], &overview).error(410);
}

#[test]
fn commands_are_sent_to_the_target() {
    let fake = FakeFeed::new();
    let server = start_live(&fake);
    let post = |body: &str| {
        let headers = ["Content-Type: application/json"];
        server.request("POST /api/traces/1/live/target", &headers, body.as_bytes())
    };
    let stop = r#"{ "settings": ["markers=off"], "commands": ["stop"] }"#;
    assert_eq!(post(stop).error(409), "no target is connected");
    fake.grow(1);
    assert_eq!(server.poll("")["takes_commands"], true);
    assert_eq!(post(stop).status, 204);
    let filter = cswitch::FORMAT.filter_command("markers=off").unwrap();
    let stop = cswitch::FORMAT.target_command(TargetCommand::Stop).unwrap();
    assert_eq!(fake.sent(), [filter.unwrap(), stop].concat());
    for (body, part) in [
        (r#"{ "settings": ["markers"] }"#, "expected NAME=on"),
        (r#"{ "commands": ["go"] }"#, "unknown command `go`"),
        (r#"{ "reset": true }"#, "unknown field"),
    ] {
        let error = post(body).error(400);
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(fake.sent().len(), 16);
}

#[test]
fn older_events_come_from_disk() {
    let fake = FakeFeed::begun();
    fake.grow(10_000);
    let server = start_live(&fake);
    let paused = server.hold_snapshot("pause").json();
    assert_eq!(paused["base"]["event"], 10_000);
    assert_eq!(paused["has_older"], false);
    fake.save(3000..10_000);
    let paused = server.hold_snapshot("pause").json();
    assert_eq!(paused["has_older"], true);
    assert_eq!(paused["saved"]["folder"], "a folder");
    let older = server.hold_snapshot("older?before=10000").json();
    assert_eq!(older["base"]["event"], 10_000 - fake.shown_events());
    assert_eq!(older["received_at"], Value::Null);
    assert_eq!(older["total_events"], 10_000 + fake.shown_events());
    assert_eq!(older["has_older"], true);
    let snapshot = number(&older, "snapshot");
    assert_eq!(server.base(snapshot), 10_000 - fake.shown_events());
    // The next one is another snapshot.
    assert_eq!(server.newer_snapshot(0)["base"]["event"], 10_000);

    let error = server.hold_snapshot("older?before=3001").error(404);
    assert!(error.contains("3001"), "{error}");
    let near = server.hold_snapshot(&format!("older?before={}", 3001 + fake.shown_events()));
    assert_eq!(near.json()["has_older"], false);
    assert_eq!(
        server.hold_snapshot("older?before=99999").error(500),
        "the disk is gone"
    );
    server.hold_snapshot("older").error(400);
    server.hold_snapshot("older?before=-1").error(400);
}

#[test]
fn bookmarks_stay_at_their_events() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let first = number(&server.newer_snapshot(0), "snapshot");
    let bookmark = |event: u64, note: &str| {
        let bookmark = json!({ "event": event, "note": note });
        json!({ "command": "put-bookmark", "bookmark": bookmark, "replaces": null })
    };
    assert_eq!(command(&server, first, &bookmark(7, "a")).status, 204);
    let at_first = vec![(7, "a".to_owned())];
    assert_eq!(bookmarks(&server, first), at_first);
    fake.grow(5);
    let second = number(&server.newer_snapshot(first), "snapshot");
    assert_eq!(bookmarks(&server, second), at_first);
    fake.grow(5);
    let third = number(&server.newer_snapshot(second), "snapshot");
    assert_eq!(bookmarks(&server, third), vec![]);
    assert_eq!(command(&server, third, &bookmark(11, "b")).status, 204);
    let both = vec![(7, "a".to_owned()), (11, "b".to_owned())];
    assert_eq!(bookmarks(&server, first), both);
    assert_eq!(bookmarks(&server, third), both[1..]);
    let remove = json!({ "command": "remove-bookmark", "bookmark": { "event": 11, "note": "b" } });
    assert_eq!(command(&server, third, &remove).status, 204);
    assert_eq!(bookmarks(&server, first), at_first);
}

#[test]
fn clock_frequency_applies_to_all_snapshots() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    assert_eq!(
        server
            .command(1, r#"{"command":"clock","frequency_hz":1000}"#)
            .status,
        204
    );
    let first = number(&server.newer_snapshot(0), "snapshot");
    let hz = |snapshot| {
        let overview = server.query_snapshot(snapshot, &json!({ "query": "overview" }));
        overview.json()["clock"]["frequency_hz"].as_u64()
    };
    assert_eq!(hz(first), Some(1000));
    fake.grow(5);
    let second = number(&server.newer_snapshot(first), "snapshot");
    assert_eq!(hz(second), Some(1000));
    assert_eq!(
        server
            .command(1, r#"{"command":"clock","frequency_hz":2000}"#)
            .status,
        204
    );
    assert_eq!((hz(first), hz(second)), (Some(2000), Some(2000)));
    server
        .command(1, r#"{"command":"clock","frequency_hz":0}"#)
        .error(400);
    assert_eq!(hz(second), Some(2000));
}

#[test]
fn every_status_change_is_reported() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let first = server.newer_snapshot(0);
    let (snapshot, version) = (number(&first, "snapshot"), number(&first, "version"));
    // Before any poll waits.
    fake.set(|status| status.connection = SourceState::Lost("unplugged".to_owned()));
    let lost = server.poll(&format!("after={snapshot}&version={version}"));
    let connection = json!({ "state": "lost", "text": "unplugged" });
    assert_eq!(lost["connection"], connection);
    assert_eq!(number(&lost, "snapshot"), snapshot);
    assert!(number(&lost, "version") > version);
}

#[test]
fn decode_errors_are_reported() {
    let fake = FakeFeed::begun();
    fake.set_outcome(DecodeOutcome::Fails);
    let server = start_live(&fake);
    let said = |part: &str| {
        eventually(part, || {
            fake.grow(1);
            let status = server.poll("after=0&version=0");
            let said = status["decode_error"].as_str().unwrap_or_default();
            said.contains(part).then(|| status.clone())
        })
    };
    let failed = said(&failure().to_string());
    assert_eq!(
        (&failed["snapshot"], &failed["events"]),
        (&json!(0), &json!(0))
    );
    server.hold_snapshot("pause").error(422);
    server.query(1, r#"{"query":"overview"}"#).error(422);
    fake.set_outcome(DecodeOutcome::Panics);
    said("internal error");
    fake.set_outcome(DecodeOutcome::Works);
    fake.grow(1);
    assert_eq!(server.newer_snapshot(0)["decode_error"], Value::Null);
}

#[test]
fn live_traces_can_be_closed_when_ended() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let close = || server.request("DELETE /api/traces/1", &[], b"");
    close().error(409);
    assert!(number(&server.newer_snapshot(0), "snapshot") > 0);
    fake.set(|status| status.connection = SourceState::Ended);
    assert_eq!(close().status, 204);
    close().error(404);
    server.get("/api/traces/1/live").error(404);
}

#[test]
fn other_traces_are_not_live() {
    let server = start();
    let error = server.get("/api/traces/1/live").error(404);
    assert!(error.contains("not live"), "{error}");
    server.hold_snapshot("pause").error(404);
    server.hold_snapshot("older?before=1").error(404);
    server.get("/api/traces/2/live").error(404);
    server.get("/api/traces/1/live/pause").error(405);
}

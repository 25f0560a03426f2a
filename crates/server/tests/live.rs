//! Traces that are still recorded.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use rtoscope_capture::Connection;
use serde_json::{Value, json};
use support::live::{Cut, Fake, TICKS, eventually, failure, start_live};
use support::{Running, start};

fn number(status: &Value, name: &str) -> u64 {
    status[name].as_u64().unwrap()
}

/// The numbers in the recording of the events with bookmarks in an edition.
fn bookmarks(server: &Running, edition: u64) -> Vec<(u64, String)> {
    let base = server.base(edition);
    let asked = server.ask_edition(edition, &json!({ "ask": "bookmarks" }));
    let asked = asked.json();
    let bookmarks = asked.as_array().unwrap().iter();
    let bookmark = |one: &Value| {
        let note = one["note"].as_str().unwrap().to_owned();
        (base + number(one, "event"), note)
    };
    bookmarks.map(bookmark).collect()
}

fn tell(server: &Running, edition: u64, command: &Value) -> support::Reply {
    server.ask_at(&format!("/api/traces/1/tell?edition={edition}"), command)
}

#[test]
fn what_comes_is_shown() {
    let fake = Fake::new();
    let server = start_live(&fake);
    let listed = json!([{ "id": 1, "name": "live", "live": true }]);
    assert_eq!(server.get("/api/traces").json(), listed);
    server.ask(1, r#"{"ask":"overview"}"#).refusal(404);
    fake.grow(fake.shown());
    let first = server.newer(0);
    assert_eq!(first["schema"], "rtoscope/live/1");
    assert_eq!(first["base"], json!({ "event": 0, "time": 0 }));
    assert_eq!(number(&first, "events"), fake.shown());
    assert_eq!(number(&first, "total_events"), fake.shown());
    assert_eq!(first["received_at"], fake.shown() as f64);
    let connection = json!({ "state": "connected", "text": "a test" });
    assert_eq!(first["connection"], connection);
    assert_eq!(first["has_older"], false);

    fake.grow(1000);
    let second = server.newer(number(&first, "edition"));
    assert_eq!(
        second["base"],
        json!({ "event": 1000, "time": 1000 * TICKS })
    );
    assert_eq!(second["received_at"], (fake.shown() + 1000) as f64);
    for status in [&first, &second] {
        let edition = number(status, "edition");
        let asked = server.ask_edition(edition, &json!({ "ask": "overview" }));
        assert_eq!(asked.json()["base"], status["base"]);
        assert_eq!(asked.json()["span"], status["span"]);
    }
    let newest = server.ask(1, r#"{"ask":"overview"}"#).json();
    assert_eq!(newest["base"], second["base"]);
    assert_eq!(newest["name"], "live");
}

#[test]
fn people_read_numbers_of_the_recording() {
    let fake = Fake::begun();
    fake.grow(1000);
    let server = start_live(&fake);
    let edition = number(&server.newer(0), "edition");
    let event = server.ask_edition(edition, &json!({ "ask": "event", "event": 0 }));
    let text = event.json()["time_text"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with(&format!("{} ticks", 1000 * TICKS)),
        "{text}"
    );
    let search = json!({ "ask": "events", "from": 0, "count": 9,
        "search": { "filter": "index < 1002" } });
    let found = server.ask_edition(edition, &search).json();
    assert_eq!(found["total"], 2);
    assert_eq!(found["rows"][1]["event"], 1);
}

/// Editions of few events that viewers may ask without holding them, and more.
const MORE_THAN_KEPT: u64 = 20;

#[test]
fn old_editions_go() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let first = number(&server.newer(0), "edition");
    let mut last = first;
    for _ in 0..MORE_THAN_KEPT {
        assert_eq!(server.base(first), 0);
        fake.grow(1);
        last = number(&server.newer(last), "edition");
    }
    let overview = json!({ "ask": "overview" });
    let refusal = server.ask_edition(first, &overview).refusal(410);
    assert!(refusal.contains(&first.to_string()), "{refusal}");
    server.ask_edition(last + 1000, &overview).refusal(410);
    assert_eq!(server.base(last), MORE_THAN_KEPT);
    server
        .ask_at("/api/traces/1/ask?edition=x", &overview)
        .refusal(400);
    let command = json!({ "tell": "bookmarks", "bookmarks": [] });
    tell(&server, first, &command).refusal(410);
}

#[test]
fn held_editions_stay() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let held = number(&server.newer(0), "edition");
    let paused = server.hold("pause");
    assert_eq!(paused.status, 200);
    let paused = number(&paused.json(), "edition");
    let mut last = held;
    for _ in 0..6 {
        fake.grow(1);
        server.poll(&format!("after={last}&hold={held}&seen=0"));
        last = number(&server.newer(last), "edition");
    }
    assert_eq!((server.base(held), server.base(paused)), (0, 0));
    // Those who follow saw neither of them again.
    assert!(last > paused);
    assert_eq!(server.base(last), 6);
}

#[test]
fn only_so_many_are_held() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let hold = || number(&server.hold("pause").json(), "edition");
    let held: Vec<_> = (0..5).map(|_| hold()).collect();
    let overview = json!({ "ask": "overview" });
    server.ask_edition(held[0], &overview).refusal(410);
    server.poll(&format!("hold={}&seen=0", held[1]));
    hold();
    assert_eq!(server.base(held[1]), 0);
    server.ask_edition(held[2], &overview).refusal(410);
}

#[test]
fn older_events_come_from_disk() {
    let fake = Fake::begun();
    fake.grow(10_000);
    let server = start_live(&fake);
    let paused = server.hold("pause").json();
    assert_eq!(paused["base"]["event"], 10_000);
    assert_eq!(paused["has_older"], false);
    fake.save(3000..10_000);
    let paused = server.hold("pause").json();
    assert_eq!(paused["has_older"], true);
    assert_eq!(paused["saved"]["folder"], "a folder");
    let older = server.hold("older?before=10000").json();
    assert_eq!(older["base"]["event"], 10_000 - fake.shown());
    assert_eq!(older["received_at"], Value::Null);
    assert_eq!(older["total_events"], 10_000 + fake.shown());
    assert_eq!(older["has_older"], true);
    let edition = number(&older, "edition");
    assert_eq!(server.base(edition), 10_000 - fake.shown());
    // What follows is another edition.
    assert_eq!(server.newer(0)["base"]["event"], 10_000);

    let refusal = server.hold("older?before=3001").refusal(404);
    assert!(refusal.contains("3001"), "{refusal}");
    let near = server.hold(&format!("older?before={}", 3001 + fake.shown()));
    assert_eq!(near.json()["has_older"], false);
    assert_eq!(
        server.hold("older?before=99999").refusal(500),
        "the disk is gone"
    );
    server.hold("older").refusal(400);
    server.hold("older?before=-1").refusal(400);
}

#[test]
fn bookmarks_stay_at_their_events() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let first = number(&server.newer(0), "edition");
    let command = |event: u64, note: &str| {
        let bookmarks = json!([{ "event": event, "note": note }]);
        json!({ "tell": "bookmarks", "bookmarks": bookmarks })
    };
    assert_eq!(tell(&server, first, &command(7, "a")).status, 204);
    let at_first = vec![(7, "a".to_owned())];
    assert_eq!(bookmarks(&server, first), at_first);
    fake.grow(5);
    let second = number(&server.newer(first), "edition");
    assert_eq!(bookmarks(&server, second), at_first);
    fake.grow(5);
    let third = number(&server.newer(second), "edition");
    assert_eq!(bookmarks(&server, third), vec![]);
    assert_eq!(tell(&server, third, &command(1, "b")).status, 204);
    let both = vec![(7, "a".to_owned()), (11, "b".to_owned())];
    assert_eq!(bookmarks(&server, first), both);
    assert_eq!(bookmarks(&server, third), both[1..]);
    let beyond = command(fake.shown(), "no");
    assert!(
        tell(&server, third, &beyond)
            .refusal(400)
            .contains("bookmark")
    );
    assert_eq!(bookmarks(&server, first), both);
    // Those of the edition are replaced, the others stay.
    let none = json!({ "tell": "bookmarks", "bookmarks": [] });
    assert_eq!(tell(&server, third, &none).status, 204);
    assert_eq!(bookmarks(&server, first), at_first);
}

#[test]
fn the_clock_is_that_of_all() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    assert_eq!(server.tell(1, r#"{"tell":"clock","hz":1000}"#).status, 204);
    let first = number(&server.newer(0), "edition");
    let hz = |edition| {
        let overview = server.ask_edition(edition, &json!({ "ask": "overview" }));
        overview.json()["clock"]["hz"].as_u64()
    };
    assert_eq!(hz(first), Some(1000));
    fake.grow(5);
    let second = number(&server.newer(first), "edition");
    assert_eq!(hz(second), Some(1000));
    assert_eq!(server.tell(1, r#"{"tell":"clock","hz":2000}"#).status, 204);
    assert_eq!((hz(first), hz(second)), (Some(2000), Some(2000)));
    server.tell(1, r#"{"tell":"clock","hz":0}"#).refusal(400);
    assert_eq!(hz(second), Some(2000));
}

#[test]
fn every_change_is_heard_of() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let first = server.newer(0);
    let (edition, version) = (number(&first, "edition"), number(&first, "version"));
    // Before anybody waits.
    fake.set(|status| status.connection = Connection::Lost("unplugged".to_owned()));
    let lost = server.poll(&format!("after={edition}&seen={version}"));
    let connection = json!({ "state": "lost", "text": "unplugged" });
    assert_eq!(lost["connection"], connection);
    assert_eq!(number(&lost, "edition"), edition);
    assert!(number(&lost, "version") > version);
}

#[test]
fn what_cannot_be_shown_is_said() {
    let fake = Fake::begun();
    fake.cut(Cut::Fails);
    let server = start_live(&fake);
    let said = |part: &str| {
        eventually(|| {
            fake.grow(1);
            let status = server.poll("after=0&seen=0");
            let said = status["undecodable"].as_str().unwrap_or_default();
            said.contains(part).then(|| status.clone())
        })
    };
    let failed = said(&failure().to_string());
    assert_eq!(
        (&failed["edition"], &failed["events"]),
        (&json!(0), &json!(0))
    );
    server.hold("pause").refusal(422);
    server.ask(1, r#"{"ask":"overview"}"#).refusal(422);
    fake.cut(Cut::Panics);
    said("fault");
    fake.cut(Cut::Works);
    fake.grow(1);
    assert_eq!(server.newer(0)["undecodable"], Value::Null);
}

#[test]
fn live_traces_are_closed_at_their_end() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let close = || server.request("DELETE /api/traces/1", &[], b"");
    close().refusal(409);
    assert!(number(&server.newer(0), "edition") > 0);
    fake.set(|status| status.connection = Connection::Ended);
    assert_eq!(close().status, 204);
    close().refusal(404);
    server.get("/api/traces/1/live").refusal(404);
}

#[test]
fn other_traces_are_not_live() {
    let server = start();
    let refusal = server.get("/api/traces/1/live").refusal(404);
    assert!(refusal.contains("not live"), "{refusal}");
    server.hold("pause").refusal(404);
    server.hold("older?before=1").refusal(404);
    server.get("/api/traces/2/live").refusal(404);
    server.get("/api/traces/1/live/pause").refusal(405);
}

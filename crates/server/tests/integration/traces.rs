//! Queries, commands, and opening and closing traces.

use crate::support::{self, TestServer, session, start, start_with, trace};
use rtoscope_server::{MAX_TRACES, ServerOptions};
use rtoscope_session::Session;
use rtoscope_trace::ProgressPhase;
use serde_json::{Value, json};
use std::thread;

fn list(server: &TestServer) -> Value {
    server.get("/api/traces").json()
}

fn upload(server: &TestServer, name: &str, bytes: &[u8]) -> support::Reply {
    server.request(&format!("POST /api/traces?name={name}"), &[], bytes)
}

#[test]
fn queries_are_answered() {
    let server = start();
    assert_eq!(
        list(&server),
        json!([{ "id": 1, "name": "cm3_short.trx", "live": false }])
    );
    let overview = server.query(1, r#"{"query":"overview"}"#);
    assert_eq!(overview.status, 200);
    assert_eq!(overview.json()["name"], "cm3_short.trx");
    assert_eq!(overview.header("cache-control"), Some("no-store"));
    let lanes = server.query(
        1,
        r#"{"query":"lanes","window":{"axis":"index","start":0,"end":9},"width":90,"lanes":[0]}"#,
    );
    assert_eq!(lanes.status, 200);
    let kind = lanes.header("content-type");
    assert_eq!(kind, Some("application/octet-stream"));
    assert!(!lanes.body.is_empty());
}

#[test]
fn commands_take_effect() {
    let server = start();
    let bookmark = json!({ "event": 3, "note": "<b>here</b> \u{1f980}" });
    let command = json!({ "command": "put-bookmark", "bookmark": bookmark, "replaces": null });
    assert_eq!(server.command(1, &command.to_string()).status, 204);
    let response = server.query(1, r#"{"query":"bookmarks"}"#);
    assert_eq!(response.json(), json!([bookmark]));
}

#[test]
fn the_longest_notes_fit() {
    let server = start();
    let note = "\u{1}".repeat(4096);
    let bookmark = json!({ "event": 1, "note": note });
    let command = json!({ "command": "put-bookmark", "bookmark": bookmark, "replaces": note });
    assert!(command.to_string().len() > 49_000);
    assert_eq!(server.command(1, &command.to_string()).status, 204);
}

#[test]
fn invalid_requests_are_explained() {
    let server = start();
    for body in [
        "",
        "{",
        "[]",
        "null",
        r#"{"query":"everything"}"#,
        r#"{"query":"event"}"#,
        r#"{"query":"event","event":-1}"#,
        r#"{"query":"event","event":1,"path":"/etc/passwd"}"#,
        &"[".repeat(100_000),
    ] {
        assert!(!server.query(1, body).error(400).is_empty(), "{body:.20}");
    }
    let command = r#"{"command":"clock","frequency_hz":0}"#;
    assert!(
        server
            .command(1, command)
            .error(400)
            .contains("frequency_hz")
    );
    for id in ["0", "2", "-1", "x", "18446744073709551616", "1%2f.."] {
        let line = format!("POST /api/traces/{id}/query");
        let json = ["Content-Type: application/json"];
        let error = server.request(&line, &json, b"{}").error(404);
        assert!(error.contains("no open trace"), "{error}");
    }
}

#[test]
fn json_content_type_is_required() {
    let server = start();
    for kind in [
        "X-Other: 1",
        "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: text/plain; application/json",
    ] {
        for door in ["query", "command"] {
            let line = format!("POST /api/traces/1/{door}");
            let error = server.request(&line, &[kind], br#"{"query":"overview"}"#);
            assert!(error.error(415).contains("application/json"));
        }
    }
    let exact = ["Content-Type: Application/JSON; charset=utf-8"];
    let response = server.request(
        "POST /api/traces/1/query",
        &exact,
        br#"{"query":"bookmarks"}"#,
    );
    assert_eq!(response.status, 200);
}

#[test]
fn large_queries_are_rejected() {
    let server = start();
    let query = " ".repeat((8 << 20) + 1);
    assert!(server.query(1, &query).error(413).contains("8388608"));
}

#[test]
fn uploads_are_opened_and_closed() {
    let server = start();
    let bytes = std::fs::read(trace("cm3_system.trx")).unwrap();
    let name = "..%2F%3Cimg%20src%3Dx%3E";
    let opened = upload(&server, name, &bytes);
    let expected = json!({ "id": 2, "name": "../<img src=x>", "live": false });
    assert_eq!((opened.status, opened.json()), (200, expected));
    let response = server.query(2, r#"{"query":"bookmarks"}"#);
    assert_eq!(response.json(), json!([]));
    let closed = server.request("DELETE /api/traces/2", &[], b"");
    assert_eq!(closed.status, 204);
    server.request("DELETE /api/traces/2", &[], b"").error(404);
    server.query(2, r#"{"query":"bookmarks"}"#).error(404);
    let again = upload(&server, "", &bytes);
    assert_eq!(
        again.json(),
        json!({ "id": 3, "name": "upload", "live": false })
    );
    let long = upload(&server, &"n".repeat(5000), &bytes);
    assert_eq!(long.json()["name"].as_str().unwrap().len(), 255);
}

#[test]
fn invalid_uploads_are_explained() {
    let server = start();
    for bytes in [&b""[..], b"x", &[0xff; 100_000], b"<html>"] {
        let error = upload(&server, "odd.bin", bytes).error(422);
        assert!(error.starts_with("odd.bin: "), "{error}");
    }
    assert_eq!(list(&server).as_array().unwrap().len(), 1);
}

#[test]
fn uploads_are_limited() {
    let settings = ServerOptions {
        max_upload: 1000,
        ..ServerOptions::default()
    };
    let server = start_with(settings, |_| {});
    let error = upload(&server, "big.trx", &[0; 4 << 20]).error(413);
    assert!(error.contains("1000 bytes"), "{error}");
}

#[test]
fn open_traces_are_limited() {
    let path = trace("cm3_short.trx");
    let server = start_with(ServerOptions::default(), |server| {
        for _ in 0..MAX_TRACES {
            server.add(session(&path), None).unwrap();
        }
        server.add(session(&path), None).unwrap_err();
    });
    let bytes = std::fs::read(&path).unwrap();
    let error = upload(&server, "more.trx", &bytes).error(409);
    assert!(error.contains("64 traces"), "{error}");
    server.request("DELETE /api/traces/7", &[], b"");
    assert_eq!(upload(&server, "more.trx", &bytes).status, 200);
}

#[test]
fn progress_is_reported_until_the_trace_is_open() {
    let mut openers = Vec::new();
    let server = start_with(ServerOptions::default(), |server| {
        openers.push(support::opening(server, "slow.trx"));
        server.add(session(&trace("cm3_short.trx")), None).unwrap();
    });
    let progress = |id: u64| server.get(&format!("/api/traces/{id}/progress"));
    assert_eq!(progress(2).json(), Value::Null);
    progress(3).error(404);
    let start = json!({
        "phase": "reading", "done": 0, "total": null, "events": null, "density": null
    });
    assert_eq!(progress(1).json(), start);

    let opener = openers.remove(0);
    opener
        .progress()
        .start(ProgressPhase::Decoding, Some(64_000));
    opener.progress().advance(16_000);
    let now = progress(1).json();
    assert_eq!(now["phase"], "decoding");
    assert_eq!(
        (&now["done"], &now["total"]),
        (&json!(16_000), &json!(64_000))
    );

    let decoded = support::decoded("cm3_short.trx");
    let count = decoded.trace.events.len();
    opener.progress().set_events(&decoded.trace.events);
    let now = progress(1).json();
    assert_eq!(now["events"], count);
    assert_eq!(now["density"]["span"], decoded.trace.events.span().0);
    let counts = now["density"]["counts"].as_array().unwrap();
    let sum: u64 = counts.iter().filter_map(Value::as_u64).sum();
    assert_eq!(sum, count as u64);

    // A query waits for the session.
    thread::scope(|scope| {
        let query = scope.spawn(|| server.query(1, r#"{"query":"overview"}"#));
        let session = Session::with_progress(opener.name(), decoded, opener.progress());
        opener.finish(session, None);
        let overview = query.join().unwrap();
        assert_eq!(
            (overview.status, &overview.json()["events"]),
            (200, &json!(count))
        );
    });
    assert_eq!(progress(1).json(), Value::Null);
}

#[test]
fn failed_openings_leave_the_list() {
    let mut openers = Vec::new();
    let server = start_with(ServerOptions::default(), |server| {
        for name in ["bad.trx", "lost.trx"] {
            openers.push(support::opening(server, name));
        }
    });
    assert_eq!(list(&server).as_array().unwrap().len(), 2);
    openers.remove(0).fail("bad.trx: no record".to_owned());
    assert_eq!(list(&server).as_array().unwrap().len(), 1);
    server.query(1, r#"{"query":"overview"}"#).error(404);
    drop(openers);
    assert_eq!(list(&server), json!([]));
}

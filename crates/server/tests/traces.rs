//! Asking, telling, opening and closing.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use rtoscope_server::{MOST_TRACES, Settings};
use serde_json::{Value, json};
use support::{Running, session, start, start_with, trace};

fn list(server: &Running) -> Value {
    server.get("/api/traces").json()
}

fn upload(server: &Running, name: &str, bytes: &[u8]) -> support::Reply {
    server.request(&format!("POST /api/traces?name={name}"), &[], bytes)
}

#[test]
fn questions_are_answered() {
    let server = start();
    assert_eq!(
        list(&server),
        json!([{ "id": 1, "name": "cm3_short.trx", "live": false }])
    );
    let overview = server.ask(1, r#"{"ask":"overview"}"#);
    assert_eq!(overview.status, 200);
    assert_eq!(overview.json()["name"], "cm3_short.trx");
    assert_eq!(overview.header("cache-control"), Some("no-store"));
    let lanes = server.ask(
        1,
        r#"{"ask":"lanes","window":{"axis":"index","from":0,"to":9},"width":90,"lanes":[0]}"#,
    );
    assert_eq!(lanes.status, 200);
    let kind = lanes.header("content-type");
    assert_eq!(kind, Some("application/octet-stream"));
    assert!(!lanes.body.is_empty());
}

#[test]
fn what_is_told_is_known() {
    let server = start();
    let bookmarks = json!([{ "event": 3, "note": "<b>here</b> \u{1f980}" }]);
    let command = json!({ "tell": "bookmarks", "bookmarks": bookmarks });
    assert_eq!(server.tell(1, &command.to_string()).status, 204);
    let asked = server.ask(1, r#"{"ask":"bookmarks"}"#);
    assert_eq!(asked.json(), bookmarks);
}

#[test]
fn many_notes_fit() {
    let server = start();
    let note = "\"".repeat(2000);
    let all = vec![json!({ "event": 1, "note": note }); 10_000];
    let command = json!({ "tell": "bookmarks", "bookmarks": all }).to_string();
    assert!(command.len() > 40_000_000);
    assert_eq!(server.tell(1, &command).status, 204);
}

#[test]
fn nonsense_is_refused_with_a_sentence() {
    let server = start();
    for body in [
        "",
        "{",
        "[]",
        "null",
        r#"{"ask":"everything"}"#,
        r#"{"ask":"event"}"#,
        r#"{"ask":"event","event":-1}"#,
        r#"{"ask":"event","event":1,"path":"/etc/passwd"}"#,
        &"[".repeat(100_000),
    ] {
        assert!(!server.ask(1, body).refusal(400).is_empty(), "{body:.20}");
    }
    let command = r#"{"tell":"clock","hz":0}"#;
    assert!(server.tell(1, command).refusal(400).contains("hz"));
    for id in ["0", "2", "-1", "x", "18446744073709551616", "1%2f.."] {
        let line = format!("POST /api/traces/{id}/ask");
        let json = ["Content-Type: application/json"];
        let refusal = server.request(&line, &json, b"{}").refusal(404);
        assert!(refusal.contains("no open trace"), "{refusal}");
    }
}

#[test]
fn json_has_to_call_itself_so() {
    let server = start();
    for kind in [
        "X-Other: 1",
        "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: text/plain; application/json",
    ] {
        for door in ["ask", "tell"] {
            let line = format!("POST /api/traces/1/{door}");
            let refusal = server.request(&line, &[kind], br#"{"ask":"overview"}"#);
            assert!(refusal.refusal(415).contains("application/json"));
        }
    }
    let exact = ["Content-Type: Application/JSON; charset=utf-8"];
    let asked = server.request("POST /api/traces/1/ask", &exact, br#"{"ask":"bookmarks"}"#);
    assert_eq!(asked.status, 200);
}

#[test]
fn large_questions_are_refused() {
    let server = start();
    let question = " ".repeat((1 << 20) + 1);
    assert!(server.ask(1, &question).refusal(413).contains("1048576"));
}

#[test]
fn files_are_opened_and_closed() {
    let server = start();
    let bytes = std::fs::read(trace("cm3_system.trx")).unwrap();
    let name = "..%2F%3Cimg%20src%3Dx%3E";
    let opened = upload(&server, name, &bytes);
    let expected = json!({ "id": 2, "name": "../<img src=x>", "live": false });
    assert_eq!((opened.status, opened.json()), (200, expected));
    let asked = server.ask(2, r#"{"ask":"bookmarks"}"#);
    assert_eq!(asked.json(), json!([]));
    let closed = server.request("DELETE /api/traces/2", &[], b"");
    assert_eq!(closed.status, 204);
    server
        .request("DELETE /api/traces/2", &[], b"")
        .refusal(404);
    server.ask(2, r#"{"ask":"bookmarks"}"#).refusal(404);
    let again = upload(&server, "", &bytes);
    assert_eq!(
        again.json(),
        json!({ "id": 3, "name": "upload", "live": false })
    );
    let long = upload(&server, &"n".repeat(5000), &bytes);
    assert_eq!(long.json()["name"].as_str().unwrap().len(), 255);
}

#[test]
fn what_is_no_trace_is_explained() {
    let server = start();
    for bytes in [&b""[..], b"x", &[0xff; 100_000], b"<html>"] {
        let refusal = upload(&server, "odd.bin", bytes).refusal(422);
        assert!(refusal.starts_with("odd.bin: "), "{refusal}");
    }
    assert_eq!(list(&server).as_array().unwrap().len(), 1);
}

#[test]
fn uploads_have_a_limit() {
    let settings = Settings {
        max_upload: 1000,
        ..Settings::default()
    };
    let server = start_with(settings, |_| {});
    let refusal = upload(&server, "big.trx", &[0; 4 << 20]).refusal(413);
    assert!(refusal.contains("1000 bytes"), "{refusal}");
}

#[test]
fn so_many_traces_are_open() {
    let path = trace("cm3_short.trx");
    let server = start_with(Settings::default(), |server| {
        for _ in 0..MOST_TRACES {
            server.add(session(&path), None).unwrap();
        }
        server.add(session(&path), None).unwrap_err();
    });
    let bytes = std::fs::read(&path).unwrap();
    let refusal = upload(&server, "more.trx", &bytes).refusal(409);
    assert!(refusal.contains("64 traces"), "{refusal}");
    server.request("DELETE /api/traces/7", &[], b"");
    assert_eq!(upload(&server, "more.trx", &bytes).status, 200);
}

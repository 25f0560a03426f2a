//! Those who look at a live trace: many, slow, gone, or nobody.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use rtoscope_server::Settings;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};
use support::live::{Fake, eventually, start_live, start_live_with};
use support::{Running, message, reply, start_with};

/// Asks for news and does not read them.
fn wait(server: &Running, query: &str) -> TcpStream {
    let mut stream = server.connect();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let host = format!("Host: {}", server.address);
    let line = format!("GET /api/traces/1/live?{query}");
    stream.write_all(&message(&line, &[&host], b"")).unwrap();
    stream
}

/// The edition that a recording without news has.
fn settled(server: &Running) -> (u64, u64) {
    let status = server.newer(0);
    let number = |name: &str| status[name].as_u64().unwrap();
    (number("edition"), number("version"))
}

#[test]
fn many_wait_at_once() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let (edition, version) = settled(&server);
    let query = format!("after={edition}&seen={version}");
    let mut waiting: Vec<_> = (0..50).map(|_| wait(&server, &query)).collect();
    // Others are answered meanwhile.
    assert_eq!(server.base(edition), 0);
    assert_eq!(server.get("/healthz").status, 200);
    fake.grow(1);
    for stream in &mut waiting {
        let reply = reply(stream);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["total_events"], fake.shown() + 1);
    }
}

#[test]
fn too_many_are_refused() {
    let fake = Fake::begun();
    let settings = Settings {
        max_connections: 64,
        ..Settings::default()
    };
    let server = start_live_with(settings, &fake);
    let (edition, version) = settled(&server);
    let query = format!("after={edition}&seen={version}");
    let mut waiting = Vec::new();
    let refused = eventually(|| {
        waiting.push(wait(&server, &query));
        let last = waiting.last_mut().unwrap();
        last.set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        let mut answer = String::new();
        let _ = last.read_to_string(&mut answer);
        answer.starts_with("HTTP/1.1 503").then_some(answer)
    });
    assert!(refused.contains("viewers"), "{refused}");
    assert_eq!(waiting.len(), 48 + 1);
    // Who is gone makes room.
    drop(waiting);
    fake.grow(1);
    eventually(|| (server.get("/api/traces/1/live").status == 200).then_some(()));
}

#[test]
fn who_never_reads_holds_up_nobody() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let (edition, _) = settled(&server);
    let mut deaf = server.connect();
    deaf.set_write_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let host = server.address;
    let mut request = format!("GET /api/traces/1/live HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let question = r#"{"ask":"legend"}"#;
    request.push_str(&format!(
        "POST /api/traces/1/ask HTTP/1.1\r\nHost: {host}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{question}",
        question.len()
    ));
    let mut sent = 0;
    // Until there is no room for more on the way.
    while deaf.write_all(request.as_bytes()).is_ok() && sent < 100_000 {
        sent += 1;
    }
    let mut last = edition;
    for _ in 0..5 {
        fake.grow(1);
        last = server.newer(last)["edition"].as_u64().unwrap();
    }
    assert_eq!(server.base(last), 5);
}

#[test]
fn the_end_ends_waiting() {
    let fake = Fake::begun();
    let mut server = start_live(&fake);
    let (edition, version) = settled(&server);
    let query = format!("after={edition}&seen={version}");
    let mut waiting: Vec<_> = (0..10).map(|_| wait(&server, &query)).collect();
    // Answered, so that those above are accepted too.
    assert_eq!(server.get("/healthz").status, 200);
    let began = Instant::now();
    server.join();
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    for stream in &mut waiting {
        assert_eq!(reply(stream).status, 200);
    }
}

#[test]
fn nothing_is_made_for_nobody() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    for _ in 0..20 {
        fake.grow(1);
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(server.get("/api/traces").status, 200);
    assert_eq!(fake.cuts(), 0);
    settled(&server);
    assert!(fake.cuts() > 0);
    // Some time behind the last who looked, there is rest.
    eventually(|| {
        let before = fake.cuts();
        for _ in 0..20 {
            fake.grow(1);
            thread::sleep(Duration::from_millis(20));
        }
        (fake.cuts() == before).then_some(())
    });
    // Until somebody comes again, who sees what came meanwhile.
    let newest = server.ask(1, r#"{"ask":"overview"}"#).json();
    let status = server.newer(0);
    assert_eq!(newest["base"], status["base"]);
    assert_eq!(
        status["base"]["event"].as_u64().unwrap() + fake.shown(),
        status["total_events"].as_u64().unwrap()
    );
}

#[test]
fn nothing_is_made_for_who_pauses() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    let paused = server.hold("pause").json();
    let edition = paused["edition"].as_u64().unwrap();
    assert_eq!(fake.cuts(), 1);
    let mut seen = paused["version"].as_u64().unwrap();
    for round in 1..5 {
        fake.grow(1);
        let status = server.poll(&format!("after={edition}&hold={edition}&seen={seen}"));
        seen = status["version"].as_u64().unwrap();
        // How far it goes on is known.
        assert_eq!(status["total_events"], fake.shown() + round);
    }
    assert_eq!(fake.cuts(), 1);
}

#[test]
fn strangers_see_nothing() {
    let fake = Fake::begun();
    let server = start_live(&fake);
    for line in [
        "GET /api/traces/1/live",
        "POST /api/traces/1/live/pause",
        "POST /api/traces/1/live/older?before=9",
    ] {
        let foreign = ["Host: evil.example"];
        server.exchange(&message(line, &foreign, b"")).refusal(421);
        let origin = ["Origin: http://evil.example"];
        server.request(line, &origin, b"").refusal(403);
    }
    assert_eq!(fake.cuts(), 0);
    let settings = Settings {
        token: Some("correct-horse-battery".parse().unwrap()),
        ..Settings::default()
    };
    let server = start_with(settings, |server| {
        server
            .add_live("live".to_owned(), fake.clone(), Default::default())
            .unwrap();
    });
    server.get("/api/traces/1/live").refusal(401);
    server.hold("pause").refusal(401);
    server
        .ask_edition(1, &json!({ "ask": "overview" }))
        .refusal(401);
}

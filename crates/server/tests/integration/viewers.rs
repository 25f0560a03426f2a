//! Viewers of a live trace: many, slow, disconnected, or none.

use crate::support::live::{FakeFeed, eventually, start_live, start_live_with};
use crate::support::{TestServer, message, reply, start_with};
use rtoscope_server::ServerOptions;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// Sends a poll and does not read the response.
fn wait(server: &TestServer, query: &str) -> TcpStream {
    let mut stream = server.connect();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let host = format!("Host: {}", server.address);
    let line = format!("GET /api/traces/1/live?{query}");
    stream.write_all(&message(&line, &[&host], b"")).unwrap();
    stream
}

/// The snapshot and version of a recording without updates.
fn settled_status(server: &TestServer) -> (u64, u64) {
    let status = server.newer_snapshot(0);
    let number = |name: &str| status[name].as_u64().unwrap();
    (number("snapshot"), number("version"))
}

#[test]
fn many_viewers_can_poll() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let (snapshot, version) = settled_status(&server);
    let query = format!("after={snapshot}&version={version}");
    let mut waiting: Vec<_> = (0..50).map(|_| wait(&server, &query)).collect();
    // Other requests are answered meanwhile.
    assert_eq!(server.base(snapshot), 0);
    assert_eq!(server.get("/healthz").status, 200);
    fake.grow(1);
    for stream in &mut waiting {
        let reply = reply(stream);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["total_events"], fake.shown_events() + 1);
    }
}

/// A server on which as many polls wait as it accepts; it has rejected one more.
struct BusyServer {
    server: TestServer,
    query: String,
    waiting: Vec<TcpStream>,
    rejected: TcpStream,
}

impl BusyServer {
    fn start(fake: &FakeFeed) -> Self {
        let settings = ServerOptions {
            max_connections: 64,
            ..ServerOptions::default()
        };
        let server = start_live_with(settings, fake);
        let (snapshot, version) = settled_status(&server);
        let query = format!("after={snapshot}&version={version}");
        let mut waiting: Vec<_> = (0..48 + 1).map(|_| wait(&server, &query)).collect();
        // One of them, not necessarily the last.
        let rejected = eventually("a rejected poll", || waiting.iter().position(is_answered));
        let rejected = waiting.remove(rejected);
        Self {
            server,
            query,
            waiting,
            rejected,
        }
    }
}

fn is_answered(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let is_answered = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).unwrap();
    is_answered
}

#[test]
fn excess_polls_are_rejected() {
    let fake = FakeFeed::begun();
    let BusyServer {
        server,
        query,
        waiting,
        rejected,
    } = BusyServer::start(&fake);
    // And each one after it.
    for mut rejected in [rejected, wait(&server, &query)] {
        let mut response = String::new();
        let _ = rejected.read_to_string(&mut response);
        assert!(response.starts_with("HTTP/1.1 503"), "{response}");
        assert!(response.contains("viewers"), "{response}");
    }
    assert!(!waiting.iter().any(is_answered));
    // A disconnected viewer frees its slot.
    drop(waiting);
    fake.grow(1);
    eventually("a free slot", || {
        (server.get("/api/traces/1/live").status == 200).then_some(())
    });
}

#[test]
fn viewers_that_never_read_do_not_delay_others() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let (snapshot, _) = settled_status(&server);
    let mut deaf = server.connect();
    deaf.set_write_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let host = server.address;
    let mut request = format!("GET /api/traces/1/live HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let query = r#"{"query":"legend"}"#;
    request.push_str(&format!(
        "POST /api/traces/1/query HTTP/1.1\r\nHost: {host}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{query}",
        query.len()
    ));
    let mut sent = 0;
    // Until the socket buffers are full.
    while deaf.write_all(request.as_bytes()).is_ok() && sent < 100_000 {
        sent += 1;
    }
    let mut last = snapshot;
    for _ in 0..5 {
        fake.grow(1);
        last = server.newer_snapshot(last)["snapshot"].as_u64().unwrap();
    }
    assert_eq!(server.base(last), 5);
}

#[test]
fn shutdown_ends_polls() {
    let mut busy = BusyServer::start(&FakeFeed::begun());
    busy.server.join();
    // They were answered: none was aborted at the end of the shutdown.
    for stream in &mut busy.waiting {
        assert_eq!(reply(stream).status, 200);
    }
}

#[test]
fn no_snapshots_are_built_without_viewers() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    for _ in 0..20 {
        fake.grow(1);
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(server.get("/api/traces").status, 200);
    assert_eq!(fake.decodes(), 0);
    settled_status(&server);
    assert!(fake.decodes() > 0);
    // 5 s after the last activity, no more snapshots are built. A busy machine may build
    // none for a while before.
    let last_active = Instant::now();
    eventually("a pause of snapshots", || {
        let before = fake.decodes();
        for _ in 0..20 {
            fake.grow(1);
            thread::sleep(Duration::from_millis(20));
        }
        let is_absent = last_active.elapsed() > Duration::from_secs(7);
        (is_absent && fake.decodes() == before).then_some(())
    });
    // Until a viewer returns, which sees what arrived meanwhile.
    let newest = server.query(1, r#"{"query":"overview"}"#).json();
    let status = server.newer_snapshot(0);
    assert_eq!(newest["base"], status["base"]);
    assert_eq!(
        status["base"]["event"].as_u64().unwrap() + fake.shown_events(),
        status["total_events"].as_u64().unwrap()
    );
}

#[test]
fn no_snapshots_are_built_for_paused_viewers() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    let paused = server.hold_snapshot("pause").json();
    let snapshot = paused["snapshot"].as_u64().unwrap();
    assert_eq!(fake.decodes(), 1);
    let mut seen = paused["version"].as_u64().unwrap();
    for round in 1..5 {
        fake.grow(1);
        let status = server.poll(&format!("after={snapshot}&hold={snapshot}&version={seen}"));
        seen = status["version"].as_u64().unwrap();
        // The status shows how far the recording has progressed.
        assert_eq!(status["total_events"], fake.shown_events() + round);
    }
    assert_eq!(fake.decodes(), 1);
}

#[test]
fn unauthenticated_viewers_are_rejected() {
    let fake = FakeFeed::begun();
    let server = start_live(&fake);
    for line in [
        "GET /api/traces/1/live",
        "POST /api/traces/1/live/pause",
        "POST /api/traces/1/live/older?before=9",
    ] {
        let foreign = ["Host: evil.example"];
        server.exchange(&message(line, &foreign, b"")).error(421);
        let origin = ["Origin: http://evil.example"];
        server.request(line, &origin, b"").error(403);
    }
    assert_eq!(fake.decodes(), 0);
    let settings = ServerOptions {
        token: Some("correct-horse-battery".parse().unwrap()),
        ..ServerOptions::default()
    };
    let server = start_with(settings, |server| {
        server
            .add_live("live".to_owned(), fake.clone(), Default::default())
            .unwrap();
    });
    server.get("/api/traces/1/live").error(401);
    server.hold_snapshot("pause").error(401);
    server
        .query_snapshot(1, &json!({ "query": "overview" }))
        .error(401);
}

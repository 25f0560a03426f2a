//! Clients that are slow, odd, or gone.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use support::{Running, message, reply, start};

/// Begins a question and does not go on.
fn begin(server: &Running) -> TcpStream {
    let mut stream = server.connect();
    let head = format!(
        "POST /api/traces/1/ask HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: 19\r\n\r\n{{\"ask\":",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn slow_clients_hold_up_nobody() {
    let server = start();
    let mut slow: Vec<_> = (0..50).map(|_| begin(&server)).collect();
    let mut headless = server.connect();
    headless.write_all(b"GET / HT").unwrap();
    let began = Instant::now();
    assert_eq!(server.ask(1, r#"{"ask":"bookmarks"}"#).status, 200);
    assert!(began.elapsed() < Duration::from_secs(5));
    for stream in &mut slow {
        stream.write_all(b"\"bookmarks\"}").unwrap();
        assert_eq!(reply(stream).status, 200);
    }
}

#[test]
fn clients_that_go_away_hold_up_nobody() {
    let server = start();
    for _ in 0..300 {
        drop(begin(&server));
        let mut stream = server.connect();
        let question = message(
            "POST /api/traces/1/ask",
            &[
                "Content-Type: application/json",
                &format!("Host: {}", server.address),
            ],
            br#"{"ask":"legend"}"#,
        );
        stream.write_all(&question).unwrap();
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn what_is_no_request_ends_the_connection() {
    let server = start();
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: 1\r\n".repeat(1000));
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut stream = server.connect();
        // It may hang up before it has read all.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let status = answer.get(9..10);
        assert!(answer.is_empty() || status == Some(b"4"), "{answer:?}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn the_end_is_graceful() {
    let mut server = start();
    let mut idle = server.connect();
    let mut asking = begin(&server);
    // Answered, so that both connections above are accepted too.
    assert_eq!(server.get("/healthz").status, 200);
    server.end();
    std::thread::sleep(Duration::from_millis(200));
    asking.write_all(b"\"bookmarks\"}").unwrap();
    assert_eq!(reply(&mut asking).status, 200);
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    let began = Instant::now();
    server.join();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(TcpStream::connect(server.address).is_err());
}

#[test]
fn the_end_waits_for_nobody_for_ever() {
    let mut server = start();
    let _asking = begin(&server);
    assert_eq!(server.get("/healthz").status, 200);
    let began = Instant::now();
    server.join();
    assert!(began.elapsed() < Duration::from_secs(10));
}

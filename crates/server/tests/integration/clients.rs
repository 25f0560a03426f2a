//! Slow, odd and disconnected clients.

use crate::support::{self, TestServer, message, reply, start};
use rtoscope_server::ServerOptions;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Sends the start of a query and stops.
fn begin(server: &TestServer) -> TcpStream {
    begin_with(server, "/api/traces/1/query", "{\"query\":", 21)
}

/// Sends a request with the first bytes of its body and stops.
fn begin_with(server: &TestServer, path: &str, first: &str, length: usize) -> TcpStream {
    let mut stream = server.connect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{first}",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Opens a connection that stays open after its response.
fn keep_alive(server: &TestServer, line: &str, headers: &[&str]) -> TcpStream {
    let mut stream = server.connect();
    request_again(server, &mut stream, line, headers);
    stream
}

/// Sends a request on a keep-alive connection and reads the whole response.
fn request_again(server: &TestServer, stream: &mut TcpStream, line: &str, headers: &[&str]) {
    let mut request = format!("{line} HTTP/1.1\r\nHost: {}\r\n", server.address);
    for header in headers {
        request += &format!("{header}\r\n");
    }
    request += "\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    let whole = |response: &[u8]| {
        let text = String::from_utf8_lossy(response).to_lowercase();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.split_once("content-length: ")?.1;
        let length: usize = length.lines().next()?.parse().ok()?;
        (body.len() >= length).then_some(())
    };
    while whole(&response).is_none() {
        let mut part = [0; 4096];
        let length = stream.read(&mut part).unwrap();
        assert_ne!(length, 0, "closed: {response:?}");
        response.extend_from_slice(&part[..length]);
    }
    assert!(response.starts_with(b"HTTP/1.1 200"), "{response:?}");
}

/// Waits until the server has closed a connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
fn slow_bodies_take_no_permits() {
    let server = start();
    let slow = |path| begin_with(&server, path, "{", 4096);
    let _commands: Vec<_> = (0..20).map(|_| slow("/api/traces/1/command")).collect();
    let _uploads: Vec<_> = (0..20).map(|_| slow("/api/traces?name=slow")).collect();
    // The slow requests are accepted and being read.
    assert_eq!(server.get("/healthz").status, 200);
    let clock = r#"{"command":"clock","frequency_hz":1000}"#;
    assert_eq!(server.command(1, clock).status, 204);
    let file = support::session_bytes("cm3_short.trx");
    let uploaded = server.request("POST /api/traces?name=mine", &[], &file);
    assert_eq!(uploaded.status, 200);
}

#[test]
fn connections_without_a_request_in_progress_make_room() {
    let settings = ServerOptions {
        max_connections: 8,
        token: Some("correct-horse-battery".parse().unwrap()),
        ..ServerOptions::default()
    };
    let server = support::start_with(settings, |server| {
        let session = support::session(&support::trace("cm3_short.trx"));
        server.add(session, None).unwrap();
    });
    let token = "Authorization: Bearer correct-horse-battery";
    let mut owner = keep_alive(&server, "GET /api/traces", &[token]);
    let mut idle: Vec<_> = (0..7)
        .map(|_| keep_alive(&server, "GET /healthz", &[]))
        .collect();
    // All slots are taken. A new client replaces the longest idle one without the
    // token; the owner keeps its slot, although it is the oldest.
    let mut new = Vec::new();
    for stream in &mut idle[..3] {
        new.push(keep_alive(&server, "GET /api/traces", &[token]));
        assert!(is_closed(stream));
    }
    request_again(&server, &mut owner, "GET /api/traces", &[token]);
    request_again(&server, &mut idle[6], "GET /healthz", &[]);
}

#[test]
fn hundreds_of_polling_clients_keep_their_connections() {
    let server = start();
    let list = "GET /api/traces";
    let mut polling: Vec<_> = (0..300).map(|_| keep_alive(&server, list, &[])).collect();
    assert_eq!(server.query(1, r#"{"query":"bookmarks"}"#).status, 200);
    for stream in &mut polling {
        request_again(&server, stream, list, &[]);
    }
}

#[test]
fn large_heads_are_refused() {
    let server = start();
    let status = |bytes: usize| {
        let mut stream = server.connect();
        let head = [
            format!("Host: {}", server.address),
            format!("X-Padding: {}", "x".repeat(bytes)),
        ];
        let head = [head[0].as_str(), head[1].as_str()];
        stream
            .write_all(&message("GET /healthz", &head, b""))
            .unwrap();
        reply(&mut stream).status
    };
    assert_eq!(status(60_000), 200);
    for bytes in [65_600, 100_000] {
        assert_eq!(status(bytes), 431, "{bytes}");
    }
}

#[test]
fn bodies_without_length_are_refused_at_once() {
    let server = start();
    let mut stream = server.connect();
    let head = [
        format!("Host: {}", server.address),
        "Content-Type: application/json".to_owned(),
        "Transfer-Encoding: chunked".to_owned(),
    ];
    let head = head.each_ref().map(String::as_str);
    let body = b"FFFFFFFFFFFFFFFF\r\n{";
    let began = Instant::now();
    stream
        .write_all(&message("POST /api/traces/1/query", &head, body))
        .unwrap();
    assert_eq!(reply(&mut stream).status, 411);
    // Any body is read for 5 s.
    assert!(began.elapsed() < Duration::from_secs(4));
}

#[test]
fn slow_clients_do_not_delay_others() {
    let server = start();
    let mut slow: Vec<_> = (0..50).map(|_| begin(&server)).collect();
    let mut headless = server.connect();
    headless.write_all(b"GET / HT").unwrap();
    assert_eq!(server.query(1, r#"{"query":"bookmarks"}"#).status, 200);
    for stream in &mut slow {
        // It has not timed out: the other query was answered before.
        stream.write_all(b"\"bookmarks\"}").unwrap();
        assert_eq!(reply(stream).status, 200);
    }
}

#[test]
fn disconnected_clients_do_not_delay_others() {
    let server = start();
    for _ in 0..300 {
        drop(begin(&server));
        let mut stream = server.connect();
        let query = message(
            "POST /api/traces/1/query",
            &[
                "Content-Type: application/json",
                &format!("Host: {}", server.address),
            ],
            br#"{"query":"legend"}"#,
        );
        stream.write_all(&query).unwrap();
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn invalid_requests_end_the_connection() {
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
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let status = response.get(9..10);
        assert!(response.is_empty() || status == Some(b"4"), "{response:?}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn shutdown_is_graceful() {
    let mut server = start();
    let mut idle = server.connect();
    let mut asking = begin(&server);
    // The response shows that both connections above are accepted too.
    assert_eq!(server.get("/healthz").status, 200);
    server.end();
    // The shutdown has begun once idle connections are closed.
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    asking.write_all(b"\"bookmarks\"}").unwrap();
    assert_eq!(reply(&mut asking).status, 200);
    server.join();
    assert!(TcpStream::connect(server.address).is_err());
}

#[test]
fn shutdown_is_bounded() {
    let mut server = start();
    let _asking = begin(&server);
    assert_eq!(server.get("/healthz").status, 200);
    // Less than the 30 s after which it would end without a shutdown.
    server.join_within(Duration::from_secs(25));
}

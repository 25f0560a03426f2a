//! A source that listens.

use super::test_source::{TIMEOUT, TestEvent, TestSource, open, open_error, open_with, pattern};
use rtoscope_capture::SourceOptions;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const REASON: &str = "rtoscope: another target is connected\n";

/// A source that listens on a free port, and the port.
fn listening() -> (TestSource, SocketAddr) {
    let mut ear = open("tcp-listen://:0").unwrap();
    let port = port(&ear.waiting());
    (ear, port)
}

fn port(waiting: &str) -> SocketAddr {
    let port = waiting.strip_prefix("a target to connect to ").unwrap();
    port.parse().unwrap()
}

/// A connected target.
fn connect(ear: &mut TestSource, port: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(port).unwrap();
    assert_eq!(ear.connected(), stream.local_addr().unwrap().to_string());
    stream
}

/// Everything that a refused target receives.
fn read_refusal(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn all_bytes_arrive_unchanged() {
    let (mut ear, port) = listening();
    let sent = pattern(8 << 20);
    let mut stream = connect(&mut ear, port);
    thread::scope(|scope| {
        scope.spawn(|| {
            stream.write_all(&sent).unwrap();
            drop(stream);
        });
        assert!(ear.bytes(sent.len()) == sent);
        assert_eq!(ear.lost(), "the target closed the connection");
    });
}

#[test]
fn lost_targets_may_reconnect() {
    let (mut ear, port) = listening();
    for _ in 0..3 {
        let mut stream = connect(&mut ear, port);
        stream.write_all(b"half a fra").unwrap();
        assert_eq!(ear.bytes(10), b"half a fra");
        drop(stream);
        ear.lost();
        let what = ear.waiting();
        assert_eq!(what, format!("a target to connect to {port}"));
    }
}

#[test]
fn second_targets_receive_the_refusal_reason() {
    let (mut ear, port) = listening();
    let mut first = connect(&mut ear, port);
    let mut second = TcpStream::connect(port).unwrap();
    let peer = second.local_addr().unwrap();
    // It receives the message even if it sends data.
    second.write_all(&pattern(1000)).unwrap();
    let refusal = thread::scope(|scope| {
        let refusal = scope.spawn(|| read_refusal(second));
        let mut received = 0;
        let end = Instant::now() + TIMEOUT;
        while !refusal.is_finished() || received == 0 {
            assert!(Instant::now() < end, "no target is refused");
            first.write_all(b"x").unwrap();
            match ear.next_within(Duration::from_millis(10)) {
                Some(TestEvent::Remark(remark)) => {
                    assert_eq!(
                        remark,
                        format!("refused {peer}: another target is connected")
                    );
                    received += 1;
                }
                Some(TestEvent::Bytes(bytes)) => assert!(bytes.iter().all(|byte| *byte == b'x')),
                None => {}
                other => panic!("{other:?}"),
            }
        }
        refusal.join().unwrap()
    });
    assert_eq!(refusal, REASON);
}

#[test]
fn quiet_targets_keep_their_connection() {
    let (mut ear, port) = listening();
    let mut first = connect(&mut ear, port);
    let second = TcpStream::connect(port).unwrap();
    // The first target's system answers keepalive probes.
    let remark = ear.next();
    assert!(matches!(remark, TestEvent::Remark(_)), "{remark:?}");
    thread::scope(|scope| {
        let refusal = scope.spawn(|| read_refusal(second));
        assert_eq!(ear.next_within(Duration::from_millis(100)), None);
        assert_eq!(refusal.join().unwrap(), REASON);
    });
    first.write_all(b"x").unwrap();
    assert_eq!(ear.bytes(1), b"x");
}

#[test]
fn waiting_targets_replace_lost_ones() {
    let (mut ear, port) = listening();
    let first = connect(&mut ear, port);
    let mut second = TcpStream::connect(port).unwrap();
    second.write_all(b"again").unwrap();
    assert_eq!(ear.next_within(Duration::from_millis(200)), None);
    drop(first);
    ear.lost();
    assert_eq!(ear.connected(), second.local_addr().unwrap().to_string());
    assert_eq!(ear.bytes(5), b"again");
}

#[test]
fn refused_targets_do_not_affect_the_first() {
    const OTHERS: u64 = 1000;
    let (mut ear, port) = listening();
    let first = connect(&mut ear, port);
    let piece = pattern(32 << 10);
    let is_enough = AtomicBool::new(false);
    let (mut received, mut refused, mut remarks) = (Vec::new(), 0, 0);
    let began = Instant::now();
    let sent = thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| come_and_go(port, OTHERS / 10));
        }
        let sent = scope.spawn(|| send_until(&is_enough, first, &piece));
        loop {
            match ear.next() {
                TestEvent::Bytes(bytes) => received.extend(bytes),
                TestEvent::Remark(remark) => {
                    let (_, more) = remark.split_once(" and ").unwrap_or_default();
                    let more = more.split_once(' ').unwrap_or_default().0;
                    refused += 1 + more.parse().unwrap_or(0);
                    remarks += 1;
                    is_enough.store(refused >= OTHERS, Ordering::Relaxed);
                }
                TestEvent::Lost(_) => break,
                other => panic!("{other:?}"),
            }
            assert!(began.elapsed() < TIMEOUT, "{refused} are refused");
        }
        sent.join().unwrap()
    });
    assert_eq!(received.len(), sent * piece.len());
    assert!(
        received
            .chunks(piece.len())
            .all(|received| received == piece)
    );
    assert_eq!(refused, OTHERS);
    let most = began.elapsed().as_secs() + 2;
    assert!(remarks <= most, "{remarks} remarks in less than {most} s");
}

/// Targets that connect at once and are refused.
fn come_and_go(port: SocketAddr, count: u64) {
    let connect = |_| TcpStream::connect(port).unwrap();
    let others: Vec<_> = (0..count).map(connect).collect();
    for mut other in others {
        other.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut text = String::new();
        match other.read_to_string(&mut text) {
            Ok(_) => assert_eq!(text, REASON),
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
    }
}

/// Sends a chunk repeatedly, and returns how often.
fn send_until(is_enough: &AtomicBool, mut stream: TcpStream, piece: &[u8]) -> usize {
    let mut sent = 0;
    while !is_enough.load(Ordering::Relaxed) {
        stream.write_all(piece).unwrap();
        sent += 1;
        thread::sleep(Duration::from_millis(1));
    }
    sent
}

#[test]
fn open_errors_name_the_port() {
    let (_ear, port) = listening();
    let address = format!("tcp-listen://{port}");
    let (said, cause) = open_error(&address);
    assert_eq!(said, format!("cannot open {address}"));
    assert!(cause.contains("in use"), "{cause}");
}

#[test]
fn dropped_sources_free_the_port() {
    let (mut ear, port) = listening();
    let _first = connect(&mut ear, port);
    drop(ear);
    let mut ear = open(&format!("tcp-listen://{port}")).unwrap();
    connect(&mut ear, port);
}

#[test]
fn public_addresses_must_be_allowed() {
    let (said, _) = open_error("tcp-listen://0.0.0.0:0");
    assert_eq!(
        said,
        "tcp-listen://0.0.0.0:0 would let other machines connect: allow it with --public, or \
         listen on 127.0.0.1"
    );
    let settings = SourceOptions {
        public: true,
        ..SourceOptions::default()
    };
    let mut ear = open_with("tcp-listen://0.0.0.0:0", &settings).unwrap();
    let port = port(&ear.waiting()).port();
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    assert_eq!(ear.connected(), stream.local_addr().unwrap().to_string());
}

#[test]
fn immediate_reconnections_lose_no_bytes() {
    const CONNECTIONS: usize = 100;
    let (mut ear, port) = listening();
    let sent = pattern(20_000);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..CONNECTIONS {
                let mut stream = TcpStream::connect(port).unwrap();
                stream.write_all(&sent).unwrap();
            }
        });
        for number in 0..CONNECTIONS {
            ear.connected();
            assert!(ear.bytes(sent.len()) == sent, "{number}");
            assert_eq!(ear.lost(), "the target closed the connection");
        }
    });
}

#[test]
fn unread_connections_are_reported_at_the_end() {
    let (mut ear, port) = listening();
    let _first = connect(&mut ear, port);
    let _others = [(); 3].map(|()| TcpStream::connect(port).unwrap());
    let message = ear.close().unwrap();
    assert_eq!(
        message,
        (
            3,
            "the capture ended with 3 connections still unread".to_owned()
        )
    );
    let (ear, _) = listening();
    assert_eq!(ear.close(), None);
}

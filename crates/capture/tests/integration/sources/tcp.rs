//! A source that connects.

use super::test_source::{TestEvent, open, open_error, pattern};
use socket2::SockRef;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// A listening target and its address.
fn target() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    (listener, address)
}

fn send(listener: &TcpListener, bytes: &[u8]) -> TcpStream {
    let (mut stream, _) = listener.accept().unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

#[test]
fn all_bytes_arrive_unchanged() {
    let (listener, address) = target();
    let sent = pattern(8 << 20);
    let mut ear = open(&address).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| send(&listener, &sent));
        assert!(address.ends_with(&ear.connected()));
        assert!(ear.bytes(sent.len()) == sent);
        assert_eq!(ear.lost(), "the target closed the connection");
    });
}

#[test]
fn lost_targets_are_reconnected() {
    let (listener, address) = target();
    let mut ear = open(&address).unwrap();
    for reset in [true, false] {
        let stream = thread::scope(|scope| {
            let target = scope.spawn(|| send(&listener, b"half a fra"));
            ear.connected();
            target.join().unwrap()
        });
        assert_eq!(ear.bytes(10), b"half a fra");
        if reset {
            let linger = Some(Duration::ZERO);
            SockRef::from(&stream).set_linger(linger).unwrap();
        }
        drop(stream);
        let why = ear.lost();
        assert_eq!(why.contains("reset"), reset, "{why}");
        let what = ear.waiting();
        assert!(what.ends_with(" to answer"), "{what}");
    }
}

#[test]
fn targets_may_start_late() {
    let (listener, address) = target();
    let port = listener.local_addr().unwrap();
    drop(listener);
    let mut ear = open(&address).unwrap();
    assert_eq!(ear.waiting(), format!("{port} to answer"));
    let why = ear.waiting();
    assert!(why.contains("refused"), "{why}");
    // The same announcement is not repeated.
    assert_eq!(ear.next_within(Duration::from_millis(500)), None);
    let listener = TcpListener::bind(port).unwrap();
    assert_eq!(ear.next(), TestEvent::Connected(port.to_string()));
    drop(listener);
}

#[test]
fn silence_does_not_end_the_connection() {
    let (listener, address) = target();
    let mut ear = open(&address).unwrap();
    ear.connected();
    let (mut stream, _) = listener.accept().unwrap();
    assert_eq!(ear.next_within(Duration::from_millis(300)), None);
    stream.write_all(b"x").unwrap();
    assert_eq!(ear.bytes(1), b"x");
}

#[test]
fn unknown_hosts_are_named() {
    let (said, _) = open_error("tcp://no-such-host.invalid:7000");
    let expected = "cannot open tcp://no-such-host.invalid:7000: unknown host";
    assert_eq!(said, expected);
}

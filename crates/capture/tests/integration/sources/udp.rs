//! A source that receives datagrams.

use super::test_source::{TestEvent, TestSource, open, open_error, open_with, pattern};
use rtoscope_capture::{SourceOptions, Unread};
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

fn receiving() -> (TestSource, SocketAddr) {
    let mut source = open("udp://:0").unwrap();
    let waiting = source.waiting();
    let port = waiting.strip_prefix("datagrams at ").unwrap();
    (source, port.parse().unwrap())
}

fn target() -> UdpSocket {
    UdpSocket::bind("127.0.0.1:0").unwrap()
}

#[test]
fn datagrams_of_one_target_are_its_bytes() {
    let (mut source, port) = receiving();
    let target = target();
    let bytes = pattern(60_000);
    for part in bytes.chunks(20_000) {
        target.send_to(part, port).unwrap();
    }
    target.send_to(&[], port).unwrap();
    assert_eq!(source.connected(), target.local_addr().unwrap().to_string());
    assert!(source.bytes(bytes.len()) == bytes);

    source.send(b"filter", Duration::from_secs(1)).unwrap();
    let mut received = [0; 10];
    let (count, from) = target.recv_from(&mut received).unwrap();
    assert_eq!((&received[..count], from), (&b"filter"[..], port));
}

#[test]
fn another_target_is_ignored_and_reported_once() {
    let (mut source, port) = receiving();
    let (first, second) = (target(), target());
    first.send_to(b"one", port).unwrap();
    source.connected();
    assert_eq!(source.bytes(3), b"one");
    second.send_to(b"two", port).unwrap();
    second.send_to(b"two", port).unwrap();
    first.send_to(b"three", port).unwrap();
    let second = second.local_addr().unwrap();
    assert_eq!(
        source.next(),
        TestEvent::Remark(format!(
            "datagrams of {second} are ignored while another target sends"
        ))
    );
    assert_eq!(source.bytes(5), b"three");
}

#[test]
fn ports_are_checked() {
    let (_source, port) = receiving();
    let (message, _) = open_error(&format!("udp://{port}"));
    assert_eq!(message, format!("cannot open udp://{port}"));
    let (message, _) = open_error("udp://0.0.0.0:0");
    assert!(message.contains("--public"), "{message}");
    let public = SourceOptions {
        public: true,
        ..SourceOptions::default()
    };
    assert!(open_with("udp://0.0.0.0:0", &public).is_ok());
    let mut source = open("udp://:0").unwrap();
    let error = source.send(b"x", Duration::ZERO).unwrap_err();
    assert!(error.starts_with("cannot send to the target"), "{error}");
}

/// More than the system buffers.
#[cfg(target_os = "linux")]
const FLOOD: u64 = 2000;

#[cfg(target_os = "linux")]
const FLOOD_DATAGRAM_LEN: usize = 60_000;

/// Sends more than the system buffers.
#[cfg(target_os = "linux")]
fn flood(target: &UdpSocket, port: SocketAddr) {
    let datagram = pattern(FLOOD_DATAGRAM_LEN);
    for _ in 0..FLOOD {
        target.send_to(&datagram, port).unwrap();
    }
}

/// The number of the flood's datagrams whose bytes were received.
#[cfg(target_os = "linux")]
fn datagrams(event: &TestEvent) -> u64 {
    let TestEvent::Bytes(bytes) = event else {
        panic!("{event:?}");
    };
    assert_eq!(bytes.len() % FLOOD_DATAGRAM_LEN, 0);
    (bytes.len() / FLOOD_DATAGRAM_LEN) as u64
}

#[cfg(target_os = "linux")]
#[test]
fn dropped_datagrams_are_counted_where_they_are_missing() {
    let (mut source, port) = receiving();
    let target = target();
    flood(&target, port);
    source.connected();
    let mut received = 0;
    while let Some(event) = source.next_within(Duration::ZERO) {
        received += datagrams(&event);
    }
    target.send_to(b"last", port).unwrap();
    assert!(received < FLOOD);
    let dropped = Unread::Datagrams(FLOOD - received);
    assert_eq!(source.next(), TestEvent::Unread(dropped));
    assert_eq!(source.bytes(4), b"last");
    assert_eq!(source.end(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn datagrams_that_are_not_read_are_counted_at_the_end() {
    let (mut source, port) = receiving();
    let target = target();
    flood(&target, port);
    source.connected();
    let received = datagrams(&source.next());
    assert!(received < FLOOD);
    assert_eq!(source.end(), Some(Unread::Datagrams(FLOOD - received)));
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_datagrams_keep_their_order_and_targets() {
    let (mut source, port) = receiving();
    let (first, second) = (target(), target());
    first.send_to(b"one", port).unwrap();
    source.connected();
    assert_eq!(source.bytes(3), b"one");
    for part in [&b"two"[..], b"", b"three"] {
        first.send_to(part, port).unwrap();
    }
    second.send_to(b"other", port).unwrap();
    first.send_to(b"four", port).unwrap();
    assert_eq!(source.bytes(8), b"twothree");
    assert!(matches!(source.next(), TestEvent::Remark(_)));
    assert_eq!(source.bytes(4), b"four");
}

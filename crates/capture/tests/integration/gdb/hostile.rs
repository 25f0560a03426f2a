//! Faulty and hostile stubs.

use super::buffer::FakeTarget;
use super::stub::{FakeStub, StubBehaviour, TargetScript};
use super::watched_source::{SourceMessage, WatchedSource};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn broken_connections_are_reopened() {
    let manners = StubBehaviour {
        lasts: 120,
        ..StubBehaviour::PLAIN
    };
    let mut target = FakeTarget::new(0x2000_0000, 2, 100);
    target.run(3);
    let life: TargetScript = Box::new(|target, _| target.run(1));
    let stub = FakeStub::start(target, manners, life);
    let mut watch = WatchedSource::open(stub.port, "address=0x20000000&poll=1");
    let mut connected = 0;
    watch.until(|message| {
        connected += usize::from(matches!(message, SourceMessage::Connected(_)));
        (connected == 3).then_some(())
    });
    assert!(watch.has(SourceMessage::Lost, "closed the connection"));
}

#[test]
fn closed_ports_are_retried() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut watch = WatchedSource::open(port, "");
    watch.until(|message| match message {
        SourceMessage::Waiting(what) => what.contains("to answer (").then_some(()),
        _ => None,
    });
}

/// Whatever it receives, a source neither fails nor blocks: it retries.
#[test]
fn invalid_replies_are_tolerated() {
    let speeches: [&'static [u8]; 8] = [
        b"",
        b"+",
        b"$#00",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"+$PacketSize=ffffffffffffffff;QStartNoAckMode+#00",
        b"----------",
        b"$T05#b9",
        b"+$0*~#00$OK#9a$E01#a6$T02#b6",
    ];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    thread::spawn(move || {
        let mut speeches = speeches.into_iter().cycle();
        for stream in listener.incoming() {
            let (mut stream, speech) = (stream.unwrap(), speeches.next().unwrap());
            counted.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || {
                let mut bytes = [0; 1000];
                // The same reply to every request, until one of them closes the connection.
                for _ in 0..50 {
                    let is_open = matches!(stream.read(&mut bytes), Ok(1..));
                    if !is_open || stream.write_all(&speech.repeat(100)).is_err() {
                        break;
                    }
                }
            });
        }
    });
    let mut watch = WatchedSource::open(port, "");
    // Until it gave up on each of them.
    while connections.load(Ordering::Relaxed) <= speeches.len() {
        let before = Instant::now();
        assert!(!matches!(watch.next(), Some(SourceMessage::Bytes(_))));
        assert!(before.elapsed() < Duration::from_secs(10), "not for long");
    }
    assert!(watch.has(SourceMessage::Waiting, "to answer ("));
}

/// Endless bytes without the end of a packet.
#[test]
fn packet_floods_are_tolerated() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"$");
            while stream.write_all(&[b'0'; 65536]).is_ok() {}
        }
    });
    let mut watch = WatchedSource::open(port, "");
    watch.until(|message| match message {
        SourceMessage::Waiting(what) => what.contains("to answer (").then_some(()),
        _ => None,
    });
}

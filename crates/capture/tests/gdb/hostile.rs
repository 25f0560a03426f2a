//! Stubs that are of no use, or mean harm.

use crate::buffer::Target;
use crate::stub::{Life, Manners, Stub};
use crate::watch::{Told, Watch};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_connection_that_breaks_is_made_again() {
    let manners = Manners {
        lasts: 120,
        ..Manners::PLAIN
    };
    let mut target = Target::new(0x2000_0000, 2, 100);
    target.run(3);
    let life: Life = Box::new(|target, _| target.run(1));
    let stub = Stub::start(target, manners, life);
    let mut watch = Watch::open(stub.port, "address=0x20000000&poll=1");
    let mut connected = 0;
    watch.until(|told| {
        connected += usize::from(matches!(told, Told::Connected(_)));
        (connected == 3).then_some(())
    });
    assert!(watch.has(Told::Lost, "closed the connection"));
}

#[test]
fn a_port_that_nobody_listens_on_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut watch = Watch::open(port, "");
    watch.until(|told| match told {
        Told::Waiting(what) => what.contains("to answer (").then_some(()),
        _ => None,
    });
}

/// Whatever comes, a source neither fails nor takes long: for each kind of
/// nonsense, it tries again.
#[test]
fn nonsense_is_survived() {
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
    thread::spawn(move || {
        let mut speeches = speeches.into_iter().cycle();
        for stream in listener.incoming() {
            let (mut stream, speech) = (stream.unwrap(), speeches.next().unwrap());
            thread::spawn(move || {
                let mut bytes = [0; 1000];
                // For every question the same, until it is closed.
                while let Ok(1..) = stream.read(&mut bytes) {
                    if stream.write_all(&speech.repeat(100)).is_err() {
                        break;
                    }
                }
            });
        }
    });
    let mut watch = Watch::open(port, "");
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(6) {
        let before = Instant::now();
        assert!(!matches!(watch.next(), Some(Told::Bytes(_))));
        assert!(before.elapsed() < Duration::from_secs(10), "not for long");
    }
    assert!(watch.has(Told::Waiting, "to answer ("));
}

/// Bytes without an end, of which none ends a packet.
#[test]
fn a_flood_is_survived() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"$");
            while stream.write_all(&[b'0'; 65536]).is_ok() {}
        }
    });
    let mut watch = Watch::open(port, "");
    watch.until(|told| match told {
        Told::Waiting(what) => what.contains("to answer (").then_some(()),
        _ => None,
    });
}

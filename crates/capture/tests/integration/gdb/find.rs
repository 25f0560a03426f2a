//! Search for traces.

use super::buffer::FakeTarget;
use super::stub::{FakeStub, StubBehaviour, StubMoment, TargetScript, WhileRunning};
use super::watched_source::{SourceMessage, WatchedSource};
use rtoscope_capture::{SourceError, SourceOptions, source};

fn quiet() -> TargetScript {
    Box::new(|_, _| {})
}

fn target(base: u64) -> FakeTarget {
    let mut target = FakeTarget::new(base, 2, 10);
    target.run(5);
    target
}

#[test]
fn a_buffer_is_found_in_memory() {
    for (base, options, manners) in [
        (0x2000_0000, "", StubBehaviour::PLAIN),
        (0x1000_3000, "scan=0x10003000%2B0x400", StubBehaviour::PLAIN),
        (
            0x3000_0000,
            "",
            StubBehaviour {
                supported: "PacketSize=400;qXfer:memory-map:read+",
                ..StubBehaviour::PLAIN
            },
        ),
        (
            0x2000_0000,
            "",
            StubBehaviour {
                while_running: WhileRunning::Halts,
                ..StubBehaviour::PLAIN
            },
        ),
    ] {
        let stub = FakeStub::start(target(base), manners, quiet());
        let mut watch = WatchedSource::open(stub.port, options);
        assert_eq!(watch.buffer().events, 0..5, "{base:x}");
        assert!(watch.has(SourceMessage::Connected, &format!("10 events at {base:#x}")));
    }
}

/// A copy of its header and zeros precede the buffer in the same memory.
#[test]
fn header_copies_are_not_followed() {
    let mut inner = target(0x2000_1A10);
    let mut memory = vec![0; 0x1A10];
    memory[0x204..0x234].copy_from_slice(&inner.memory[..0x30]);
    memory.extend_from_slice(&inner.memory);
    inner.memory = memory;
    inner.base = 0x2000_0000;
    let stub = FakeStub::start(inner, StubBehaviour::PLAIN, quiet());
    let mut watch = WatchedSource::open(stub.port, "");
    watch.until(|message| matches!(message, SourceMessage::Bytes(_)).then_some(()));
    assert!(watch.has(SourceMessage::Connected, "10 events at 0x20001a10"));
}

#[test]
fn pointers_to_buffers_are_followed() {
    let mut inner = target(0x2000_0010);
    let pointer = [0x10, 0, 0, 0x20].into_iter().chain([0; 12]);
    inner.memory = pointer.chain(inner.memory).collect();
    inner.base = 0x2000_0000;
    let stub = FakeStub::start(inner, StubBehaviour::PLAIN, quiet());
    let mut watch = WatchedSource::open(stub.port, "address=0x20000000");
    assert_eq!(watch.buffer().events, 0..5);
}

#[test]
fn buffers_may_appear_and_disappear() {
    for options in ["", "address=0x20000000"] {
        let mut later = target(0x2000_0000);
        let memory = std::mem::replace(&mut later.memory, vec![0; 0x400]);
        let stub = FakeStub::start(later, StubBehaviour::PLAIN, quiet());
        let mut watch = WatchedSource::open(stub.port, options);
        watch.until(|message| match message {
            SourceMessage::Waiting(what) => what.contains("a trace buffer").then_some(()),
            _ => None,
        });
        stub.target.lock().unwrap().memory = memory;
        assert_eq!(watch.buffer().events, 0..5);
        stub.target.lock().unwrap().memory = vec![0; 0x400];
        watch.until(|message| match message {
            SourceMessage::Lost(why) => why.contains("no trace buffer at 0x20000000").then_some(()),
            _ => None,
        });
        *stub.target.lock().unwrap() = target(0x2000_0000);
        assert_eq!(watch.buffer().events, 0..5);
        assert_eq!(stub.log().connections, 1);
    }
}

#[test]
fn reenabled_buffers_are_reread() {
    let life: TargetScript = Box::new(|_, moment| assert_eq!(moment, StubMoment::Read));
    let stub = FakeStub::start(target(0x2000_0000), StubBehaviour::PLAIN, life);
    let mut watch = WatchedSource::open(stub.port, "address=0x20000000");
    assert_eq!(watch.buffer().events, 0..5);
    let mut again = FakeTarget::new(0x2000_0000, 2, 10);
    again.inserted = 1000;
    again.run(5);
    // Old and new slots have different numbers; only complete events are present.
    *stub.target.lock().unwrap() = again;
    let next = watch.buffer().events;
    assert!(next == (1000..1005) || next == (1000..1004), "{next:?}");
}

#[test]
fn impossible_addresses_are_rejected() {
    let open = |address: &str, format| {
        let settings = SourceOptions {
            format,
            ..SourceOptions::default()
        };
        match source::open(&address.parse().unwrap(), &settings) {
            Err(SourceError::Unsupported(problem)) => problem,
            _ => panic!("{address} is opened"),
        }
    };
    let problem = open("gdb://localhost:1?symbol=trace", None);
    assert!(problem.contains("pass it with --symbols"), "{problem}");
}

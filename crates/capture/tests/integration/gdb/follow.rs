//! Polling of trace buffers.

use super::buffer::FakeTarget;
use super::stub::{FakeStub, StubBehaviour, StubMoment, TargetScript, WhileRunning};
use super::watched_source::{SourceMessage, WatchedSource};

const BASE: u64 = 0x2000_1000;

/// A target that writes events whenever it is read while running, or after it ran.
fn busy(read: u64, halt: u64) -> TargetScript {
    Box::new(move |target, moment| match moment {
        StubMoment::Read => target.run(read),
        StubMoment::Halt => target.run(halt),
    })
}

fn target(slots: u64, events: u64) -> FakeTarget {
    let mut target = FakeTarget::new(BASE, 4, slots);
    target.register(0, "first", 5);
    target.run(events);
    target
}

fn behaviour(while_running: WhileRunning) -> StubBehaviour {
    StubBehaviour {
        while_running,
        ..StubBehaviour::PLAIN
    }
}

#[test]
fn running_targets_are_read() {
    let stub = FakeStub::start(target(50, 7), StubBehaviour::PLAIN, busy(1, 0));
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
    let all = watch.follow(300);
    assert!(all.len() > 5, "not all at once");
    assert_eq!(all[0].names, ["first"]);
    assert_eq!(all[0].events.start, 0);
    assert!(watch.has(
        SourceMessage::Connected,
        "50 events at 0x20001000, read while the target runs"
    ));
    assert!(!stub.log().commands.iter().any(|it| it == "x"));
    let reads = stub.log().read as u64;
    // The ring at most twice, then new events, the overlap, and the header.
    let events = all[all.len() - 1].events.end;
    assert!(
        reads < 4000 + 32 * (100 + events) + all.len() as u64 * 800,
        "{reads}"
    );
}

#[test]
fn unreadable_running_targets_are_halted() {
    for how in [
        WhileRunning::Refuses,
        WhileRunning::Halts,
        WhileRunning::Listens,
        WhileRunning::ListensOnce,
    ] {
        let stub = FakeStub::start(target(50, 60), behaviour(how), busy(0, 9));
        let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
        let all = watch.follow(300);
        assert!(all.len() > 5, "{how:?}");
        assert!(
            watch.has(SourceMessage::Connected, "halted for a moment"),
            "{how:?}"
        );
        assert!(watch.has(SourceMessage::Remark, "each poll halts the target, for "));
        drop(watch);
        let log = stub.log();
        assert_eq!(log.commands.last().unwrap(), "D", "{how:?}");
        assert!(log.runs, "it runs on");
    }
}

#[test]
fn halting_can_be_requested() {
    let stub = FakeStub::start(target(50, 60), StubBehaviour::PLAIN, busy(1000, 9));
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000&halt=1&poll=1");
    watch.follow(200);
    assert!(watch.has(SourceMessage::Connected, "halted for a moment"));
}

#[test]
fn protocol_variants_are_supported() {
    let plain = StubBehaviour::PLAIN;
    for manners in [
        StubBehaviour {
            supported: "",
            ..plain
        },
        StubBehaviour {
            supported: "PacketSize=40",
            ..plain
        },
        StubBehaviour {
            runs: true,
            ..plain
        },
        StubBehaviour {
            supported: "PacketSize=400;binary-upload+",
            ..plain
        },
        StubBehaviour {
            supported: "PacketSize=400",
            damages: true,
            runs: true,
            ..plain
        },
    ] {
        let stub = FakeStub::start(target(50, 60), manners, busy(1, 0));
        let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
        let all = watch.follow(200);
        assert_eq!(all[0].names, ["first"], "{manners:?}");
    }
}

#[test]
fn unwritten_slots_are_not_events() {
    let stub = FakeStub::start(target(50, 0), StubBehaviour::PLAIN, busy(0, 0));
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000");
    assert_eq!(watch.buffer().events, 0..0);
    stub.target.lock().unwrap().run(1);
    assert_eq!(watch.buffer().events, 0..1);
    // Nothing is emitted without new events.
    assert_eq!((0..5).find_map(|_| watch.next()), None);
    stub.target.lock().unwrap().run(3);
    watch.follow(4);
}

#[test]
fn overruns_between_polls_lose_events() {
    for how in [WhileRunning::Answers, WhileRunning::Halts] {
        let stub = FakeStub::start(target(20, 5), behaviour(how), busy(0, 0));
        let mut watch = WatchedSource::open(stub.port, "address=0x20001000");
        assert_eq!(watch.buffer().events, 0..5);
        for (events, expected) in [(19, 4..24), (20, 24..44), (45, 69..89), (400, 469..489)] {
            stub.target.lock().unwrap().run(events);
            let mut next = watch.buffer().events;
            // The newest event may come later.
            while next.end < expected.end {
                next = watch.buffer().events;
            }
            assert_eq!(next, expected, "{how:?}");
        }
    }
}

#[test]
fn fast_targets_are_halted() {
    let stub = FakeStub::start(target(20, 5), StubBehaviour::PLAIN, busy(15, 3));
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
    watch.until(|message| match message {
        SourceMessage::Remark(what) => what.contains("faster than it can be read").then_some(()),
        _ => None,
    });
    let from = stub.target.lock().unwrap().inserted;
    watch.follow(from + 100);
}

/// A target that is always halted while inserting an event: some words of the event are
/// written, and the last field of the one before is not, or only just.
fn inserting(words: usize) -> TargetScript {
    let mut halts = 0;
    Box::new(move |target, moment| {
        assert_eq!(moment, StubMoment::Halt);
        halts += 1;
        if halts % 2 == 0 {
            target.complete();
        } else {
            target.run(4);
            target.insert();
            target.begin(words);
        }
    })
}

#[test]
fn events_are_never_read_half_written() {
    for words in 0..=8 {
        for events in [3, 90] {
            let refuses = behaviour(WhileRunning::Refuses);
            let stub = FakeStub::start(target(30, events), refuses, inserting(words));
            let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
            watch.follow(events + 60);
        }
    }
}

#[test]
fn objects_are_never_read_half_registered() {
    let mut halts = 0;
    let life: TargetScript = Box::new(move |target, _| {
        halts += 1;
        target.run(1);
        match halts {
            15 => target.register(1, "second thread", 3),
            16 => target.register(1, "second thread", 13),
            35 => target.register(2, "third thread", 7),
            36 => target.register(2, "third thread", 12),
            _ => {}
        }
    });
    let stub = FakeStub::start(target(30, 2), behaviour(WhileRunning::Refuses), life);
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
    let mut names: Vec<Vec<String>> = Vec::new();
    for seen in watch.follow(60) {
        if names.last() != Some(&seen.names) {
            names.push(seen.names);
        }
    }
    let all = ["first", "second thread", "third thread"];
    assert_eq!(names, [&all[..1], &all[..2], &all[..]]);
}

#[test]
fn torn_pointers_are_reread() {
    let mut reads = 0;
    let life: TargetScript = Box::new(move |target, _| {
        reads += 1;
        // Torn: the pointer's low byte belongs to no slot.
        let current = 32;
        if reads % 5 == 0 {
            target.memory[current] |= 0x0F;
        } else {
            target.memory[current] &= 0xF0;
            target.run(1);
        }
    });
    let stub = FakeStub::start(target(50, 2), StubBehaviour::PLAIN, life);
    WatchedSource::open(stub.port, "address=0x20001000&poll=1").follow(100);
}

#[test]
fn stopped_targets_stay_stopped() {
    let stops = StubBehaviour {
        stops: 60,
        ..StubBehaviour::PLAIN
    };
    let stub = FakeStub::start(target(50, 2), stops, busy(1, 0));
    let mut watch = WatchedSource::open(stub.port, "address=0x20001000&poll=1");
    watch.until(|message| match message {
        SourceMessage::Remark(what) => what.contains("by itself (signal 5)").then_some(()),
        _ => None,
    });
    // It is still read.
    stub.target.lock().unwrap().run(5);
    let end = stub.target.lock().unwrap().inserted;
    watch.follow(end);
    drop(watch);
    let log = stub.log();
    assert_eq!(log.commands.last().unwrap(), "m");
    assert!(!log.runs);
}

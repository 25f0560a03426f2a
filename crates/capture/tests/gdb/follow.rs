//! Trace buffers that are followed.

use crate::buffer::Target;
use crate::stub::{Life, Manners, Moment, Stub, WhileRunning};
use crate::watch::{Told, Watch};

const BASE: u64 = 0x2000_1000;

/// A target that writes so many events whenever it is read while it runs, or
/// whenever it ran.
fn busy(read: u64, halt: u64) -> Life {
    Box::new(move |target, moment| match moment {
        Moment::Read => target.run(read),
        Moment::Halt => target.run(halt),
    })
}

fn target(slots: u64, events: u64) -> Target {
    let mut target = Target::new(BASE, 4, slots);
    target.register(0, "first", 5);
    target.run(events);
    target
}

fn manners(while_running: WhileRunning) -> Manners {
    Manners {
        while_running,
        ..Manners::PLAIN
    }
}

#[test]
fn a_target_is_read_while_it_runs() {
    let stub = Stub::start(target(50, 7), Manners::PLAIN, busy(1, 0));
    let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
    let all = watch.follow(300);
    assert!(all.len() > 5, "not all at once");
    assert_eq!(all[0].names, ["first"]);
    assert_eq!(all[0].events.start, 0);
    assert!(watch.has(
        Told::Connected,
        "50 events at 0x20001000, read while the target runs"
    ));
    assert!(!stub.log().commands.iter().any(|it| it == "x"));
    let reads = stub.log().read as u64;
    // The ring at most twice, then what is new, what is known, and the header.
    let events = all[all.len() - 1].events.end;
    assert!(
        reads < 4000 + 32 * (100 + events) + all.len() as u64 * 800,
        "{reads}"
    );
}

#[test]
fn a_target_that_cannot_be_read_running_is_halted() {
    for how in [
        WhileRunning::Refuses,
        WhileRunning::Halts,
        WhileRunning::Listens,
        WhileRunning::ListensOnce,
    ] {
        let stub = Stub::start(target(50, 60), manners(how), busy(0, 9));
        let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
        let all = watch.follow(300);
        assert!(all.len() > 5, "{how:?}");
        assert!(watch.has(Told::Connected, "halted for a moment"), "{how:?}");
        assert!(watch.has(Told::Remark, "each look halts the target, for "));
        drop(watch);
        let log = stub.log();
        assert_eq!(log.commands.last().unwrap(), "D", "{how:?}");
        assert!(log.runs, "it runs on");
    }
}

#[test]
fn the_user_may_want_it_halted() {
    let stub = Stub::start(target(50, 60), Manners::PLAIN, busy(1000, 9));
    let mut watch = Watch::open(stub.port, "address=0x20001000&halt=1&poll=1");
    watch.follow(200);
    assert!(watch.has(Told::Connected, "halted for a moment"));
}

#[test]
fn stubs_may_speak_in_many_ways() {
    let plain = Manners::PLAIN;
    for manners in [
        Manners {
            supported: "",
            ..plain
        },
        Manners {
            supported: "PacketSize=40",
            ..plain
        },
        Manners {
            runs: true,
            ..plain
        },
        Manners {
            supported: "PacketSize=400;binary-upload+",
            ..plain
        },
        Manners {
            supported: "PacketSize=400",
            damages: true,
            runs: true,
            ..plain
        },
    ] {
        let stub = Stub::start(target(50, 60), manners, busy(1, 0));
        let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
        let all = watch.follow(200);
        assert_eq!(all[0].names, ["first"], "{manners:?}");
    }
}

#[test]
fn what_was_not_written_is_no_event() {
    let stub = Stub::start(target(50, 0), Manners::PLAIN, busy(0, 0));
    let mut watch = Watch::open(stub.port, "address=0x20001000");
    assert_eq!(watch.buffer().events, 0..0);
    stub.target.lock().unwrap().run(1);
    assert_eq!(watch.buffer().events, 0..1);
    // Nothing comes while there is nothing new.
    assert_eq!((0..5).find_map(|_| watch.next()), None);
    stub.target.lock().unwrap().run(3);
    watch.follow(4);
}

#[test]
fn a_target_that_goes_round_between_two_looks_loses_events() {
    for how in [WhileRunning::Answers, WhileRunning::Halts] {
        let stub = Stub::start(target(20, 5), manners(how), busy(0, 0));
        let mut watch = Watch::open(stub.port, "address=0x20001000");
        assert_eq!(watch.buffer().events, 0..5);
        for (events, expected) in [(19, 4..24), (20, 24..44), (45, 69..89), (400, 469..489)] {
            stub.target.lock().unwrap().run(events);
            let mut next = watch.buffer().events;
            // The newest one may come later.
            while next.end < expected.end {
                next = watch.buffer().events;
            }
            assert_eq!(next, expected, "{how:?}");
        }
    }
}

#[test]
fn a_target_that_is_too_fast_is_halted() {
    let stub = Stub::start(target(20, 5), Manners::PLAIN, busy(15, 3));
    let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
    watch.until(|told| match told {
        Told::Remark(what) => what.contains("faster than it can be read").then_some(()),
        _ => None,
    });
    let from = stub.target.lock().unwrap().inserted;
    watch.follow(from + 100);
}

/// A target that is halted within an insert every time: of an event some words
/// are written, and the last field of the one before is not, or is just now.
fn inserting(words: usize) -> Life {
    let mut halts = 0;
    Box::new(move |target, moment| {
        assert_eq!(moment, Moment::Halt);
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
fn no_event_is_seen_half_written() {
    for words in 0..=8 {
        for events in [3, 90] {
            let refuses = manners(WhileRunning::Refuses);
            let stub = Stub::start(target(30, events), refuses, inserting(words));
            let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
            watch.follow(events + 60);
        }
    }
}

#[test]
fn an_object_is_not_seen_half_registered() {
    let mut halts = 0;
    let life: Life = Box::new(move |target, _| {
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
    let stub = Stub::start(target(30, 2), manners(WhileRunning::Refuses), life);
    let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
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
fn a_pointer_that_is_being_written_is_read_again() {
    let mut reads = 0;
    let life: Life = Box::new(move |target, _| {
        reads += 1;
        // Between the two: the pointer's low byte of none of the slots.
        let current = 32;
        if reads % 5 == 0 {
            target.memory[current] |= 0x0F;
        } else {
            target.memory[current] &= 0xF0;
            target.run(1);
        }
    });
    let stub = Stub::start(target(50, 2), Manners::PLAIN, life);
    Watch::open(stub.port, "address=0x20001000&poll=1").follow(100);
}

#[test]
fn a_target_that_stops_by_itself_is_left_so() {
    let stops = Manners {
        stops: 60,
        ..Manners::PLAIN
    };
    let stub = Stub::start(target(50, 2), stops, busy(1, 0));
    let mut watch = Watch::open(stub.port, "address=0x20001000&poll=1");
    watch.until(|told| match told {
        Told::Remark(what) => what.contains("by itself (signal 5)").then_some(()),
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

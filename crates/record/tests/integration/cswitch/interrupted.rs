//! The masked log, interrupted at every possible point.

use super::buffer;
use crate::preemption::{Core, PreemptingMask, TickingClock};
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogReader, SwitchLog};
use rtoscope_record::name;
use std::cell::RefCell;
use std::rc::Rc;

type TestLog = SwitchLog<PreemptingMask, TickingClock>;

/// Records an entry, and remembers its address.
fn record(log: &TestLog, recorded: &RefCell<Vec<usize>>, address: usize) {
    recorded.borrow_mut().push(address);
    match address % 3 {
        0 => log.sleep(address, name!("idle")),
        1 => log.wake(address, name!("idle")),
        _ => log.isr_enter(address),
    }
}

/// Records five entries with the given plan and returns the number of interrupt points.
fn run(plan: u32, slots: usize, mode: BufferMode) -> u32 {
    let core = Core::new(3);
    let log: &'static TestLog = Box::leak(Box::new(SwitchLog::new(
        PreemptingMask(core.clone()),
        TickingClock(core.clone()),
    )));
    assert!(log.start(buffer(slots), mode));
    let mut reader = LogReader::new(log).unwrap();
    // In any order.
    let recorded = Rc::new(RefCell::new(Vec::new()));
    let by_interrupts = recorded.clone();
    core.interrupt(move |point| {
        if point < 32 && plan >> point & 1 != 0 {
            record(log, &by_interrupts, 1000 + point as usize);
        }
    });
    let mut read = Vec::new();
    let mut into = [LogEntry::UNFINISHED; 64];
    for address in 0..5 {
        record(log, &recorded, address);
        read.extend_from_slice(reader.read(&mut into));
    }
    let moments = core.calm();
    read.extend_from_slice(reader.read(&mut into));

    let recording = log.stop().unwrap();
    let (older, newer) = recording.entries();
    let left = [older, newer].concat();
    for entry in &left {
        let isr = entry.address % 3 == 2;
        assert_eq!(entry.kind, [1, 0, 5][entry.address % 3]);
        assert_eq!(isr, entry.name == rtoscope_record::Name::ISR);
    }
    assert!(
        left.windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    assert!(
        read.windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    let mut recorded = recorded.borrow().clone();
    let snapshot = recording.snapshot();
    assert_eq!(recorded.len() as u64, snapshot.next_entry + snapshot.lost);
    assert_eq!(left.len() as u64, snapshot.entries());
    assert_eq!(
        read.len() as u64 + reader.overwritten(),
        snapshot.next_entry
    );
    assert!(read.ends_with(&left) || left.ends_with(&read));
    // No entry appears twice, and no entry that was not recorded appears.
    let mut addresses: Vec<usize> = read.iter().map(|entry| entry.address).collect();
    addresses.sort_unstable();
    recorded.sort_unstable();
    assert!(addresses.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(
        addresses
            .iter()
            .all(|address| recorded.binary_search(address).is_ok())
    );
    moments
}

#[test]
fn interrupts_at_every_point_lose_and_tear_nothing() {
    let plans = if cfg!(miri) { 1 << 6 } else { 1 << 15 };
    for (slots, mode) in [
        (64, BufferMode::OneShot),
        (3, BufferMode::OneShot),
        (3, BufferMode::Cyclic),
        (16, BufferMode::Cyclic),
    ] {
        let mut max_points = 0;
        for plan in 0..plans {
            max_points = max_points.max(run(plan, slots, mode));
        }
        assert!(
            max_points > 15,
            "the plans reach only {max_points} interrupt points"
        );
        // One interrupt at each of the later points.
        for point in 0..32 {
            run(1 << point, slots, mode);
        }
    }
}

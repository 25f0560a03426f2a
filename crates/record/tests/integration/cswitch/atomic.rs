//! The lock-free log, single-threaded and with several threads.

use super::container::saved;
use rtoscope_record::cswitch::{
    AtomicSwitchLog, BufferMode, LogEntry, LogReader, LogSource, ReadableMemory, UNFINISHED,
};
use rtoscope_record::name;
use rtoscope_record::port::Clock;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Default)]
struct CountingClock(AtomicU32);

impl Clock for CountingClock {
    fn now(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

fn addresses<const N: usize>(log: &AtomicSwitchLog<CountingClock, N>) -> Vec<u64> {
    let saved = saved(log, ReadableMemory::EMPTY);
    saved.cores[0].1.iter().map(|entry| entry.address).collect()
}

#[test]
fn keeps_the_first_or_the_last() {
    let log: AtomicSwitchLog<CountingClock, 4> = AtomicSwitchLog::new(CountingClock::default());
    log.isr_enter(9);
    assert!(LogSource::snapshot(&log).is_none());
    for (mode, left, lost) in [
        (BufferMode::OneShot, [0, 1, 2, 3], 3),
        (BufferMode::Cyclic, [3, 4, 5, 6], 0),
        (BufferMode::OneShot, [0, 1, 2, 3], 3),
    ] {
        assert!(log.start(mode));
        assert!(!log.start(mode));
        assert!(addresses(&log).is_empty());
        (0..2).for_each(|address| log.isr_enter(address));
        assert_eq!(addresses(&log), [0, 1]);
        (2..7).for_each(|address| log.isr_enter(address));
        log.stop();
        log.isr_enter(8);
        assert_eq!(addresses(&log), left);
        assert_eq!(log.lost(), lost);
        let snapshot = LogSource::snapshot(&log).unwrap();
        assert_eq!(snapshot.cyclic, mode == BufferMode::Cyclic);
        // SAFETY: the log's own slots, to which no code writes now.
        let memory = unsafe { std::slice::from_raw_parts(snapshot.start, 4) };
        let mut memory: Vec<u64> = memory.iter().map(|entry| entry.address as u64).collect();
        memory.rotate_left(if mode == BufferMode::Cyclic { 3 } else { 0 });
        assert_eq!(memory, left);
    }
}

#[test]
fn a_new_session_clears_the_slots() {
    let log: AtomicSwitchLog<CountingClock, 4> = AtomicSwitchLog::new(CountingClock::default());
    log.start(BufferMode::OneShot);
    (0..3).for_each(|address| log.isr_enter(address));
    log.stop();
    log.start(BufferMode::Cyclic);
    log.isr_enter(9);
    let start = LogSource::snapshot(&log).unwrap().start;
    // SAFETY: the log's own slots, to which no code writes now.
    let memory = unsafe { std::slice::from_raw_parts(start, 4) };
    assert_eq!(memory[0].address, 9);
    assert!(memory[1..].iter().all(|entry| entry.kind == UNFINISHED));
}

#[test]
fn sums_idle_time() {
    let log: AtomicSwitchLog<CountingClock, 4> = AtomicSwitchLog::new(CountingClock::default());
    log.wake(0, name!("idle"));
    assert_eq!(log.idle_ticks(), 0);
    log.sleep(0, name!("idle"));
    log.wake(0, name!("idle"));
    assert_eq!(log.idle_ticks(), 1);
    log.wake(0, name!("idle"));
    assert_eq!(log.idle_ticks(), 1);
}

#[test]
fn threads_tear_nothing() {
    const WRITERS: usize = 3;
    let each = if cfg!(miri) { 50 } else { 20_000 };
    let log: AtomicSwitchLog<CountingClock, 16> = AtomicSwitchLog::new(CountingClock::default());
    log.start(BufferMode::Cyclic);
    let names = [name!("a"), name!("b"), name!("c")];
    let mut read: Vec<LogEntry> = Vec::new();
    let mut reader = LogReader::new(&log).unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (log, name) = (&log, names[writer]);
                scope.spawn(move || {
                    for number in 0..each {
                        log.record(writer as u32, number * WRITERS + writer, name);
                    }
                })
            })
            .collect();
        let mut into = [LogEntry::UNFINISHED; 16];
        loop {
            let done = writers
                .iter()
                .all(std::thread::ScopedJoinHandle::is_finished);
            read.extend_from_slice(reader.read(&mut into));
            if done {
                read.extend_from_slice(reader.read(&mut into));
                break;
            }
        }
    });
    let finished: Vec<&LogEntry> = read
        .iter()
        .filter(|entry| entry.kind != UNFINISHED)
        .collect();
    let mut last = [None; WRITERS];
    for entry in &finished {
        let writer = entry.address % WRITERS;
        assert_eq!(entry.kind as usize, writer);
        assert_eq!(entry.name, names[writer]);
        assert!(last[writer] < Some(entry.address));
        last[writer] = Some(entry.address);
    }
    assert!(
        finished
            .windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    assert_eq!(
        read.len() as u64 + reader.overwritten(),
        (each * WRITERS) as u64
    );
}

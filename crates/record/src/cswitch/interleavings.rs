//! The lock-free context-switch log in every order that the memory model allows, with up
//! to three preemptions.

use super::{AtomicSwitchLog, BufferMode, LogEntry, LogReader, UNFINISHED};
use crate::Name;
use crate::port::Clock;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

struct CountingClock(AtomicU32);

impl Clock for CountingClock {
    fn now(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

type TestLog = AtomicSwitchLog<CountingClock, 2>;

fn log(mode: BufferMode) -> Arc<TestLog> {
    let log = TestLog::new(CountingClock(AtomicU32::new(0)));
    assert!(log.start(mode));
    Arc::new(log)
}

/// Records entries whose words all contain the same value.
fn write(log: &TestLog, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let name = std::ptr::null::<u8>().wrapping_add(number);
        log.record(number as u32, number, Name::from_ptr(name));
    }
}

/// Checks that no entry is torn and that counters ascend; returns the finished entries.
fn check(entries: &[LogEntry]) -> Vec<usize> {
    let finished: Vec<&LogEntry> = entries
        .iter()
        .filter(|entry| entry.kind != UNFINISHED)
        .collect();
    for entry in &finished {
        assert_eq!(entry.kind as usize, entry.address);
        assert_eq!(entry.name.as_ptr() as usize, entry.address);
    }
    assert!(
        finished
            .windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    let mut numbers: Vec<usize> = finished.iter().map(|entry| entry.address).collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    numbers
}

fn all(log: &TestLog) -> (Vec<LogEntry>, u64) {
    let mut into = [LogEntry::UNFINISHED; 4];
    let mut reader = LogReader::new(log).unwrap();
    (reader.read(&mut into).to_vec(), reader.overwritten())
}

fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

#[test]
fn one_shot_loses_only_entries_that_find_it_full() {
    model(|| {
        let log = log(BufferMode::OneShot);
        let other = log.clone();
        let writer = thread::spawn(move || write(&other, 10..12));
        write(&log, 20..21);
        check(&all(&log).0);
        writer.join().unwrap();
        let (entries, _) = all(&log);
        assert_eq!((check(&entries).len(), log.lost()), (2, 1));
    });
}

#[test]
fn a_ring_keeps_the_last_and_counts_the_rest() {
    model(|| {
        let log = log(BufferMode::Cyclic);
        let other = log.clone();
        let writer = thread::spawn(move || write(&other, 10..12));
        write(&log, 20..22);
        writer.join().unwrap();
        // Four claims for two slots: the entries whose writers found their slot free are
        // present and complete.
        let (entries, _) = all(&log);
        assert_eq!(entries.len(), 2);
        let finished = check(&entries).len() as u32;
        assert!(finished + log.lost() >= 2);
        assert!(log.lost() > 0 || finished == 2);
    });
}

#[test]
fn a_reader_sees_complete_entries_while_two_writers_write() {
    model(|| {
        let log = log(BufferMode::Cyclic);
        write(&log, 1..2);
        let writers: Vec<_> = [10..11, 20..21]
            .into_iter()
            .map(|numbers| {
                let log = log.clone();
                thread::spawn(move || write(&log, numbers))
            })
            .collect();
        check(&all(&log).0);
        for writer in writers {
            writer.join().unwrap();
        }
    });
}

#[test]
fn polling_gets_or_counts_every_entry() {
    model(|| {
        let log = log(BufferMode::Cyclic);
        let other = log.clone();
        let mut reader = LogReader::new(&*log).unwrap();
        let writer = thread::spawn(move || write(&other, 10..13));
        let mut into = [LogEntry::UNFINISHED; 4];
        let mut read = reader.read(&mut into).to_vec();
        writer.join().unwrap();
        read.extend_from_slice(reader.read(&mut into));
        check(&read);
        assert_eq!(read.len() as u64 + reader.overwritten(), 3);
        assert_eq!(log.lost(), 0);
    });
}

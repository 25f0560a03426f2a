//! Reading and saving a running log, names, and several cores.

use super::container::{read, region, saved};
use super::{CountingClock, buffer};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    BufferMode, CswlWriter, CurrentCore, LogEntry, LogReader, LogSnapshot, LogSource, PerCoreLogs,
    ReadableMemory, SingleCoreLog, SwitchLog, UNFINISHED,
};
use rtoscope_record::port::SpinLock;
use rtoscope_wire::cswitch::CoreHistory;
use std::cell::Cell;

fn log(entries: usize, mode: BufferMode) -> SwitchLog<SpinLock, CountingClock> {
    let log = SwitchLog::new(SpinLock::new(), CountingClock::from(0));
    assert!(log.start(buffer(entries), mode));
    log
}

fn addresses(entries: &[LogEntry]) -> Vec<usize> {
    entries.iter().map(|entry| entry.address).collect()
}

#[test]
fn a_reader_gets_each_entry_once_and_counts_missed_ones() {
    let log = log(4, BufferMode::Cyclic);
    let mut reader = LogReader::new(&log).unwrap();
    let mut into = [LogEntry::UNFINISHED; 16];
    assert!(reader.read(&mut into).is_empty());
    (0..3).for_each(|address| log.isr_enter(address));
    assert_eq!(addresses(reader.read(&mut into[..2])), [0, 1]);
    assert_eq!(addresses(reader.read(&mut into)), [2]);
    (3..10).for_each(|address| log.isr_enter(address));
    assert_eq!(addresses(reader.read(&mut into)), [6, 7, 8, 9]);
    assert_eq!(reader.overwritten(), 3);
    assert!(reader.read(&mut into).is_empty());
}

#[test]
fn a_reader_ends_with_its_session() {
    let log = log(4, BufferMode::Cyclic);
    log.isr_enter(0);
    let mut reader = LogReader::new(&log).unwrap();
    log.stop().unwrap();
    assert!(LogReader::new(&log).is_none());
    assert!(log.start(buffer(4), BufferMode::Cyclic));
    log.isr_enter(1);
    assert!(reader.read(&mut [LogEntry::UNFINISHED; 4]).is_empty());
}

#[test]
fn few_entries_are_copied_while_the_mask_is_held() {
    let log = log(100, BufferMode::OneShot);
    (0..100).for_each(|address| log.isr_enter(address));
    let session = log.snapshot().unwrap().session;
    let (first, copied) = log.copy_entries(session, 10, &mut [LogEntry::UNFINISHED; 64]);
    assert_eq!((first, copied), (10, 8));
    let mut reader = LogReader::new(&log).unwrap();
    assert_eq!(reader.read(&mut [LogEntry::UNFINISHED; 64]).len(), 64);
    assert_eq!(reader.read(&mut [LogEntry::UNFINISHED; 64]).len(), 36);
}

/// A log into which other code records whenever it is read.
struct BusySource<'a> {
    log: &'a SwitchLog<SpinLock, CountingClock>,
    copies: Cell<usize>,
}

impl LogSource for BusySource<'_> {
    fn snapshot(&self) -> Option<LogSnapshot> {
        self.log.snapshot()
    }

    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        self.copies.set(self.copies.get() + 1);
        if self.copies.get() == 1 {
            (1000..1011).for_each(|address| self.log.isr_exit(address));
        }
        self.log.copy_entries(session, from, into)
    }
}

#[test]
fn entries_overwritten_while_saving_are_unfinished() {
    let log = log(20, BufferMode::Cyclic);
    (0..30).for_each(|address| log.isr_enter(address));
    let busy = BusySource {
        log: &log,
        copies: Cell::new(0),
    };
    let mut bytes = Vec::new();
    let mut container = CswlWriter::new(|part: &[u8]| bytes.extend_from_slice(part), 0, 24, 1);
    container.write_core(7, &busy, ReadableMemory::EMPTY);
    let _ = container.finish();
    let container = read(&bytes);
    let (core, entries) = &container.cores[0];
    assert_eq!((core.core, core.entries, core.oldest_index), (7, 20, 0));
    assert!(core.cyclic && core.wrapped);
    let session = log.snapshot().unwrap().session;
    let (core, before) = (7, 10);
    let past = CoreHistory {
        core,
        session,
        preceding_entries: before,
    };
    assert_eq!(container.pasts, [past]);
    assert!(entries[..11].iter().all(|entry| entry.kind == UNFINISHED));
    let kept: Vec<u64> = entries[11..].iter().map(|entry| entry.address).collect();
    assert_eq!(kept, (21..30).collect::<Vec<u64>>());
    assert_eq!(container.header.counter_bits, 24);
}

#[test]
fn names_in_readable_memory_are_kept_if_printable() {
    static TEXT: &[u8] = b"main loop\0bad\nname\0\0cut";
    static LONG: &[u8] = &[b'x'; 100];
    let log = log(32, BufferMode::OneShot);
    let name = |at: usize| Name::from_ptr(TEXT[at..].as_ptr());
    for _ in 0..3 {
        log.sync_resume(1, name(0));
        log.sync_resume(1, name(10)); // not printable
        log.sync_resume(1, name(19)); // empty
        log.sync_resume(1, name(20)); // no end within the memory
        log.sync_resume(1, Name::from_ptr(LONG.as_ptr()));
        log.sync_resume(1, Name::NONE);
        log.sync_resume(1, Name::from_ptr(core::ptr::null::<u8>().wrapping_add(3)));
        log.isr_enter(2);
    }
    let regions = [region(TEXT), region(LONG)];
    // SAFETY: constants of the program.
    let readable = unsafe { ReadableMemory::new(&regions) };
    let names = saved(&log, readable).names;
    let expected = [
        (TEXT.as_ptr() as u64, "main loop".to_owned()),
        (LONG.as_ptr() as u64, "x".repeat(63)),
    ];
    assert_eq!(names, expected.into_iter().collect());
    assert!(saved(&log, ReadableMemory::EMPTY).names.is_empty());
}

#[test]
fn symbols_and_cores_share_a_container() {
    let first = log(4, BufferMode::OneShot);
    let second = log(4, BufferMode::Cyclic);
    first.isr_enter(1);
    (0..5).for_each(|address| second.isr_enter(address));
    let stopped = first.stop().unwrap();
    let mut bytes = Vec::new();
    let mut container = CswlWriter::new(
        |part: &[u8]| bytes.extend_from_slice(part),
        48_000_000,
        32,
        3,
    );
    container.write_symbol(0x100, 12, "SysTick");
    container.write_core(0, &stopped, ReadableMemory::EMPTY);
    container.write_core(1, &second, ReadableMemory::EMPTY);
    container.write_core(2, &first, ReadableMemory::EMPTY);
    let _ = container.finish();
    let container = read(&bytes);
    assert_eq!(container.header.cores, 3);
    assert_eq!(container.header.frequency_hz, 48_000_000);
    assert_eq!(container.symbols, [(0x100, 12, "SysTick".to_owned())]);
    let of = |core: usize| {
        let (header, entries) = &container.cores[core];
        let addresses: Vec<u64> = entries.iter().map(|entry| entry.address).collect();
        (header.core, header.cyclic, header.wrapped, addresses)
    };
    assert_eq!(of(0), (0, false, false, vec![1]));
    assert_eq!(of(1), (1, true, true, vec![1, 2, 3, 4]));
    assert_eq!(of(2), (2, false, false, vec![]));
}

thread_local! {
    static CORE: Cell<usize> = const { Cell::new(0) };
}

struct ChosenCore;

impl CurrentCore for ChosenCore {
    fn core_number(&self) -> usize {
        CORE.with(Cell::get)
    }
}

#[test]
fn every_core_or_one_core_has_a_log() {
    let all = PerCoreLogs::new(
        0,
        ChosenCore,
        [log(4, BufferMode::OneShot), log(4, BufferMode::OneShot)],
    );
    let one = SingleCoreLog::new(1, || CORE.with(Cell::get), [log(4, BufferMode::OneShot)]);
    for core in 0..3 {
        CORE.with(|current| current.set(core));
        if let Some(log) = all.current_log() {
            log.isr_enter(core);
        }
        if let Some(log) = one.current_log() {
            log.isr_enter(core);
        }
    }
    for (core, log) in all.logs().chain(one.logs()) {
        let recording = log.stop().unwrap();
        assert_eq!(addresses(recording.entries().0), [core]);
    }
    assert!(one.log(0).is_none() && all.log(2).is_none());
}

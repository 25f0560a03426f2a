//! Reading and saving while the log goes on, names, and several cores.

use crate::container::{read, region, saved};
use crate::{Count, buffer};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    Cswl, CurrentCore, Entry, Log, Mode, OnCore, PerCore, Readable, Reader, Snapshot, Source,
    UNFINISHED,
};
use rtoscope_record::port::Spin;
use rtoscope_wire::cswitch::CorePast;
use std::cell::Cell;

fn log(entries: usize, mode: Mode) -> Log<Spin, Count> {
    let log = Log::new(Spin::new(), Count::from(0));
    assert!(log.start(buffer(entries), mode));
    log
}

fn addresses(entries: &[Entry]) -> Vec<usize> {
    entries.iter().map(|entry| entry.address).collect()
}

#[test]
fn a_reader_gets_everything_once_and_is_told_what_it_missed() {
    let log = log(4, Mode::Cyclic);
    let mut reader = Reader::new(&log).unwrap();
    let mut into = [Entry::UNFINISHED; 16];
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
fn a_reader_ends_with_its_recording() {
    let log = log(4, Mode::Cyclic);
    log.isr_enter(0);
    let mut reader = Reader::new(&log).unwrap();
    log.stop().unwrap();
    assert!(Reader::new(&log).is_none());
    assert!(log.start(buffer(4), Mode::Cyclic));
    log.isr_enter(1);
    assert!(reader.read(&mut [Entry::UNFINISHED; 4]).is_empty());
}

#[test]
fn few_entries_are_copied_while_others_wait() {
    let log = log(100, Mode::OneShot);
    (0..100).for_each(|address| log.isr_enter(address));
    let session = log.snapshot().unwrap().session;
    let (first, copied) = log.copy(session, 10, &mut [Entry::UNFINISHED; 64]);
    assert_eq!((first, copied), (10, 8));
    let mut reader = Reader::new(&log).unwrap();
    assert_eq!(reader.read(&mut [Entry::UNFINISHED; 64]).len(), 64);
    assert_eq!(reader.read(&mut [Entry::UNFINISHED; 64]).len(), 36);
}

/// A log that somebody records into whenever it is read.
struct Busy<'a> {
    log: &'a Log<Spin, Count>,
    copies: Cell<usize>,
}

impl Source for Busy<'_> {
    fn snapshot(&self) -> Option<Snapshot> {
        self.log.snapshot()
    }

    fn copy(&self, session: u32, from: u64, into: &mut [Entry]) -> (u64, usize) {
        self.copies.set(self.copies.get() + 1);
        if self.copies.get() == 1 {
            (1000..1011).for_each(|address| self.log.isr_exit(address));
        }
        self.log.copy(session, from, into)
    }
}

#[test]
fn what_is_overwritten_while_it_is_saved_is_unfinished() {
    let log = log(20, Mode::Cyclic);
    (0..30).for_each(|address| log.isr_enter(address));
    let busy = Busy {
        log: &log,
        copies: Cell::new(0),
    };
    let mut bytes = Vec::new();
    let mut container = Cswl::begin(|part: &[u8]| bytes.extend_from_slice(part), 0, 24, 1);
    container.core(7, &busy, Readable::NOTHING);
    let _ = container.end();
    let container = read(&bytes);
    let (core, entries) = &container.cores[0];
    assert_eq!((core.core, core.entries, core.oldest), (7, 20, 0));
    assert!(core.cyclic && core.wrapped);
    let session = log.snapshot().unwrap().session;
    let (core, before) = (7, 10);
    let past = CorePast {
        core,
        session,
        before,
    };
    assert_eq!(container.pasts, [past]);
    assert!(entries[..11].iter().all(|entry| entry.kind == UNFINISHED));
    let kept: Vec<u64> = entries[11..].iter().map(|entry| entry.address).collect();
    assert_eq!(kept, (21..30).collect::<Vec<u64>>());
    assert_eq!(container.header.counter_bits, 24);
}

#[test]
fn names_are_read_where_that_is_allowed_and_kept_if_printable() {
    static TEXT: &[u8] = b"main loop\0bad\nname\0\0cut";
    static LONG: &[u8] = &[b'x'; 100];
    let log = log(32, Mode::OneShot);
    let name = |at: usize| Name::at(TEXT[at..].as_ptr());
    for _ in 0..3 {
        log.sync_resume(1, name(0));
        log.sync_resume(1, name(10)); // not printable
        log.sync_resume(1, name(19)); // empty
        log.sync_resume(1, name(20)); // no end within the memory
        log.sync_resume(1, Name::at(LONG.as_ptr()));
        log.sync_resume(1, Name::NONE);
        log.sync_resume(1, Name::at(core::ptr::null::<u8>().wrapping_add(3)));
        log.isr_enter(2);
    }
    let regions = [region(TEXT), region(LONG)];
    // SAFETY: constants of the program.
    let readable = unsafe { Readable::new(&regions) };
    let names = saved(&log, readable).names;
    let expected = [
        (TEXT.as_ptr() as u64, "main loop".to_owned()),
        (LONG.as_ptr() as u64, "x".repeat(63)),
    ];
    assert_eq!(names, expected.into_iter().collect());
    assert!(saved(&log, Readable::NOTHING).names.is_empty());
}

#[test]
fn symbols_and_cores_stand_in_one_container() {
    let first = log(4, Mode::OneShot);
    let second = log(4, Mode::Cyclic);
    first.isr_enter(1);
    (0..5).for_each(|address| second.isr_enter(address));
    let stopped = first.stop().unwrap();
    let mut bytes = Vec::new();
    let mut container = Cswl::begin(
        |part: &[u8]| bytes.extend_from_slice(part),
        48_000_000,
        32,
        3,
    );
    container.symbol(0x100, 12, "SysTick");
    container.core(0, &stopped, Readable::NOTHING);
    container.core(1, &second, Readable::NOTHING);
    container.core(2, &first, Readable::NOTHING);
    let _ = container.end();
    let container = read(&bytes);
    assert_eq!(container.header.cores, 3);
    assert_eq!(container.header.frequency, 48_000_000);
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

struct Chosen;

impl CurrentCore for Chosen {
    fn number(&self) -> usize {
        CORE.with(Cell::get)
    }
}

#[test]
fn every_core_has_its_log_or_only_one_has() {
    let all = PerCore::new(0, Chosen, [log(4, Mode::OneShot), log(4, Mode::OneShot)]);
    let one = OnCore::new(1, || CORE.with(Cell::get), [log(4, Mode::OneShot)]);
    for core in 0..3 {
        CORE.with(|current| current.set(core));
        if let Some(log) = all.here() {
            log.isr_enter(core);
        }
        if let Some(log) = one.here() {
            log.isr_enter(core);
        }
    }
    for (core, log) in all.logs().chain(one.logs()) {
        let recording = log.stop().unwrap();
        assert_eq!(addresses(recording.entries().0), [core]);
    }
    assert!(one.core(0).is_none() && all.core(2).is_none());
}

//! Any sequence of operations leaves the same entries as a list.

use super::container::saved;
use super::{CountingClock, buffer};
use proptest::prelude::*;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, EntryKind, ReadableMemory, SwitchLog, write_raw};
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{LogEntry, PREVIOUSLY_DISABLED, PointerSize};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Debug, Clone)]
enum Operation {
    Record(u32, usize),
    Sleep,
    Wake,
    IsrEnter(usize),
    Disabled(bool),
    Restored(bool),
    Stop,
    Start(usize, bool),
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        8 => (0..9_u32, any::<usize>()).prop_map(|(kind, address)| Record(kind, address)),
        2 => Just(Sleep),
        2 => Just(Wake),
        1 => any::<usize>().prop_map(IsrEnter),
        1 => any::<bool>().prop_map(Disabled),
        1 => any::<bool>().prop_map(Restored),
        1 => Just(Stop),
        1 => (0..7_usize, any::<bool>()).prop_map(|(entries, cyclic)| Start(entries, cyclic)),
    ]
}

const NAME: Name = rtoscope_record::name!("worker");

/// The expected state of a log.
#[derive(Default)]
struct Model {
    recording: Option<(usize, bool, Vec<LogEntry>)>,
    idle: u64,
    idle_since: Option<u32>,
}

impl Model {
    fn put(&mut self, kind: u32, counter: u32, address: usize, name: Name) {
        if let Some((_, _, entries)) = &mut self.recording {
            entries.push(LogEntry {
                kind,
                counter,
                address: address as u64,
                name: name.as_ptr() as u64,
            });
        }
    }

    /// The remaining entries, oldest first, and the number of lost ones.
    fn kept_entries(&self) -> Option<(Vec<LogEntry>, u64)> {
        let (slots, cyclic, entries) = self.recording.as_ref()?;
        let over = entries.len().saturating_sub(*slots);
        Some(match (*cyclic, *slots) {
            (true, 1..) => (entries[over..].to_vec(), 0),
            _ => (entries[..entries.len() - over].to_vec(), over as u64),
        })
    }
}

const SIZE: PointerSize = if cfg!(target_pointer_width = "64") {
    PointerSize::Eight
} else {
    PointerSize::Four
};
const ORDER: ByteOrder = if cfg!(target_endian = "big") {
    ByteOrder::Big
} else {
    ByteOrder::Little
};

fn without_counters(entries: &[LogEntry]) -> Vec<LogEntry> {
    let plain = |entry: &LogEntry| LogEntry {
        counter: 0,
        ..*entry
    };
    entries.iter().map(plain).collect()
}

fn check(log: &SwitchLog<SpinLock, CountingClock>, model: &Model) {
    let saved = saved(log, ReadableMemory::EMPTY);
    let (core, entries) = &saved.cores[0];
    let (expected, lost) = model.kept_entries().unwrap_or_default();
    assert_eq!(without_counters(entries), expected);
    assert!(
        entries
            .windows(2)
            .all(|pair| (pair[1].counter.wrapping_sub(pair[0].counter) as i32) > 0)
    );
    assert_eq!(core.lost, lost);
    assert!(saved.names.is_empty());
}

proptest! {
    #[test]
    fn a_log_behaves_like_a_bounded_list(
        operations in prop::collection::vec(operation(), 0..60), start in any::<u32>(),
    ) {
        let log = SwitchLog::new(SpinLock::new(), CountingClock::from(start));
        let mut model = Model::default();
        for operation in operations {
            match operation {
                Operation::Record(kind, address) => {
                    log.record(kind, address, NAME);
                    model.put(kind, 0, address, NAME);
                }
                Operation::Sleep => {
                    log.sleep(1, NAME);
                    model.put(EntryKind::Sleep as u32, 0, 1, NAME);
                }
                Operation::Wake => {
                    log.wake(2, NAME);
                    model.put(EntryKind::Wake as u32, 0, 2, NAME);
                }
                Operation::IsrEnter(handler) => {
                    log.isr_enter(handler);
                    model.put(EntryKind::IsrEnter as u32, 0, handler, Name::ISR);
                }
                Operation::Disabled(before) => {
                    log.interrupts_disabled(before, 3, NAME);
                    model.put(7 | if before { PREVIOUSLY_DISABLED } else { 0 }, 0, 3, NAME);
                }
                Operation::Restored(still) => {
                    log.interrupts_restored(still, 3, NAME);
                    model.put(if still { 7 } else { 8 } | PREVIOUSLY_DISABLED, 0, 3, NAME);
                }
                Operation::Start(slots, cyclic) => {
                    let mode = if cyclic { BufferMode::Cyclic } else { BufferMode::OneShot };
                    prop_assert_eq!(log.start(buffer(slots), mode), model.recording.is_none());
                    model.recording.get_or_insert((slots, cyclic, Vec::new()));
                }
                Operation::Stop => {
                    let expected = model.kept_entries();
                    let recording = log.stop();
                    prop_assert_eq!(recording.is_some(), expected.is_some());
                    if let (Some(recording), Some((expected, _))) = (recording, expected) {
                        let mut bytes = Vec::new();
                        write_raw(&recording, |part: &[u8]| bytes.extend_from_slice(part));
                        let mut raw: Vec<LogEntry> = bytes
                            .chunks_exact(SIZE.entry_bytes())
                            .map(|entry| LogEntry::read(entry, SIZE, ORDER).unwrap())
                            .collect();
                        let saved = saved(&recording, ReadableMemory::EMPTY);
                        raw.rotate_left(recording.oldest_index());
                        prop_assert_eq!(&raw, &saved.cores[0].1);
                        prop_assert_eq!(without_counters(&raw), expected);
                        let slots = model.recording.take().map(|recording| recording.0);
                        prop_assert_eq!(Some(recording.into_buffer().len()), slots);
                    }
                }
            }
            prop_assert_eq!(log.is_on(), model.recording.is_some());
            check(&log, &model);
        }
    }
}

/// A clock set by the test.
struct SharedClock(Rc<Cell<u32>>);

impl Clock for SharedClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

proptest! {
    #[test]
    fn idle_time_is_the_time_between_sleep_and_wake(
        steps in prop::collection::vec((0..3_u8, any::<u32>()), 0..50), start in any::<u32>(),
    ) {
        let time = Rc::new(Cell::new(start));
        let log = SwitchLog::new(SpinLock::new(), SharedClock(time.clone()));
        let mut model = Model::default();
        for (step, ticks) in steps {
            time.set(time.get().wrapping_add(ticks));
            let now = time.get();
            match step {
                0 => { log.sleep(0, NAME); model.idle_since = Some(now); }
                1 => {
                    log.wake(0, NAME);
                    if let Some(since) = model.idle_since.take() {
                        model.idle += u64::from(now.wrapping_sub(since));
                    }
                }
                _ => {
                    if log.stop().is_some() { continue; }
                    log.start(buffer(2), BufferMode::OneShot);
                    model.idle = 0;
                    model.idle_since = model.idle_since.map(|_| now);
                }
            }
            let asleep = model.idle_since.map_or(0, |since| u64::from(now.wrapping_sub(since)));
            prop_assert_eq!(log.idle_ticks(), model.idle + asleep);
        }
    }
}

//! Recordings that survive a reset, on the host: memory is kept, the recorder is not.

use proptest::prelude::*;
use rtoscope_decode::cswitch::{CswitchOptions, DecodedLog, LogImage, Overwritten};
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_decode::{BufferChoice, source::Input};
use rtoscope_record::black_box::{
    BlackBoxMemory, CaptureFault as _, FaultOrigin, FaultRecord, RecoveredRecording,
};
use rtoscope_record::cswitch::{BufferMode, EntryKind, ReadableMemory, SwitchLog};
use rtoscope_record::name;
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::threadx::ThreadXRecorder;
use std::sync::atomic::{AtomicU32, Ordering};

/// A counter of 32 bits that wraps soon.
struct Ticks(AtomicU32);

impl Ticks {
    fn new() -> Self {
        Self(AtomicU32::new(u32::MAX - 20))
    }
}

impl Clock for Ticks {
    fn now(&self) -> u32 {
        self.0.fetch_add(10, Ordering::Relaxed)
    }
}

/// Longs of the header and of 8 entries of 24 bytes.
const LONGS: usize = 18 + 8 * 3;
const SLOTS: usize = 8;

fn memory(longs: usize) -> (&'static mut [u64], BlackBoxMemory) {
    let memory = Box::leak(vec![0_u64; longs].into_boxed_slice());
    let start = memory.as_mut_ptr();
    // SAFETY: the memory lives for ever. The tests access it between recordings.
    let handle = unsafe { BlackBoxMemory::from_raw(start.cast(), longs * 8) };
    (memory, handle.unwrap())
}

fn record(memory: BlackBoxMemory, mode: BufferMode, entries: usize) -> SwitchLog<SpinLock, Ticks> {
    let log = SwitchLog::new(SpinLock::new(), Ticks::new());
    // SAFETY: nothing else uses the memory.
    assert!(unsafe { memory.start_log(&log, mode) });
    for number in 0..entries {
        log.sync_resume(1000 + number, name!("worker"));
    }
    log
}

/// The recovered entries' kinds and addresses.
fn entries(memory: BlackBoxMemory) -> Option<Vec<(u32, usize)>> {
    // SAFETY: nothing records.
    let recovery = unsafe { memory.recover() }?;
    match recovery.recording() {
        RecoveredRecording::Log(log) => {
            let (older, newer) = log.entries();
            let all = older.iter().chain(newer);
            Some(all.map(|entry| (entry.kind, entry.address)).collect())
        }
        RecoveredRecording::Trace => None,
    }
}

#[test]
fn a_frozen_log_ends_with_the_fault() {
    for mode in [BufferMode::Cyclic, BufferMode::OneShot] {
        for written in 0..3 * SLOTS {
            let (_, memory) = memory(LONGS);
            let log = record(memory, mode, written);
            let fault = FaultRecord::from_application(77, [1, 2, 3, 4]);
            assert!(memory.freeze_log(&log, &fault));
            assert!(!memory.freeze_log(&log, &fault));
            log.sync_resume(1, name!("late"));
            log.sleep(2, name!("late"));
            let resume = EntryKind::SyncResume as u32;
            let mut expected: Vec<_> = (0..written).map(|at| (resume, 1000 + at)).collect();
            if mode == BufferMode::OneShot {
                expected.truncate(SLOTS);
            }
            if mode == BufferMode::Cyclic || written < SLOTS {
                expected.push((EntryKind::Fault as u32, 77));
            }
            let kept = expected.len().min(SLOTS);
            let expected = expected.split_off(expected.len() - kept);
            // Recovery changes nothing: it can be repeated.
            for _ in 0..2 {
                assert_eq!(entries(memory).unwrap(), expected, "{mode:?} {written}");
            }
            // SAFETY: nothing records.
            let recovery = unsafe { memory.recover() }.unwrap();
            assert_eq!((recovery.boot_count(), *recovery.fault()), (1, fault));
        }
    }
}

#[test]
fn a_log_that_nothing_froze_is_recovered_by_its_counters() {
    for written in 0..3 * SLOTS {
        let (_, memory) = memory(LONGS);
        record(memory, BufferMode::Cyclic, written);
        let resume = EntryKind::SyncResume as u32;
        let mut expected: Vec<_> = (0..written).map(|at| (resume, 1000 + at)).collect();
        expected.push((EntryKind::Fault as u32, 0));
        let kept = expected.len().min(SLOTS);
        let expected = expected.split_off(expected.len() - kept);
        for _ in 0..2 {
            assert_eq!(entries(memory).unwrap(), expected, "{written}");
        }
        // SAFETY: nothing records.
        let recovery = unsafe { memory.recover() }.unwrap();
        assert_eq!(recovery.fault().fault_origin(), FaultOrigin::None);
    }
}

#[test]
fn boots_are_counted_until_power_is_lost() {
    let (words, memory) = memory(LONGS);
    for boot in 1..4 {
        let log = record(memory, BufferMode::Cyclic, 3);
        memory.freeze_log(&log, &FaultRecord::from_application(1, [0; 4]));
        // SAFETY: nothing records.
        let recovery = unsafe { memory.recover() };
        assert_eq!(recovery.unwrap().boot_count(), boot);
    }
    // SAFETY: as above.
    unsafe { memory.discard() };
    assert!(entries(memory).is_none());
    words.fill(0xA5A5_A5A5_A5A5_A5A5);
    assert!(entries(memory).is_none());
    record(memory, BufferMode::Cyclic, 3);
    // SAFETY: as above.
    assert_eq!(unsafe { memory.recover() }.unwrap().boot_count(), 1);
}

#[test]
fn the_saved_log_opens_with_the_fault() {
    let (_, memory) = memory(LONGS);
    let log = record(memory, BufferMode::Cyclic, 11);
    memory.freeze_log(&log, &FaultRecord::from_application(77, [9, 0, 0, 0]));
    // SAFETY: nothing records.
    let recovery = unsafe { memory.recover() }.unwrap();
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| file.extend_from_slice(bytes);
    recovery.save(sink, 1_000_000, 32, ReadableMemory::EMPTY);
    let image = LogImage::open(Input::new(&file)).unwrap();
    let decoded = image.decode(&CswitchOptions::default()).unwrap();
    let black_box = decoded.log_info.black_box.unwrap();
    assert_eq!(black_box.fault().unwrap().words, [9, 0, 0, 0]);
    assert_eq!(decoded.trace.events.len(), SLOTS);
    assert_eq!(decoded.log_info.cores[0].idle_ticks, None);
}

/// An image of RAM with `bytes` in the middle, before the log in it is saved.
fn ram(bytes: &[u8]) -> Vec<u8> {
    let mut image = vec![0x5A; 256];
    image.extend_from_slice(bytes);
    image.resize(image.len() + 64, 0);
    image
}

#[test]
fn a_frozen_log_in_an_image_of_ram_is_the_saved_one() {
    for mode in [BufferMode::Cyclic, BufferMode::OneShot] {
        for written in 0..3 * SLOTS {
            let (words, memory) = memory(LONGS);
            let log = record(memory, mode, written);
            let fault = FaultRecord::from_application(77, [9, 0, 0, 0]);
            memory.freeze_log(&log, &fault);
            let image: Vec<_> = words.iter().flat_map(|it| it.to_ne_bytes()).collect();
            // SAFETY: nothing records.
            let recovery = unsafe { memory.recover() }.unwrap();
            let mut file = Vec::new();
            let sink = |bytes: &[u8]| file.extend_from_slice(bytes);
            recovery.save(sink, 0, 32, ReadableMemory::EMPTY);
            let decode = |bytes: &[u8]| {
                let image = LogImage::open(Input::new(bytes)).unwrap();
                image.decode(&CswitchOptions::default()).unwrap()
            };
            let (saved, found) = (decode(&file), decode(&ram(&image)));
            assert_eq!(found.log_info.black_box, saved.log_info.black_box);
            assert!(found.log_info.black_box.is_some());
            let events = |decoded: &DecodedLog| -> Vec<_> {
                let all = decoded.trace.events.iter();
                all.map(|it| (it.kind, it.time, it.arguments)).collect()
            };
            assert_eq!(events(&found), events(&saved), "{mode:?} {written}");
            let [found, saved] = [&found, &saved].map(|decoded| &decoded.log_info.cores[0]);
            assert_eq!(found.lost_entries, saved.lost_entries, "{mode:?} {written}");
            assert_eq!(found.overwritten, saved.overwritten, "{mode:?} {written}");
            // The entry of the fault is the last.
            let expected = match (mode, (written + 1).saturating_sub(SLOTS) as u64) {
                (BufferMode::OneShot, _) | (_, 0) => Overwritten::No,
                (BufferMode::Cyclic, overwritten) => Overwritten::Yes {
                    entries: Some(overwritten),
                },
            };
            assert_eq!(saved.overwritten, expected, "{mode:?} {written}");
        }
    }
}

#[test]
fn a_ring_that_nothing_froze_says_what_its_slots_show() {
    for written in 1..3 * SLOTS {
        let (words, memory) = memory(LONGS);
        let _log = record(memory, BufferMode::Cyclic, written);
        let image = |words: &[u64]| {
            let bytes: Vec<_> = words.iter().flat_map(|it| it.to_ne_bytes()).collect();
            ram(&bytes)
        };
        let before = image(words);
        // SAFETY: nothing records.
        let recovery = unsafe { memory.recover() }.unwrap();
        let mut saved = Vec::new();
        recovery.save(
            |bytes: &[u8]| saved.extend_from_slice(bytes),
            0,
            32,
            ReadableMemory::EMPTY,
        );
        let [before, saved, after] = [before, saved, image(words)].map(|bytes| {
            let image = LogImage::open(Input::new(&bytes)).unwrap();
            let decoded = image.decode(&CswitchOptions::default()).unwrap();
            decoded.log_info.cores[0].overwritten
        });
        assert_eq!(saved, after, "{written}");
        let is_known = |overwritten: Overwritten| overwritten.known();
        // The recovery adds an entry.
        assert_eq!(is_known(saved), Some(written >= SLOTS), "{written}");
        // A ring that is just full looks the same in each lap.
        let expected = (written % SLOTS != 0).then_some(written > SLOTS);
        assert_eq!(is_known(before), expected, "{written}");
    }
}

#[test]
fn an_open_log_in_an_image_of_ram_may_still_record() {
    for written in 1..SLOTS {
        let (words, memory) = memory(LONGS);
        let _log = record(memory, BufferMode::Cyclic, written);
        let image: Vec<_> = words.iter().flat_map(|it| it.to_ne_bytes()).collect();
        let image = ram(&image);
        let image = LogImage::open(Input::new(&image)).unwrap();
        let decoded = image.decode(&CswitchOptions::default()).unwrap();
        assert_eq!(decoded.trace.events.len(), written);
        assert_eq!(decoded.log_info.black_box, None);
    }
}

/// A trace of some events, frozen or not, as its bytes.
fn trace(events: u32, freeze: bool) -> (BlackBoxMemory, u32) {
    let (_, memory) = memory(200);
    let recorder = ThreadXRecorder::<_, _, u64>::new(SpinLock::new(), Ticks::new());
    // SAFETY: nothing else uses the memory.
    unsafe { memory.start_trace(&recorder, 2) }.unwrap();
    for number in 0..events {
        recorder.user_event(4096, [u64::from(number), 0, 0, 0]);
    }
    if freeze {
        assert!(memory.freeze_trace(&recorder, &FaultRecord::from_application(77, [0; 4])));
        recorder.user_event(4096, [0; 4]);
    }
    (memory, events + 2)
}

#[test]
fn a_frozen_trace_ends_with_the_fault() {
    for freeze in [true, false] {
        for events in 0..40 {
            let (memory, written) = trace(events, freeze);
            for _ in 0..2 {
                // SAFETY: nothing records.
                let recovery = unsafe { memory.recover() }.unwrap();
                let image =
                    rtoscope_decode::open(Input::new(recovery.bytes()), BufferChoice::First);
                let decoded = image.unwrap().decode(&ThreadXOptions::default()).unwrap();
                let slots = decoded.buffer.event_slots as usize;
                let expected = (written as usize + 1).min(slots);
                assert_eq!(decoded.trace.events.len(), expected, "{events} {freeze}");
                let kinds = &decoded.trace.events;
                let last = kinds.iter().last().unwrap();
                assert_eq!(last.kind.0, rtoscope_wire::black_box::FAULT_EVENT);
                let fault = decoded.black_box.unwrap();
                assert_eq!(fault.fault().is_some(), freeze);
            }
        }
    }
}

proptest! {
    /// Damaged memory is refused or gives a recording; nothing else happens.
    #[test]
    fn damaged_memory_is_refused_or_read(
        written in 0..20_usize,
        freeze: bool,
        damage in prop::collection::vec((0..LONGS, any::<u64>()), 0..4),
    ) {
        let (words, memory) = memory(LONGS);
        let log = record(memory, BufferMode::Cyclic, written);
        if freeze {
            memory.freeze_log(&log, &FaultRecord::from_application(1, [0; 4]));
        }
        for (at, word) in damage {
            words[at] ^= word;
        }
        if let Some(entries) = entries(memory) {
            prop_assert!(entries.len() <= SLOTS);
        }
    }

    #[test]
    fn random_memory_is_refused(words in prop::collection::vec(any::<u64>(), LONGS)) {
        let (memory_words, memory) = memory(LONGS);
        memory_words.copy_from_slice(&words);
        prop_assert!(entries(memory).is_none());
    }

    #[test]
    fn damaged_traces_are_refused_or_read(
        events in 0..40_u32,
        freeze: bool,
        damage in prop::collection::vec((0..200_usize, any::<u64>()), 0..4),
    ) {
        let (memory, _) = trace(events, freeze);
        // SAFETY: nothing records, and the recovery is dropped before the memory changes.
        let bytes = unsafe { memory.recover() }.unwrap().bytes().as_ptr() as *mut u64;
        for (at, word) in damage {
            // SAFETY: the memory has 200 longs.
            unsafe { *bytes.add(at) ^= word };
        }
        // SAFETY: as above.
        let _ = unsafe { memory.recover() };
    }
}

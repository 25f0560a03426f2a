//! Return values of calls, and the limits of memory.

use super::buffer;
use super::support::{LocalRecorder, ManualClock, NonNestingMask, memory, set_time, take_bytes};
use rtoscope_record::threadx::{
    EventGroups, FullBuffer, ObjectType, ThreadState, TraceStatus, buffer_words,
};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

fn recorder() -> LocalRecorder<u32> {
    LocalRecorder::new(NonNestingMask::default(), ManualClock)
}

#[test]
fn the_numbers_are_those_of_threadx() {
    assert_eq!(TraceStatus::code(&Ok(())), 0);
    assert_eq!(TraceStatus::code::<()>(&Err(TraceStatus::PointerError)), 3);
    assert_eq!(TraceStatus::code::<()>(&Err(TraceStatus::SizeError)), 5);
    assert_eq!(TraceStatus::code::<()>(&Err(TraceStatus::NotDone)), 0x20);
}

#[test]
fn calls_out_of_order_are_rejected() {
    let recorder = recorder();
    assert_eq!(recorder.disable(), Err(TraceStatus::NotDone));
    assert_eq!(
        recorder.try_user_event(4096, [0; 4]),
        Err(TraceStatus::NotDone)
    );
    let not_done = Err(TraceStatus::NotDone);
    assert_eq!(
        recorder.try_register(ObjectType::QUEUE, 8, "q", [0; 2]),
        not_done
    );
    assert_eq!(recorder.try_unregister(8), not_done);
    recorder
        .enable(memory(buffer_words::<u32>(1, 4)), 1)
        .unwrap();
    // The size is checked first, as in tx_trace_enable.
    assert_eq!(recorder.enable(memory(4), 1), Err(TraceStatus::SizeError));
    assert_eq!(recorder.enable(memory(100), 1), not_done);
    recorder.event_filter(EventGroups::ALL);
    assert_eq!(recorder.try_user_event(4096, [0; 4]), Ok(()));
    assert_eq!(
        recorder.try_register(ObjectType::QUEUE, 8, "q", [0; 2]),
        Ok(())
    );
    assert_eq!(
        recorder.try_register(ObjectType::QUEUE, 9, "r", [0; 2]),
        not_done
    );
    let null = Err(TraceStatus::PointerError);
    assert_eq!(
        recorder.try_register(ObjectType::QUEUE, 0, "r", [0; 2]),
        null
    );
    assert_eq!(recorder.try_unregister(0), null);
    assert!(recorder.take_buffer().is_none());
    assert_eq!(recorder.disable(), Ok(()));
    assert_eq!(recorder.disable(), not_done);
    let found = buffer::read(buffer::layout::<u32>(), &take_bytes(&recorder));
    assert_eq!(found.current, 2, "only RUNNING twice");
}

#[test]
fn memory_is_used_up_to_the_last_complete_event() {
    for entries in 0..3 {
        let min_words = buffer_words::<u32>(entries, 1);
        for words in 0..min_words + 20 {
            let recorder = recorder();
            let result = recorder.enable(memory(words), entries);
            if words < min_words {
                assert_eq!(result, Err(TraceStatus::SizeError));
                continue;
            }
            result.unwrap();
            recorder.disable().unwrap();
            let bytes = take_bytes(&recorder);
            let found = buffer::read(buffer::layout::<u32>(), &bytes);
            assert_eq!(found.ring.len(), (words - min_words) / 8 + 1);
            assert_eq!(found.registry.len(), entries);
            let used = 48 + 48 * entries + 32 * found.ring.len();
            assert!(bytes[used..].iter().all(|byte| *byte == 0));
        }
    }
    assert_eq!(
        recorder().enable(memory(100), usize::MAX),
        Err(TraceStatus::SizeError)
    );
    assert_eq!(
        recorder().enable(memory(100), usize::MAX / 48),
        Err(TraceStatus::SizeError)
    );
}

#[test]
fn c_memory_is_checked_and_untouched_after_its_end() {
    let mut words = [0xA5A5_A5A5_u32; 12 + 16 + 5];
    let start = words.as_mut_ptr().cast::<c_void>();
    let recorder = recorder();
    // SAFETY: null is rejected without an access.
    let null = unsafe { recorder.enable_raw(null_mut(), 4096, 0) };
    assert_eq!(null, Err(TraceStatus::PointerError));
    let odd = start.cast::<u8>().wrapping_add(2).cast();
    // SAFETY: an unaligned address is rejected without an access.
    let refused = unsafe { recorder.enable_raw(odd, 112, 0) };
    assert_eq!(refused, Err(TraceStatus::PointerError));
    // SAFETY: 28 words and 3 bytes of the array, which no other code uses.
    unsafe { recorder.enable_raw(start, 28 * 4 + 3, 0) }.unwrap();
    set_time(9);
    recorder.user_event(4100, [1, 2, 3, 4]);
    recorder.disable().unwrap();
    assert!(recorder.take_buffer().is_none(), "not ours to give");
    assert_eq!(words[12..20], [0xF0F0_F0F0, 0, 4100, 9, 1, 2, 3, 4]);
    assert_eq!(words[28..], [0xA5A5_A5A5; 5]);
}

thread_local! {
    static HEADER: Cell<*mut c_void> = const { Cell::new(null_mut()) };
}

unsafe extern "C" fn store_header(header: *mut c_void) {
    HEADER.with(|it| it.set(header));
}

#[test]
fn a_c_function_gets_the_header() {
    let mut words = [0_u32; 12 + 3 * 8];
    let start = words.as_mut_ptr().cast::<c_void>();
    let recorder = recorder();
    // SAFETY: the function may be called with any address.
    unsafe { recorder.buffer_full_notify_raw(Some(store_header)) };
    // SAFETY: no other code uses the array.
    unsafe { recorder.enable_raw(start, 4 * (12 + 3 * 8), 0) }.unwrap();
    assert!(HEADER.with(Cell::get).is_null());
    recorder.user_event(4100, [0; 4]);
    assert_eq!(HEADER.with(Cell::get), start);
    recorder.disable().unwrap();
}

#[test]
fn c_names_are_truncated_and_null_is_empty() {
    let recorder = recorder();
    recorder
        .enable(memory(buffer_words::<u32>(4, 2)), 4)
        .unwrap();
    let long = [b'n'; 31];
    // SAFETY: null, text with a NUL, or 31 bytes.
    unsafe {
        let name = b"short\0more".as_ptr();
        recorder
            .register_raw(ObjectType::QUEUE, 0x10, name, [0; 2])
            .unwrap();
        recorder
            .register_raw(ObjectType::QUEUE, 0x20, long.as_ptr(), [0; 2])
            .unwrap();
        recorder
            .register_raw(ObjectType::QUEUE, 0x30, std::ptr::null(), [0; 2])
            .unwrap();
    }
    recorder.disable().unwrap();
    let found = buffer::read(buffer::layout::<u32>(), &take_bytes(&recorder));
    assert_eq!(found.registry[0].name[..7], *b"short\0\0");
    assert_eq!(found.registry[1].name[..31], long);
    assert_eq!(found.registry[1].name[31], 0);
    assert_eq!(found.registry[2].name, [0; 32]);
}

thread_local! {
    static TARGET: Cell<Option<&'static NestedRecorder>> = const { Cell::new(None) };
    static ANSWERS: Cell<Option<[Result<(), TraceStatus>; 4]>> = const { Cell::new(None) };
}

/// A mask that nests, like PRIMASK.
struct NestingMask;

// SAFETY: one thread, whose calls overlap only in the notification.
unsafe impl rtoscope_record::port::Mask for NestingMask {
    type State = ();

    fn acquire(&self) {}

    unsafe fn release(&self, (): ()) {}
}

type NestedRecorder = rtoscope_record::threadx::ThreadXRecorder<NestingMask, ManualClock, u32>;

/// Calls the recorder from inside the notification, as an unaware C program might.
fn use_recorder(full: &FullBuffer<'_>) {
    let recorder = TARGET.with(Cell::get).unwrap();
    let before = full.bytes().to_vec();
    recorder.user_event(4200, [0; 4]);
    let answers = [
        recorder.try_register(ObjectType::QUEUE, 0x10, "q", [0; 2]),
        recorder.disable(),
        recorder.disable(),
        recorder.enable(memory(100), 0),
    ];
    assert!(recorder.take_buffer().is_none(), "it is being read");
    assert_eq!(before, full.bytes());
    ANSWERS.with(|it| it.set(Some(answers)));
}

#[test]
fn a_full_buffer_is_unchanged_during_the_notification() {
    let recorder: &'static NestedRecorder =
        Box::leak(Box::new(NestedRecorder::new(NestingMask, ManualClock)));
    TARGET.with(|it| it.set(Some(recorder)));
    recorder.buffer_full_notify(Some(use_recorder));
    recorder
        .enable(memory(buffer_words::<u32>(1, 3)), 1)
        .unwrap();
    recorder.user_event(4100, [0; 4]);
    let not_done = Err(TraceStatus::NotDone);
    let expected = [not_done, Ok(()), not_done, not_done];
    assert_eq!(ANSWERS.with(Cell::get), Some(expected));
    assert!(!recorder.is_enabled());
    recorder.user_event(4101, [0; 4]);
    let words = recorder.take_buffer().unwrap();
    assert_eq!(words[12 + 12 + 2 * 8 + 2], 4100);
    recorder.buffer_full_notify(None);
    recorder.enable(words, 1).unwrap();
    assert!(recorder.is_enabled());
}

#[test]
fn a_field_of_an_earlier_session_is_not_written() {
    let recorder = recorder();
    recorder
        .enable(memory(buffer_words::<u32>(0, 5)), 0)
        .unwrap();
    let pending = recorder.suspend(0x10, ThreadState::SLEEP);
    recorder.disable().unwrap();
    recorder.complete_field(pending, 0xBAD);
    let words = recorder.take_buffer().unwrap();
    assert_eq!(words[12 + 2 * 8 + 7], 0x10);
    recorder.enable(words, 0).unwrap();
    // From the same slot on, but not in the same lap.
    for number in 0..4 {
        recorder.user_event(4096 + number, [1, 2, 3, 4]);
        recorder.complete_field(pending, 0xBAD);
    }
    recorder.disable().unwrap();
    let found = buffer::read(buffer::layout::<u32>(), &take_bytes(&recorder));
    assert!(found.ring.iter().all(|entry| entry[7] != 0xBAD));
    assert_eq!(found.ring[2][2], 4096);
}

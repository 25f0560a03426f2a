//! Compares the events with the decoder's catalogue, which is derived from the kernel's
//! source.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use super::{ThreadState, ThreadXRecorder, TraceMemory, buffer_words};
use crate::port::{NullClock, SpinLock};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{NetxDialect, ThreadXOptions, catalogue::catalogue};
use rtoscope_decode::{BufferChoice, open};
use rtoscope_trace::EventKindId;
use rtoscope_trace::catalogue::Meaning;
use std::borrow::ToOwned;
use std::boxed::Box;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// A sample value for an argument of an event.
pub(super) trait Sample {
    fn sample(number: u8) -> Self;
}

impl Sample for u32 {
    fn sample(number: u8) -> Self {
        Self::from(number)
    }
}

impl Sample for usize {
    fn sample(number: u8) -> Self {
        Self::from(number)
    }
}

impl Sample for bool {
    fn sample(_: u8) -> Self {
        true
    }
}

impl Sample for ThreadState {
    fn sample(number: u8) -> Self {
        Self(u32::from(number))
    }
}

/// A number for an argument's name, different for all arguments of an event.
fn number(name: &str) -> u8 {
    name.bytes()
        .fold(2, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte) | 2)
}

const STACK: &str = "stack_pointer()";

#[test]
fn events_match_the_catalogue() {
    let recorder: ThreadXRecorder<SpinLock, NullClock> =
        ThreadXRecorder::new(SpinLock::new(), NullClock);
    let words: &'static mut [u64] = Box::leak(vec![0; buffer_words::<u64>(0, 120)].into());
    recorder.enable(TraceMemory::from(words), 0).unwrap();
    let expected_events = recorder.every_event(number);
    recorder.disable().unwrap();
    let words = recorder.take_buffer().unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let recording = open(Input::new(bytes), BufferChoice::First).unwrap();
    let trace = recording.decode(&ThreadXOptions::default()).unwrap().trace;
    let kinds = catalogue(NetxDialect::Duo);
    assert_eq!(trace.events.len(), 2 + expected_events.len());
    for (event, (id, name, fields)) in trace.events.iter().skip(2).zip(&expected_events) {
        assert_eq!(event.kind, EventKindId(*id), "{name}");
        let kind = kinds.get(event.kind).unwrap();
        assert_eq!(kind.component, "threadx");
        let known = kind.name.strip_prefix("tx_").unwrap_or(&kind.name);
        assert_eq!(known.replace(' ', "_"), *name);
        for (place, argument) in kind.arguments.iter().enumerate() {
            let (found, field) = (event.arguments[place], fields[place]);
            let at = String::from(*name) + ": " + field;
            match argument {
                None => assert_eq!((found, field), (0, "NOTHING"), "{at}"),
                Some(argument) if argument.meaning == Meaning::StackPointer => {
                    assert_eq!(field, STACK);
                    assert_ne!(found, 0, "{at}");
                }
                Some(argument) => {
                    assert_eq!(argument.name, field, "{at}");
                    let yes = matches!(field, "enable" | "inheritance");
                    let expected = if yes { 1 } else { number(field).into() };
                    assert_eq!(found, expected, "{at}");
                }
            }
        }
    }
    let mut recorded: Vec<u32> = expected_events.iter().map(|(id, ..)| *id).collect();
    // The events of the scheduler, of interrupts and of allocations have functions of
    // another kind.
    recorded.extend([1, 2, 3, 4, 10, 20]);
    recorded.sort_unstable();
    let threadx = kinds.iter().filter(|kind| kind.component == "threadx");
    let mut all: Vec<u32> = threadx.map(|kind| kind.id.0).collect();
    all.sort_unstable();
    assert_eq!(
        recorded,
        all,
        "{}",
        "every event of ThreadX has a function".to_owned()
    );
}

//! Call stacks as user events of a ThreadX trace.

use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_decode::{BufferChoice, open};
use rtoscope_record::port::{NullClock, SpinLock};
use rtoscope_record::threadx::{ThreadXRecorder, TraceMemory, buffer_words};
use rtoscope_symbols::Firmware;
use rtoscope_trace::catalogue::EventKind;
use rtoscope_trace::{DiagnosticKind, EventKindId, Trace};
use rtoscope_wire::cswitch::STACK_IS_COMPLETE;
use rtoscope_wire::threadx::{
    STACK_BEGIN_EVENT, STACK_END_EVENT, STACK_END_MARK, STACK_WORDS_EVENT,
};
use std::sync::Arc;

const ELF: &[u8] = include_bytes!("../../../../testdata/firmware/stacks/dwarf.elf");
const WORDS: &str = include_str!("../../../../testdata/firmware/stacks/dwarf.txt");
const USER: EventEntry = (4096, [1, 2, 3, 4]);

type EventEntry = (u32, [u32; 4]);

/// The events of a stack that the program printed.
fn stack_events(number: usize) -> Vec<EventEntry> {
    let text = WORDS.split_terminator("\n\n").nth(number).unwrap();
    let word = |line: &str| u32::from_str_radix(line, 16).unwrap();
    let all: Vec<u32> = text.lines().map(word).collect();
    let [pc, sp, lr, r7, r11, ref words @ ..] = *all else {
        panic!("registers are missing");
    };
    let mut events = vec![(STACK_BEGIN_EVENT, [sp, lr, pc, r7])];
    for four in words.chunks(4) {
        let word = |index: usize| four.get(index).copied().unwrap_or_default();
        events.push((STACK_WORDS_EVENT, [0, 1, 2, 3].map(word)));
    }
    let count = words.len() as u32 | STACK_IS_COMPLETE;
    events.push((STACK_END_EVENT, [count, r11, sp, STACK_END_MARK]));
    events
}

fn decode(events: &[EventEntry], custom: Vec<EventKind>) -> Trace {
    let recorder = ThreadXRecorder::<_, _, u32>::new(SpinLock::new(), NullClock);
    let words = buffer_words::<u32>(0, events.len() + 8);
    let words: &'static mut [u32] = Box::leak(vec![0; words].into());
    recorder.enable(TraceMemory::from(words), 0).unwrap();
    for (id, info) in events {
        recorder.try_user_event(*id, *info).unwrap();
    }
    recorder.disable().unwrap();
    let words = recorder.take_buffer().unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let firmware = Firmware::read(ELF.to_vec()).unwrap();
    let options = ThreadXOptions {
        firmware: vec![Arc::new(firmware)],
        custom,
        ..ThreadXOptions::default()
    };
    let recording = open(Input::new(bytes), BufferChoice::First).unwrap();
    recording.decode(&options).unwrap().trace
}

fn texts(trace: &Trace) -> Vec<String> {
    let stacks = trace.call_stacks.iter();
    stacks.map(|stack| stack.to_string()).collect()
}

fn has_incomplete(trace: &Trace) -> bool {
    let mut all = trace.diagnostics.iter();
    all.any(|it| it.kind == DiagnosticKind::IncompleteStack)
}

const IN_THREAD: &str = "record < middle < outer < thread_entry < Reset (end of the stack)";
const IN_HANDLER: &str =
    "record < in_handler < SVC_Handler < wait < thread_entry < Reset (end of the stack)";

#[test]
fn stacks_are_unwound_even_if_an_interrupt_splits_them() {
    let outer = stack_events(0);
    let mut events = vec![USER];
    events.extend(&outer[..2]);
    events.push(USER);
    events.extend(stack_events(1));
    events.extend(&outer[2..]);
    let trace = decode(&events, Vec::new());
    assert_eq!(texts(&trace), [IN_THREAD, IN_HANDLER]);
    assert!(!has_incomplete(&trace));
    let names = trace.call_stacks.iter().map(|stack| {
        let kind = trace.events.kind(stack.event()).unwrap();
        trace.catalogue.name(kind).into_owned()
    });
    assert_eq!(names.collect::<Vec<_>>(), ["call stack"; 2]);
}

#[test]
fn missing_events_are_reported() {
    let whole = stack_events(0);
    let mut events = whole.clone();
    events.remove(1);
    events.extend(stack_events(1));
    let trace = decode(&events, Vec::new());
    assert_eq!(
        texts(&trace),
        ["(entries of the stack are missing)", IN_HANDLER]
    );
    assert!(has_incomplete(&trace));
    let trace = decode(&whole[1..], Vec::new());
    assert!(trace.call_stacks.is_empty() && has_incomplete(&trace));
}

#[test]
fn the_application_may_use_the_numbers() {
    let mut unmarked = stack_events(0);
    unmarked.last_mut().unwrap().1[3] = 0;
    let kind = EventKind {
        id: EventKindId(STACK_WORDS_EVENT),
        ..rtoscope_decode::threadx::catalogue::catalogue(Default::default())
            .iter()
            .next()
            .unwrap()
            .clone()
    };
    for (events, custom) in [(unmarked, Vec::new()), (stack_events(0), vec![kind])] {
        let trace = decode(&events, custom);
        assert!(trace.call_stacks.is_empty() && !has_incomplete(&trace));
        let begin = EventKindId(STACK_BEGIN_EVENT);
        assert!(trace.catalogue.get(begin).is_none());
    }
}

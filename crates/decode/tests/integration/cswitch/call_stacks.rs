//! Recorded call stacks.

use super::builders::{Cswl, LAYOUTS, WORKER, kinds, open};
use rtoscope_decode::cswitch::CswitchOptions;
use rtoscope_symbols::Firmware;
use rtoscope_trace::{DiagnosticKind, Trace};
use rtoscope_wire::cswitch::{CoreHeader, LogEntry, STACK_IS_COMPLETE};
use std::sync::Arc;

const ELF: &[u8] = include_bytes!("../../../../../testdata/firmware/stacks/ehabi.elf");
const WORDS: &str = include_str!("../../../../../testdata/firmware/stacks/ehabi.txt");

fn entry(kind: u32, address: u64, name: u64) -> LogEntry {
    LogEntry {
        kind,
        counter: 0,
        address,
        name,
    }
}

/// The entries of a stack that the program printed.
fn stack_entries(number: usize) -> Vec<LogEntry> {
    let text = WORDS.split_terminator("\n\n").nth(number).unwrap();
    let word = |line: &str| u64::from_str_radix(line, 16).unwrap();
    let all: Vec<u64> = text.lines().map(word).collect();
    let [pc, sp, lr, r7, r11, ref words @ ..] = *all else {
        panic!("registers are missing");
    };
    let mut entries = vec![entry(64, sp, lr), entry(65, pc, r7)];
    for pair in words.chunks(2) {
        entries.push(entry(66, pair[0], pair.get(1).copied().unwrap_or_default()));
    }
    let count = words.len() as u64 | u64::from(STACK_IS_COMPLETE);
    entries.push(entry(67, count, r11));
    entries
}

fn decode(mut entries: Vec<LogEntry>, with_firmware: bool) -> Trace {
    for (counter, entry) in (100..).zip(&mut entries) {
        entry.counter = counter;
    }
    let (pointer, order) = LAYOUTS[0];
    let file = Cswl::new(pointer, order, 1)
        .core(CoreHeader::default(), &entries)
        .names()
        .end();
    let firmware = Firmware::read(ELF.to_vec()).unwrap();
    let options = CswitchOptions {
        firmware: with_firmware
            .then(|| Arc::new(firmware))
            .into_iter()
            .collect(),
        ..CswitchOptions::default()
    };
    open(&file, options).unwrap().trace
}

fn texts(trace: &Trace) -> Vec<(u32, String)> {
    let stacks = trace.call_stacks.iter();
    stacks
        .map(|stack| (stack.event().0, stack.to_string()))
        .collect()
}

const IN_THREAD: &str = "record < middle < outer < thread_entry < Reset (end of the stack)";
const IN_HANDLER: &str =
    "record < in_handler < SVC_Handler < wait < thread_entry < Reset (end of the stack)";

#[test]
fn a_stack_that_an_interrupt_splits_is_put_together() {
    let outer = stack_entries(0);
    let mut entries = vec![entry(3, 0x100, WORKER)];
    entries.extend(&outer[..5]);
    entries.push(entry(5, 0x13B, WORKER));
    entries.extend(stack_entries(1));
    entries.push(entry(6, 0x13B, WORKER));
    entries.extend(&outer[5..]);
    let trace = decode(entries.clone(), true);
    assert_eq!(
        texts(&trace),
        [(1, IN_THREAD.to_owned()), (7, IN_HANDLER.to_owned())]
    );
    assert!(!kinds(&trace).contains(&DiagnosticKind::IncompleteStack));
    let trace = decode(entries, false);
    assert_eq!(texts(&trace)[0], (1, "(no firmware file)".to_owned()));
}

#[test]
fn a_stack_with_missing_entries_has_no_frames() {
    let whole = stack_entries(0);
    for missing in 1..whole.len() {
        let mut entries = whole.clone();
        entries.remove(missing);
        entries.extend(stack_entries(1));
        let trace = decode(entries, true);
        let found = texts(&trace);
        assert_eq!(found[0].1, "(entries of the stack are missing)");
        assert_eq!(found[1].1, IN_HANDLER);
        assert!(kinds(&trace).contains(&DiagnosticKind::IncompleteStack));
    }
    // The ring overwrote its begin.
    let trace = decode(whole[3..].to_vec(), true);
    assert!(trace.call_stacks.is_empty());
    assert!(kinds(&trace).contains(&DiagnosticKind::IncompleteStack));
}

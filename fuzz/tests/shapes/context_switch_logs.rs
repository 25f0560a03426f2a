//! Context-switch logs.

use super::Shape;
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::cswitch::{self, CswitchOptions};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{EntryKind, LogEntry, PointerSize};

pub(super) const SHAPES: &[Shape] = &[
    shape("threads ready at once", |n| {
        let ready = (0..n / 2).map(|at| entry(EntryKind::Ready, at, 0, thread(at)));
        log(ready.chain((n / 2..n).map(|at| resume(at, at - n / 2))))
    }),
    shape("threads that run once", |n| {
        log((0..n).map(|at| resume(at, at)))
    }),
    shape("wakes of other threads", |n| {
        log((0..n).map(|at| match at % 2 {
            0 => resume(at, at),
            _ => entry(EntryKind::Wake, at, CODE, thread(at - 1)),
        }))
    }),
    shape("waits of other threads", |n| {
        log((0..n).map(|at| match at % 2 {
            0 => resume(at, at),
            _ => entry(EntryKind::Wait, at, 5, thread(at - 1)),
        }))
    }),
    shape("markers without an end", |n| {
        log_of_a_thread((1..n).map(|at| entry(EntryKind::MarkerBegin, at, at as u64, thread(1))))
    }),
    shape("markers of other names", |n| {
        log_of_a_thread((1..n).map(|at| entry(EntryKind::MarkerBegin, at, 0, thread(at))))
    }),
    shape("nested markers", |n| {
        log_of_a_thread((1..n).map(|at| match at * 2 < n {
            true => entry(EntryKind::MarkerBegin, at, 0, thread(1)),
            false => entry(EntryKind::MarkerEnd, at, 0, thread(1)),
        }))
    }),
    shape("markers that end in order", |n| {
        log_of_a_thread((1..n).map(|at| match at * 2 < n {
            true => entry(EntryKind::MarkerBegin, at, at as u64, thread(1)),
            false => entry(EntryKind::MarkerEnd, at, (at - n / 2 + 1) as u64, thread(1)),
        }))
    }),
    shape("nested interrupts", |n| {
        log_of_a_thread((1..n).map(|at| entry(EntryKind::IsrEnter, at, code(at), CODE)))
    }),
    shape("interrupts that end in order", |n| {
        log_of_a_thread((1..n).map(|at| match at * 2 < n {
            true => entry(EntryKind::IsrEnter, at, code(at), CODE),
            false => entry(EntryKind::IsrExit, at, code(at - n / 2 + 1), CODE),
        }))
    }),
    shape("handlers that run once", |n| {
        log_of_a_thread((2..n).map(|at| match at % 2 {
            0 => entry(EntryKind::IsrEnter, at, code(at), CODE),
            _ => entry(EntryKind::IsrExit, at, code(at - 1), CODE),
        }))
    }),
    shape("disabled interrupts", |n| {
        log_of_a_thread(
            (1..n).map(|at| entry(EntryKind::InterruptsDisabled, at, code(at), thread(0))),
        )
    }),
    shape("stacks without an end", |n| {
        log_of_a_thread((1..n).map(|at| match at % 2 {
            0 => entry(EntryKind::StackBegin, at, code(at), 0),
            _ => entry(EntryKind::StackWords, at, code(at), 0),
        }))
    }),
];

const fn shape(name: &'static str, bytes: fn(usize) -> Vec<u8>) -> Shape {
    Shape {
        name,
        bytes,
        options,
        format: Some(cswitch::FORMAT),
    }
}

const SIZE: PointerSize = PointerSize::Four;
const ORDER: ByteOrder = ByteOrder::Little;

fn options() -> DecodeOptions {
    DecodeOptions {
        cswitch: CswitchOptions {
            pointer_size: Some(SIZE),
            byte_order: Some(ORDER),
            ..CswitchOptions::default()
        },
        ..DecodeOptions::default()
    }
}

const CODE: u64 = 0x0800_0100;

fn code(number: usize) -> u64 {
    CODE + 4 * number as u64
}

fn thread(number: usize) -> u64 {
    0x2000_1000 + 64 * number as u64
}

fn entry(kind: EntryKind, at: usize, address: u64, name: u64) -> LogEntry {
    LogEntry {
        kind: kind as u32,
        counter: 10 * at as u32,
        address,
        name,
    }
}

fn resume(at: usize, number: usize) -> LogEntry {
    entry(EntryKind::SyncResume, at, CODE, thread(number))
}

fn log_of_a_thread(entries: impl Iterator<Item = LogEntry>) -> Vec<u8> {
    log([resume(0, 0)].into_iter().chain(entries))
}

fn log(entries: impl Iterator<Item = LogEntry>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let mut place = [0; 16];
        entry
            .write(&mut place, SIZE, ORDER)
            .expect("an entry of 32 bits");
        bytes.extend(place);
    }
    bytes
}

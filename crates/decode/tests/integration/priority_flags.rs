//! Priorities without the flag that the kernel sets with them, and rings that are
//! not in the input.

use crate::several_buffers::{LAYOUT, decode, header, recording, ring_start};
use rtoscope_decode::BufferChoice;
use rtoscope_trace::{DiagnosticKind, EventIndex, Trace};
use rtoscope_wire::threadx::ObjectType;

fn said(trace: &Trace, kind: DiagnosticKind) -> Vec<(String, Option<EventIndex>)> {
    let all = trace.diagnostics.iter().filter(|it| it.kind == kind);
    all.map(|it| (it.message.to_string(), it.event)).collect()
}

#[test]
fn upper_bits_without_the_flag_are_reported() {
    let sound = recording(100, 1, false);
    let trace = decode(&sound, BufferChoice::First);
    assert_eq!(said(&trace, DiagnosticKind::PriorityFlag), []);
    let event = trace.events.iter().find(|it| it.priority().is_some());
    let event = event.unwrap().index;
    let mut bytes = sound;
    let word = ring_start(&bytes) + event.index() * LAYOUT.entry_bytes() + 4;
    bytes[word..word + 4].copy_from_slice(&0x0003_0005_u32.to_le_bytes());
    let trace = decode(&bytes, BufferChoice::First);
    let message = "1 event has a priority word with upper bits but without the flag of a \
                   preemption threshold, first 0x30005: the bits are not shown";
    assert_eq!(
        said(&trace, DiagnosticKind::PriorityFlag),
        [(message.to_owned(), Some(event))]
    );
}

#[test]
fn registered_priorities_without_the_flag_are_reported() {
    let mut bytes = recording(100, 1, false);
    let stride = LAYOUT.registry_stride(header(&bytes).name_size);
    let mut slots = (LAYOUT.header_bytes()..ring_start(&bytes)).step_by(stride);
    let thread = slots
        .find(|at| bytes[at + 1] == ObjectType::THREAD.0)
        .unwrap();
    bytes[thread + 2..thread + 4].copy_from_slice(&[0, 9]);
    let trace = decode(&bytes, BufferChoice::First);
    let found = said(&trace, DiagnosticKind::PriorityFlag);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].0.contains("first (0, 9) in slot"),
        "{}",
        found[0].0
    );
}

#[test]
fn entries_that_are_not_in_the_input_are_not_unwritten() {
    let bytes = recording(100, 1, false);
    let trace = decode(&bytes[..ring_start(&bytes)], BufferChoice::First);
    let message = "no written entry of the ring is in the input: the trace has no events";
    assert_eq!(
        said(&trace, DiagnosticKind::NoEvents),
        [(message.to_owned(), None)]
    );
}

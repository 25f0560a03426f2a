//! Dumps of a simulated target.

use fastrand::Rng;
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{ThreadXOptions, TraceBuffer};
use rtoscope_decode::{BufferChoice, threadx};
use rtoscope_generate::ThreadXOptions as Target;
use rtoscope_trace::{DiagnosticKind, Severity, Trace};
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};
use std::ops::Range;

/// Slots of the ring of [`target`].
pub(super) const SLOTS: usize = 512;

/// A target with a ring of [`SLOTS`] slots.
pub(super) fn target(seed: u64) -> Target {
    Target {
        threads: 5,
        seed,
        capacity: Some(SLOTS as u64),
        ..Target::default()
    }
}

/// A target of any kind with a wide clock.
pub(super) fn any_target(rng: &mut Rng) -> Target {
    let layout = BufferLayout::ALL[rng.usize(..BufferLayout::ALL.len())];
    Target {
        threads: rng.u16(2..8),
        layout,
        clock_bits: if rng.bool() {
            32
        } else {
            8 * layout.ulong.bytes() as u8
        },
        count_down: rng.bool(),
        bare_ticks: rng.bool(),
        inheritance: rng.bool(),
        timeouts: rng.bool(),
        ..target(rng.u64(..))
    }
}

/// The target's memory after a number of events.
pub(super) fn memory(target: &Target, events: u64) -> Vec<u8> {
    let options = Target {
        events,
        ..target.clone()
    };
    let mut bytes = Vec::new();
    rtoscope_generate::write(&options, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

/// All events that the target logs, as [`rows`].
pub(super) fn truth(target: &Target, events: u64) -> Vec<Row> {
    let all = Target {
        capacity: None,
        ..target.clone()
    };
    rows(&decode(&memory(&all, events)))
}

/// The bytes of the ring in a dump.
pub(super) fn ring(bytes: &[u8]) -> Range<usize> {
    let buffer = TraceBuffer::parse_header(bytes).unwrap();
    let start = buffer.events_address() as usize;
    let size = buffer.event_slots as usize * buffer.layout.entry_bytes();
    start..start + size
}

/// The bytes of a slot in a dump.
pub(super) fn slot(bytes: &[u8], slot: usize) -> Range<usize> {
    let size = TraceBuffer::parse_header(bytes)
        .unwrap()
        .layout
        .entry_bytes();
    let start = ring(bytes).start + slot * size;
    start..start + size
}

/// Moves a dump to another address.
pub(super) fn moved(mut bytes: Vec<u8>, distance: u64) -> Vec<u8> {
    let layout = TraceBuffer::parse_header(&bytes).unwrap().layout;
    let mut header = ControlHeader::read(layout, &bytes).unwrap();
    for pointer in [
        &mut header.base_address,
        &mut header.registry_start,
        &mut header.registry_end,
        &mut header.buffer_start,
        &mut header.buffer_end,
        &mut header.current,
    ] {
        *pointer += distance;
    }
    header.write(layout, &mut bytes).unwrap();
    bytes
}

pub(super) fn decode(bytes: &[u8]) -> Trace {
    let opened = threadx::open(Input::new(bytes), BufferChoice::First).unwrap();
    opened.decode(&ThreadXOptions::default()).unwrap().trace
}

/// What the target wrote of an event.
pub(super) type Row = (u64, u32, u64, [u64; 4]);

pub(super) fn rows(trace: &Trace) -> Vec<Row> {
    let row = |event: rtoscope_trace::Event| {
        let context = trace.contexts.get(event.context).unwrap().address.0;
        (context, event.kind.0, event.timestamp, event.arguments)
    };
    trace.events.iter().map(row).collect()
}

pub(super) fn has(trace: &Trace, kind: DiagnosticKind) -> bool {
    trace.diagnostics.iter().any(|it| it.kind == kind)
}

pub(super) fn has_error(trace: &Trace) -> bool {
    let mut diagnostics = trace.diagnostics.iter();
    diagnostics.any(|it| it.severity() == Severity::Error)
}

/// Expects events of the target only, as [`expect_true_order`]; and all of them at their times, unless an
/// error says that the dump is damaged.
pub(super) fn expect_truth_or_error(found: &Trace, all: &[Row], sound: &Trace, case: &str) {
    if has(found, DiagnosticKind::ClockJump) && found.gaps.is_empty() {
        // The order could not be found, and the error says that the times are wrong.
        return;
    }
    expect_true_order(found, all, case, |row| *row);
    if !has_error(found) {
        assert_eq!(found.events.span(), sound.events.span(), "{case}");
        assert_eq!(rows(found), rows(sound), "{case}");
    }
}

/// Expects what `part` returns of events of the target only, in order except where a gap
/// says that the order is not known.
pub(super) fn expect_true_order<P: PartialEq>(
    found: &Trace,
    all: &[Row],
    case: &str,
    part: impl Fn(&Row) -> P,
) {
    let untrue = untrue_rows(found, all, part);
    let diagnostics = &found.diagnostics;
    assert!(untrue.is_empty(), "{case}: {untrue:x?}, {diagnostics:?}");
}

/// The events that the target did not log, or not in this order.
pub(super) fn untrue_rows<P: PartialEq>(
    found: &Trace,
    all: &[Row],
    part: impl Fn(&Row) -> P,
) -> Vec<Row> {
    let unordered = found.gaps.iter().filter(|gap| gap.missing.is_none());
    let unordered: Vec<_> = unordered.map(|gap| gap.next_event.0 as usize).collect();
    let mut rest = all;
    let mut untrue = Vec::new();
    for (number, row) in rows(found).into_iter().enumerate() {
        if unordered.contains(&number) {
            rest = all;
        }
        match rest.iter().position(|it| part(it) == part(&row)) {
            Some(at) => rest = &rest[at + 1..],
            None => untrue.push(row),
        }
    }
    untrue
}

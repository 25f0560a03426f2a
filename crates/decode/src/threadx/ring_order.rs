//! The chronological order of a ring's slots according to its header.

use super::buffer::TraceBuffer;
use super::damage::SlotRuns;
use super::entry_gaps::GapCause;
use super::entry_header::EntryHeader;
use super::event_ring::{EventRing, RingGap};
use crate::memory::Memory;
use crate::records::RecordRun;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use rtoscope_wire::threadx::BufferLayout;
use std::ops::Range;

/// Orders the slots by the current pointer.
pub(super) fn order_slots<'a>(
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    slot_runs: &SlotRuns<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> EventRing<'a> {
    let slots = RingSlots {
        memory,
        buffer: *buffer,
        slot_runs,
    };
    let current = buffer
        .current_slot()
        .unwrap_or_else(|| slots.guess_current(diagnostics));
    let half_written = slots.is_half_written(current);
    if half_written {
        let message =
            format!("skipped slot {current}: the target was halted while it wrote the entry");
        let diagnostic = Diagnostic::new(DiagnosticKind::HalfWrittenEntry, message);
        diagnostics.push(diagnostic.at_offset(slots.offset(current)));
    }
    // The slot to be written next shows whether the ring has wrapped.
    let older = current + u64::from(half_written)..buffer.event_slots;
    let newer = 0..current;
    let probed = slots.any_end_is_used(older.clone());
    let wrapped = probed == Some(true);
    let ranges = match probed {
        Some(false) => vec![newer],
        _ => vec![older, newer],
    };
    let assembly = RingAssembly::new(&slots, ranges);
    assembly.report(probed.is_none(), diagnostics);
    EventRing {
        runs: assembly.runs,
        gaps: assembly.gaps,
        is_wrapped: wrapped,
        is_damaged: !slot_runs.damaged.is_empty(),
    }
}

struct RingSlots<'r, 'a> {
    memory: &'r Memory<'r>,
    buffer: TraceBuffer,
    slot_runs: &'r SlotRuns<'a>,
}

impl<'r, 'a> RingSlots<'r, 'a> {
    fn runs(&self, wanted: Range<u64>) -> impl Iterator<Item = RecordRun<'a>> + use<'r, 'a> {
        let size = self.buffer.layout.entry_bytes();
        self.slot_runs.within(wanted, size)
    }

    /// The offset of a slot in the input, if it is a copy of the input.
    fn offset(&self, slot: u64) -> u64 {
        let distance = slot.saturating_mul(self.buffer.layout.entry_bytes() as u64);
        let address = self.buffer.events_address().saturating_add(distance);
        self.memory.offset_of(address).unwrap_or(address)
    }

    /// The slots of a range that are in memory, in memory order.
    fn peek(&self, wanted: Range<u64>) -> impl Iterator<Item = SlotHeader> {
        let size = self.buffer.layout.entry_bytes();
        let layout = self.buffer.layout;
        self.runs(wanted)
            .flat_map(move |run| (run.first..).zip(run.bytes.chunks_exact(size)))
            .filter_map(move |(slot, bytes)| SlotHeader::new(layout, slot, bytes))
    }

    /// Whether a slot was written; `None` if it is not in memory.
    fn is_used(&self, slot: u64) -> Option<bool> {
        let peek = self.peek(slot..slot.saturating_add(1)).next();
        peek.map(|slot| slot.is_used)
    }

    /// Whether the first or last slot in memory of a range was written; `None`
    /// if no slot of the range is in memory.
    fn any_end_is_used(&self, range: Range<u64>) -> Option<bool> {
        let first = self.runs(range.clone()).next()?.first;
        let last = self.runs(range).last()?.end() - 1;
        Some(self.is_used(first) == Some(true) || self.is_used(last) == Some(true))
    }

    /// Whether the entry to be written next is half-written: it is used
    /// although the ring has not wrapped. The kernel writes context and id
    /// first and moves the current pointer last. In a wrapped ring such an
    /// entry is indistinguishable from the oldest event.
    fn is_half_written(&self, current: u64) -> bool {
        let last = self.buffer.event_slots - 1;
        self.is_used(current) == Some(true)
            && self.is_used(current + 1) == Some(false)
            && self.is_used(last) == Some(false)
    }

    /// The slot to be written next, guessed from the slots alone: the first
    /// unused one, or the one before which the timestamps jump farthest.
    fn guess_current(&self, diagnostics: &mut Vec<Diagnostic>) -> u64 {
        let header = &self.buffer.header;
        let guess = self
            .first_unused()
            .unwrap_or_else(|| self.farthest_jump(header.timer_mask));
        let message = format!(
            "the current pointer {:#x} does not point to an entry of the ring {:#x}..{:#x}; slot \
             {guess} is assumed to be the oldest",
            header.current, header.buffer_start, header.buffer_end
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::CurrentPointer, message);
        let offset = self.memory.offset_of(self.buffer.address);
        diagnostics.push(diagnostic.at_offset(offset.unwrap_or(self.buffer.address)));
        guess
    }

    fn first_unused(&self) -> Option<u64> {
        let mut slots = self.peek(0..self.buffer.event_slots);
        slots.find(|slot| !slot.is_used).map(|slot| slot.slot)
    }

    fn farthest_jump(&self, mask: u64) -> u64 {
        let mut farthest = (0, 0);
        // The ring has no beginning: the first slot follows the last.
        let last = self.peek(self.buffer.event_slots - 1..self.buffer.event_slots);
        let mut before = last.last().map(|slot| slot.timestamp);
        for SlotHeader {
            slot,
            timestamp: stamp,
            ..
        } in self.peek(0..self.buffer.event_slots)
        {
            let jump = before.map_or(0, |before| stamp.wrapping_sub(before) & mask);
            if jump > farthest.0 {
                farthest = (jump, slot);
            }
            before = Some(stamp);
        }
        farthest.1
    }
}

/// The properties of a slot that determine the order.
struct SlotHeader {
    slot: u64,
    is_used: bool,
    timestamp: u64,
}

impl SlotHeader {
    fn new(layout: BufferLayout, slot: u64, bytes: &[u8]) -> Option<Self> {
        let glance = EntryHeader::read(layout, bytes)?;
        Some(Self {
            slot,
            is_used: glance.is_used(),
            timestamp: glance.timestamp,
        })
    }
}

/// Slots missing between two runs.
#[derive(Default)]
struct MissingSlots {
    count: u64,
    not_in_input: u64,
}

impl MissingSlots {
    fn add(&mut self, slots: &RingSlots<'_, '_>, range: Range<u64>) {
        let count = range.end.saturating_sub(range.start);
        let damaged = slots.slot_runs.damaged_within(range);
        self.count += count;
        self.not_in_input += count.saturating_sub(damaged);
    }
}

/// Consecutive runs, and the slots missing between them.
#[derive(Default)]
struct RingAssembly<'a> {
    runs: Vec<RecordRun<'a>>,
    gaps: Vec<RingGap>,
    before_first: u64,
    after_last: u64,
}

impl<'a> RingAssembly<'a> {
    fn new(slots: &RingSlots<'_, 'a>, ranges: Vec<Range<u64>>) -> Self {
        let mut assembly = Self::default();
        let mut missing = MissingSlots::default();
        for range in ranges {
            let mut cursor = range.start;
            for run in slots.runs(range.clone()) {
                missing.add(slots, cursor..run.first);
                cursor = run.end();
                if assembly.runs.is_empty() {
                    assembly.before_first = missing.not_in_input;
                } else if missing.count > 0 {
                    assembly.gaps.push(RingGap {
                        run: assembly.runs.len(),
                        missing: missing.count,
                        cause: match missing.count - missing.not_in_input {
                            0 => GapCause::NotInInput,
                            _ => GapCause::Damaged,
                        },
                    });
                }
                missing = MissingSlots::default();
                assembly.runs.push(run);
            }
            missing.add(slots, cursor..range.end);
        }
        assembly.after_last = missing.not_in_input;
        assembly
    }

    fn report(&self, perhaps_unused: bool, diagnostics: &mut Vec<Diagnostic>) {
        let mut say = |which: &str, count: u64, at_most: bool| {
            if count > 0 {
                let at_most = if at_most { "at most " } else { "" };
                let events = pluralise(count, "event", "events");
                let message =
                    format!("{at_most}{events} missing: the {which} are not in the input");
                let kind = DiagnosticKind::MissingBytes;
                diagnostics.push(Diagnostic::new(kind, message).with_count(count));
            }
        };
        say("oldest", self.before_first, perhaps_unused);
        say("newest", self.after_last, self.runs.is_empty());
    }
}

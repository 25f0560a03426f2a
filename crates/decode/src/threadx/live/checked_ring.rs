//! Checks the ring of a received buffer as that of a file is checked.

use crate::clock::ClockOptions;
use crate::memory::MemoryBuilder;
use crate::records::RecordRun;
use crate::threadx::TraceBuffer;
use crate::threadx::damage::SlotRuns;
use crate::threadx::entry_gaps::GapCause;
use crate::threadx::entry_header::EntryHeader;
use crate::threadx::entry_rules::EntryRules;
use crate::threadx::event_ring::EventRing;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use std::ops::Range;

/// The slots of a ring with sound entries.
pub(super) struct CheckedRing {
    /// The slots, oldest first.
    pub(super) order: Vec<Range<usize>>,
    pub(super) is_wrapped: bool,
    /// Slots before which the timestamps fall.
    pub(super) falls: Vec<usize>,
    /// The ring with the sound entries only, if others were found.
    pub(super) repaired: Option<Vec<u8>>,
    /// What was found.
    pub(super) found: Vec<Diagnostic>,
}

impl CheckedRing {
    /// Checks the ring of a buffer at the start of `bytes` whose next slot is `current`.
    pub(super) fn new(
        bytes: &[u8],
        buffer: &TraceBuffer,
        current: u64,
        clock: &ClockOptions,
    ) -> Self {
        let whole = Self::without(bytes, buffer, &unread_slots(bytes, buffer, current), clock);
        if whole.found.is_empty() {
            return whole;
        }
        // A running target may be writing the next entry, which the next buffer has.
        let next = current..current + 1;
        let others = Self::without(bytes, buffer, &[next], clock);
        if others.found.is_empty() {
            others
        } else {
            whole
        }
    }

    /// Checks all slots but those of some ranges, which are in order.
    fn without(
        bytes: &[u8],
        buffer: &TraceBuffer,
        omitted: &[Range<u64>],
        clock: &ClockOptions,
    ) -> Self {
        let size = buffer.layout.entry_bytes();
        let place = |slot: u64| buffer.events_address() as usize + slot as usize * size;
        let mut builder = MemoryBuilder::borrowing(bytes);
        let mut start = 0;
        for slots in omitted {
            builder.push_input(start as u64, start..place(slots.start));
            start = place(slots.end);
        }
        builder.push_input(start as u64, start..bytes.len());
        let (memory, _) = builder.finish(false);
        let mut found = Vec::new();
        let rules = EntryRules::new(&memory, buffer);
        let slots = SlotRuns::undamaged(&memory, buffer, &rules, &mut found);
        let ring = EventRing::of_slots(&memory, buffer, &slots, clock, &mut found);
        found.retain(|it| {
            matches!(
                it.kind,
                DiagnosticKind::CurrentPointer
                    | DiagnosticKind::DamagedEntries
                    | DiagnosticKind::ClockJump
            )
        });
        for diagnostic in &mut found {
            // It is that in this buffer only.
            diagnostic.offset = None;
        }
        let range = |run: &RecordRun<'_>| run.first as usize..run.end() as usize;
        let falls = ring
            .gaps
            .iter()
            .filter(|gap| gap.cause == GapCause::Disorder);
        let falls = falls.filter_map(|gap| Some(ring.runs.get(gap.run)?.first as usize));
        Self {
            order: ring.runs.iter().map(range).collect(),
            is_wrapped: ring.is_wrapped,
            falls: falls.collect(),
            repaired: (!found.is_empty()).then(|| entries_in_place(&ring.runs, buffer)),
            found,
        }
    }

    /// The slot after the newest entry.
    pub(super) fn end(&self) -> Option<usize> {
        self.order.last().map(|range| range.end)
    }
}

/// The entries of runs in their slots; other slots are unused.
fn entries_in_place(runs: &[RecordRun<'_>], buffer: &TraceBuffer) -> Vec<u8> {
    let size = buffer.layout.entry_bytes();
    let mut ring = vec![0; buffer.event_slots as usize * size];
    for run in runs {
        let start = run.first as usize * size;
        if let Some(place) = ring.get_mut(start..start + run.bytes.len()) {
            place.copy_from_slice(run.bytes);
        }
    }
    ring
}

/// The slots that a reader skipped because the target wrote them meanwhile: unused ones at
/// the start of a lap.
fn unread_slots(bytes: &[u8], buffer: &TraceBuffer, current: u64) -> Vec<Range<u64>> {
    let size = buffer.layout.entry_bytes();
    let ring = bytes.get(buffer.events_address() as usize..);
    let is_used = |slot: &u64| {
        let entry = ring.and_then(|ring| ring.get(*slot as usize * size..));
        let header = entry.and_then(|entry| EntryHeader::read(buffer.layout, entry));
        header.is_some_and(|header| header.is_used())
    };
    let laps = [0..current, current..buffer.event_slots];
    let unread = laps.into_iter().filter_map(|lap| {
        let first = lap.clone().find(is_used)?;
        Some(lap.start..first)
    });
    unread.filter(|slots| !slots.is_empty()).collect()
}

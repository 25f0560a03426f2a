//! The entries of a trace, oldest first.

use super::buffer::TraceBuffer;
use super::damage::SlotRuns;
use super::entry_gaps::{EntryGap, GapCause};
use super::timeline::TimelinePart;
use super::{ring_order, ring_seam};
use crate::clock::ClockOptions;
use crate::memory::Memory;
use crate::records::RecordRun;
use rtoscope_trace::Diagnostic;

/// The slots of one or more rings that are in memory, oldest first.
#[derive(Default)]
pub(crate) struct EventRing<'a> {
    pub(crate) runs: Vec<RecordRun<'a>>,
    /// Gaps before runs other than the first.
    pub(crate) gaps: Vec<RingGap>,
    /// Whether the oldest ring has wrapped, so that every slot was written.
    pub(crate) is_wrapped: bool,
    /// Whether damaged entries were skipped.
    pub(crate) is_damaged: bool,
}

/// A gap in the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RingGap {
    /// The index of the run after it.
    pub(crate) run: usize,
    /// Number of missing slots.
    pub(crate) missing: u64,
    pub(crate) cause: GapCause,
}

impl<'a> EventRing<'a> {
    /// The sound entries of a timeline.
    pub(super) fn read(
        memory: &'a Memory<'_>,
        parts: &[TimelinePart],
        clock: &ClockOptions,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut parts = parts.iter();
        let first = parts.next();
        let mut joined = first.map_or_else(Self::default, |part| {
            Self::of_part(memory, part, clock, found)
        });
        for part in parts {
            let next = Self::of_part(memory, part, clock, found);
            joined.append(next, part.may_lack_events);
        }
        joined
    }

    fn of_part(
        memory: &'a Memory<'_>,
        part: &TimelinePart,
        clock: &ClockOptions,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let slots = SlotRuns::undamaged(memory, &part.buffer, &part.rules, found);
        let mut ring = Self::of_slots(memory, &part.buffer, &slots, clock, found);
        // What follows a damaged ring may be its own entries.
        if slots.damaged.is_empty() {
            let appended = Self {
                runs: part.appended_runs(memory).collect(),
                ..Self::default()
            };
            ring.append(appended, part.may_lack_before_appended);
        }
        ring
    }

    /// The entries of undamaged slots in the order of their timestamps.
    pub(super) fn of_slots(
        memory: &Memory<'_>,
        buffer: &TraceBuffer,
        slots: &SlotRuns<'a>,
        clock: &ClockOptions,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let ring = ring_order::order_slots(memory, buffer, slots, found);
        ring_seam::check(ring, memory, buffer, clock, found)
    }

    /// All slots of a buffer in the order of the current pointer.
    pub(crate) fn by_pointer(memory: &'a Memory<'_>, buffer: &TraceBuffer) -> Self {
        let slots = SlotRuns::all(memory, buffer);
        ring_order::order_slots(memory, buffer, &slots, &mut Vec::new())
    }

    fn append(&mut self, next: Self, may_lack_events: bool) {
        let before = self.runs.len();
        if may_lack_events {
            self.gaps.push(RingGap {
                run: before,
                missing: 0,
                cause: GapCause::BetweenBuffers,
            });
        }
        let gaps = next.gaps.into_iter();
        self.gaps.extend(gaps.map(|gap| RingGap {
            run: before + gap.run,
            ..gap
        }));
        self.runs.extend(next.runs);
        self.is_damaged |= next.is_damaged;
    }

    /// The gaps between `events` entries, if the runs begin at these.
    pub(super) fn entry_gaps(&self, run_starts: &[u64], events: u64) -> Vec<EntryGap> {
        let gap = |gap: &RingGap| {
            let before = run_starts.get(gap.run).copied();
            let before = before.filter(|before| (1..events).contains(before))?;
            Some(EntryGap::in_dump(before, gap.cause, gap.missing))
        };
        self.gaps.iter().filter_map(gap).collect()
    }
}

//! A scan of the steps between timestamps, which is all that a sound ring needs.

use super::{IRREGULAR_FACTOR, MIN_FALLS_PER_SPAN};
use crate::clock::ClockModulus;
use crate::records::RecordRun;
use crate::threadx::entry_header::EntryHeader;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_wire::threadx::BufferLayout;

/// Number of slots that a thread scans at a time.
const SLOTS_PER_TASK: usize = 1 << 16;

/// Steps between consecutive timestamps, each shorter than half a period.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepScan {
    ends: Option<(u64, u64)>,
    up: Steps,
    down: Steps,
}

/// Steps in one direction.
#[derive(Debug, Clone, Copy, Default)]
struct Steps {
    count: u64,
    longest: u64,
    ticks: u64,
}

impl StepScan {
    pub(super) fn of(layout: BufferLayout, runs: &[RecordRun<'_>], modulus: ClockModulus) -> Self {
        let size = layout.entry_bytes();
        let tasks = runs
            .iter()
            .flat_map(|run| run.bytes.chunks(SLOTS_PER_TASK * size));
        let parts = rtoscope_trace::parallel::map(tasks.collect(), |bytes| {
            let mut part = Self::default();
            EntryHeader::visit(layout, bytes, |header| {
                if header.is_used() {
                    part.push(modulus, header.timestamp);
                }
            });
            part
        });
        let join = |all: Self, part: &Self| all.join(modulus, part);
        parts.iter().fold(Self::default(), join)
    }

    fn push(&mut self, modulus: ClockModulus, timestamp: u64) {
        let (first, last) = self.ends.unwrap_or((timestamp, timestamp));
        let up = modulus.forward(last, timestamp);
        match up > modulus.half() {
            true => self.down.add(modulus.reversed(up)),
            false => self.up.add(up),
        }
        self.ends = Some((first, timestamp));
    }

    fn join(mut self, modulus: ClockModulus, next: &Self) -> Self {
        let Some((first, last)) = next.ends else {
            return self;
        };
        self.push(modulus, first);
        self.up.merge(&next.up);
        self.down.merge(&next.down);
        self.ends = self.ends.map(|(start, _)| (start, last));
        self
    }

    /// The direction of most steps; up on a tie.
    pub(super) fn direction(&self) -> ClockDirection {
        match self.down.count > self.up.count {
            true => ClockDirection::Down,
            false => ClockDirection::Up,
        }
    }

    /// Whether no timestamp falls by much, and those of a cyclic ring fall after the last
    /// one, or at least by as much as anywhere else.
    pub(super) fn is_in_order(
        &self,
        modulus: ClockModulus,
        direction: ClockDirection,
        is_cyclic: bool,
    ) -> bool {
        let (forward, back) = match direction {
            ClockDirection::Up => (self.up, self.down),
            ClockDirection::Down => (self.down, self.up),
        };
        let Some((first, last)) = self.ends else {
            return true;
        };
        let seam = modulus.step(direction, last, first);
        let is_seam = seam > modulus.half() || seam > forward.longest / IRREGULAR_FACTOR;
        let is_static = forward.longest == 0 && back.longest == 0;
        // The timestamps return after entries of an earlier lap.
        let span = forward.ticks.saturating_sub(back.ticks);
        is_static || (back.longest <= span / MIN_FALLS_PER_SPAN && (is_seam || !is_cyclic))
    }
}

impl Steps {
    fn add(&mut self, step: u64) {
        self.count += u64::from(step > 0);
        self.longest = self.longest.max(step);
        self.ticks = self.ticks.saturating_add(step);
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.longest = self.longest.max(other.longest);
        self.ticks = self.ticks.saturating_add(other.ticks);
    }
}

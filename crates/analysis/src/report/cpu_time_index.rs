//! Prefix sums of CPU time, so that any window is summed without visiting all its
//! slices.

use super::CpuContext;
use crate::schedule::{CoreSlices, Running, Schedule};
use std::collections::BTreeMap;
use std::ops::Range;

/// Minimum number of slices per stored row of sums.
const MIN_SLICES_PER_ROW: usize = 64;
/// Number of slices per row and context: the rows take at most an eighth of the memory
/// of the slices.
const SLICES_PER_CONTEXT: usize = 4;

/// CPU time of each context on each core, accumulated up to every few slices.
#[derive(Debug, Clone)]
pub struct CpuTimeIndex {
    contexts: Vec<CpuContext>,
    numbers: ContextNumbers,
    slices_per_row: usize,
    /// The rows of each core, in the order of the schedule.
    cores: Vec<Vec<u64>>,
}

/// The numbers of contexts.
#[derive(Debug, Clone, Default)]
struct ContextNumbers {
    /// By context id; [`usize::MAX`] if the thread never runs.
    threads: Vec<usize>,
    /// All other contexts.
    others: BTreeMap<CpuContext, usize>,
}

impl ContextNumbers {
    /// For contexts of a schedule; none has a number.
    fn new(schedule: &Schedule) -> Self {
        Self {
            threads: vec![usize::MAX; schedule.threads.len()],
            others: BTreeMap::new(),
        }
    }

    fn get(&self, context: CpuContext) -> Option<usize> {
        match context {
            CpuContext::Thread(id) => {
                let number = self.threads.get(id.index()).copied();
                number.filter(|number| *number != usize::MAX)
            }
            _ => self.others.get(&context).copied(),
        }
    }

    fn set(&mut self, context: CpuContext, number: usize) {
        match context {
            CpuContext::Thread(id) => {
                if let Some(slot) = self.threads.get_mut(id.index()) {
                    *slot = number;
                }
            }
            _ => {
                self.others.insert(context, number);
            }
        }
    }
}

impl CpuTimeIndex {
    /// Builds the index of the cores of a schedule.
    pub fn new(schedule: &Schedule, cores: &[CoreSlices]) -> Self {
        let mut contexts = Vec::new();
        let mut numbers = ContextNumbers::new(schedule);
        for slice in cores.iter().flat_map(|core| &core.slices) {
            let context = CpuContext::of(schedule, slice.running);
            if numbers.get(context).is_none() {
                numbers.set(context, contexts.len());
                contexts.push(context);
            }
        }
        let mut index = Self {
            slices_per_row: MIN_SLICES_PER_ROW.max(SLICES_PER_CONTEXT * contexts.len()),
            contexts,
            numbers,
            cores: Vec::new(),
        };
        let cores = cores.iter();
        index.cores = cores.map(|core| index.rows(schedule, core)).collect();
        index
    }

    fn rows(&self, schedule: &Schedule, slices: &CoreSlices) -> Vec<u64> {
        let rows = slices.slices.len().div_ceil(self.slices_per_row);
        let mut kept = Vec::with_capacity(rows * self.contexts.len());
        let mut sums = vec![0; self.contexts.len()];
        for (at, (slice, end)) in slices.iter().enumerate() {
            if at % self.slices_per_row == 0 {
                kept.extend_from_slice(&sums);
            }
            self.add(
                schedule,
                slice.running,
                slice.start.0..end.0,
                &mut sums,
                u64::wrapping_add,
            );
        }
        kept
    }

    /// The contexts that run anywhere in the trace.
    pub fn contexts(&self) -> &[CpuContext] {
        &self.contexts
    }

    /// CPU time of each of the [`contexts`](Self::contexts) in a window on the core at this
    /// position. `ticks` receives them. They add up to the length of the window, as far as
    /// the trace covers it. The schedule and the cores are those of [`new`](Self::new).
    pub fn core_ticks(
        &self,
        schedule: &Schedule,
        cores: &[CoreSlices],
        core: usize,
        window: Range<u64>,
        ticks: &mut Vec<u64>,
    ) {
        ticks.clear();
        ticks.resize(self.contexts.len(), 0);
        let (Some(slices), Some(rows)) = (cores.get(core), self.cores.get(core)) else {
            return;
        };
        let position = |time: u64| slices.slices.partition_point(|slice| slice.start.0 <= time);
        if position(window.end) - position(window.start) <= 2 * self.slices_per_row {
            for (slice, part) in slices.within(window) {
                self.add(schedule, slice.running, part, ticks, u64::wrapping_add);
            }
            return;
        }
        // Sums up to the end are not below those up to the start, so that the wrapped
        // results are exact.
        for (time, apply) in [
            (window.end, u64::wrapping_add as fn(u64, u64) -> u64),
            (window.start, u64::wrapping_sub),
        ] {
            self.apply_until(schedule, (slices, rows), position(time), time, ticks, apply);
        }
    }

    /// Adds or subtracts the times up to `time`, before which `started` slices start.
    fn apply_until(
        &self,
        schedule: &Schedule,
        (slices, rows): (&CoreSlices, &[u64]),
        started: usize,
        time: u64,
        ticks: &mut [u64],
        apply: fn(u64, u64) -> u64,
    ) {
        let row = started.saturating_sub(1) / self.slices_per_row;
        let width = self.contexts.len();
        let sums = rows.get(row * width..(row + 1) * width).unwrap_or_default();
        for (sum, kept) in ticks.iter_mut().zip(sums) {
            *sum = apply(*sum, *kept);
        }
        let first = row * self.slices_per_row;
        for (slice, end) in slices.iter_from(first).take(started.saturating_sub(first)) {
            let part = slice.start.0..end.0.min(time);
            self.add(schedule, slice.running, part, ticks, apply);
        }
    }

    #[inline]
    fn add(
        &self,
        schedule: &Schedule,
        running: Running,
        part: Range<u64>,
        ticks: &mut [u64],
        apply: fn(u64, u64) -> u64,
    ) {
        let number = self.numbers.get(CpuContext::of(schedule, running));
        if let Some(sum) = number.and_then(|number| ticks.get_mut(number)) {
            *sum = apply(*sum, part.end.saturating_sub(part.start));
        }
    }
}

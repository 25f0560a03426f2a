//! Accumulated busy time of each core.

use crate::axis::FractionalTime;
use rtoscope_analysis::schedule::{CoreSlices, Running, RunningContext};

/// Number of slices per stored sum.
const SLICES_PER_SAMPLE: usize = 32;

/// The load of each core, in the order of the schedule.
#[derive(Debug)]
pub(crate) struct CoreLoads(Vec<CoreLoad>);

impl CoreLoads {
    pub(crate) fn of(cores: &[CoreSlices]) -> Self {
        Self(cores.iter().map(CoreLoad::of).collect())
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, CoreLoad> {
        self.0.iter()
    }
}

/// Busy and known time of a core, accumulated up to every [`SLICES_PER_SAMPLE`]th
/// slice.
#[derive(Debug)]
pub(crate) struct CoreLoad(Vec<LoadTicks>);

/// Busy and known time in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct LoadTicks {
    busy: u64,
    known: u64,
}

/// Busy, known and total time in fractional ticks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LoadShare {
    pub(crate) busy: f64,
    pub(crate) known: f64,
    pub(crate) total: f64,
}

/// Whether a running context counts as busy, and whether it is known.
fn is_busy(who: Running) -> [bool; 2] {
    match who.running_context() {
        RunningContext::Thread(_) | RunningContext::Isr(_) | RunningContext::Kernel => [true, true],
        RunningContext::Idle | RunningContext::Initialize => [false, true],
        RunningContext::Unknown => [false, false],
    }
}

impl LoadTicks {
    fn add(&mut self, who: Running, ticks: u64) {
        let [busy, known] = is_busy(who);
        self.busy += ticks * u64::from(busy);
        self.known += ticks * u64::from(known);
    }
}

impl CoreLoad {
    fn of(slices: &CoreSlices) -> Self {
        let mut sum = LoadTicks::default();
        let mut kept = Vec::with_capacity(slices.slices.len() / SLICES_PER_SAMPLE + 1);
        for (at, (slice, end)) in slices.iter().enumerate() {
            if at % SLICES_PER_SAMPLE == 0 {
                kept.push(sum);
            }
            sum.add(slice.running, end.0.saturating_sub(slice.start.0));
        }
        Self(kept)
    }

    /// The accumulated times of the core up to a time.
    pub(crate) fn at_time(&self, slices: &CoreSlices, moment: FractionalTime) -> LoadAtTime {
        let tick = moment.tick.min(slices.end.0);
        let started = slices.slices.partition_point(|slice| slice.start.0 <= tick);
        let mut until = LoadAtTime {
            ticks: LoadTicks::default(),
            who: Running::UNKNOWN,
            moment,
        };
        let Some(last) = started.checked_sub(1) else {
            return until;
        };
        let first = last / SLICES_PER_SAMPLE * SLICES_PER_SAMPLE;
        until.ticks = self
            .0
            .get(last / SLICES_PER_SAMPLE)
            .copied()
            .unwrap_or_default();
        for (slice, end) in slices.iter_from(first).take(last + 1 - first) {
            let ticks = end.0.min(tick).saturating_sub(slice.start.0);
            until.ticks.add(slice.running, ticks);
            until.who = slice.running;
        }
        until
    }
}

/// The accumulated times of a core up to a time, and what runs then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadAtTime {
    ticks: LoadTicks,
    who: Running,
    moment: FractionalTime,
}

impl LoadAtTime {
    /// Adds the times since an earlier point; if no time passes, adds the state at that
    /// point.
    pub(crate) fn add_interval_since(&self, before: &Self, share: &mut LoadShare) {
        let whole = self.moment.since(before.moment);
        let [busy, known] = is_busy(before.who);
        if whole <= 0.0 {
            share.busy += f64::from(u8::from(busy));
            share.known += f64::from(u8::from(known));
            share.total += 1.0;
            return;
        }
        let [busy_last, known_last] = is_busy(self.who);
        // Nothing changes between two ticks.
        let part = |ticks: u64, is_first: bool, is_last: bool| {
            let first = before.moment.fraction * f64::from(u8::from(is_first));
            let last = self.moment.fraction * f64::from(u8::from(is_last));
            ticks as f64 + last - first
        };
        let (ticks, earlier) = (self.ticks, before.ticks);
        share.busy += part(ticks.busy.saturating_sub(earlier.busy), busy, busy_last);
        share.known += part(ticks.known.saturating_sub(earlier.known), known, known_last);
        share.total += whole;
    }
}

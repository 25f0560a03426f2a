//! The pass over the timestamps that computes each event's time.

use super::modulus::ClockModulus;
use super::stamps::{Stamps, TimeSink};
use super::step_stats::StepStats;
use rtoscope_trace::EventIndex;
use rtoscope_trace::clock::ClockDirection;
use std::ops::Range;

/// The result of the pass.
pub(super) struct UnwrapPass<T> {
    /// What took the times of each part.
    pub(super) sinks: Vec<T>,
    /// The time of the last event.
    pub(super) span: u64,
    pub(super) wrap_stats: WrapStats,
}

/// Wraps and backward steps found by the pass.
#[derive(Default, Clone, Copy)]
pub(super) struct WrapStats {
    pub(super) wraps: u64,
    pub(super) backward_steps: u64,
    pub(super) first_backward: Option<EventIndex>,
    /// Jumps against the direction, over a part of the range of all timestamps as long
    /// as [`StepStats::min_restart`].
    pub(super) restarts: u64,
    /// Ticks of the longest backward step.
    pub(super) longest_backward: u64,
    /// Total ticks by which the counter jumped against its direction.
    pub(super) backward_ticks: u64,
}

impl<T: TimeSink> UnwrapPass<T> {
    /// Unwraps all parts in parallel. If there are backward steps, unwraps them
    /// in sequence, because the time at the start of a part then depends on the
    /// parts before it. Each part has a sink for its times.
    pub(super) fn new(
        stamps: &(impl Stamps + ?Sized),
        parts: &[Range<usize>],
        sinks: Vec<T>,
        steps: &[StepStats],
        modulus: ClockModulus,
        direction: ClockDirection,
        min_restart: u64,
    ) -> Self {
        let mut tasks = Vec::new();
        let mut start = 0_u64;
        for ((part, sink), steps) in parts.iter().zip(sinks).zip(steps) {
            tasks.push(UnwrapTask {
                stamps,
                part: part.clone(),
                start,
                lag: 0,
                sink,
                min_restart,
            });
            start = start.saturating_add(steps.ticks(direction));
        }
        let ends = if steps
            .iter()
            .all(|steps| steps.backward_steps(direction) == 0)
        {
            rtoscope_trace::parallel::map(tasks, |task| task.run(modulus, direction))
        } else {
            let mut ends: Vec<UnwrapState<T>> = Vec::new();
            for task in tasks {
                let (start, lag) = ends.last().map_or((0, 0), |end| (end.time, end.lag));
                ends.push(UnwrapTask { start, lag, ..task }.run(modulus, direction));
            }
            ends
        };
        let mut pass = Self {
            sinks: Vec::new(),
            span: 0,
            wrap_stats: WrapStats::default(),
        };
        for (part, end) in parts.iter().zip(ends) {
            pass.wrap_stats = pass.wrap_stats.merge(&end.wrap_stats, part.start);
            pass.span = end.time;
            pass.sinks.push(end.sink);
        }
        pass
    }
}

/// A part, the time before it and the distance of the clock from it, and what takes its
/// times.
struct UnwrapTask<'t, S: ?Sized, T> {
    stamps: &'t S,
    part: Range<usize>,
    start: u64,
    lag: u64,
    sink: T,
    min_restart: u64,
}

/// The state at the end of a part.
struct UnwrapState<T> {
    time: u64,
    lag: u64,
    wrap_stats: WrapStats,
    sink: T,
}

impl<S: Stamps + ?Sized, T: TimeSink> UnwrapTask<'_, S, T> {
    /// Unwraps the part. After a backward step, `lag` is the distance of the
    /// clock from the time shown.
    fn run(self, modulus: ClockModulus, direction: ClockDirection) -> UnwrapState<T> {
        let max_step = modulus.max_step();
        let mut before = previous(self.stamps, &self.part);
        let (mut time, mut lag, mut sink) = (self.start, self.lag, self.sink);
        let mut wrap_stats = WrapStats::default();
        let mut index = 0;
        self.stamps.visit(self.part, |timestamp| {
            let step = modulus.step(direction, before, timestamp);
            if step > max_step {
                let back = modulus.reversed(step);
                wrap_stats.backward_steps += 1;
                wrap_stats.first_backward.get_or_insert(EventIndex(index));
                wrap_stats.restarts += u64::from(back >= self.min_restart);
                wrap_stats.longest_backward = wrap_stats.longest_backward.max(back);
                wrap_stats.backward_ticks = wrap_stats.backward_ticks.saturating_add(back);
                lag = lag.saturating_add(back);
            } else {
                if modulus.has_wrapped(direction, before, timestamp) {
                    wrap_stats.wraps += 1;
                    let back = modulus.reversed(step);
                    wrap_stats.restarts += u64::from(back >= self.min_restart);
                }
                let caught_up = step.min(lag);
                lag -= caught_up;
                time = time.saturating_add(step - caught_up);
            }
            sink.push(timestamp, time);
            before = timestamp;
            index += 1;
        });
        UnwrapState {
            time,
            lag,
            wrap_stats,
            sink,
        }
    }
}

/// The timestamp before a part; for the first part, the first timestamp itself.
pub(super) fn previous(stamps: &(impl Stamps + ?Sized), part: &Range<usize>) -> u64 {
    stamps.get(part.start.saturating_sub(1)).unwrap_or_default()
}

impl WrapStats {
    /// Combines the statistics of two consecutive parts; `first` is the number
    /// of the first event of `other`.
    fn merge(self, other: &Self, first: usize) -> Self {
        let moved = other.first_backward.map(|index| {
            let first = u32::try_from(first).unwrap_or(u32::MAX);
            EventIndex(first.saturating_add(index.0))
        });
        Self {
            wraps: self.wraps + other.wraps,
            backward_steps: self.backward_steps + other.backward_steps,
            first_backward: self.first_backward.or(moved),
            restarts: self.restarts + other.restarts,
            longest_backward: self.longest_backward.max(other.longest_backward),
            backward_ticks: self.backward_ticks.saturating_add(other.backward_ticks),
        }
    }
}

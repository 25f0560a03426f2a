//! The pass over the timestamps that computes each event's time.

use super::modulus::ClockModulus;
use super::partition::TimestampPart;
use super::step_stats::StepStats;
use rtoscope_trace::EventIndex;
use rtoscope_trace::clock::ClockDirection;

/// The result of the pass.
#[derive(Default)]
pub(super) struct UnwrapPass {
    pub(super) time: Vec<u64>,
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

impl UnwrapPass {
    /// Unwraps all parts in parallel. If there are backward steps, unwraps them
    /// in sequence, because the time at the start of a part then depends on the
    /// parts before it.
    pub(super) fn new<W: Copy + Into<u64> + Sync>(
        parts: &[TimestampPart<'_, W>],
        steps: &[StepStats],
        modulus: ClockModulus,
        direction: ClockDirection,
        min_restart: u64,
    ) -> Self {
        let count = parts.iter().map(|part| part.timestamps.len()).sum();
        let mut time = vec![0; count];
        let mut rest = time.as_mut_slice();
        let mut tasks = Vec::new();
        let mut start = 0_u64;
        for (part, steps) in parts.iter().zip(steps) {
            let (times, following) = rest.split_at_mut(part.timestamps.len());
            rest = following;
            tasks.push(UnwrapTask {
                part,
                start,
                times,
                min_restart,
            });
            start = start.saturating_add(steps.ticks(direction));
        }
        let walk = |task: UnwrapTask<'_, W>, lag| task.run(modulus, direction, lag);
        let part_stats = if steps
            .iter()
            .all(|steps| steps.backward_steps(direction) == 0)
        {
            rtoscope_trace::parallel::map(tasks, |task| walk(task, 0).wrap_stats)
        } else {
            unwrap_sequentially(tasks, walk)
        };
        let mut wrap_stats = WrapStats::default();
        let mut first = 0_usize;
        for (part, stats) in parts.iter().zip(part_stats) {
            wrap_stats = wrap_stats.merge(&stats, first);
            first += part.timestamps.len();
        }
        Self { time, wrap_stats }
    }
}

fn unwrap_sequentially<'t, W: Copy + Into<u64>>(
    tasks: Vec<UnwrapTask<'t, W>>,
    walk: impl Fn(UnwrapTask<'t, W>, u64) -> UnwrapState,
) -> Vec<WrapStats> {
    let mut time = 0;
    let mut lag = 0;
    let mut part_stats = Vec::new();
    for task in tasks {
        let end = walk(
            UnwrapTask {
                start: time,
                ..task
            },
            lag,
        );
        (time, lag) = (end.time, end.lag);
        part_stats.push(end.wrap_stats);
    }
    part_stats
}

/// A part, the time before it, and the destination of its times.
struct UnwrapTask<'t, W> {
    part: &'t TimestampPart<'t, W>,
    start: u64,
    times: &'t mut [u64],
    min_restart: u64,
}

/// The state at the end of a part.
struct UnwrapState {
    time: u64,
    lag: u64,
    wrap_stats: WrapStats,
}

impl<W: Copy + Into<u64>> UnwrapTask<'_, W> {
    /// Unwraps the part. After a backward step, `lag` is the distance of the
    /// clock from the time shown.
    fn run(self, modulus: ClockModulus, direction: ClockDirection, mut lag: u64) -> UnwrapState {
        let max_step = modulus.max_step();
        let mut before = self.part.previous;
        let mut time = self.start;
        let mut wrap_stats = WrapStats::default();
        for ((timestamp, slot), index) in self.part.timestamps.iter().zip(self.times).zip(0..) {
            let timestamp: u64 = (*timestamp).into();
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
            *slot = time;
            before = timestamp;
        }
        UnwrapState {
            time,
            lag,
            wrap_stats,
        }
    }
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

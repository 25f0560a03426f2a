//! Time in which a core may run any ready thread.

use crate::report::View;
use crate::schedule::RunningContext;

/// The intervals in which the running context of any core is unknown, for
/// several cores. On a single core the schedule does not take a thread as ready
/// then.
pub(super) struct UnknownTime {
    /// Disjoint, in order: start, end, and the total ticks up to its end.
    intervals: Vec<(u64, u64, u64)>,
}

impl UnknownTime {
    pub(super) fn of(view: &View<'_>) -> Self {
        let cores = &view.schedule.cores;
        let is_single = cores.len() < 2;
        let cores = cores.iter().filter(|_| !is_single);
        let slices = cores.flat_map(|slices| slices.within(view.window()));
        let unknown =
            slices.filter(|(slice, _)| slice.running.running_context() == RunningContext::Unknown);
        let mut parts: Vec<_> = unknown.map(|(_, part)| (part.start, part.end)).collect();
        parts.sort_unstable();
        let mut intervals: Vec<(u64, u64, u64)> = Vec::new();
        for (start, end) in parts {
            let sum = match intervals.last_mut() {
                Some((_, last, sum)) if start <= *last => {
                    *sum += end.saturating_sub(*last);
                    *last = end.max(*last);
                    continue;
                }
                last => last.map_or(0, |(.., sum)| *sum),
            };
            intervals.push((start, end, sum + (end - start)));
        }
        Self { intervals }
    }

    /// The unknown ticks between `start` and `end`.
    pub(super) fn between(&self, start: u64, end: u64) -> u64 {
        self.until(end).saturating_sub(self.until(start))
    }

    /// The unknown ticks up to a time.
    fn until(&self, time: u64) -> u64 {
        let begun = self.intervals.partition_point(|(start, ..)| *start < time);
        let last = begun
            .checked_sub(1)
            .and_then(|last| self.intervals.get(last));
        last.map_or(0, |(_, end, sum)| sum - end.saturating_sub(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_intervals_are_summed_up() {
        let unknown = UnknownTime {
            intervals: vec![(10, 20, 10), (30, 35, 15)],
        };
        for (start, end, ticks) in [
            (0, 10, 0),
            (0, 15, 5),
            (12, 14, 2),
            (15, 32, 7),
            (20, 30, 0),
            (0, 99, 15),
        ] {
            assert_eq!(unknown.between(start, end), ticks, "{start} to {end}");
        }
    }
}

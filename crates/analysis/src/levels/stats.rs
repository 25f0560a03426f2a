//! Statistics of a level over time.

use rtoscope_trace::{EventIndex, Ticks};
use std::ops::Range;

/// The level of an object over the time of a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelStats {
    window: Range<u64>,
    first: Option<(u64, u32)>,
    last: Option<(u64, u32)>,
    /// The level after all calls of the scope, its last tick included.
    at_end: Option<u32>,
    minimum: Option<LevelExtreme>,
    maximum: Option<LevelExtreme>,
    /// Ticks in which the level is known.
    known: u64,
    /// The integral of the level over these ticks.
    sum: u128,
    graph: Vec<GraphPoint>,
}

/// The maximum or minimum level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelExtreme {
    /// The level.
    pub level: u32,
    /// The first call after which the level had this value; the first event if
    /// that was before the trace.
    pub event: EventIndex,
}

/// A point of a graph. It holds until the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphPoint {
    /// Its start.
    pub start: Ticks,
    /// The minimum and the maximum level since then, which differ if there were
    /// more changes than the graph has points; `None` if unknown.
    pub levels: Option<(u32, u32)>,
}

impl GraphPoint {
    fn include(&mut self, level: Option<u32>) {
        if let Some(level) = level {
            let (lowest, highest) = self.levels.unwrap_or((level, level));
            self.levels = Some((lowest.min(level), highest.max(level)));
        }
    }
}

impl LevelStats {
    /// Maximum number of points of a graph.
    pub const MAX_POINTS: u64 = 512;

    pub(super) fn new(window: Range<u64>) -> Self {
        Self {
            window,
            first: None,
            last: None,
            at_end: None,
            minimum: None,
            maximum: None,
            known: 0,
            sum: 0,
            graph: Vec::new(),
        }
    }

    /// The level at the start of the scope, if known.
    pub fn at_start(&self) -> Option<u32> {
        let first = self.first.filter(|(time, _)| *time == self.window.start);
        first.map(|(_, level)| level)
    }

    /// The level at the end of the scope, after the calls at its last tick, if
    /// known.
    pub fn at_end(&self) -> Option<u32> {
        self.at_end
    }

    /// The first known level, and its start.
    pub fn first(&self) -> Option<(Ticks, u32)> {
        self.first.map(|(time, level)| (Ticks(time), level))
    }

    /// The last known level, and its end.
    pub fn last(&self) -> Option<(Ticks, u32)> {
        self.last.map(|(time, level)| (Ticks(time), level))
    }

    /// The minimum level.
    pub fn minimum(&self) -> Option<LevelExtreme> {
        self.minimum
    }

    /// The maximum level.
    pub fn maximum(&self) -> Option<LevelExtreme> {
        self.maximum
    }

    /// The mean over the time in which the level is known.
    pub fn mean(&self) -> Option<f64> {
        (self.known > 0).then(|| self.sum as f64 / self.known as f64)
    }

    /// Ticks of the scope in which the level is known.
    pub fn known(&self) -> Ticks {
        Ticks(self.known)
    }

    /// The level for display: at most [`LevelStats::MAX_POINTS`] points, each
    /// for its own part of the scope's time.
    pub fn graph(&self) -> &[GraphPoint] {
        &self.graph
    }

    fn draw(&mut self, start: u64, end: u64, level: Option<u32>) {
        let levels = level.map(|level| (level, level));
        let bucket = self.bucket(start);
        let width = self.width();
        let next = (bucket + 1).saturating_mul(width);
        let next = self.window.start.saturating_add(next);
        let last = self
            .graph
            .last()
            .map(|last| (self.bucket(last.start.0), last.levels));
        let start = match last {
            Some((_, before)) if before == levels => return,
            Some((same, _)) if same == bucket => {
                if let Some(last) = self.graph.last_mut() {
                    last.include(level);
                    if last.levels == levels {
                        return;
                    }
                }
                // A level that continues after a bucket with several levels has
                // its own point.
                if end <= next || self.bucket(next) == bucket {
                    return;
                }
                next
            }
            _ => start,
        };
        self.graph.push(GraphPoint {
            start: Ticks(start),
            levels,
        });
    }

    /// The bucket of a time.
    fn bucket(&self, time: u64) -> u64 {
        let bucket = time.saturating_sub(self.window.start) / self.width();
        bucket.min(Self::MAX_POINTS - 1)
    }

    fn width(&self) -> u64 {
        let span = self.window.end - self.window.start;
        span.div_ceil(Self::MAX_POINTS).max(1)
    }
}

impl LevelStats {
    /// Adds the next step of the level: from `start`, which is the end of the
    /// previous step, to `end`; `event` is the call at `start`.
    pub(super) fn add(&mut self, start: u64, end: u64, level: Option<u32>, event: EventIndex) {
        if end < self.window.start || self.window.end < start {
            return;
        }
        let start = start.max(self.window.start);
        let end = end.min(self.window.end);
        if end == self.window.end {
            self.at_end = level;
        }
        if let Some(level) = level {
            self.first.get_or_insert((start, level));
            self.last = Some((end, level));
            let ticks = end.saturating_sub(start);
            self.known += ticks;
            self.sum += u128::from(ticks) * u128::from(level);
            let one = LevelExtreme { level, event };
            if self.minimum.is_none_or(|lowest| level < lowest.level) {
                self.minimum = Some(one);
            }
            if self.maximum.is_none_or(|highest| highest.level < level) {
                self.maximum = Some(one);
            }
        }
        if level.is_some() || start < end {
            self.draw(start, end, level);
        }
    }

    /// Sets the level after the calls at the last tick of the trace.
    pub(super) fn set_at_end(&mut self, level: Option<u32>) {
        self.at_end = level;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(window: Range<u64>, steps: &[(u64, Option<u32>)], end: u64) -> LevelStats {
        let mut stats = LevelStats::new(window);
        let ends = steps.iter().skip(1).map(|(start, _)| *start).chain([end]);
        for ((start, level), end) in steps.iter().zip(ends) {
            stats.add(*start, end, *level, EventIndex(*start as u32));
        }
        stats
    }

    #[test]
    fn the_mean_covers_the_known_time() {
        let steps = [(0, Some(2)), (10, None), (50, Some(5)), (60, Some(0))];
        let stats = stats(0..80, &steps, 80);
        assert_eq!(stats.mean(), Some((20.0 + 50.0) / 40.0));
        assert_eq!(stats.known(), Ticks(40));
        assert_eq!(stats.at_start(), Some(2));
        assert_eq!(stats.at_end(), Some(0));
        let highest = stats.maximum().map(|one| (one.level, one.event.0));
        assert_eq!(highest, Some((5, 50)));
        let points: Vec<_> = stats.graph().iter().map(|point| point.start.0).collect();
        assert_eq!(points, [0, 10, 50, 60]);
    }

    #[test]
    fn calls_outside_the_window_do_not_count() {
        let steps = [(0, Some(9)), (10, Some(1)), (30, Some(7))];
        let inside = stats(15..25, &steps, 40);
        assert_eq!((inside.mean(), inside.at_start()), (Some(1.0), Some(1)));
        assert_eq!(inside.maximum().map(|one| one.level), Some(1));
        let unknown = stats(0..40, &[(5, Some(1)), (20, None)], 40);
        assert_eq!((unknown.at_start(), unknown.at_end()), (None, None));
        assert_eq!(unknown.first(), Some((Ticks(5), 1)));
        assert_eq!(unknown.last(), Some((Ticks(20), 1)));
    }

    #[test]
    fn a_graph_is_bounded_and_covers_every_level() {
        for span in [0, 1, 511, 512, 513, 100_003] {
            let level = |time: u64| ((time * 7919) % 1000) as u32;
            let steps: Vec<_> = (0..=span).map(|time| (time, Some(level(time)))).collect();
            let stats = stats(0..span, &steps, span);
            let graph = stats.graph();
            assert!(graph.len() as u64 <= LevelStats::MAX_POINTS);
            assert!(graph.is_sorted_by(|one, other| one.start < other.start));
            for (time, level) in steps {
                let at = graph.partition_point(|point| point.start.0 <= time);
                let (lowest, highest) = graph[at - 1].levels.unwrap();
                assert!(lowest <= level.unwrap() && level.unwrap() <= highest);
            }
        }
    }

    #[test]
    fn a_constant_level_has_one_point() {
        let steps = [(0, Some(1)), (3, Some(9)), (5, Some(2)), (60_000, Some(3))];
        let stats = stats(0..102_400, &steps, 102_400);
        let points: Vec<_> = stats
            .graph()
            .iter()
            .map(|one| (one.start.0, one.levels))
            .collect();
        let expected = [
            (0, Some((1, 9))),
            (200, Some((2, 2))),
            (60_000, Some((3, 3))),
        ];
        assert_eq!(points, expected);
    }
}

//! Merges the logs of several cores into one order.

use super::columns::LogColumns;
use rtoscope_trace::clock::{Clock, ClockDirection};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order and the times of the entries of all cores. All entries are events.
#[derive(Debug, Clone, Default)]
pub(super) struct MergeOrder {
    /// The core of each entry, as an index into the log's cores.
    pub(super) core_of_entry: Vec<u8>,
    /// Ticks since the first entry.
    pub(super) time: Vec<u64>,
    /// Pairs of cores whose logs do not overlap.
    pub(super) disjoint_cores: Vec<(u8, u8)>,
}

impl MergeOrder {
    /// The clock including the wraps that the timestamps do not show. `shown` are the times
    /// that each core's timestamps show.
    pub(super) fn corrected(&self, shown: &[Vec<u64>], mut clock: Clock) -> Clock {
        let mut spans = vec![None; shown.len()];
        for (pick, time) in self.core_of_entry.iter().zip(&self.time) {
            if let Some(span) = spans.get_mut(usize::from(*pick)) {
                let (first, _) = span.unwrap_or((*time, *time));
                *span = Some((first, *time));
            }
        }
        let unseen = spans.iter().zip(shown).map(|(span, shown)| {
            let (first, last) = span.unwrap_or_default();
            let shown = shown.last().copied().unwrap_or_default();
            (last - first).saturating_sub(shown) / clock.period.unwrap_or(u64::MAX).max(1)
        });
        clock.wraps = clock.wraps.saturating_add(unseen.sum());
        clock
    }
}

/// The log of a core with times since its first entry.
pub(super) struct TimedLog<W> {
    pub(super) core: u8,
    /// Whether entries have been overwritten.
    pub(super) is_wrapped: bool,
    pub(super) columns: LogColumns<W>,
    pub(super) time: Vec<u64>,
}

/// Which end of the logs was written at about the same time on all cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeAnchor {
    /// They were started together.
    Oldest,
    /// They were stopped together.
    Newest,
}

/// The start and the end of a core's log on the common timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogExtent {
    pub(super) start: i128,
    end: i128,
}

/// The order of the events of several cores by time. All cores count with the same
/// counter, `clock`. At most 256 cores.
pub(super) fn merge<W: Copy + Into<u64>>(cores: &[TimedLog<W>], clock: &Clock) -> MergeOrder {
    let extents = extents(cores, clock);
    let first = extents.iter().flatten().map(|extent| extent.start).min();
    let first = first.unwrap_or_default();
    let moved = |extent: &Option<LogExtent>| {
        let start = extent.map_or(0, |extent| extent.start - first);
        u64::try_from(start).unwrap_or(u64::MAX)
    };
    let starts: Vec<u64> = extents.iter().map(moved).collect();
    MergeOrder {
        disjoint_cores: disjoint_cores(cores, &extents),
        ..merge_by_time(cores, &starts)
    }
}

/// Merges the columns of several cores in an order.
pub(super) fn merge_columns<W: Copy>(cores: &[TimedLog<W>], order: &[u8]) -> LogColumns<W> {
    LogColumns {
        timestamp: merge_column(cores, order, |core| &core.columns.timestamp),
        context: merge_column(cores, order, |core| &core.columns.context),
        kind: merge_column(cores, order, |core| &core.columns.kind),
        priority_word: merge_column(cores, order, |core| &core.columns.priority_word),
        arguments: merge_column(cores, order, |core| &core.columns.arguments),
    }
}

fn merge_column<W, T: Copy>(
    cores: &[TimedLog<W>],
    order: &[u8],
    column: impl Fn(&TimedLog<W>) -> &Vec<T>,
) -> Vec<T> {
    let mut rest: Vec<_> = cores.iter().map(|core| column(core).iter()).collect();
    let take = |place: &u8| rest.get_mut(usize::from(*place))?.next().copied();
    order.iter().filter_map(take).collect()
}

/// The extents of the logs on a common timeline; `None` for a log without
/// entries.
///
/// A counter of limited width determines the time of a core's log only modulo
/// its period. If any log is full of its newest entries, the logs were stopped
/// together; otherwise they were started together. At that end the counters
/// differ by less than half a period.
pub(super) fn extents<W: Copy + Into<u64>>(
    cores: &[TimedLog<W>],
    clock: &Clock,
) -> Vec<Option<LogExtent>> {
    let anchor = match cores.iter().any(|core| core.is_wrapped) {
        true => TimeAnchor::Newest,
        false => TimeAnchor::Oldest,
    };
    let stamp = |core: &TimedLog<W>| {
        let timestamps = &core.columns.timestamp;
        let stamp = match anchor {
            TimeAnchor::Oldest => timestamps.first(),
            TimeAnchor::Newest => timestamps.last(),
        };
        stamp.map(|stamp| (*stamp).into())
    };
    let reference = cores.iter().find_map(stamp);
    let extent = |core: &TimedLog<W>| {
        let distance = distance(clock, reference?, stamp(core)?);
        let span = i128::from(core.time.last().copied().unwrap_or_default());
        Some(match anchor {
            TimeAnchor::Oldest => LogExtent {
                start: distance,
                end: distance + span,
            },
            TimeAnchor::Newest => LogExtent {
                start: distance - span,
                end: distance,
            },
        })
    };
    cores.iter().map(extent).collect()
}

/// The signed difference of two timestamps with the smaller magnitude.
pub(super) fn distance(clock: &Clock, from: u64, to: u64) -> i128 {
    let shift = clock.mask.trailing_zeros().min(63);
    let masked = |stamp: u64| i128::from((stamp & clock.mask) >> shift);
    let period = clock.period.map_or(1 << 64, i128::from);
    let forward = (masked(to) - masked(from)).rem_euclid(period.max(1));
    let forward = match clock.direction {
        ClockDirection::Up => forward,
        ClockDirection::Down => (period - forward) % period.max(1),
    };
    if forward > period / 2 {
        forward - period
    } else {
        forward
    }
}

/// The events ordered by time; for equal times, the core given first.
fn merge_by_time<W>(cores: &[TimedLog<W>], starts: &[u64]) -> MergeOrder {
    let mut rest: Vec<_> = cores.iter().map(|core| core.time.iter()).collect();
    let mut next = |place: usize| {
        let time = rest.get_mut(place)?.next()?;
        let start = starts.get(place).copied().unwrap_or_default();
        Some(Reverse((time.saturating_add(start), place)))
    };
    let mut heads: BinaryHeap<_> = (0..cores.len()).filter_map(&mut next).collect();
    let events = cores.iter().map(|core| core.time.len()).sum();
    let mut order = MergeOrder::default();
    order.core_of_entry.reserve_exact(events);
    order.time.reserve_exact(events);
    while let Some(Reverse((time, place))) = heads.pop() {
        let core = u8::try_from(place).unwrap_or(u8::MAX);
        order.core_of_entry.push(core);
        order.time.push(time);
        heads.extend(next(place));
    }
    order
}

fn disjoint_cores<W>(cores: &[TimedLog<W>], extents: &[Option<LogExtent>]) -> Vec<(u8, u8)> {
    let known = cores.iter().zip(extents);
    let mut known = known.filter_map(|(core, extent)| Some((core.core, (*extent)?)));
    let Some((reference, first)) = known.next() else {
        return Vec::new();
    };
    let others = known.filter(|(_, other)| other.end < first.start || other.start > first.end);
    others.map(|(core, _)| (reference, core)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::clock::ClockQuality;

    fn clock(bits: u32) -> Clock {
        let mut clock = Clock::new((1 << bits) - 1, ClockDirection::Up);
        clock.period = Some(1 << bits);
        clock.quality = ClockQuality::Good;
        clock
    }

    fn core(core: u8, wrapped: bool, timestamps: &[u32], time: &[u64]) -> TimedLog<u32> {
        let columns = LogColumns {
            timestamp: timestamps.to_vec(),
            ..LogColumns::default()
        };
        TimedLog {
            core,
            is_wrapped: wrapped,
            columns,
            time: time.to_vec(),
        }
    }

    #[test]
    fn cores_are_put_into_the_order_of_their_times() {
        let cores = [
            core(0, false, &[0xFFFE, 1, 9], &[0, 3, 11]),
            core(3, false, &[0, 1, 4], &[0, 1, 4]),
        ];
        let merged = merge(&cores, &clock(16));
        assert_eq!(merged.time, [0, 2, 3, 3, 6, 11]);
        let columns = merge_columns(&cores, &merged.core_of_entry);
        assert_eq!(columns.timestamp, [0xFFFE, 0, 1, 1, 4, 9]);
        assert_eq!(merged.disjoint_cores, []);
        assert_eq!(merged.core_of_entry, [0, 1, 0, 1, 1, 0]);
    }

    #[test]
    fn rings_were_stopped_together() {
        // The second has wrapped since its oldest entry.
        let cores = [
            core(0, true, &[0x10, 0x20], &[0, 0x10]),
            core(1, true, &[0x20, 0x18], &[0, 0xF8]),
        ];
        let merged = merge(&cores, &clock(8));
        assert_eq!(merged.core_of_entry, [1, 0, 1, 0]);
        assert_eq!(merged.time, [0, 0xF0, 0xF8, 0x100]);
    }

    #[test]
    fn logs_that_do_not_overlap_are_reported() {
        let cores = [
            core(0, false, &[], &[]),
            core(1, false, &[10, 20], &[0, 10]),
            core(2, false, &[50, 60], &[0, 10]),
        ];
        let merged = merge(&cores, &clock(16));
        assert_eq!(merged.disjoint_cores, [(1, 2)]);
        assert_eq!(merged.time, [0, 10, 40, 50]);
    }
}

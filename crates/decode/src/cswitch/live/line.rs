//! Times of all cores on one line.

use super::super::columns::Columns;
use super::super::log::{Log, Shape};
use super::super::merge::{self, Timed};
use crate::clock::{self, ClockOptions};
use crate::live::{Moment, extra_wraps};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::{Clock, Direction};

/// The time of an event that comes with the first ones: cores that tell of
/// earlier ones later have room before it.
const ORIGIN: u64 = 1 << 48;

/// The line, up to what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    options: ClockOptions,
    /// Steps that are shorter upwards, less those that are shorter downwards.
    rises: i64,
    pub(super) shape: Shape,
    /// How often the counter ticks, as the newest container says it.
    pub(super) told: Option<Frequency>,
    /// The newest entry of all cores.
    newest: Option<Newest>,
    /// Up to when containers came that brought nothing newer.
    quiet: Moment,
}

#[derive(Debug, Clone, Copy)]
struct Newest {
    time: u64,
    stamp: u32,
    /// When it came.
    at: Moment,
}

/// The last entry of a core, for the time to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hand {
    pub(super) time: u64,
    /// The stamp that this time was last reached with.
    reached: u32,
    /// The stamp of the last entry: an earlier one, if the counter stepped back.
    stamp: u32,
    /// When it came.
    at: Moment,
}

/// New entries of a core.
pub(super) struct Fresh {
    pub(super) core: u8,
    pub(super) hand: Option<Hand>,
    /// Whether entries are missing before them.
    pub(super) has_gap: bool,
    /// Whether all that is known is that they are the newest ones of a ring.
    pub(super) wrapped: bool,
    pub(super) stamps: Vec<u32>,
}

impl Line {
    pub(super) fn new(options: ClockOptions, shape: Shape) -> Self {
        Self {
            options,
            rises: 0,
            shape,
            told: None,
            newest: None,
            quiet: Moment::default(),
        }
    }

    /// Hears what a container says of the clock.
    pub(super) fn hear(&mut self, log: &Log<'_>) {
        self.told = log.frequency.or(self.told);
    }

    /// What is known of the clock: the direction is what most steps so far speak
    /// for, as a few new ones say little.
    pub(super) fn options(&self) -> ClockOptions {
        let direction = match self.rises {
            ..0 => Direction::Down,
            _ => Direction::Up,
        };
        ClockOptions {
            direction: self.options.direction.or(Some(direction)),
            frequency: self.options.frequency.or(self.told),
            ..self.options
        }
    }

    fn vote(&mut self, stamps: &[u32]) {
        let modulus = clock::modulus(u32::BITS, self.mask(), &self.options);
        for (before, stamp) in stamps.iter().zip(stamps.iter().skip(1)) {
            let rise = modulus.forward((*before).into(), (*stamp).into());
            let vote =
                i64::from(rise > 0 && rise < modulus.half()) - i64::from(rise > modulus.half());
            self.rises = self.rises.saturating_add(vote);
        }
    }

    fn mask(&self) -> u64 {
        self.shape.counter_mask().into()
    }

    /// Learns which way the counter runs.
    pub(super) fn settle(&mut self, direction: Direction) {
        self.options.direction.get_or_insert(direction);
    }

    /// The time of the newest entry.
    pub(super) fn newest(&self) -> Option<u64> {
        self.newest.map(|newest| newest.time)
    }

    /// The times of new entries that came together, a list for each core, and
    /// where its hand stands then.
    pub(super) fn times(&mut self, fresh: &[Fresh], at: Moment) -> Vec<(Vec<u64>, Option<Hand>)> {
        for fresh in fresh {
            self.vote(&fresh.stamps);
        }
        let options = self.options();
        let shown: Vec<_> = fresh
            .iter()
            .map(|fresh| self.shown(fresh, &options))
            .collect();
        let starts = match self.newest {
            None => first_starts(fresh, &shown),
            Some(newest) => self.starts(newest, fresh, &shown, at),
        };
        let mut times = Vec::new();
        let mut newest: Option<Newest> = None;
        for ((fresh, (shown, _)), start) in fresh.iter().zip(shown).zip(starts) {
            let moved = |time: &u64| within(start + i128::from(*time));
            let time: Vec<u64> = shown.iter().map(moved).collect();
            let hand = Hand::behind(fresh, &time, at);
            if let Some(hand) =
                hand.filter(|hand| newest.is_none_or(|newest| newest.time < hand.time))
            {
                newest = Some(Newest {
                    time: hand.time,
                    stamp: hand.reached,
                    at,
                });
            }
            times.push((time, hand));
        }
        self.newest = newest
            .filter(|newest| Some(newest.time) >= self.newest())
            .or(self.newest);
        self.quiet = at;
        times
    }

    /// The times that the stamps show by themselves: since the core's hand, or
    /// else since the first.
    fn shown(&self, fresh: &Fresh, options: &ClockOptions) -> (Vec<u64>, Clock) {
        let before = fresh.hand.map(|hand| [hand.reached, hand.stamp]);
        let before = before.as_ref().map_or(&[][..], |before| &before[..]);
        let stamps = [before, &fresh.stamps].concat();
        let unwrapped = clock::unwrap_words(&stamps, u32::BITS, self.mask(), options);
        let time = unwrapped.time.get(before.len()..).unwrap_or_default();
        (time.to_vec(), unwrapped.clock)
    }

    /// Where each core's entries start on the line.
    fn starts(
        &self,
        newest: Newest,
        fresh: &[Fresh],
        shown: &[(Vec<u64>, Clock)],
        at: Moment,
    ) -> Vec<i128> {
        let known = fresh.iter().zip(shown).map(|(fresh, (time, clock))| {
            let hand = fresh.hand.filter(|_| !time.is_empty())?;
            Some(self.start(newest, hand, fresh.has_gap, time, clock, at))
        });
        let known: Vec<_> = known.collect();
        let mut last = (i128::from(newest.time), newest.stamp);
        for ((fresh, (time, _)), start) in fresh.iter().zip(shown).zip(&known) {
            if let (Some(start), Some(span), Some(stamp)) =
                (start, time.last(), fresh.stamps.last())
                && start + i128::from(*span) > last.0
            {
                last = (start + i128::from(*span), *stamp);
            }
        }
        // What a core that tells something for the first time wrote last is about
        // as new as what the others did.
        let late = |(fresh, (time, clock)): (&Fresh, &(Vec<u64>, Clock))| {
            let stamp = fresh.stamps.last().copied().unwrap_or(last.1);
            let span = time.last().copied().unwrap_or_default();
            last.0 + merge::distance(clock, last.1.into(), stamp.into()) - i128::from(span)
        };
        let all = known.into_iter().zip(fresh.iter().zip(shown));
        all.map(|(known, core)| known.unwrap_or_else(|| late(core)))
            .collect()
    }

    /// Where entries behind a core's hand start: the ticks of the stamps count,
    /// and as many whole turns as bring them nearest to when they came.
    fn start(
        &self,
        newest: Newest,
        hand: Hand,
        has_gap: bool,
        shown: &[u64],
        clock: &Clock,
        at: Moment,
    ) -> i128 {
        let base = i128::from(hand.time);
        let Some(period) = clock.period else {
            return base;
        };
        let after =
            |shown: Option<&u64>| hand.time.saturating_add(shown.copied().unwrap_or_default());
        let least = turns(after(shown.first()), self.not_before(newest, clock), period);
        let seen = shown.last().copied().unwrap_or_default();
        let likely = clock
            .frequency
            .filter(|_| has_gap)
            .map(|frequency| extra_wraps(seen, period, at.since(hand.at), frequency.0.get()));
        let turns = least.max(likely.unwrap_or_default());
        base + i128::from(turns) * i128::from(period)
    }

    /// When new entries were written at the earliest, about: containers that came
    /// before did not have them.
    fn not_before(&self, newest: Newest, clock: &Clock) -> u64 {
        let frequency = clock.frequency.map_or(0, |frequency| frequency.0.get());
        let quiet = u128::from(self.quiet.since(newest.at)) * u128::from(frequency) / 1_000_000_000;
        newest
            .time
            .saturating_add(u64::try_from(quiet).unwrap_or(u64::MAX))
    }
}

/// Where each core's entries start on a line that begins with them.
fn first_starts(fresh: &[Fresh], shown: &[(Vec<u64>, Clock)]) -> Vec<i128> {
    let timed = |(fresh, (time, _)): (&Fresh, &(Vec<u64>, Clock))| Timed {
        core: fresh.core,
        wrapped: fresh.wrapped,
        columns: Columns {
            stamp: fresh.stamps.clone(),
            ..Columns::default()
        },
        time: time.clone(),
    };
    let cores: Vec<_> = fresh.iter().zip(shown).map(timed).collect();
    // The clock of the core with the most entries says most.
    let most = shown.iter().max_by_key(|(time, _)| time.len());
    let extents = most.map(|(_, clock)| merge::extents(&cores, clock));
    let start = |extent: &Option<merge::Extent>| {
        i128::from(ORIGIN) + extent.map_or(0, |extent| extent.start)
    };
    extents.unwrap_or_default().iter().map(start).collect()
}

/// Whole turns that bring a time nearest to a later one; 0 if that is not later.
fn turns(time: u64, later: u64, period: u64) -> u64 {
    (later.saturating_sub(time).saturating_add(period / 2)) / period.max(1)
}

/// A time on the line, which has ends.
fn within(time: i128) -> u64 {
    u64::try_from(time.max(0)).unwrap_or(u64::MAX)
}

impl Hand {
    fn behind(fresh: &Fresh, time: &[u64], at: Moment) -> Option<Self> {
        let last = *time.last()?;
        let stamp = *fresh.stamps.last()?;
        // Where the counter stepped back, time stands still.
        let reached = match fresh.hand.filter(|hand| hand.time == last) {
            Some(hand) => hand.reached,
            None => *fresh
                .stamps
                .get(time.partition_point(|time| *time < last))?,
        };
        Some(Self {
            time: last,
            reached,
            stamp,
            at,
        })
    }
}

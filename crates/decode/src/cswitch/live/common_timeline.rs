//! Places the times of all cores on a common timeline.

use super::super::columns::LogColumns;
use super::super::log::{EntryLayout, SwitchLog};
use super::super::merge::{self, TimedLog};
use crate::clock::{self, ClockOptions};
use crate::live::{HostTime, missed_wraps};
use rtoscope_trace::clock::{Clock, ClockDirection};
use rtoscope_trace::{Frequency, Nanoseconds, Ticks};

/// The time of the first events: leaves room for earlier events of cores that
/// are reported later.
const TIMELINE_ORIGIN: u64 = 1 << 48;

/// The timeline, up to the newest entry.
#[derive(Debug, Clone)]
pub(super) struct CommonTimeline {
    options: ClockOptions,
    /// Number of steps that are shorter upwards, minus those that are shorter
    /// downwards.
    upward_steps: i64,
    pub(super) layout: EntryLayout,
    /// The counter frequency in the newest container.
    pub(super) target_frequency: Option<Frequency>,
    /// The newest entry of all cores.
    newest_entry: Option<NewestEntry>,
    /// The arrival time of the last container.
    quiet_until: HostTime,
}

#[derive(Debug, Clone, Copy)]
struct NewestEntry {
    time: u64,
    timestamp: u32,
    /// Its arrival time.
    received_at: HostTime,
}

/// The last entry of a core, for the time to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastEntry {
    pub(super) time: u64,
    /// The timestamp at which this time was last reached.
    high_timestamp: u32,
    /// The timestamp of the last entry: an earlier one if the counter stepped
    /// back.
    timestamp: u32,
    /// Its arrival time.
    received_at: HostTime,
}

/// New entries of a core.
pub(super) struct NewEntries {
    pub(super) core: u8,
    pub(super) last_entry: Option<LastEntry>,
    /// Whether entries are missing before them.
    pub(super) has_gap: bool,
    /// Whether they are only known to be the newest entries of a ring.
    pub(super) wrapped: bool,
    pub(super) timestamps: Vec<u32>,
    /// Ticks from the core's last entry to the last of these, if they are known exactly.
    pub(super) ticks_since_last: Option<u64>,
}

impl CommonTimeline {
    pub(super) fn new(options: ClockOptions, layout: EntryLayout) -> Self {
        Self {
            options,
            upward_steps: 0,
            layout,
            target_frequency: None,
            newest_entry: None,
            quiet_until: HostTime::default(),
        }
    }

    /// Updates the clock properties from a container.
    pub(super) fn update_from(&mut self, log: &SwitchLog<'_>) {
        self.target_frequency = log.frequency.or(self.target_frequency);
    }

    /// The clock options: the direction is that of the majority of all steps so
    /// far, because a few new steps are weak evidence.
    pub(super) fn clock_options(&self) -> ClockOptions {
        let direction = match self.upward_steps {
            ..0 => ClockDirection::Down,
            _ => ClockDirection::Up,
        };
        ClockOptions {
            direction: self.options.direction.or(Some(direction)),
            frequency: self.options.frequency.or(self.target_frequency),
            ..self.options
        }
    }

    /// Counts the directions of the steps to new entries. The first one starts at the
    /// core's last entry, unless entries between them are missing.
    fn count_steps(&mut self, new_entries: &NewEntries) {
        let modulus = clock::modulus(u32::BITS, self.counter_mask(), &self.options);
        let last = new_entries.last_entry.filter(|_| !new_entries.has_gap);
        let stamps = &new_entries.timestamps;
        let before = last.as_ref().map(|last| &last.timestamp);
        let skipped = usize::from(before.is_none());
        let steps = before.into_iter().chain(stamps);
        for (before, stamp) in steps.zip(stamps.iter().skip(skipped)) {
            let rise = modulus.forward((*before).into(), (*stamp).into());
            let vote =
                i64::from(rise > 0 && rise < modulus.half()) - i64::from(rise > modulus.half());
            self.upward_steps = self.upward_steps.saturating_add(vote);
        }
    }

    fn counter_mask(&self) -> u64 {
        self.layout.counter_mask().into()
    }

    /// Sets the direction of the counter.
    pub(super) fn set_direction(&mut self, direction: ClockDirection) {
        self.options.direction.get_or_insert(direction);
    }

    /// The time of the newest entry.
    pub(super) fn newest_time(&self) -> Option<u64> {
        self.newest_entry.map(|newest| newest.time)
    }

    /// Assigns times to new entries that arrived together. Returns a list for
    /// each core, and the core's new last entry.
    pub(super) fn assign_times(
        &mut self,
        new_entries: &[NewEntries],
        at: HostTime,
    ) -> Vec<(Vec<u64>, Option<LastEntry>)> {
        for new_entries in new_entries {
            self.count_steps(new_entries);
        }
        let options = self.clock_options();
        let shown: Vec<_> = new_entries
            .iter()
            .map(|new_entries| self.local_times(new_entries, &options))
            .collect();
        let starts = match self.newest_entry {
            None => first_starts(new_entries, &shown),
            Some(newest) => self.start_times(newest, new_entries, &shown, at),
        };
        let mut times = Vec::new();
        let mut newest: Option<NewestEntry> = None;
        for ((new_entries, (shown, _)), start) in new_entries.iter().zip(shown).zip(starts) {
            let moved = |time: &u64| clamp_time(start + i128::from(*time));
            let time: Vec<u64> = shown.iter().map(moved).collect();
            let hand = LastEntry::after(new_entries, &time, at);
            if let Some(hand) =
                hand.filter(|hand| newest.is_none_or(|newest| newest.time < hand.time))
            {
                newest = Some(NewestEntry {
                    time: hand.time,
                    timestamp: hand.high_timestamp,
                    received_at: at,
                });
            }
            times.push((time, hand));
        }
        self.newest_entry = newest
            .filter(|newest| Some(newest.time) >= self.newest_time())
            .or(self.newest_entry);
        self.quiet_until = at;
        times
    }

    /// Ticks from the core's last entry to the last of the new ones, if they are known and the
    /// counter is read as the recorder counts.
    fn exact_ticks(&self, new_entries: &NewEntries) -> Option<u64> {
        let modulus = clock::modulus(u32::BITS, self.counter_mask(), &self.options);
        let is_whole = modulus.half() == 1 << (u32::BITS - 1);
        new_entries.ticks_since_last.filter(|_| is_whole)
    }

    /// The times that the timestamps show by themselves: since the core's last
    /// entry, or since the first one if the time between both is known exactly.
    fn local_times(&self, new_entries: &NewEntries, options: &ClockOptions) -> (Vec<u64>, Clock) {
        let is_exact = self.exact_ticks(new_entries).is_some();
        let before = new_entries
            .last_entry
            .filter(|_| !is_exact)
            .map(|hand| [hand.high_timestamp, hand.timestamp]);
        let before = before.as_ref().map_or(&[][..], |before| &before[..]);
        let stamps = [before, &new_entries.timestamps].concat();
        let unwrapped = clock::unwrap_words(&stamps, u32::BITS, self.counter_mask(), options);
        let time = unwrapped.time.get(before.len()..).unwrap_or_default();
        (time.to_vec(), unwrapped.clock)
    }

    /// The start of each core's entries on the timeline.
    fn start_times(
        &self,
        newest: NewestEntry,
        new_entries: &[NewEntries],
        shown: &[(Vec<u64>, Clock)],
        at: HostTime,
    ) -> Vec<i128> {
        let known = new_entries
            .iter()
            .zip(shown)
            .map(|(new_entries, (time, clock))| {
                let hand = new_entries.last_entry.filter(|_| !time.is_empty())?;
                Some(self.start_time(newest, hand, new_entries, time, clock, at))
            });
        let known: Vec<_> = known.collect();
        let mut last = (i128::from(newest.time), newest.timestamp);
        for ((new_entries, (time, _)), start) in new_entries.iter().zip(shown).zip(&known) {
            if let (Some(start), Some(span), Some(stamp)) =
                (start, time.last(), new_entries.timestamps.last())
                && start + i128::from(*span) > last.0
            {
                last = (start + i128::from(*span), *stamp);
            }
        }
        // The last entry of a core that reports for the first time is about as
        // new as those of the other cores.
        let late = |(new_entries, (time, clock)): (&NewEntries, &(Vec<u64>, Clock))| {
            let stamp = new_entries.timestamps.last().copied().unwrap_or(last.1);
            let span = time.last().copied().unwrap_or_default();
            last.0 + merge::distance(clock, last.1.into(), stamp.into()) - i128::from(span)
        };
        let all = known.into_iter().zip(new_entries.iter().zip(shown));
        all.map(|(known, core)| known.unwrap_or_else(|| late(core)))
            .collect()
    }

    /// The start of entries after a core's last entry: the ticks of the
    /// timestamps, plus the number of whole periods that is known, or brings them closest to
    /// their arrival time.
    fn start_time(
        &self,
        newest: NewestEntry,
        hand: LastEntry,
        new_entries: &NewEntries,
        shown: &[u64],
        clock: &Clock,
        at: HostTime,
    ) -> i128 {
        let base = i128::from(hand.time);
        let seen = shown.last().copied().unwrap_or_default();
        if let Some(ticks) = self.exact_ticks(new_entries) {
            return base + i128::from(ticks.saturating_sub(seen));
        }
        let Some(period) = clock.period else {
            return base;
        };
        let after =
            |shown: Option<&u64>| hand.time.saturating_add(shown.copied().unwrap_or_default());
        let min = missed_periods(
            after(shown.first()),
            self.earliest_time(newest, clock),
            period,
        );
        // `min` covers wraps before entries that earlier containers did not have. Only
        // across a gap may further wraps be hidden, which the host's clock shows.
        let elapsed = Nanoseconds(at.since(hand.received_at));
        let frequency = clock.nominal_frequency().filter(|_| new_entries.has_gap);
        let likely =
            frequency.map(|frequency| missed_wraps(seen, period, frequency.ticks_in(elapsed)));
        let turns = min.max(likely.unwrap_or_default());
        base + i128::from(turns) * i128::from(period)
    }

    /// The approximate earliest time of new entries: earlier containers did not
    /// have them.
    fn earliest_time(&self, newest: NewestEntry, clock: &Clock) -> u64 {
        let quiet = Nanoseconds(self.quiet_until.since(newest.received_at));
        let frequency = clock.nominal_frequency();
        let quiet = frequency.map_or(Ticks(0), |frequency| frequency.ticks_in(quiet));
        newest.time.saturating_add(quiet.0)
    }
}

/// The start of each core's entries on a timeline that begins with them.
fn first_starts(new_entries: &[NewEntries], shown: &[(Vec<u64>, Clock)]) -> Vec<i128> {
    let timed = |(new_entries, (time, _)): (&NewEntries, &(Vec<u64>, Clock))| TimedLog {
        core: new_entries.core,
        is_wrapped: new_entries.wrapped,
        columns: LogColumns {
            timestamp: new_entries.timestamps.clone(),
            ..LogColumns::default()
        },
        time: time.clone(),
    };
    let cores: Vec<_> = new_entries.iter().zip(shown).map(timed).collect();
    // The clock of the core with the most entries is the most reliable.
    let max = shown.iter().max_by_key(|(time, _)| time.len());
    let extents = max.map(|(_, clock)| merge::extents(&cores, clock));
    let start = |extent: &Option<merge::LogExtent>| {
        i128::from(TIMELINE_ORIGIN) + extent.map_or(0, |extent| extent.start)
    };
    extents.unwrap_or_default().iter().map(start).collect()
}

/// The whole periods that bring a time closest to a later one; 0 if that is not
/// later.
fn missed_periods(time: u64, later: u64, period: u64) -> u64 {
    (later.saturating_sub(time).saturating_add(period / 2)) / period.max(1)
}

/// Clamps a time to the range of the timeline.
fn clamp_time(time: i128) -> u64 {
    u64::try_from(time.max(0)).unwrap_or(u64::MAX)
}

impl LastEntry {
    fn after(new_entries: &NewEntries, time: &[u64], at: HostTime) -> Option<Self> {
        let last = *time.last()?;
        let stamp = *new_entries.timestamps.last()?;
        // While the counter lags after a backward step, time does not advance.
        let reached = match new_entries.last_entry.filter(|hand| hand.time == last) {
            Some(hand) => hand.high_timestamp,
            None => *new_entries
                .timestamps
                .get(time.partition_point(|time| *time < last))?,
        };
        Some(Self {
            time: last,
            high_timestamp: reached,
            timestamp: stamp,
            received_at: at,
        })
    }
}

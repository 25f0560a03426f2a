//! Places the times of all cores on a common timeline.

use super::super::columns::LogColumns;
use super::super::log::EntryLayout;
use super::super::merge::{self, TimedLog};
use super::logged_event::LoggedEvent;
use crate::clock::{self, ClockOptions, StepCounts};
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
    steps: StepCounts,
    pub(super) layout: EntryLayout,
    /// The counter frequency in the newest container.
    pub(super) target_frequency: Option<Frequency>,
    /// The time of the first event of a run.
    origin: u64,
    /// The newest entry of all cores since the target started.
    newest_entry: Option<LastEntry>,
    /// The arrival time of the last container.
    quiet_until: HostTime,
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

/// New entries of a core; all of them are events.
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
    /// The events, whose times are not known yet.
    pub(super) events: Vec<LoggedEvent>,
}

/// New entries, and the times that their timestamps show by themselves: since the core's last
/// entry, or since the first one if the time between both is known exactly.
struct LocalTimes<'e> {
    entries: &'e NewEntries,
    time: Vec<u64>,
    clock: Clock,
}

impl LocalTimes<'_> {
    /// The time of the last entry.
    fn span(&self) -> u64 {
        self.time.last().copied().unwrap_or_default()
    }
}

impl CommonTimeline {
    pub(super) fn new(options: ClockOptions, layout: EntryLayout) -> Self {
        Self {
            options,
            steps: StepCounts::default(),
            layout,
            target_frequency: None,
            origin: TIMELINE_ORIGIN,
            newest_entry: None,
            quiet_until: HostTime::default(),
        }
    }

    /// The clock options: the direction is that of the majority of all steps so
    /// far, because a few new steps are weak evidence.
    pub(super) fn clock_options(&self) -> ClockOptions {
        let direction = self.options.direction.unwrap_or(self.steps.direction());
        ClockOptions {
            direction: Some(direction),
            ..self.options
        }
    }

    /// Counts the directions of the steps to new entries. The first one starts at the
    /// core's last entry, unless entries between them are missing.
    fn count_steps(&mut self, new_entries: &NewEntries) {
        let modulus = clock::modulus(u32::BITS, self.counter_mask(), &self.options);
        let last = new_entries.last_entry.filter(|_| !new_entries.has_gap);
        let mut before = last.map(|last| last.timestamp);
        for stamp in &new_entries.timestamps {
            if let Some(before) = before.replace(*stamp) {
                self.steps.add(modulus, before.into(), (*stamp).into());
            }
        }
    }

    /// The target restarted after the newest entry. How much time passed is unknown.
    pub(super) fn restart(&mut self) {
        self.origin = self.newest_time().unwrap_or(self.origin);
        self.newest_entry = None;
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
        let (options, _) = self.clock_options().with_recorded(self.target_frequency);
        let local = new_entries.iter();
        let local: Vec<_> = local.map(|it| self.local_times(it, &options)).collect();
        let starts = match self.newest_entry {
            None => first_starts(&local, self.origin),
            Some(newest) => self.start_times(newest, &local, at),
        };
        let times = local.iter().zip(starts).map(|(local, start)| {
            let moved = |time: &u64| clamp_time(start + i128::from(*time));
            let time: Vec<u64> = local.time.iter().map(moved).collect();
            let last = LastEntry::after(local.entries, &time, at);
            (time, last)
        });
        let times: Vec<_> = times.collect();
        // The first of several new ones at the same time.
        let last = times.iter().rev().filter_map(|(_, last)| *last);
        let newest = self.newest_entry.into_iter().chain(last);
        self.newest_entry = newest.max_by_key(|newest| newest.time);
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

    fn local_times<'e>(&self, entries: &'e NewEntries, options: &ClockOptions) -> LocalTimes<'e> {
        let is_exact = self.exact_ticks(entries).is_some();
        let before = entries
            .last_entry
            .filter(|_| !is_exact)
            .map(|last| [last.high_timestamp, last.timestamp]);
        let before = before.as_ref().map_or(&[][..], |before| &before[..]);
        let stamps = [before, &entries.timestamps].concat();
        let mut unwrapped = clock::unwrap_words(&stamps, u32::BITS, self.counter_mask(), options);
        unwrapped.time.drain(..before.len());
        LocalTimes {
            entries,
            time: unwrapped.time,
            clock: unwrapped.clock,
        }
    }

    /// The start of each core's entries on the timeline.
    fn start_times(&self, newest: LastEntry, cores: &[LocalTimes<'_>], at: HostTime) -> Vec<i128> {
        let known = cores.iter().map(|core| {
            let last = core.entries.last_entry.filter(|_| !core.time.is_empty())?;
            Some(self.start_time(newest, last, core, at))
        });
        let known: Vec<_> = known.collect();
        let mut last = (i128::from(newest.time), newest.high_timestamp);
        for (core, start) in cores.iter().zip(&known) {
            if let (Some(start), Some(stamp)) = (start, core.entries.timestamps.last())
                && start + i128::from(core.span()) > last.0
            {
                last = (start + i128::from(core.span()), *stamp);
            }
        }
        // The last entry of a core that reports for the first time is about as
        // new as those of the other cores.
        let late = |core: &LocalTimes<'_>| {
            let stamp = core.entries.timestamps.last().copied().unwrap_or(last.1);
            let distance = merge::distance(&core.clock, last.1.into(), stamp.into());
            last.0 + distance - i128::from(core.span())
        };
        let all = known.into_iter().zip(cores);
        all.map(|(known, core)| known.unwrap_or_else(|| late(core)))
            .collect()
    }

    /// The start of entries after a core's last entry: the ticks of the
    /// timestamps, plus the number of whole periods that is known, or brings them closest to
    /// their arrival time.
    fn start_time(
        &self,
        newest: LastEntry,
        last: LastEntry,
        core: &LocalTimes<'_>,
        at: HostTime,
    ) -> i128 {
        let (base, clock) = (i128::from(last.time), &core.clock);
        if let Some(ticks) = self.exact_ticks(core.entries) {
            return base + i128::from(ticks.saturating_sub(core.span()));
        }
        let Some(period) = clock.period else {
            return base;
        };
        let shown = core.time.first().copied().unwrap_or_default();
        let earliest = self.earliest_time(newest, clock);
        let min = missed_wraps(last.time.saturating_add(shown), period, earliest);
        // `min` covers wraps before entries that earlier containers did not have. Only
        // across a gap may further wraps be hidden, which the host's clock shows.
        let elapsed = Nanoseconds(at.since(last.received_at));
        let frequency = clock.nominal_frequency().filter(|_| core.entries.has_gap);
        let ticks = frequency.map(|frequency| frequency.ticks_in(elapsed));
        let likely = ticks.map(|ticks| missed_wraps(core.span(), period, ticks));
        let turns = min.max(likely.unwrap_or_default());
        base + i128::from(turns) * i128::from(period)
    }

    /// The approximate earliest time of new entries: earlier containers did not
    /// have them.
    fn earliest_time(&self, newest: LastEntry, clock: &Clock) -> Ticks {
        let quiet = Nanoseconds(self.quiet_until.since(newest.received_at));
        let frequency = clock.nominal_frequency();
        let quiet = frequency.map_or(Ticks(0), |frequency| frequency.ticks_in(quiet));
        Ticks(newest.time.saturating_add(quiet.0))
    }
}

/// The start of each core's entries on a timeline that begins with them at `origin`.
fn first_starts(cores: &[LocalTimes<'_>], origin: u64) -> Vec<i128> {
    let timed = |core: &LocalTimes<'_>| TimedLog {
        core: core.entries.core,
        is_wrapped: core.entries.wrapped,
        columns: LogColumns {
            timestamp: core.entries.timestamps.clone(),
            ..LogColumns::default()
        },
        time: core.time.clone(),
    };
    let logs: Vec<_> = cores.iter().map(timed).collect();
    // The clock of the core with the most entries is the most reliable.
    let max = cores.iter().max_by_key(|core| core.time.len());
    let extents = max.map(|core| merge::extents(&logs, &core.clock));
    let extents = extents.unwrap_or_default();
    let starts = extents.iter().flatten().map(|extent| extent.start);
    let first = starts.min().unwrap_or_default();
    let start = |extent: &Option<merge::LogExtent>| {
        i128::from(origin) + extent.map_or(0, |extent| extent.start - first)
    };
    extents.iter().map(start).collect()
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

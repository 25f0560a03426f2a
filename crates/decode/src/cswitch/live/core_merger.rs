//! Merges the logs of consecutive containers into one sequence of events.

use super::common_timeline::{CommonTimeline, NewEntries};
use super::core_tracker::CoreTracker;
use super::logged_event::LoggedEvent;
use super::snapshot::{LogSnapshot, SnapshotOverlap};
use crate::clock::ClockOptions;
use crate::cswitch::log::{CoreLog, EntryLayout, MissingEntries, SwitchLog};
use crate::live::HostTime;
use std::collections::BTreeMap;

/// The state between two containers.
#[derive(Debug, Clone)]
pub(super) struct CoreMerger {
    /// By core number.
    pub(super) cores: BTreeMap<u8, CoreTracker>,
    pub(super) timeline: CommonTimeline,
    /// Events whose order among those of other cores is not final.
    pending_events: Vec<LoggedEvent>,
    /// The time of the last event with a final position.
    settled_until: Option<u64>,
    /// The arrival time of the last container.
    last_received: HostTime,
    /// Whether the last container included all cores.
    covers_all_cores: bool,
    /// Number of cores that send containers in turn.
    expected_cores: usize,
    /// Number of restarts of the target.
    restarts: u32,
}

/// Maximum number of events that wait for cores missing from containers: the newest ones.
const MAX_PENDING_EVENTS: usize = 4096;

impl CoreMerger {
    pub(super) fn new(options: ClockOptions, layout: EntryLayout) -> Self {
        Self {
            cores: BTreeMap::new(),
            timeline: CommonTimeline::new(options, layout),
            pending_events: Vec::new(),
            settled_until: None,
            last_received: HostTime::default(),
            covers_all_cores: false,
            expected_cores: 0,
            restarts: 0,
        }
    }

    /// Waits for events of that many cores, unless they do not arrive.
    pub(super) fn expect_cores(&mut self, cores: u16) {
        self.expected_cores = self.expected_cores.max(cores.into());
    }

    /// Removes from this state, the one before a container, everything that
    /// reading the container again restores. `later` is the state after it.
    pub(super) fn state_before(mut self, later: &Self) -> Self {
        if later.covers_all_cores {
            // All of them have their positions in the later state.
            self.pending_events = Vec::new();
        }
        for (number, core) in &mut self.cores {
            if let Some(later) = later.cores.get(number) {
                core.discard_entries_of(later);
            }
        }
        self
    }

    /// Sets the newest event with a final position.
    pub(super) fn set_settled(&mut self, newest: Option<&LoggedEvent>) {
        self.settled_until = newest.map(|newest| newest.time).max(self.settled_until);
    }

    /// The logs of the cores, without their entries.
    pub(super) fn core_logs(&self) -> Vec<CoreLog<'static>> {
        self.cores.values().map(CoreTracker::log).collect()
    }

    /// How the logs of a container overlap with the previous ones, by core
    /// number.
    pub(super) fn snapshot_overlaps(&mut self, log: &SwitchLog<'_>) -> Vec<(u8, SnapshotOverlap)> {
        let overlap = |core: &CoreLog<'_>| {
            let snapshot = LogSnapshot::new(log.layout, core);
            (
                core.core,
                self.core_mut(core.core).overlap(&snapshot, core.last_ticks),
            )
        };
        log.cores.iter().map(overlap).collect()
    }

    /// If a container whose logs overlap like this shows that the target restarted, ends the
    /// run before it, and returns the pending events.
    pub(super) fn end_run(
        &mut self,
        overlaps: &[(u8, SnapshotOverlap)],
    ) -> Option<Vec<LoggedEvent>> {
        let shows_restart = |(number, overlap): &(u8, SnapshotOverlap)| {
            let core = self.cores.get(number);
            // Later, it is the same restart of another core.
            overlap.is_restart && core.is_some_and(|core| core.restarts == self.restarts)
        };
        if !overlaps.iter().any(shows_restart) {
            return None;
        }
        let events = self.flush();
        self.restarts += 1;
        self.timeline.restart();
        for core in self.cores.values_mut() {
            core.last_entry = None;
        }
        Some(events)
    }

    /// Merges the logs of a container; returns the events whose order is final.
    pub(super) fn merge(
        &mut self,
        log: &SwitchLog<'_>,
        stitches: &[(u8, SnapshotOverlap)],
        epoch: u32,
        at: HostTime,
    ) -> Vec<LoggedEvent> {
        self.timeline.target_frequency = log.frequency.or(self.timeline.target_frequency);
        let before = self.timeline.newest_time();
        let mut new_entries = Vec::new();
        for (number, overlap) in stitches {
            let Some(core) = log.cores.iter().find(|core| core.core == *number) else {
                continue;
            };
            let snapshot = LogSnapshot::new(log.layout, core);
            let restarts = self.restarts;
            let tracker = self.core_mut(*number);
            tracker.epoch = epoch;
            if overlap.is_restart || overlap.is_first_snapshot {
                tracker.restarts = restarts;
            }
            new_entries.push(tracker.append_new(&snapshot, *overlap, core));
        }
        self.assign_times(new_entries, at);
        self.last_received = at;
        let has_log = |number: &u8| log.cores.iter().any(|log| log.core == *number);
        self.covers_all_cores =
            self.cores.keys().all(has_log) && self.cores.len() >= self.expected_cores;
        let sure = self.safe_until(before);
        self.drain_until(sure)
    }

    /// Returns all pending events: nothing will arrive that changes their
    /// order.
    pub(super) fn flush(&mut self) -> Vec<LoggedEvent> {
        let layout = self.timeline.layout;
        let cores = self.cores.values_mut();
        let new_entries = cores.map(|core| core.flush_unfinished(layout)).collect();
        self.assign_times(new_entries, self.last_received);
        self.drain_until(Some(u64::MAX))
    }

    fn core_mut(&mut self, number: u8) -> &mut CoreTracker {
        let core = self.cores.entry(number);
        core.or_insert_with(|| CoreTracker::new(number))
    }

    /// Assigns times to new entries.
    fn assign_times(&mut self, new_entries: Vec<NewEntries>, at: HostTime) {
        let times = self.timeline.assign_times(&new_entries, at);
        for (new_entries, (times, last_entry)) in new_entries.into_iter().zip(times) {
            let core = self.core_mut(new_entries.core);
            let is_late = new_entries.last_entry.is_none();
            core.last_entry = last_entry.or(core.last_entry);
            let mut skipped = 0_u64;
            for (mut event, time) in new_entries.events.into_iter().zip(times) {
                // A core that reports late may have events before the last
                // final position.
                if is_late && self.settled_until.is_some_and(|settled| time < settled) {
                    skipped += 1;
                    continue;
                }
                let skipped = MissingEntries::from_count(std::mem::take(&mut skipped));
                event.time = time;
                event.missing = event.missing.plus(skipped);
                self.pending_events.push(event);
            }
        }
    }

    /// The time before which no further event can arrive. A core's unreported
    /// entries are newer than its reported ones. If a container includes all
    /// cores, they are also newer than everything in the previous container,
    /// which was made earlier: `before` is its newest time.
    fn safe_until(&self, before: Option<u64>) -> Option<u64> {
        // A core has not sent anything.
        if self.cores.len() < self.expected_cores {
            return None;
        }
        // A single core needs no merging.
        if self.cores.len() == 1 {
            return Some(u64::MAX);
        }
        let hands = self
            .cores
            .values()
            .map(|core| core.last_entry.map(|last_entry| last_entry.time));
        let reported = hands.min().flatten();
        reported.max(before.filter(|_| self.covers_all_cores))
    }

    /// Moves the events up to a time to their final positions.
    fn drain_until(&mut self, sure: Option<u64>) -> Vec<LoggedEvent> {
        self.pending_events
            .sort_by_key(|event| (event.time, event.core));
        // With too many events, stop waiting for cores that are missing from the containers.
        let excess = match self.covers_all_cores {
            true => 0,
            false => self.pending_events.len().saturating_sub(MAX_PENDING_EVENTS),
        };
        let end = self
            .pending_events
            .partition_point(|event| Some(event.time) <= sure)
            .max(excess);
        let mut events: Vec<LoggedEvent> = self.pending_events.drain(..end).collect();
        for event in &mut events {
            // The counters of cores may differ by a few ticks.
            event.time = event.time.max(self.settled_until.unwrap_or_default());
            self.settled_until = Some(event.time);
        }
        events
    }
}

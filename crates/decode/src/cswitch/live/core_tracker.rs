//! Tracks the log of a core from one container to the next.

use super::common_timeline::{LastEntry, NewEntries};
use super::logged_event::{LoggedEvent, MAX_ENTRY_BYTES};
use super::snapshot::{LogSnapshot, NextEntry, SnapshotOverlap, is_unfinished};
use crate::cswitch::is_known;
use crate::cswitch::log::{CoreLog, EntryLayout, MissingEntries, Overwritten};
use crate::cswitch::ring_order::is_unwritten;
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::packed::MAX_FORMAT_VALUES;
use std::sync::Arc;

/// The log of a core, up to a container.
#[derive(Debug, Clone, Default)]
pub(super) struct CoreTracker {
    log: CoreLog<'static>,
    pub(super) last_entry: Option<LastEntry>,
    next_entry: Option<NextEntry>,
    /// The last entries, those of the last snapshot.
    last_snapshot: Arc<Vec<u8>>,
    /// Entries of the last snapshot from the first half-written one on: they
    /// wait until the next container has it.
    unfinished_tail: Arc<Vec<u8>>,
    /// Known missing entries to report with the next event.
    pending_missing: MissingEntries,
    /// Total number of known missing entries.
    pub(super) missing_entries: u64,
    /// Whether an unknown number of entries was missing at any time, and whether the target
    /// counts those that it loses.
    missed_unknown: bool,
    counts_losses: bool,
    /// Bytes of skipped entries.
    pub(super) skipped_bytes: u64,
    /// Losses counted by the target that are already accounted for, and entries
    /// that were never finished: each of the latter may be one of the former.
    accounted_losses: u64,
    unfinished: u64,
    /// The time of the last event in ticks, if the recorder sends it.
    last_ticks: Option<u64>,
    /// The epoch of the names of the next entries.
    pub(super) epoch: u32,
    /// Number of restarts of the target until its last log.
    pub(super) restarts: u32,
}

impl CoreTracker {
    pub(super) fn new(core: u8) -> Self {
        Self {
            log: CoreLog {
                core,
                ..CoreLog::default()
            },
            ..Self::default()
        }
    }

    /// The log without its entries. Those that a ring has lost are missing in it.
    pub(super) fn log(&self) -> CoreLog<'static> {
        let is_exact = self.counts_losses && !self.missed_unknown;
        let missing = (self.log.cyclic == Some(true) && is_exact).then_some(self.missing_entries);
        CoreLog {
            lost_entries: self.log.lost_entries.or(missing),
            ..self.log.clone()
        }
    }

    /// Discards the entries that `later`, the state after a container, has as
    /// well.
    pub(super) fn discard_entries_of(&mut self, later: &Self) {
        if !Arc::ptr_eq(&self.last_snapshot, &later.last_snapshot) {
            self.last_snapshot = Arc::default();
        }
        if !Arc::ptr_eq(&self.unfinished_tail, &later.unfinished_tail) {
            self.unfinished_tail = Arc::default();
        }
    }

    /// How a log overlaps with the last snapshot; `last_ticks` is the time of its last entry.
    pub(super) fn overlap(
        &self,
        snapshot: &LogSnapshot<'_>,
        last_ticks: Option<u64>,
    ) -> SnapshotOverlap {
        let mut overlap = snapshot.overlap(&self.last_snapshot, self.next_entry);
        // The numbers may fit by chance after a restart.
        if overlap.known_entries < snapshot.entries()
            && last_ticks.is_some_and(|ticks| Some(ticks) < self.last_ticks)
            && !overlap.is_new_session
        {
            overlap = SnapshotOverlap::restart();
        }
        let waited = self.unfinished_tail.len() / snapshot.layout.entry_bytes();
        SnapshotOverlap {
            is_first_snapshot: self.last_snapshot.is_empty() && self.next_entry.is_none(),
            waiting_entries: match overlap.missing {
                MissingEntries::None => waited,
                MissingEntries::Known(count) => {
                    waited.saturating_sub(usize::try_from(count).unwrap_or(waited))
                }
                MissingEntries::Unknown => 0,
            },
            ..overlap
        }
    }

    /// Appends the new entries of a log.
    pub(super) fn append_new(
        &mut self,
        snapshot: &LogSnapshot<'_>,
        overlap: SnapshotOverlap,
        log: &CoreLog<'_>,
    ) -> NewEntries {
        if overlap.is_new_session {
            self.accounted_losses = 0;
            self.unfinished = 0;
            self.last_ticks = None;
        }
        self.add_missing(overlap.missing);
        self.counts_losses = log.lost_entries.is_some();
        let lost = log.lost_entries.unwrap_or_default();
        match log.cyclic {
            // A running ring loses a few entries now and then; losses before
            // the first snapshot are not gaps, just as overwritten entries are
            // not.
            Some(true) if overlap.is_first_snapshot => self.accounted_losses = lost,
            Some(true) => self.count_lost(lost),
            _ => {}
        }
        let size = snapshot.layout.entry_bytes();
        let new = snapshot
            .bytes
            .get(overlap.known_entries * size..)
            .unwrap_or_default();
        let is_waited_for = |(place, entry): (usize, &[u8])| {
            place >= overlap.waiting_entries && is_unfinished(entry, snapshot.layout)
        };
        let taken = new.chunks_exact(size).enumerate().position(is_waited_for);
        let (taken, waiting) = new.split_at(taken.map_or(new.len(), |taken| taken * size));
        let mut new_entries =
            self.take_entries(taken, snapshot.layout, log.overwritten.is_certain());
        new_entries.ticks_since_last = self.advance(snapshot, &new_entries, log.last_ticks);
        if log.cyclic != Some(true) {
            self.count_lost(lost);
        }
        let end = overlap.known_entries + taken.len() / size;
        if snapshot.entries() > 0 {
            self.next_entry = snapshot.past.map(|past| NextEntry {
                session: past.session,
                number: past.preceding_entries.saturating_add(end as u64),
            });
        }
        if end > 0 {
            let known = snapshot.bytes.get(..end * size).unwrap_or_default();
            self.last_snapshot = Arc::new(known.to_vec());
        }
        if snapshot.entries() > 0 {
            self.unfinished_tail = Arc::new(waiting.to_vec());
        }
        let overwritten = match overlap.is_first_snapshot {
            // Numbered entries, without preceding ones.
            true if snapshot
                .past
                .is_some_and(|past| past.preceding_entries == 0) =>
            {
                Overwritten::No
            }
            true => log.overwritten,
            false => self.log.overwritten,
        };
        self.log = CoreLog {
            overwritten,
            core: log.core,
            cyclic: log.cyclic,
            is_full: log.is_full,
            lost_entries: log.lost_entries.filter(|_| log.cyclic != Some(true)),
            idle_ticks: log.idle_ticks,
            ..CoreLog::default()
        };
        new_entries
    }

    /// Appends the entries that wait for an unfinished entry.
    pub(super) fn flush_unfinished(&mut self, layout: EntryLayout) -> NewEntries {
        let waiting = std::mem::take(&mut self.unfinished_tail);
        let new_entries = self.take_entries(&waiting, layout, false);
        if !waiting.is_empty() {
            self.last_snapshot = Arc::new([&self.last_snapshot[..], &waiting[..]].concat());
            let entries = (waiting.len() / layout.entry_bytes()) as u64;
            self.next_entry = self.next_entry.map(|next| NextEntry {
                number: next.number.saturating_add(entries),
                ..next
            });
        }
        new_entries
    }

    /// Whether entries are missing after the last event.
    pub(super) fn has_gap_at_end(&self) -> bool {
        self.pending_missing != MissingEntries::None
    }

    /// Turns entries into events.
    fn take_entries(&mut self, bytes: &[u8], layout: EntryLayout, wrapped: bool) -> NewEntries {
        let size = layout.entry_bytes();
        let mut new_entries = NewEntries {
            core: self.log.core,
            last_entry: self.last_entry,
            has_gap: false,
            wrapped,
            timestamps: Vec::new(),
            ticks_since_last: None,
            events: Vec::new(),
        };
        let mut values_follow = false;
        for bytes in bytes.chunks_exact(size) {
            let Some(entry) = layout.read(bytes) else {
                continue;
            };
            let is_values = entry.kind == EntryKind::FormatValues as u32;
            if is_values && values_follow {
                let formatted = new_entries.events.last_mut();
                if let Some(values) = formatted.map(|event| &mut event.values) {
                    let values = Arc::make_mut(values.get_or_insert_default());
                    values.extend_from_slice(bytes);
                    values_follow = values.len() / size < MAX_FORMAT_VALUES / 2;
                }
                continue;
            }
            values_follow = entry.kind == EntryKind::Formatted as u32;
            if is_unfinished(bytes, layout) {
                self.unfinished += 1;
                self.count_lost(self.unfinished);
            } else if is_unwritten(bytes) || is_values || !is_known(entry.kind) {
                self.skipped_bytes = self.skipped_bytes.saturating_add(size as u64);
            } else {
                let mut whole = [0; MAX_ENTRY_BYTES];
                for (to, from) in whole.iter_mut().zip(bytes) {
                    *to = *from;
                }
                let missing = std::mem::take(&mut self.pending_missing);
                new_entries.has_gap |= missing != MissingEntries::None;
                new_entries.timestamps.push(entry.counter);
                new_entries.events.push(LoggedEvent {
                    time: 0,
                    core: self.log.core,
                    epoch: self.epoch,
                    missing,
                    entry: whole,
                    values: None,
                });
            }
        }
        new_entries
    }

    /// Ticks from the last event to the last new one, if the time of the snapshot's last entry is
    /// known.
    fn advance(
        &mut self,
        snapshot: &LogSnapshot<'_>,
        new_entries: &NewEntries,
        last_ticks: Option<u64>,
    ) -> Option<u64> {
        let last = *new_entries.timestamps.last()?;
        // The counter has the low bits. Entries that are no events may follow the last one.
        let ticks = last_ticks.filter(|_| snapshot.layout.counter_bits == u32::BITS as u8);
        let ticks = ticks.map(|end| end.wrapping_sub((end as u32).wrapping_sub(last).into()));
        let before = std::mem::replace(&mut self.last_ticks, ticks);
        ticks?.checked_sub(before?)
    }

    /// Accounts for a total of `lost` lost entries.
    fn count_lost(&mut self, lost: u64) {
        let more = lost.saturating_sub(self.accounted_losses);
        self.accounted_losses += more;
        self.add_missing(MissingEntries::from_count(more));
    }

    fn add_missing(&mut self, missing: MissingEntries) {
        match missing {
            MissingEntries::None => {}
            MissingEntries::Known(count) => {
                self.missing_entries = self.missing_entries.saturating_add(count);
            }
            MissingEntries::Unknown => self.missed_unknown = true,
        }
        self.pending_missing = self.pending_missing.plus(missing);
    }
}

//! Finds the entries of a ring that the target did not write as they are in the dump.
//!
//! An entry is damaged only if several of its fields are impossible: threads may be
//! missing in the registry, and applications may use any event number. Bytes that were
//! inserted or lost move all later entries, which are found again at their new place.

mod cause;
mod lone_entries;
mod walk;

use super::buffer::TraceBuffer;
use super::entry_header::EntryHeader;
use super::entry_rules::EntryRules;
use crate::memory::Memory;
use crate::records::{self, RecordRun};
use cause::DamageCause;
use lone_entries::RingSurvey;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use std::ops::Range;
use walk::SlotWalk;

/// The slots of a ring that are in memory and were written by the target, or never.
#[derive(Debug, Default)]
pub(crate) struct SlotRuns<'a> {
    /// In the order of their slots.
    pub(crate) runs: Vec<RecordRun<'a>>,
    /// Slots with damaged entries, in order.
    pub(crate) damaged: Vec<Range<u64>>,
}

/// Number of slots that a thread checks at a time.
const SLOTS_PER_TASK: u64 = 1 << 16;

impl<'a> SlotRuns<'a> {
    /// All slots in memory.
    pub(crate) fn all(memory: &'a Memory<'_>, buffer: &TraceBuffer) -> Self {
        let start = buffer.events_address();
        let size = buffer.layout.entry_bytes();
        let runs = records::record_runs(memory, start, size, 0..buffer.event_slots);
        Self {
            runs: runs.collect(),
            damaged: Vec::new(),
        }
    }

    /// The slots without damaged entries.
    pub(crate) fn undamaged(
        memory: &'a Memory<'_>,
        buffer: &TraceBuffer,
        rules: &EntryRules,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let all = Self::all(memory, buffer);
        if cause::is_seven_bit(memory, buffer) {
            let slots = all.runs.iter().map(|run| run.first..run.end());
            let lost = Self {
                runs: Vec::new(),
                damaged: slots.collect(),
            };
            found.extend(lost.diagnostic(memory, buffer, DamageCause::SevenBits));
            return lost;
        }
        let (is_damaged, ring) = survey(buffer, rules, &all.runs);
        if !is_damaged {
            return all.consistent(memory, buffer, &ring, found);
        }
        let mut walk = SlotWalk::new(rules, buffer.event_slots);
        for run in &all.runs {
            if let Some((region, start)) = region(memory, buffer, run) {
                walk.run(region, start, run.first);
            }
        }
        walk.leave_unused_out();
        let cause = cause::of(memory, buffer, &walk.slips, walk.filled);
        let left = walk.finish();
        found.extend(left.diagnostic(memory, buffer, cause));
        let (_, ring) = survey(buffer, rules, &left.runs);
        left.consistent(memory, buffer, &ring, found)
    }

    /// Skips entries that contradict all others.
    fn consistent(
        self,
        memory: &'a Memory<'_>,
        buffer: &TraceBuffer,
        ring: &RingSurvey,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let size = buffer.layout.entry_bytes();
        let entry = |slot: u64| {
            let run = self.runs.partition_point(|run| run.end() <= slot);
            let run = self.runs.get(run)?.within(slot..slot + 1, size)?;
            Some(run.bytes)
        };
        let repeated = ring.stamps.repeats(entry);
        let mut lone = ring.lone_slots();
        lone.retain(|slot| repeated.binary_search(slot).is_err());
        self.without(memory, buffer, &lone, DamageCause::LoneField, found)
            .without(memory, buffer, &repeated, DamageCause::Repeated, found)
    }

    /// Skips the entries of some slots, which are in order.
    fn without(
        self,
        memory: &'a Memory<'_>,
        buffer: &TraceBuffer,
        slots: &[u64],
        cause: DamageCause,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        if slots.is_empty() {
            return self;
        }
        let size = buffer.layout.entry_bytes();
        let mut runs = Vec::with_capacity(self.runs.len() + slots.len());
        for run in self.runs {
            let first = slots.partition_point(|slot| *slot < run.first);
            let inside = slots.iter().skip(first).copied();
            let mut start = run.first;
            for slot in inside.take_while(|slot| *slot < run.end()) {
                runs.extend(run.within(start..slot, size));
                start = slot + 1;
            }
            runs.extend(run.within(start..run.end(), size));
        }
        let skipped = Self {
            runs: Vec::new(),
            damaged: slots.iter().map(|slot| *slot..slot + 1).collect(),
        };
        found.extend(skipped.diagnostic(memory, buffer, cause));
        let mut damaged = self.damaged;
        damaged.extend(skipped.damaged);
        damaged.sort_unstable_by_key(|part| part.start);
        Self { runs, damaged }
    }

    /// The slots of a range.
    pub(crate) fn within(
        &self,
        wanted: Range<u64>,
        size: usize,
    ) -> impl Iterator<Item = RecordRun<'a>> {
        let runs = self.runs.iter();
        runs.filter_map(move |run| run.within(wanted.clone(), size))
    }

    /// Number of damaged slots in a range.
    pub(crate) fn damaged_within(&self, wanted: Range<u64>) -> u64 {
        let first = self
            .damaged
            .partition_point(|part| part.end <= wanted.start);
        let parts = self.damaged.iter().skip(first);
        parts
            .take_while(|part| part.start < wanted.end)
            .map(|part| part.end.min(wanted.end) - part.start.max(wanted.start))
            .sum()
    }

    fn diagnostic(
        &self,
        memory: &Memory<'_>,
        buffer: &TraceBuffer,
        cause: DamageCause,
    ) -> Option<Diagnostic> {
        let count: u64 = self.damaged.iter().map(|part| part.end - part.start).sum();
        let first = self.damaged.iter().map(|part| part.start).min();
        let entry = buffer.layout.entry_bytes() as u64;
        let place = |slot: u64| {
            let address = buffer.events_address().saturating_add(slot * entry);
            memory.offset_of(address).unwrap_or(address)
        };
        let offset = cause.offset().or(first.map(place))?;
        let damaged = match (count, first) {
            (0, _) | (_, None) => "no entry is lost, but the entries moved".to_owned(),
            (1, Some(slot)) => format!("1 entry is damaged and skipped, in slot {slot}"),
            (_, Some(slot)) => {
                format!("{count} entries are damaged and skipped, the first in slot {slot}")
            }
        };
        let message = format!("{damaged}: {cause}");
        let diagnostic = Diagnostic::new(DiagnosticKind::DamagedEntries, message);
        Some(diagnostic.at_offset(offset).with_count(count.max(1)))
    }
}

/// Whether any entry is damaged, or unused ones are before used ones; and what the used ones
/// show together.
fn survey(buffer: &TraceBuffer, rules: &EntryRules, runs: &[RecordRun<'_>]) -> (bool, RingSurvey) {
    struct PartSurvey {
        is_damaged: bool,
        is_any_used: bool,
        is_any_unused: bool,
        ring: RingSurvey,
    }
    let mask = buffer.header.timer_mask;
    let part = || PartSurvey {
        is_damaged: false,
        is_any_used: false,
        is_any_unused: false,
        ring: RingSurvey::new(mask),
    };
    let size = rules.layout.entry_bytes();
    let tasks = runs.iter().flat_map(|run| {
        let starts = (run.first..run.end()).step_by(SLOTS_PER_TASK as usize);
        starts.map(move |start| (run, start))
    });
    let parts = rtoscope_trace::parallel::map(tasks.collect(), |(run, start)| {
        let mut part = part();
        // An entry is compared with the one before and the one after it.
        let from = start.saturating_sub(2).max(run.first);
        let wanted = run.within(from..start + SLOTS_PER_TASK, size);
        let bytes = wanted.map_or(&[][..], |run| run.bytes);
        let mut next_slot = from;
        EntryHeader::visit(rules.layout, bytes, |header| {
            let slot = next_slot;
            next_slot += 1;
            if slot < start {
                if header.is_used() {
                    part.ring.follow(slot, &header);
                }
            } else if header.is_used() {
                part.is_damaged |= rules.is_damaged(&header) || part.is_any_unused;
                part.is_any_used = true;
                part.ring.add(slot, &header);
            } else {
                part.is_any_unused = true;
            }
        });
        part
    });
    let mut is_any_unused = false;
    let mut is_damaged = false;
    let mut ring = RingSurvey::new(mask);
    for part in parts {
        is_damaged |= part.is_damaged || is_any_unused && part.is_any_used;
        is_any_unused |= part.is_any_unused;
        ring.append(part.ring);
    }
    (is_damaged, ring)
}

/// Bytes after a ring in which its last entries may be, if bytes were inserted.
const MAX_INSERTED_BYTES: usize = 4096;

/// The bytes of a run with those around it in the same segment, and its start in them.
fn region<'a>(
    memory: &'a Memory<'_>,
    buffer: &TraceBuffer,
    run: &RecordRun<'a>,
) -> Option<(&'a [u8], usize)> {
    let size = buffer.layout.entry_bytes();
    let address = buffer.events_address() + run.first * size as u64;
    let mut segments = memory.segments().iter();
    let segment = segments.find(|it| (it.address..it.end()).contains(&address))?;
    let start = usize::try_from(address - segment.address).ok()?;
    let rest = usize::try_from(buffer.event_slots - run.first).ok()?;
    let end = start.saturating_add(rest.saturating_mul(size).saturating_add(MAX_INSERTED_BYTES));
    let region = segment.bytes.get(..end.min(segment.bytes.len()))?;
    Some((region, start))
}

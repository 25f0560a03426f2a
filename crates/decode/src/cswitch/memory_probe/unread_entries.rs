//! Selects the entries of a log to read.

use crate::DecodeError;
use crate::cswitch::address_space::AddressSpace;
use crate::cswitch::log::{CoreLog, EntryLayout, LogPart, MissingEntries, Overwritten};
use crate::cswitch::ring_order::{self, LogBuffer};
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::Address;
use rtoscope_wire::cswitch::CoreHistory;
use std::ops::Range;

/// The position up to which a log has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadPosition {
    /// The session and the number of its next entry, if entries are numbered.
    next_entry: Option<(u32, u64)>,
    newest_entry: Vec<u8>,
}

/// Unread entries.
#[derive(Debug)]
pub(super) struct UnreadEntries {
    buffer: LogBuffer,
    layout: EntryLayout,
    slots: u64,
    /// The slot of the next entry.
    slot: u64,
    /// Their numbers, if entries are numbered; otherwise all slots are read.
    numbering: Option<EntryNumbers>,
}

#[derive(Debug, Clone)]
struct EntryNumbers {
    session: u32,
    /// The number of the entry in the first slot.
    lap_start: u64,
    wanted: Range<u64>,
}

/// Maximum size of a log.
const MAX_LOG_BYTES: u64 = 64 << 20;

impl UnreadEntries {
    /// Selects the entries of a buffer after a position.
    pub(super) fn new(
        buffer: LogBuffer,
        shape: EntryLayout,
        reached: Option<&ReadPosition>,
    ) -> Result<Self, DecodeError> {
        let size = shape.entry_bytes() as u64;
        let bytes = buffer.end.saturating_sub(buffer.start);
        let written = buffer.current.unwrap_or(buffer.end) - buffer.start;
        if bytes > MAX_LOG_BYTES || !written.is_multiple_of(size) {
            return Err(DecodeError::NoSwitchLog {
                problem: format!(
                    "the log would be at {} to {} with its next entry {written} bytes from its \
                     start, expected at most {MAX_LOG_BYTES} bytes and entries of {size}: the target runs \
                     another firmware",
                    Address(buffer.start),
                    Address(buffer.end)
                ),
            });
        }
        let slots = bytes / size;
        let slot = written / size;
        let numbers = buffer
            .session
            .zip(buffer.lap_start)
            .map(|(session, lap_start)| {
                let end = lap_start.saturating_add(slot);
                let oldest = match buffer.cyclic {
                    Some(true) => end.saturating_sub(slots),
                    _ => lap_start,
                };
                let next = reached.and_then(|reached| reached.next_entry);
                let next = next.filter(|(known, next)| *known == session && *next <= end);
                EntryNumbers {
                    session,
                    lap_start,
                    wanted: next.map_or(oldest, |(_, next)| next.max(oldest))..end,
                }
            });
        Ok(Self {
            buffer,
            layout: shape,
            slots,
            slot,
            numbering: numbers,
        })
    }

    pub(super) fn core(&self) -> u8 {
        self.buffer.core
    }

    /// The address ranges of these entries.
    pub(super) fn ranges(&self) -> Vec<Range<u64>> {
        let size = self.layout.entry_bytes() as u64;
        let address = |slot: u64| self.buffer.start + slot * size;
        let ranges = match &self.numbering {
            None => [0..self.slots, 0..0],
            Some(numbers) => self.slots_of(numbers, &numbers.wanted),
        };
        let ranges = ranges.into_iter().filter(|slots| !slots.is_empty());
        ranges
            .map(|slots| address(slots.start)..address(slots.end))
            .collect()
    }

    /// The slots of the entries of the previous lap, and of the current one.
    fn slots_of(&self, numbers: &EntryNumbers, wanted: &Range<u64>) -> [Range<u64>; 2] {
        let lap = numbers.lap_start;
        let before = |number: u64| self.slots.saturating_sub(lap.saturating_sub(number));
        let inside = |number: u64| number.saturating_sub(lap);
        [
            before(wanted.start)..before(wanted.end),
            inside(wanted.start)..inside(wanted.end),
        ]
    }

    /// The log of these entries, without those that may have been overwritten
    /// when the buffer was in state `now`. `None` if another session has been
    /// started.
    pub(super) fn log<'m>(&self, memory: &'m Memory<'m>, now: &LogBuffer) -> Option<CoreLog<'m>> {
        if now.start != self.buffer.start
            || now.end != self.buffer.end
            || now.session != self.buffer.session
        {
            return None;
        }
        let size = self.layout.entry_bytes() as u64;
        let slot = now.current?.checked_sub(now.start)? / size;
        let mut log = match &self.numbering {
            Some(numbers) => {
                // One more entry may be in progress.
                let end = now.lap_start?.checked_add(slot)?.checked_add(1)?;
                let lost = match self.buffer.cyclic {
                    Some(true) => end.saturating_sub(self.slots),
                    _ => 0,
                };
                let wanted =
                    numbers.wanted.start.max(lost).min(numbers.wanted.end)..numbers.wanted.end;
                self.numbered_log(memory, numbers, wanted)
            }
            None => {
                let mut log = ring_order::ordered_log(
                    AddressSpace::new(memory, None),
                    &self.buffer,
                    self.layout,
                    &mut Vec::new(),
                );
                let moved = (slot + self.slots).checked_sub(self.slot)? % self.slots.max(1);
                if log.overwritten.is_certain() {
                    drop_oldest(&mut log, moved + 1, size);
                }
                log
            }
        };
        log.lost_entries = now.lost_entries;
        log.idle_ticks = now.idle_ticks;
        Some(log)
    }

    fn numbered_log<'m>(
        &self,
        memory: &'m Memory<'m>,
        numbers: &EntryNumbers,
        wanted: Range<u64>,
    ) -> CoreLog<'m> {
        let ranges = self.slots_of(numbers, &wanted);
        let runs = ranges.into_iter().flat_map(|slots| {
            records::record_runs(memory, self.buffer.start, self.layout.entry_bytes(), slots)
        });
        let part = |run: records::RecordRun<'m>| LogPart {
            bytes: run.bytes,
            missing: MissingEntries::None,
            epoch: 0,
        };
        CoreLog {
            core: self.buffer.core,
            cyclic: self.buffer.cyclic,
            overwritten: match wanted.start {
                0 => Overwritten::No,
                before => Overwritten::some(Some(before)),
            },
            core_past: Some(CoreHistory {
                core: self.buffer.core.into(),
                session: numbers.session,
                preceding_entries: wanted.start,
            }),
            parts: runs.map(part).collect(),
            ..CoreLog::default()
        }
    }
}

fn drop_oldest(log: &mut CoreLog<'_>, entries: u64, size: u64) {
    let mut left = usize::try_from(entries * size).unwrap_or(usize::MAX);
    for part in &mut log.parts {
        let dropped = left.min(part.bytes.len());
        part.bytes = part.bytes.get(dropped..).unwrap_or_default();
        left -= dropped;
    }
    log.parts.retain(|part| !part.bytes.is_empty());
}

impl ReadPosition {
    /// The position after the entries of a log.
    pub(super) fn after(log: &CoreLog<'_>, shape: EntryLayout) -> Self {
        let size = shape.entry_bytes();
        let entries = log.entry_bytes() / size as u64;
        let next = log
            .core_past
            .map(|past| (past.session, past.preceding_entries.saturating_add(entries)));
        let last = log.parts.last();
        let newest = last.and_then(|part| part.bytes.chunks_exact(size).next_back());
        Self {
            next_entry: next,
            newest_entry: newest.unwrap_or_default().to_vec(),
        }
    }

    /// Whether no entry was written between this position and `later`.
    pub(super) fn is_unchanged(&self, later: &Self) -> bool {
        match (self.next_entry, later.next_entry) {
            (Some(next), Some(later)) => next == later,
            _ => self == later,
        }
    }
}

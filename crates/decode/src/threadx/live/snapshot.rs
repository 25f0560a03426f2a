//! The ring of one buffer, slot by slot.

use super::assembler::CompleteBuffer;
use super::checked_ring::CheckedRing;
use crate::clock::ClockOptions;
use crate::threadx::TraceBuffer;
use crate::threadx::entry_header::EntryHeader;
use rtoscope_trace::Diagnostic;
use std::ops::Range;

/// A complete buffer with a valid pointer to its next slot.
pub(super) struct BufferSnapshot {
    /// Its offset in the recording.
    pub(super) offset: u64,
    pub(super) buffer: TraceBuffer,
    /// The slot to be written next.
    pub(super) current: usize,
    /// Number of slots, at least 1.
    pub(super) slots: usize,
    pub(super) bytes: Vec<u8>,
    ring: Range<usize>,
    /// The slots from the oldest to the newest.
    pub(super) order: Vec<Range<usize>>,
    pub(super) is_wrapped: bool,
    /// Slots before which the timestamps fall.
    pub(super) falls: Vec<usize>,
    /// What the target did not write, or not in this order.
    pub(super) found: Vec<Diagnostic>,
}

impl BufferSnapshot {
    /// `None` if the header's pointer does not point to a slot, so that the
    /// order of slots is unknown.
    pub(super) fn new(whole: CompleteBuffer, clock: &ClockOptions) -> Option<Self> {
        let CompleteBuffer {
            offset,
            mut bytes,
            buffer,
            ..
        } = whole;
        let entry = buffer.layout.entry_bytes();
        let mut current = usize::try_from(buffer.current_slot()?).ok()?;
        let slots = usize::try_from(buffer.event_slots).ok()?;
        let start = usize::try_from(buffer.events_address()).ok()?;
        let ring = start..start.checked_add(slots.checked_mul(entry)?)?;
        if ring.end > bytes.len() {
            return None;
        }
        let checked = CheckedRing::new(&bytes, &buffer, current as u64, clock);
        if let Some(entries) = &checked.repaired
            && let Some(place) = bytes.get_mut(ring.clone())
        {
            place.copy_from_slice(entries);
            current = checked.end().map_or(current, |end| end % slots);
        }
        Some(Self {
            offset,
            buffer,
            current,
            slots,
            bytes,
            ring,
            order: checked.order,
            is_wrapped: checked.is_wrapped,
            falls: checked.falls,
            found: checked.found,
        })
    }

    /// A buffer of these parts: the registry, and the ring, which is full.
    pub(super) fn from_parts(
        buffer: TraceBuffer,
        offset: u64,
        registry: Vec<u8>,
        entries: &[u8],
    ) -> Self {
        let mut bytes = registry;
        let start = bytes.len();
        bytes.extend_from_slice(entries);
        let slots = entries.len() / buffer.layout.entry_bytes();
        Self {
            offset,
            buffer,
            current: 0,
            slots,
            ring: start..bytes.len(),
            bytes,
            order: std::iter::once(0..slots).collect(),
            is_wrapped: true,
            falls: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The bytes of the object registry.
    pub(super) fn registry(&self) -> &[u8] {
        let start = usize::try_from(self.buffer.registry_address()).unwrap_or(usize::MAX);
        let end = self.ring.start.max(start);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The bytes of consecutive slots.
    pub(super) fn entries(&self, slots: Range<usize>) -> &[u8] {
        let ring = self.bytes.get(self.ring.clone()).unwrap_or_default();
        let size = self.buffer.layout.entry_bytes();
        ring.get(slots.start * size..slots.end * size)
            .unwrap_or_default()
    }

    /// The bytes of a slot.
    pub(super) fn entry(&self, slot: usize) -> &[u8] {
        self.entries(slot..slot + 1)
    }

    /// Whether a slot was written.
    pub(super) fn is_used(&self, slot: usize) -> bool {
        EntryHeader::read(self.buffer.layout, self.entry(slot))
            .is_some_and(|header| header.is_used())
    }

    /// The written slots of these ranges, and their headers.
    pub(super) fn used_slots(
        &self,
        ranges: &[Range<usize>],
    ) -> impl DoubleEndedIterator<Item = (usize, EntryHeader)> {
        ranges.iter().cloned().flatten().filter_map(|slot| {
            let header = EntryHeader::read(self.buffer.layout, self.entry(slot))?;
            header.is_used().then_some((slot, header))
        })
    }

    /// The slots from `from` up to the one before `to`, in ring order.
    pub(super) fn slots_between(&self, from: usize, to: usize) -> Vec<Range<usize>> {
        let ranges = if from <= to {
            [from..to, 0..0]
        } else {
            [from..self.slots, 0..to]
        };
        let filled = ranges.into_iter().filter(|range| !range.is_empty());
        filled.collect()
    }

    /// Number of slots from one to another in ring order, less than the ring
    /// size.
    pub(super) fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from {
            to - from
        } else {
            self.slots - from + to
        }
    }

    /// The slot before another.
    pub(super) fn slot_before(&self, slot: usize) -> usize {
        slot.checked_sub(1).unwrap_or(self.slots - 1)
    }

    /// Whether `other` is the same ring at the same address.
    pub(super) fn is_same_ring(&self, other: &Self) -> bool {
        self.is_same_place(other) && self.slots == other.slots && self.ring == other.ring
    }

    /// Whether `other` was made by the same target at the same address.
    pub(super) fn is_same_place(&self, other: &Self) -> bool {
        self.buffer.layout == other.buffer.layout
            && self.buffer.header.base_address == other.buffer.header.base_address
    }
}

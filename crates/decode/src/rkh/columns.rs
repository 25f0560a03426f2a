//! The records of a stream in the columns of a trace.

use super::record_layout::MAX_ARGUMENTS;
use rtoscope_trace::EventKindId;
use rtoscope_trace::extras::Extras;
use std::ops::Range;

/// The header of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameHeader {
    pub(super) id: u8,
    /// The offset of its frame.
    pub(super) offset: u64,
    /// 0 if it has none.
    pub(super) sequence: u8,
    /// `None` if it has none.
    pub(super) timestamp: Option<u32>,
}

/// Columns of equal length.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordColumns {
    pub(super) kinds: Vec<EventKindId>,
    /// A record without a timestamp has that of the previous record.
    pub(super) timestamps: Vec<u32>,
    /// The last timestamp, or that of the record before the first.
    pub(super) last_timestamp: u32,
    pub(super) arguments: Vec<[u32; 4]>,
    pub(super) extras: Extras,
    pub(super) sequences: Vec<u8>,
    pub(super) offsets: FrameOffsets,
}

impl RecordColumns {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The number of the next event.
    pub(super) fn next_event(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Reserves memory for the records in `bytes` of a stream; a record takes
    /// about 16 bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        let records = bytes / 16;
        // If the allocation fails, the columns grow as needed.
        let _ = self.kinds.try_reserve(records);
        let _ = self.timestamps.try_reserve(records);
        let _ = self.arguments.try_reserve(records);
        let _ = self.sequences.try_reserve(records);
        let _ = self.offsets.low.try_reserve(records);
    }

    /// Appends a record with `count` arguments in the full layout.
    #[inline(always)]
    pub(super) fn push(&mut self, head: FrameHeader, values: &[u32; MAX_ARGUMENTS], count: usize) {
        let [first, second, third, fourth, more @ ..] = values;
        for value in more.iter().take(count.saturating_sub(4)) {
            self.extras.push(*value);
        }
        self.push_with_extras(head, [*first, *second, *third, *fourth]);
    }

    /// Appends a record whose extras are already stored.
    #[inline(always)]
    pub(super) fn push_with_extras(&mut self, head: FrameHeader, arguments: [u32; 4]) {
        self.last_timestamp = head.timestamp.unwrap_or(self.last_timestamp);
        self.timestamps.push(self.last_timestamp);
        self.kinds.push(EventKindId(head.id.into()));
        self.arguments.push(arguments);
        self.sequences.push(head.sequence);
        self.offsets.push(head.offset);
        self.extras.end_event();
    }
}

impl RecordColumns {
    /// Empty columns that continue these.
    pub(super) fn continuation(&self) -> Self {
        Self {
            last_timestamp: self.last_timestamp,
            extras: self.extras.continuation(),
            ..Self::default()
        }
    }

    /// Appends a range of the columns that continue these.
    pub(super) fn append(&mut self, other: &Self, range: Range<usize>) {
        fn part<'a, T>(column: &'a [T], range: &Range<usize>) -> &'a [T] {
            column.get(range.clone()).unwrap_or_default()
        }
        self.kinds.extend_from_slice(part(&other.kinds, &range));
        self.timestamps
            .extend_from_slice(part(&other.timestamps, &range));
        self.last_timestamp = self
            .timestamps
            .last()
            .copied()
            .unwrap_or(other.last_timestamp);
        self.arguments
            .extend_from_slice(part(&other.arguments, &range));
        self.sequences
            .extend_from_slice(part(&other.sequences, &range));
        for index in range.clone() {
            self.offsets
                .push(other.offsets.get(index).unwrap_or_default());
        }
        self.extras.append(&other.extras, range);
    }
}

/// Non-decreasing offsets, in 4 bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FrameOffsets {
    low: Vec<u32>,
    /// The indices of the first offsets beyond each 4 GiB boundary.
    line_starts: Vec<usize>,
}

impl FrameOffsets {
    #[inline(always)]
    fn push(&mut self, offset: u64) {
        if offset >> 32 > self.line_starts.len() as u64 {
            self.start_line(offset);
        }
        self.low.push(offset as u32);
    }

    #[cold]
    fn start_line(&mut self, offset: u64) {
        while offset >> 32 > self.line_starts.len() as u64 {
            self.line_starts.push(self.low.len());
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<u64> {
        let low = *self.low.get(index)?;
        let high = self.line_starts.partition_point(|first| *first <= index);
        Some((high as u64) << 32 | u64::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_beyond_4_gib() {
        let all = [
            0,
            7,
            u64::from(u32::MAX),
            1 << 32,
            (1 << 32) + 9,
            5 << 32,
            (5 << 32) + 1,
        ];
        let mut offsets = FrameOffsets::default();
        all.iter().for_each(|offset| offsets.push(*offset));
        let back: Vec<_> = (0..all.len())
            .filter_map(|index| offsets.get(index))
            .collect();
        assert_eq!(back, all);
        assert_eq!(offsets.get(all.len()), None);
    }
}

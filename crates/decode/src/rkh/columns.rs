//! The records of a stream as they fill the columns of a trace.

use super::plan::MOST_ARGUMENTS;
use rtoscope_trace::KindId;
use rtoscope_trace::extras::Extras;

/// What every record has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) id: u8,
    /// Where its frame starts.
    pub(super) offset: u64,
    /// 0 where it has none.
    pub(super) sequence: u8,
    /// `None` where it has none.
    pub(super) stamp: Option<u32>,
}

/// Columns, all of one length.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    pub(super) kinds: Vec<KindId>,
    /// Of a record without a stamp that of the record before.
    pub(super) stamps: Vec<u32>,
    pub(super) arguments: Vec<[u32; 4]>,
    pub(super) extras: Extras,
    pub(super) sequences: Vec<u8>,
    pub(super) offsets: Offsets,
}

impl Columns {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The number that the next event gets.
    pub(super) fn next(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Makes room for records; each takes up 16 bytes of a stream or so.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let records = bytes / 16;
        // Where there is no such room, it grows when needed.
        let _ = self.kinds.try_reserve(records);
        let _ = self.stamps.try_reserve(records);
        let _ = self.arguments.try_reserve(records);
        let _ = self.sequences.try_reserve(records);
        let _ = self.offsets.low.try_reserve(records);
    }

    /// Adds a record of so many arguments in the full layout.
    #[inline(always)]
    pub(super) fn push(&mut self, head: Head, values: &[u32; MOST_ARGUMENTS], count: usize) {
        let [first, second, third, fourth, more @ ..] = values;
        for value in more.iter().take(count.saturating_sub(4)) {
            self.extras.push(*value);
        }
        self.end(head, [*first, *second, *third, *fourth]);
    }

    /// Adds a record whose extras are already there.
    #[inline(always)]
    pub(super) fn end(&mut self, head: Head, arguments: [u32; 4]) {
        let stamp = head.stamp.or_else(|| self.stamps.last().copied());
        self.stamps.push(stamp.unwrap_or_default());
        self.kinds.push(KindId(head.id.into()));
        self.arguments.push(arguments);
        self.sequences.push(head.sequence);
        self.offsets.push(head.offset);
        self.extras.end();
    }
}

/// Offsets that never fall, in 4 bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Offsets {
    low: Vec<u32>,
    /// The numbers of the first offsets beyond each 4 GiB line.
    lines: Vec<usize>,
}

impl Offsets {
    #[inline(always)]
    fn push(&mut self, offset: u64) {
        if offset >> 32 > self.lines.len() as u64 {
            self.cross(offset);
        }
        self.low.push(offset as u32);
    }

    #[cold]
    fn cross(&mut self, offset: u64) {
        while offset >> 32 > self.lines.len() as u64 {
            self.lines.push(self.low.len());
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<u64> {
        let low = *self.low.get(index)?;
        let high = self.lines.partition_point(|first| *first <= index);
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
        let mut offsets = Offsets::default();
        all.iter().for_each(|offset| offsets.push(*offset));
        let back: Vec<_> = (0..all.len())
            .filter_map(|index| offsets.get(index))
            .collect();
        assert_eq!(back, all);
        assert_eq!(offsets.get(all.len()), None);
    }
}

//! The records of a stream as they fill the columns of a trace.

use super::plan::MOST_ARGUMENTS;
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{EventIndex, KindId};
use rtoscope_wire::rkh::record::records;
use rtoscope_wire::rkh::{ArgumentKind, Dialect, Shape};
use std::ops::Range;

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
    /// The last stamp, or that of the record before the first.
    pub(super) stamp: u32,
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
        self.stamp = head.stamp.unwrap_or(self.stamp);
        self.stamps.push(self.stamp);
        self.kinds.push(KindId(head.id.into()));
        self.arguments.push(arguments);
        self.sequences.push(head.sequence);
        self.offsets.push(head.offset);
        self.extras.end();
    }
}

impl Columns {
    /// Empty columns behind these.
    pub(super) fn behind(&self) -> Self {
        Self {
            stamp: self.stamp,
            ..Self::default()
        }
    }

    /// Adds a part of other columns.
    pub(super) fn append(&mut self, other: &Self, range: Range<usize>, texts: &Texts) {
        fn part<'a, T>(column: &'a [T], range: &Range<usize>) -> &'a [T] {
            column.get(range.clone()).unwrap_or_default()
        }
        let from = self.len();
        self.kinds.extend_from_slice(part(&other.kinds, &range));
        self.stamps.extend_from_slice(part(&other.stamps, &range));
        self.stamp = self.stamps.last().copied().unwrap_or(other.stamp);
        self.arguments
            .extend_from_slice(part(&other.arguments, &range));
        self.sequences
            .extend_from_slice(part(&other.sequences, &range));
        for index in range.clone() {
            self.offsets
                .push(other.offsets.get(index).unwrap_or_default());
        }
        let kinds = part(&other.kinds, &range).iter();
        let places = self.arguments.get_mut(from..).unwrap_or_default();
        for ((kind, arguments), event) in kinds.zip(places).zip(range.start..) {
            let event = EventIndex(u32::try_from(event).unwrap_or(u32::MAX));
            let words = other.extras.words(event);
            match texts.of_kind(*kind) {
                Held::Words => words.iter().for_each(|word| self.extras.push(*word)),
                Held::Items => {
                    let items = other.extras.items(event);
                    items.for_each(|item| self.extras.push_item(&item));
                }
                Held::Text(place) => {
                    let mut words = words.to_vec();
                    let mut all = arguments.iter_mut().chain(&mut words);
                    if let Some(text) = all.nth(place.into()) {
                        *text = self.extras.keep_text(other.extras.text((*text).into()));
                    }
                    words.iter().for_each(|word| self.extras.push(*word));
                }
            }
            self.extras.end();
        }
    }
}

/// What the extras hold of the records of each kind.
pub(super) struct Texts([Held; 256]);

#[derive(Debug, Clone, Copy)]
enum Held {
    /// Arguments behind the fourth.
    Words,
    /// A text, which that argument names, beside them.
    Text(u8),
    /// What the record says itself.
    Items,
}

impl Texts {
    pub(super) fn of(dialect: Dialect) -> Self {
        let mut all = [Held::Words; 256];
        for record in records(dialect) {
            let mut arguments = record.arguments.iter();
            let text = arguments.position(|argument| argument.kind == ArgumentKind::Text);
            if let Some(held) = all.get_mut(usize::from(record.id)) {
                *held = match (record.shape, text) {
                    (Shape::Items | Shape::Expectation, _) => Held::Items,
                    (_, Some(place)) => u8::try_from(place).map_or(Held::Words, Held::Text),
                    (_, None) => Held::Words,
                };
            }
        }
        Self(all)
    }

    #[inline(always)]
    fn of_kind(&self, kind: KindId) -> Held {
        self.0[usize::from(kind.0 as u8)]
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

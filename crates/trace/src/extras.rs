//! Content of records that does not fit into the four arguments of the columns.

use crate::EventIndex;
use std::fmt;
use std::ops::Range;

/// Further arguments, texts and formatted items of events, in trace order.
///
/// Each event has a run of words, which may be empty. Their meaning depends on
/// the event's kind, see [`ExtrasLayout`](crate::catalogue::ExtrasLayout).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras {
    /// The end of each event's words; up to the last event that has any.
    ends: Vec<u32>,
    words: Vec<u32>,
    /// Texts, each followed by a NUL, and blocks of memory.
    bytes: Vec<u8>,
    /// The position of the first of them.
    start: u32,
}

macro_rules! item_types {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// The type of an item in an application's record.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum ItemType {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ItemType {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in output, e.g. `u16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

item_types! {
    /// A signed byte.
    I8 "i8";
    /// A byte.
    U8 "u8";
    /// A signed number of 16 bits.
    I16 "i16";
    /// A number of 16 bits.
    U16 "u16";
    /// A signed number of 32 bits.
    I32 "i32";
    /// A number of 32 bits.
    U32 "u32";
    /// A number of 32 bits, displayed in hexadecimal.
    X32 "x32";
    /// A text.
    Text "str";
    /// A block of memory.
    Memory "mem";
    /// The address of an object.
    Object "obj";
    /// The address of a function.
    Function "fun";
    /// The number of a signal.
    Signal "sig";
}

impl ItemType {
    /// Whether its items have a display width.
    pub const fn has_width(self) -> bool {
        !matches!(
            self,
            Self::Text | Self::Memory | Self::Object | Self::Function | Self::Signal
        )
    }
}

/// A self-describing item of a record, as the target's `printf`-like trace
/// functions write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedItem<'a> {
    /// Its type.
    pub item_type: ItemType,
    /// Minimum display width in characters.
    pub width: u8,
    /// Its value.
    pub value: ItemValue<'a>,
}

/// The value of a [`TypedItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemValue<'a> {
    /// A number, an address, a signal.
    Number(u32),
    /// A signed number.
    Signed(i32),
    /// A text, without the NUL.
    Text(&'a [u8]),
    /// A block of memory.
    Memory(&'a [u8]),
}

/// An item's first word: its type, its width, and a block's length from bit 16
/// up.
const WIDTH_SHIFT: u32 = 8;
const LENGTH_SHIFT: u32 = 16;

impl Extras {
    /// The words of an event.
    pub fn words(&self, event: EventIndex) -> &[u32] {
        let end = |number: usize| self.ends.get(number).copied();
        let Some(last) = end(event.index()) else {
            return &[];
        };
        let first = event.index().checked_sub(1).and_then(end).unwrap_or(0);
        let words = self.words.get(first as usize..last as usize);
        words.unwrap_or_default()
    }

    /// Whether the content of the first `count` events equals that of `other`.
    pub(crate) fn starts_with(&self, other: &Self, count: usize) -> bool {
        fn first<T>(list: &[T], count: usize) -> &[T] {
            list.get(..count).unwrap_or(list)
        }
        let common = self.ends.len().min(other.ends.len()).min(count);
        let ends = first(&self.ends, common);
        let last = ends.last().copied().unwrap_or_default();
        let words = last as usize;
        let has_further_words = |extras: &Self| first(&extras.ends, count).last() > Some(&last);
        // Texts of later events follow.
        let bytes = self.bytes.len().min(other.bytes.len());
        self.start == other.start
            && ends == first(&other.ends, common)
            && !has_further_words(self)
            && !has_further_words(other)
            && first(&self.words, words) == first(&other.words, words)
            && first(&self.bytes, bytes) == first(&other.bytes, bytes)
    }

    /// The text at the position in an argument of meaning
    /// [`Text`](crate::catalogue::Meaning::Text).
    pub fn text(&self, position: u64) -> &[u8] {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let rest = self.bytes.get(self.place(position)..).unwrap_or_default();
        rest.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// The items of an event whose kind has them.
    pub fn items(&self, event: EventIndex) -> impl Iterator<Item = TypedItem<'_>> {
        let pairs = self.words(event).as_chunks().0;
        pairs.iter().filter_map(|[tag, value]| {
            let item_type = *ItemType::ALL.get(usize::from(*tag as u8))?;
            let value = match item_type {
                ItemType::I8 | ItemType::I16 | ItemType::I32 => {
                    ItemValue::Signed(value.cast_signed())
                }
                ItemType::Text => ItemValue::Text(self.text(u64::from(*value))),
                ItemType::Memory => {
                    let start = self.place(*value);
                    let block = start..start.saturating_add((tag >> LENGTH_SHIFT) as usize);
                    ItemValue::Memory(self.bytes.get(block).unwrap_or_default())
                }
                _ => ItemValue::Number(*value),
            };
            let width = (tag >> WIDTH_SHIFT) as u8;
            Some(TypedItem {
                item_type,
                width,
                value,
            })
        })
    }

    /// Adds a word to the current event, which [`Extras::end_event`] ends.
    pub fn push(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Stores a text, without a NUL in it, and returns its position.
    pub fn push_text(&mut self, text: &[u8]) -> u32 {
        let position = self.push_bytes(text);
        self.bytes.push(0);
        position
    }

    /// Adds an item to the current event, which [`Extras::end_event`] ends; of
    /// a block of memory, at most 65535 bytes.
    pub fn push_item(&mut self, item: &TypedItem<'_>) {
        let mut tag = item.item_type as u32 | u32::from(item.width) << WIDTH_SHIFT;
        let value = match item.value {
            ItemValue::Number(number) => number,
            ItemValue::Signed(number) => number.cast_unsigned(),
            ItemValue::Text(text) => self.push_text(text),
            ItemValue::Memory(block) => {
                let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
                tag |= u32::from(length) << LENGTH_SHIFT;
                self.push_bytes(block.get(..length.into()).unwrap_or_default())
            }
        };
        self.words.extend([tag, value]);
    }

    /// Replaces the first item of an event whose kind has items by a text, without a NUL
    /// in it. Does nothing if the event has no item.
    pub fn replace_first_item(&mut self, event: EventIndex, text: &[u8]) {
        let before = event.index().checked_sub(1);
        let first = before.map_or(Some(0), |before| self.ends.get(before).copied());
        let end = self.ends.get(event.index()).copied();
        let (Some(first), Some(end)) = (first, end) else {
            return;
        };
        let position = self.push_text(text);
        if let Some([tag, value, ..]) = self.words.get_mut(first as usize..end as usize) {
            *tag = ItemType::Text as u32;
            *value = position;
        }
    }

    /// Ends the words of an event. Must be called for every event, in order.
    pub fn end_event(&mut self) {
        self.ends
            .push(u32::try_from(self.words.len()).unwrap_or(u32::MAX));
    }

    /// Extras without events, whose texts have positions after these: they can be
    /// appended to these.
    #[must_use]
    pub fn continuation(&self) -> Self {
        Self {
            start: self.next_position(),
            ..Self::default()
        }
    }

    /// Appends events of the [continuation](Self::continuation) of these extras. Extras
    /// without events become the part of `next`.
    pub fn append(&mut self, next: &Self, events: Range<usize>) {
        if self.ends.is_empty() {
            *self = Self {
                start: next.start,
                ..Self::default()
            };
        }
        debug_assert_eq!(self.next_position(), next.start, "a continuation");
        let end_of = |count: usize| {
            let last = count.checked_sub(1)?;
            next.ends.get(last).or(next.ends.last()).copied()
        };
        let [first, last] = [events.start, events.end].map(|it| end_of(it).unwrap_or_default());
        let before = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let words = next.words.get(first as usize..last as usize);
        self.words.extend_from_slice(words.unwrap_or_default());
        let ends = next.ends.get(events).unwrap_or_default().iter();
        self.ends
            .extend(ends.map(|end| before.saturating_add(end - first)));
        self.bytes.extend_from_slice(&next.bytes);
    }

    /// Puts the events into another order, in which `order` has their numbers.
    pub fn reorder(&mut self, order: &[EventIndex]) {
        let mut ordered = Self {
            start: self.start,
            ..Self::default()
        };
        for event in order {
            ordered.words.extend_from_slice(self.words(*event));
            ordered.end_event();
        }
        ordered.bytes = std::mem::take(&mut self.bytes);
        *self = ordered;
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> u32 {
        let position = self.next_position();
        self.bytes.extend_from_slice(bytes);
        position
    }

    fn next_position(&self) -> u32 {
        u32::try_from(self.bytes.len()).map_or(u32::MAX, |bytes| self.start.wrapping_add(bytes))
    }

    /// The place of a position in the bytes.
    fn place(&self, position: u32) -> usize {
        position.wrapping_sub(self.start) as usize
    }
}

impl fmt::Display for ItemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_their_own_words() {
        let mut extras = Extras::default();
        extras.push(7);
        extras.end_event();
        extras.end_event();
        let position = extras.push_text(b"name");
        extras.push(position);
        extras.push(9);
        extras.end_event();
        assert_eq!(extras.words(EventIndex(0)), [7]);
        assert_eq!(extras.words(EventIndex(1)), []);
        assert_eq!(extras.words(EventIndex(2)), [position, 9]);
        assert_eq!(extras.words(EventIndex(3)), []);
        assert_eq!(extras.text(position.into()), b"name");
        assert_eq!(extras.text(1000), b"");
        extras.reorder(&[2, 3, 0, 1].map(EventIndex));
        assert_eq!(extras.words(EventIndex(0)), [position, 9]);
        assert_eq!(extras.words(EventIndex(2)), [7]);
        assert_eq!(extras.text(position.into()), b"name");
    }

    #[test]
    fn parts_keep_the_positions_of_their_texts() {
        let mut parts = vec![Extras::default()];
        for number in 0..9_u8 {
            let part = parts.last_mut().unwrap();
            let position = part.push_text(&[b'a' + number; 3]);
            part.push(position);
            part.end_event();
            if number % 3 == 2 {
                parts.push(parts.last().unwrap().continuation());
            }
        }
        let mut joined = Extras::default();
        joined.append(&parts[0], 3..3);
        joined.append(&parts[1], 1..3);
        joined.append(&parts[2], 0..2);
        for (event, number) in (0..4).zip(b'e'..) {
            let [position] = *joined.words(EventIndex(event)) else {
                panic!("a word");
            };
            assert_eq!(joined.text(position.into()), [number; 3]);
        }
        assert_eq!(joined.text(0), b"", "a text of the first part");
    }

    #[test]
    fn items_round_trip() {
        let items = [
            (ItemType::I8, 3, ItemValue::Signed(-1)),
            (ItemType::X32, 8, ItemValue::Number(0xDEAD_BEEF)),
            (ItemType::Text, 0, ItemValue::Text(b"")),
            (ItemType::Memory, 0, ItemValue::Memory(&[1, 0, 2])),
            (ItemType::Signal, 0, ItemValue::Number(5)),
        ];
        let items = items.map(|(item_type, width, value)| TypedItem {
            item_type,
            width,
            value,
        });
        let mut extras = Extras::default();
        extras.end_event();
        items.iter().for_each(|item| extras.push_item(item));
        extras.end_event();
        assert_eq!(extras.items(EventIndex(0)).count(), 0);
        let back: Vec<_> = extras.items(EventIndex(1)).collect();
        assert_eq!(back, items);
        extras.replace_first_item(EventIndex(0), b"no item");
        extras.replace_first_item(EventIndex(1), b"text");
        extras.replace_first_item(EventIndex(2), b"no event");
        let replaced: Vec<_> = extras.items(EventIndex(1)).collect();
        assert_eq!(replaced[0].value, ItemValue::Text(b"text"));
        assert_eq!(replaced[1..], items[1..]);
        assert_eq!(extras.items(EventIndex(0)).count(), 0);
    }
}

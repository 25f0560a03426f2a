//! The events of a trace.
//!
//! Nothing outside this module depends on how events are stored. Today they are
//! columns in memory, which a decoder fills as [`EventColumns`]. Readers use one
//! of
//! - accessors for one event, or one property of it: [`Events::get`],
//!   [`Events::time`] …;
//! - binary search by time: [`Events::index_at_or_after`] and others;
//! - [`Events::visit`] and [`Events::visit_headers`], the fastest way to read
//!   many events;
//! - [`Events::chunks`], for loops over single columns and for consumers that
//!   borrow a column, such as tables: a chunk has a slice of each column.
//!
//! A chunk is never the whole trace by promise: its length is limited, whatever
//! the trace's. A storage that reads records from a mapped file can therefore
//! implement all of this by decoding one chunk at a time, without columns of the
//! whole trace in memory.

mod chunk;
mod columns;

pub use chunk::{ArgumentSlice, EventChunk, WordSlice};
pub use columns::{ArgumentColumn, EventColumns, TargetColumn, WordColumn};

use crate::event::PriorityWord;
use crate::extras::Extras;
use crate::{ContextId, Event, EventHeader, EventIndex, EventKindId, Ticks};
use std::ops::Range;

/// The events of a trace, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// Equally long.
    columns: EventColumns,
}

/// Maximum length of a chunk. Chunks end at multiples of it: batches of tables,
/// whose lengths divide it, are therefore part of one chunk.
const MAX_CHUNK_LEN: usize = 1 << 17;

impl Events {
    /// Creates the events in these columns. Values without a counterpart in all
    /// columns are dropped from the end.
    pub fn new(columns: EventColumns) -> Self {
        let mut events = Self { columns };
        events.columns.truncate_to_shortest();
        events
    }

    /// Changes the columns, as [`Events::new`] of the changed columns does.
    pub fn edit(&mut self, change: impl FnOnce(&mut EventColumns)) {
        change(&mut self.columns);
        self.columns.truncate_to_shortest();
    }

    /// Whether the first `count` events exist here and in `other`, and are equal.
    pub fn starts_with(&self, other: &Self, count: usize) -> bool {
        count <= self.len()
            && count <= other.len()
            && self.columns.starts_with(&other.columns, count)
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.columns.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.time.is_empty()
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> Ticks {
        Ticks(self.columns.time.last().copied().unwrap_or_default())
    }

    /// Bits of an argument and of a timestamp: 32 or 64, the width of the
    /// target's words.
    pub fn word_bits(&self) -> u8 {
        match self.columns.arguments {
            ArgumentColumn::Narrow(_) => 32,
            ArgumentColumn::Wide(_) => 64,
        }
    }

    /// The event with that number.
    pub fn get(&self, index: EventIndex) -> Option<Event> {
        Some(Event {
            index,
            time: self.time(index)?,
            timestamp: self.timestamp(index)?,
            core: self.core(index)?,
            context: self.context(index)?,
            kind: self.kind(index)?,
            priority_word: self.priority_word(index)?,
            arguments: self.arguments(index)?,
        })
    }

    /// An event's time since the first event.
    #[inline]
    pub fn time(&self, index: EventIndex) -> Option<Ticks> {
        self.columns.time.get(index.index()).copied().map(Ticks)
    }

    /// An event's timestamp as recorded, not masked.
    #[inline]
    pub fn timestamp(&self, index: EventIndex) -> Option<u64> {
        match &self.columns.timestamp {
            WordColumn::Narrow(words) => words.get(index.index()).copied().map(u64::from),
            WordColumn::Wide(words) => words.get(index.index()).copied(),
        }
    }

    /// The core that recorded an event.
    #[inline]
    pub fn core(&self, index: EventIndex) -> Option<u8> {
        match self.columns.core.get(index.index()) {
            Some(core) => Some(*core),
            None => (index.index() < self.len()).then_some(0),
        }
    }

    /// The context of an event.
    #[inline]
    pub fn context(&self, index: EventIndex) -> Option<ContextId> {
        self.columns.context.get(index.index()).copied()
    }

    /// The kind of an event.
    #[inline]
    pub fn kind(&self, index: EventIndex) -> Option<EventKindId> {
        self.columns.kind.get(index.index()).copied()
    }

    /// What an event's record says about the running context.
    #[inline]
    pub fn priority_word(&self, index: EventIndex) -> Option<PriorityWord> {
        self.columns.priority_word.get(index.index()).copied()
    }

    /// The arguments of an event.
    #[inline]
    pub fn arguments(&self, index: EventIndex) -> Option<[u64; 4]> {
        match &self.columns.arguments {
            ArgumentColumn::Narrow(words) => {
                words.get(index.index()).map(|words| words.map(u64::from))
            }
            ArgumentColumn::Wide(words) => words.get(index.index()).copied(),
        }
    }

    /// Content that does not fit into four arguments.
    #[inline]
    pub fn extras(&self) -> &Extras {
        &self.columns.extras
    }

    /// The first event at or after a time; the number of events if there is
    /// none.
    pub fn index_at_or_after(&self, time: Ticks) -> EventIndex {
        event_index(self.partition_point(0..self.len(), |other| other < time))
    }

    /// The first event after a time; the number of events if there is none.
    pub fn index_after(&self, time: Ticks) -> EventIndex {
        event_index(self.partition_point(0..self.len(), |other| other <= time))
    }

    /// Among the events with these numbers, the first for whose time `is_before`
    /// is false; the end of the range if there is none. `is_before` must be
    /// true up to some time, and false after it.
    pub fn partition_point(
        &self,
        numbers: Range<usize>,
        is_before: impl Fn(Ticks) -> bool,
    ) -> usize {
        let numbers = self.clamp(numbers);
        let times = self.columns.time.get(numbers.clone()).unwrap_or_default();
        numbers.start + times.partition_point(|time| is_before(Ticks(*time)))
    }

    /// All events, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Event> {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        (0..count).filter_map(|index| self.get(EventIndex(index)))
    }

    /// The times of all events since the first.
    pub fn times(&self) -> impl DoubleEndedIterator<Item = Ticks> + Clone {
        let chunks = self.chunks(0..self.len());
        chunks.flat_map(|chunk| chunk.times.iter().copied().map(Ticks))
    }

    /// The contexts of all events.
    pub fn contexts(&self) -> impl DoubleEndedIterator<Item = ContextId> + Clone {
        let chunks = self.chunks(0..self.len());
        chunks.flat_map(|chunk| chunk.contexts.iter().copied())
    }

    /// The kinds of all events.
    pub fn kinds(&self) -> impl DoubleEndedIterator<Item = EventKindId> + Clone {
        let chunks = self.chunks(0..self.len());
        chunks.flat_map(|chunk| chunk.kinds.iter().copied())
    }

    /// The events with these numbers, as far as they exist, in chunks.
    pub fn chunks(
        &self,
        numbers: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = EventChunk<'_>> + Clone {
        let Range { start, end } = self.clamp(numbers);
        let chunks = match start < end {
            true => start / MAX_CHUNK_LEN..end.div_ceil(MAX_CHUNK_LEN),
            false => 0..0,
        };
        chunks.map(move |chunk| {
            let first = chunk * MAX_CHUNK_LEN;
            self.chunk(first.max(start)..(first + MAX_CHUNK_LEN).min(end))
        })
    }

    /// Calls `visit` with the events with these numbers, oldest first: the
    /// fastest way to read many.
    pub fn visit(&self, numbers: Range<usize>, mut visit: impl FnMut(Event)) {
        for chunk in self.chunks(numbers) {
            chunk.visit(&mut visit);
        }
    }

    /// The same without kinds and arguments, which reads fewer columns.
    pub fn visit_headers(&self, numbers: Range<usize>, mut visit: impl FnMut(EventHeader)) {
        for chunk in self.chunks(numbers) {
            chunk.visit_headers(&mut visit);
        }
    }

    fn clamp(&self, numbers: Range<usize>) -> Range<usize> {
        let end = numbers.end.min(self.len());
        numbers.start.min(end)..end
    }

    fn chunk(&self, numbers: Range<usize>) -> EventChunk<'_> {
        fn slice<'c, T>(column: &'c [T], numbers: &Range<usize>) -> &'c [T] {
            column.get(numbers.clone()).unwrap_or_default()
        }
        let columns = &self.columns;
        EventChunk {
            first: event_index(numbers.start),
            times: slice(&columns.time, &numbers),
            timestamps: match &columns.timestamp {
                WordColumn::Narrow(words) => WordSlice::Narrow(slice(words, &numbers)),
                WordColumn::Wide(words) => WordSlice::Wide(slice(words, &numbers)),
            },
            cores: slice(&columns.core, &numbers),
            contexts: slice(&columns.context, &numbers),
            kinds: slice(&columns.kind, &numbers),
            priority_words: slice(&columns.priority_word, &numbers),
            arguments: match &columns.arguments {
                ArgumentColumn::Narrow(words) => ArgumentSlice::Narrow(slice(words, &numbers)),
                ArgumentColumn::Wide(words) => ArgumentSlice::Wide(slice(words, &numbers)),
            },
        }
    }
}

fn event_index(number: usize) -> EventIndex {
    EventIndex(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;

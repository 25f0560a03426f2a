//! The events of a trace.
//!
//! Nothing outside this module depends on how events are stored: as columns in memory, which
//! a decoder fills ([`EventColumns`]), or as their records, which are read where they lie
//! ([`RecordedEvents`]). Readers use one of
//! - accessors for one event, or one property of it: [`Events::get`],
//!   [`Events::time`] …;
//! - binary search by time: [`Events::index_at_or_after`] and others;
//! - [`Events::visit`] and [`Events::visit_headers`], the fastest way to read
//!   many events;
//! - [`Events::times_of`] and others, which borrow a part of a column if there is one.

mod columns;
mod iter;
mod kind_counts;
pub mod records;

pub use columns::{ArgumentColumn, EventColumns, TargetColumn, WordColumn};
pub use iter::EventIter;
pub use kind_counts::KindCounts;
pub use records::RecordedEvents;

use crate::event::PriorityWord;
use crate::extras::Extras;
use crate::{ContextId, Event, EventHeader, EventIndex, EventKindId, Ticks, parallel};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The events of a trace, oldest first.
#[derive(Debug, Clone)]
pub struct Events(Storage);

#[derive(Debug, Clone)]
enum Storage {
    /// Equally long columns.
    Columns(Box<EventColumns>),
    Records(Arc<RecordedEvents>),
}

impl Default for Events {
    fn default() -> Self {
        Self(Storage::Columns(Box::default()))
    }
}

impl PartialEq for Events {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Storage::Columns(columns), Storage::Columns(others)) => columns == others,
            _ => {
                self.len() == other.len()
                    && self.word_bits() == other.word_bits()
                    && self.starts_with(other, self.len())
            }
        }
    }
}

impl Eq for Events {}

impl From<RecordedEvents> for Events {
    fn from(records: RecordedEvents) -> Self {
        Self(Storage::Records(Arc::new(records)))
    }
}

impl Events {
    /// Creates the events in these columns. Values without a counterpart in all
    /// columns are dropped from the end.
    pub fn new(mut columns: EventColumns) -> Self {
        columns.truncate_to_shortest();
        Self(Storage::Columns(Box::new(columns)))
    }

    /// Changes the columns, as [`Events::new`] of the changed columns does. Recorded events
    /// become columns first.
    pub fn edit(&mut self, change: impl FnOnce(&mut EventColumns)) {
        let mut columns = match std::mem::take(self).0 {
            Storage::Columns(columns) => *columns,
            Storage::Records(records) => EventColumns::of(&Self(Storage::Records(records))),
        };
        change(&mut columns);
        *self = Self::new(columns);
    }

    /// Whether the first `count` events exist here and in `other`, and are equal.
    pub fn starts_with(&self, other: &Self, count: usize) -> bool {
        if count > self.len() || count > other.len() {
            return false;
        }
        match (&self.0, &other.0) {
            (Storage::Columns(columns), Storage::Columns(others)) => {
                columns.starts_with(others, count)
            }
            _ => {
                self.extras().starts_with(other.extras(), count)
                    && self.iter().take(count).eq(other.iter().take(count))
            }
        }
    }

    /// Why records could not be read any more. Their events then look empty, so that
    /// whatever was computed since is wrong.
    pub fn read_failure(&self) -> Option<&str> {
        match &self.0 {
            Storage::Columns(_) => None,
            Storage::Records(records) => records.failure(),
        }
    }

    /// Number of events.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Storage::Columns(columns) => columns.time.len(),
            Storage::Records(records) => records.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> Ticks {
        let last = self.len().checked_sub(1);
        let time = last.and_then(|last| self.time(event_index(last)));
        time.unwrap_or_default()
    }

    /// Bits of an argument and of a timestamp: 32 or 64, the width of the
    /// target's words.
    pub fn word_bits(&self) -> u8 {
        match &self.0 {
            Storage::Columns(columns) => columns.word_bits(),
            Storage::Records(records) => records.word_bits(),
        }
    }

    /// The event with that number.
    pub fn get(&self, index: EventIndex) -> Option<Event> {
        match &self.0 {
            Storage::Columns(columns) => columns.get(index),
            Storage::Records(records) => records.get(index.index()),
        }
    }

    /// An event's time since the first event.
    #[inline]
    pub fn time(&self, index: EventIndex) -> Option<Ticks> {
        match &self.0 {
            Storage::Columns(columns) => columns.time.get(index.index()).copied().map(Ticks),
            Storage::Records(records) => records.time(index.index()).map(Ticks),
        }
    }

    /// An event's timestamp as recorded, not masked.
    #[inline]
    pub fn timestamp(&self, index: EventIndex) -> Option<u64> {
        match &self.0 {
            Storage::Columns(columns) => columns.timestamp.get(index),
            Storage::Records(records) => Some(records.get(index.index())?.timestamp),
        }
    }

    /// The core that recorded an event.
    #[inline]
    pub fn core(&self, index: EventIndex) -> Option<u8> {
        match &self.0 {
            Storage::Columns(columns) => columns.core(index),
            Storage::Records(records) => records.core(index.index()),
        }
    }

    /// The context of an event.
    #[inline]
    pub fn context(&self, index: EventIndex) -> Option<ContextId> {
        match &self.0 {
            Storage::Columns(columns) => columns.context.get(index.index()).copied(),
            Storage::Records(records) => Some(records.get(index.index())?.context),
        }
    }

    /// The kind of an event.
    #[inline]
    pub fn kind(&self, index: EventIndex) -> Option<EventKindId> {
        match &self.0 {
            Storage::Columns(columns) => columns.kind.get(index.index()).copied(),
            Storage::Records(records) => Some(records.get(index.index())?.kind),
        }
    }

    /// What an event's record says about the running context.
    #[inline]
    pub fn priority_word(&self, index: EventIndex) -> Option<PriorityWord> {
        match &self.0 {
            Storage::Columns(columns) => columns.priority_word.get(index.index()).copied(),
            Storage::Records(records) => Some(records.get(index.index())?.priority_word),
        }
    }

    /// The arguments of an event.
    #[inline]
    pub fn arguments(&self, index: EventIndex) -> Option<[u64; 4]> {
        match &self.0 {
            Storage::Columns(columns) => columns.arguments.get(index),
            Storage::Records(records) => Some(records.get(index.index())?.arguments),
        }
    }

    /// Content that does not fit into four arguments.
    #[inline]
    pub fn extras(&self) -> &Extras {
        match &self.0 {
            Storage::Columns(columns) => &columns.extras,
            Storage::Records(records) => &records.extras,
        }
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
        match &self.0 {
            Storage::Columns(columns) => {
                let times = columns.time.get(numbers.clone()).unwrap_or_default();
                numbers.start + times.partition_point(|time| is_before(Ticks(*time)))
            }
            Storage::Records(records) => records.partition_point(numbers, is_before),
        }
    }

    /// All events, oldest first.
    pub fn iter(&self) -> EventIter<'_> {
        EventIter::new(self)
    }

    /// The times of all events since the first.
    pub fn times(&self) -> impl Iterator<Item = Ticks> {
        self.values(|columns| &columns.time, |event| event.time.0)
            .map(Ticks)
    }

    /// The contexts of all events.
    pub fn contexts(&self) -> impl Iterator<Item = ContextId> {
        self.values(|columns| &columns.context, |event| event.context)
    }

    /// The kinds of all events.
    pub fn kinds(&self) -> impl Iterator<Item = EventKindId> {
        self.values(|columns| &columns.kind, |event| event.kind)
    }

    fn values<'e, T: Copy + 'e>(
        &'e self,
        column: impl Fn(&EventColumns) -> &[T],
        value: impl Fn(Event) -> T + 'e,
    ) -> impl Iterator<Item = T> {
        let (column, recorded) = match &self.0 {
            Storage::Columns(columns) => (column(columns), None),
            Storage::Records(_) => (&[][..], Some(self.iter().map(value))),
        };
        column.iter().copied().chain(recorded.into_iter().flatten())
    }

    /// How often each kind occurs.
    pub fn kind_counts(&self) -> Cow<'_, KindCounts> {
        match &self.0 {
            Storage::Columns(columns) => {
                let mut counts = KindCounts::default();
                for (kind, event) in columns.kind.iter().zip(0..) {
                    counts.add(*kind, event);
                }
                Cow::Owned(counts)
            }
            Storage::Records(records) => Cow::Borrowed(records.kinds()),
        }
    }

    /// Calls `visit` with each kind that occurs, its number of events and the first of them.
    /// If there are kinds that are not counted, calls it with each event instead.
    pub fn visit_kinds(&self, mut visit: impl FnMut(EventKindId, u64, EventIndex)) {
        match self.kind_counts().all() {
            Some(kinds) => kinds.for_each(|(kind, count, first)| visit(kind, count, first)),
            None => self.visit(0..self.len(), |event| visit(event.kind, 1, event.index)),
        }
    }

    /// Each kind that occurs.
    pub fn occurring_kinds(&self) -> BTreeSet<EventKindId> {
        let mut kinds = BTreeSet::new();
        self.visit_kinds(|kind, _, _| {
            kinds.insert(kind);
        });
        kinds
    }

    /// Number of events of each context, up to `contexts` of them.
    pub fn context_counts(&self, contexts: usize) -> Vec<u64> {
        let part = self.len().div_ceil(parallel::threads()).max(1);
        let parts = (0..self.len()).step_by(part).collect();
        let counts = parallel::map(parts, |first| {
            let mut counts = vec![0; contexts];
            self.visit_headers(first..first + part, |event| {
                if let Some(count) = counts.get_mut(event.context.index()) {
                    *count += 1;
                }
            });
            counts
        });
        let mut sums = vec![0; contexts];
        for (context, count) in counts.iter().flat_map(|counts| counts.iter().enumerate()) {
            sums[context] += count;
        }
        sums
    }

    /// Calls `visit` with the events with these numbers, as far as they exist, oldest
    /// first: the fastest way to read many.
    #[inline]
    pub fn visit(&self, numbers: Range<usize>, mut visit: impl FnMut(Event)) {
        let numbers = self.clamp(numbers);
        match &self.0 {
            Storage::Columns(columns) => columns.visit(numbers, &mut visit),
            Storage::Records(records) => records.visit(numbers, &mut visit),
        }
    }

    /// The same without kinds and arguments, which reads fewer columns.
    #[inline]
    pub fn visit_headers(&self, numbers: Range<usize>, mut visit: impl FnMut(EventHeader)) {
        let numbers = self.clamp(numbers);
        match &self.0 {
            Storage::Columns(columns) => columns.visit_headers(numbers, &mut visit),
            Storage::Records(records) => {
                records.visit(numbers, &mut |event: Event| visit(event.header()));
            }
        }
    }

    /// The times of the events with these numbers, as far as they exist.
    pub fn times_of(&self, numbers: Range<usize>) -> Cow<'_, [u64]> {
        self.values_of(numbers, |columns| &columns.time, |event| event.time.0)
    }

    /// The contexts of the events with these numbers, as far as they exist.
    pub fn contexts_of(&self, numbers: Range<usize>) -> Cow<'_, [ContextId]> {
        self.values_of(numbers, |columns| &columns.context, |event| event.context)
    }

    /// The kinds of the events with these numbers, as far as they exist.
    pub fn kinds_of(&self, numbers: Range<usize>) -> Cow<'_, [EventKindId]> {
        self.values_of(numbers, |columns| &columns.kind, |event| event.kind)
    }

    fn values_of<T: Copy>(
        &self,
        numbers: Range<usize>,
        column: impl Fn(&EventColumns) -> &[T],
        value: impl Fn(Event) -> T,
    ) -> Cow<'_, [T]> {
        let numbers = self.clamp(numbers);
        match &self.0 {
            Storage::Columns(columns) => {
                Cow::Borrowed(column(columns).get(numbers).unwrap_or_default())
            }
            Storage::Records(records) => {
                let mut values = Vec::with_capacity(numbers.len());
                records.visit(numbers, &mut |event| values.push(value(event)));
                Cow::Owned(values)
            }
        }
    }

    fn clamp(&self, numbers: Range<usize>) -> Range<usize> {
        let end = numbers.end.min(self.len());
        numbers.start.min(end)..end
    }
}

fn event_index(number: usize) -> EventIndex {
    EventIndex(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;

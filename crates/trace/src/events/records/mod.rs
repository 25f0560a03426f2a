//! Events that are read from their records, where these lie.
//!
//! Beside the records there are only their places, one [`RecordRun`] for all that lie one
//! after the other, and the times at the starts of blocks.

mod pages;
mod time_blocks;

pub use pages::{ByteSource, RecordBytes};
pub use time_blocks::{BLOCK_EVENTS, StampCounter, TimeBlockBuilder, TimeBlocks};

use super::KindCounts;
use crate::event::PriorityWord;
use crate::extras::Extras;
use crate::{ContextId, Event, EventIndex, EventKindId, Ticks};
use pages::RecordPages;
use std::fmt::Debug;
use std::ops::Range;

/// How records of fixed size contain events.
pub trait RecordFormat: Debug + Send + Sync {
    /// Size of a record.
    fn record_bytes(&self) -> usize;

    /// Bits of an argument and of a timestamp: 32 or 64.
    fn word_bits(&self) -> u8;

    /// Whether any event may be of another core than 0.
    fn has_cores(&self) -> bool;

    /// The timestamp of a record, not masked; 0 if there are too few bytes.
    fn timestamp(&self, record: &[u8]) -> u64;

    /// Reads consecutive records: all properties of their events but the number and the
    /// time.
    fn read(&self, records: &[u8], events: &mut [Event]);
}

/// Records of consecutive events that lie one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordRun {
    /// The number of the first event.
    pub first: usize,
    /// The offset of its record.
    pub offset: u64,
}

/// The events of a trace as their records.
#[derive(Debug)]
pub struct RecordedEvents {
    format: Box<dyn RecordFormat>,
    count: usize,
    pages: RecordPages,
    times: TimeBlocks,
    kinds: KindCounts,
    pub(super) extras: Extras,
}

const NO_EVENT: Event = Event {
    index: EventIndex(0),
    time: Ticks(0),
    timestamp: 0,
    core: 0,
    context: ContextId(0),
    kind: EventKindId(0),
    priority_word: PriorityWord(0),
    arguments: [0; 4],
};

/// Number of events that are read at once.
const BATCH_EVENTS: usize = 64;

impl RecordedEvents {
    /// Creates the events with these times, whose records are in `runs`, in order.
    pub fn new(
        format: Box<dyn RecordFormat>,
        bytes: RecordBytes,
        runs: Vec<RecordRun>,
        times: TimeBlocks,
        kinds: KindCounts,
    ) -> Self {
        let count = times.len();
        Self {
            pages: RecordPages::new(bytes, runs, format.record_bytes(), count),
            format,
            count,
            times,
            kinds,
            extras: Extras::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn word_bits(&self) -> u8 {
        self.format.word_bits()
    }

    pub(super) fn kinds(&self) -> &KindCounts {
        &self.kinds
    }

    pub(super) fn failure(&self) -> Option<&str> {
        self.pages.failure()
    }

    pub(super) fn get(&self, index: usize) -> Option<Event> {
        let mut events = [NO_EVENT];
        if index >= self.count {
            return None;
        }
        let read = |record: &[u8]| self.format.read(record, &mut events);
        let is_read = self.pages.with_record(index, read).is_some();
        self.complete(index, &mut events, is_read);
        let [event] = events;
        Some(event)
    }

    #[inline]
    pub(super) fn core(&self, index: usize) -> Option<u8> {
        match self.format.has_cores() {
            true => self.get(index).map(|event| event.core),
            false => (index < self.count).then_some(0),
        }
    }

    #[inline]
    pub(super) fn time(&self, index: usize) -> Option<u64> {
        let stamp = || {
            let read = |record: &[u8]| self.format.timestamp(record);
            self.pages.with_record(index, read)
        };
        (index < self.count).then(|| self.times.time(index, stamp))
    }

    /// The first of these events for whose time `is_before` is false.
    pub(super) fn partition_point(
        &self,
        numbers: Range<usize>,
        is_before: impl Fn(Ticks) -> bool,
    ) -> usize {
        let Range { mut start, mut end } = self.times.narrow(numbers, &is_before);
        while start < end {
            let middle = start + (end - start) / 2;
            match self.time(middle).is_some_and(|time| is_before(Ticks(time))) {
                true => start = middle + 1,
                false => end = middle,
            }
        }
        start
    }

    #[inline]
    pub(super) fn visit(&self, numbers: Range<usize>, visit: &mut impl FnMut(Event)) {
        let mut batch = [NO_EVENT; BATCH_EVENTS];
        let mut copy = Vec::new();
        let mut next = numbers.start;
        while next < numbers.end {
            let end = self.pages.part_end(next).min(numbers.end);
            let records = self.pages.many(next..end, &mut copy);
            let mut rest = records.unwrap_or_default();
            while next < end {
                let count = BATCH_EVENTS.min(end - next);
                let events = batch.get_mut(..count).unwrap_or_default();
                self.format.read(rest, events);
                self.complete(next, events, records.is_some());
                events.iter().for_each(|event| visit(*event));
                rest = rest
                    .get(count * self.format.record_bytes()..)
                    .unwrap_or_default();
                next += count;
            }
        }
    }

    /// Sets the numbers and times of consecutive events. Those whose records could not be
    /// read are empty, and as late as they can be.
    fn complete(&self, first: usize, events: &mut [Event], are_read: bool) {
        if !are_read {
            events.fill(NO_EVENT);
        }
        self.times.set(first, events, are_read);
        for (event, index) in events.iter_mut().zip(first..) {
            event.index = super::event_index(index);
        }
    }
}

#[cfg(test)]
mod tests;

//! A part of the events as slices of columns.

use crate::event::PriorityWord;
use crate::{ContextId, Event, EventHeader, EventIndex, EventKindId, Ticks};

/// Target words of consecutive events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordSlice<'a> {
    /// Words of 4 bytes.
    Narrow(&'a [u32]),
    /// Words of 8 bytes.
    Wide(&'a [u64]),
}

/// The four arguments of each of consecutive events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentSlice<'a> {
    /// Arguments of 4 bytes.
    Narrow(&'a [[u32; 4]]),
    /// Arguments of 8 bytes.
    Wide(&'a [[u64; 4]]),
}

/// Consecutive events as slices of columns. All slices are equally long, except
/// that `cores` may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventChunk<'a> {
    /// The number of its first event.
    pub first: EventIndex,
    /// Times since the first event of the trace, in ticks; they never decrease.
    pub times: &'a [u64],
    /// The timestamps as recorded, not masked.
    pub timestamps: WordSlice<'a>,
    /// The cores that recorded the events; empty if it was core 0 throughout.
    pub cores: &'a [u8],
    /// The contexts of the events.
    pub contexts: &'a [ContextId],
    /// The kinds of the events.
    pub kinds: &'a [EventKindId],
    /// What the records say about the running context.
    pub priority_words: &'a [PriorityWord],
    /// The arguments of the events.
    pub arguments: ArgumentSlice<'a>,
}

impl<'a> EventChunk<'a> {
    /// Number of events.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The numbers of its events.
    pub fn indices(&self) -> impl Iterator<Item = EventIndex> + use<> {
        (self.first.0..).take(self.len()).map(EventIndex)
    }

    /// The cores of its events.
    pub fn event_cores(&self) -> impl Iterator<Item = u8> + use<'a> {
        let unrecorded = if self.cores.is_empty() { self.len() } else { 0 };
        let recorded = self.cores.iter().copied();
        recorded.chain(std::iter::repeat_n(0, unrecorded))
    }

    #[inline]
    pub(super) fn visit(&self, visit: &mut impl FnMut(Event)) {
        use {ArgumentSlice as Arguments, WordSlice as Words};
        match (self.timestamps, self.arguments) {
            (Words::Narrow(timestamps), Arguments::Narrow(arguments)) => {
                self.visit_words(timestamps, arguments, visit);
            }
            (Words::Wide(timestamps), Arguments::Wide(arguments)) => {
                self.visit_words(timestamps, arguments, visit);
            }
            // Columns of different widths: no decoder creates them.
            (Words::Narrow(timestamps), Arguments::Wide(arguments)) => {
                self.visit_words(timestamps, arguments, visit);
            }
            (Words::Wide(timestamps), Arguments::Narrow(arguments)) => {
                self.visit_words(timestamps, arguments, visit);
            }
        }
    }

    #[inline]
    fn visit_words<T: Copy + Into<u64>, W: Copy + Into<u64>>(
        &self,
        timestamps: &[T],
        arguments: &[[W; 4]],
        visit: &mut impl FnMut(Event),
    ) {
        let mut cores = self.cores.iter();
        let columns = (self.times.iter())
            .zip(timestamps)
            .zip(self.contexts)
            .zip(self.kinds)
            .zip(self.priority_words)
            .zip(arguments)
            .zip(self.first.0..);
        for ((((((time, timestamp), context), kind), priority_word), arguments), index) in columns {
            visit(Event {
                index: EventIndex(index),
                time: Ticks(*time),
                timestamp: (*timestamp).into(),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                kind: *kind,
                priority_word: *priority_word,
                arguments: arguments.map(Into::into),
            });
        }
    }

    #[inline]
    pub(super) fn visit_headers(&self, visit: &mut impl FnMut(EventHeader)) {
        let mut cores = self.cores.iter();
        let columns = (self.times.iter())
            .zip(self.contexts)
            .zip(self.priority_words)
            .zip(self.first.0..);
        for (((time, context), priority_word), index) in columns {
            visit(EventHeader {
                index: EventIndex(index),
                time: Ticks(*time),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                priority_word: *priority_word,
            });
        }
    }
}

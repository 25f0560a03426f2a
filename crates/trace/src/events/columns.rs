//! Columns of events in memory, which a decoder fills.

use super::Events;
use crate::event::PriorityWord;
use crate::extras::Extras;
use crate::{ContextId, Event, EventHeader, EventIndex, EventKindId, Ticks};
use std::ops::Range;

/// A column of values that are as wide as the target's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetColumn<N, W> {
    /// Of words of 4 bytes.
    Narrow(Vec<N>),
    /// Of words of 8 bytes.
    Wide(Vec<W>),
}

/// A column of target words.
pub type WordColumn = TargetColumn<u32, u64>;

/// A column of four arguments per event.
pub type ArgumentColumn = TargetColumn<[u32; 4], [u64; 4]>;

impl<N, W> Default for TargetColumn<N, W> {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl<N: PartialEq, W: PartialEq> TargetColumn<N, W> {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn starts_with(&self, other: &Self, count: usize) -> bool {
        match (self, other) {
            (Self::Narrow(values), Self::Narrow(others)) => {
                values.get(..count) == others.get(..count)
            }
            (Self::Wide(values), Self::Wide(others)) => values.get(..count) == others.get(..count),
            _ => false,
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            Self::Narrow(values) => values.truncate(len),
            Self::Wide(values) => values.truncate(len),
        }
    }
}

impl WordColumn {
    #[inline]
    pub(super) fn get(&self, index: EventIndex) -> Option<u64> {
        match self {
            Self::Narrow(words) => words.get(index.index()).copied().map(u64::from),
            Self::Wide(words) => words.get(index.index()).copied(),
        }
    }
}

impl ArgumentColumn {
    #[inline]
    pub(super) fn get(&self, index: EventIndex) -> Option<[u64; 4]> {
        match self {
            Self::Narrow(words) => words.get(index.index()).map(|words| words.map(u64::from)),
            Self::Wide(words) => words.get(index.index()).copied(),
        }
    }
}

/// The columns that a decoder fills. All have one value per event, in trace
/// order: oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventColumns {
    /// Time since the first event, in ticks; never decreases.
    pub time: Vec<u64>,
    /// The timestamp as recorded, not masked.
    pub timestamp: WordColumn,
    /// The core that recorded the event; empty if it was core 0 throughout.
    pub core: Vec<u8>,
    /// The context of the event.
    pub context: Vec<ContextId>,
    /// The kind of event.
    pub kind: Vec<EventKindId>,
    /// What the record says about the running context, see
    /// [`Event::priority`](crate::Event::priority) and
    /// [`Event::interrupted`](crate::Event::interrupted).
    pub priority_word: Vec<PriorityWord>,
    /// Its arguments.
    pub arguments: ArgumentColumn,
    /// Content that does not fit into four arguments.
    pub extras: Extras,
}

impl EventColumns {
    /// The columns of these events.
    pub(super) fn of(events: &Events) -> Self {
        let mut columns = Self {
            extras: events.extras().clone(),
            ..Self::default()
        };
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        let (mut narrow_stamps, mut wide_stamps) = (Vec::new(), Vec::new());
        let is_wide = events.word_bits() > 32;
        events.visit(0..events.len(), |event| {
            columns.time.push(event.time.0);
            columns.core.push(event.core);
            columns.context.push(event.context);
            columns.kind.push(event.kind);
            columns.priority_word.push(event.priority_word);
            if is_wide {
                wide.push(event.arguments);
                wide_stamps.push(event.timestamp);
            } else {
                narrow.push(event.arguments.map(|word| word as u32));
                narrow_stamps.push(event.timestamp as u32);
            }
        });
        if columns.core.iter().all(|core| *core == 0) {
            columns.core = Vec::new();
        }
        if is_wide {
            columns.timestamp = WordColumn::Wide(wide_stamps);
            columns.arguments = ArgumentColumn::Wide(wide);
        } else {
            columns.timestamp = WordColumn::Narrow(narrow_stamps);
            columns.arguments = ArgumentColumn::Narrow(narrow);
        }
        columns
    }

    pub(super) fn word_bits(&self) -> u8 {
        match self.arguments {
            ArgumentColumn::Narrow(_) => 32,
            ArgumentColumn::Wide(_) => 64,
        }
    }

    pub(super) fn get(&self, index: EventIndex) -> Option<Event> {
        Some(Event {
            index,
            time: self.time.get(index.index()).copied().map(Ticks)?,
            timestamp: self.timestamp.get(index)?,
            core: self.core(index)?,
            context: self.context.get(index.index()).copied()?,
            kind: self.kind.get(index.index()).copied()?,
            priority_word: self.priority_word.get(index.index()).copied()?,
            arguments: self.arguments.get(index)?,
        })
    }

    #[inline]
    pub(super) fn core(&self, index: EventIndex) -> Option<u8> {
        match self.core.get(index.index()) {
            Some(core) => Some(*core),
            None => (index.index() < self.time.len()).then_some(0),
        }
    }

    #[inline]
    pub(super) fn visit(&self, numbers: Range<usize>, visit: &mut impl FnMut(Event)) {
        use {ArgumentColumn as Arguments, WordColumn as Words};
        match (&self.timestamp, &self.arguments) {
            (Words::Narrow(timestamps), Arguments::Narrow(arguments)) => {
                self.visit_words(numbers, timestamps, arguments, visit);
            }
            (Words::Wide(timestamps), Arguments::Wide(arguments)) => {
                self.visit_words(numbers, timestamps, arguments, visit);
            }
            // Columns of different widths: no decoder creates them.
            (Words::Narrow(timestamps), Arguments::Wide(arguments)) => {
                self.visit_words(numbers, timestamps, arguments, visit);
            }
            (Words::Wide(timestamps), Arguments::Narrow(arguments)) => {
                self.visit_words(numbers, timestamps, arguments, visit);
            }
        }
    }

    #[inline]
    fn visit_words<T: Copy + Into<u64>, W: Copy + Into<u64>>(
        &self,
        numbers: Range<usize>,
        timestamps: &[T],
        arguments: &[[W; 4]],
        visit: &mut impl FnMut(Event),
    ) {
        let mut cores = slice(&self.core, &numbers).iter();
        let columns = (slice(&self.time, &numbers).iter())
            .zip(slice(timestamps, &numbers))
            .zip(slice(&self.context, &numbers))
            .zip(slice(&self.kind, &numbers))
            .zip(slice(&self.priority_word, &numbers))
            .zip(slice(arguments, &numbers))
            .zip(numbers.start..);
        for ((((((time, timestamp), context), kind), priority_word), arguments), index) in columns {
            visit(Event {
                index: super::event_index(index),
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
    pub(super) fn visit_headers(&self, numbers: Range<usize>, visit: &mut impl FnMut(EventHeader)) {
        let mut cores = slice(&self.core, &numbers).iter();
        let columns = (slice(&self.time, &numbers).iter())
            .zip(slice(&self.context, &numbers))
            .zip(slice(&self.priority_word, &numbers))
            .zip(numbers.start..);
        for (((time, context), priority_word), index) in columns {
            visit(EventHeader {
                index: super::event_index(index),
                time: Ticks(*time),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                priority_word: *priority_word,
            });
        }
    }

    /// Whether the first `count` events, which exist in both, are equal.
    pub(super) fn starts_with(&self, other: &Self, count: usize) -> bool {
        self.time.get(..count) == other.time.get(..count)
            && self.timestamp.starts_with(&other.timestamp, count)
            && self.core.get(..count) == other.core.get(..count)
            && self.context.get(..count) == other.context.get(..count)
            && self.kind.get(..count) == other.kind.get(..count)
            && self.priority_word.get(..count) == other.priority_word.get(..count)
            && self.arguments.starts_with(&other.arguments, count)
            && self.extras.starts_with(&other.extras, count)
    }

    /// Makes all columns as long as the shortest.
    pub(super) fn truncate_to_shortest(&mut self) {
        let lengths = [
            self.time.len(),
            self.timestamp.len(),
            self.context.len(),
            self.kind.len(),
            self.priority_word.len(),
            self.arguments.len(),
        ];
        let core = Some(self.core.len()).filter(|len| *len > 0);
        let len = lengths.into_iter().chain(core).min().unwrap_or_default();
        self.time.truncate(len);
        self.timestamp.truncate(len);
        self.core.truncate(len);
        self.context.truncate(len);
        self.kind.truncate(len);
        self.priority_word.truncate(len);
        self.arguments.truncate(len);
    }
}

fn slice<'c, T>(column: &'c [T], numbers: &Range<usize>) -> &'c [T] {
    column.get(numbers.clone()).unwrap_or_default()
}

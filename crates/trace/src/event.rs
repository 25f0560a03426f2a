//! The events of a trace, in columns.

use crate::extras::Extras;
use crate::{ContextId, Contexts, EventIndex, EventKindId, Ticks};
use std::ops::Range;

/// A column of target words: 4 bytes each if the target's words have 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordColumn {
    /// Words of 4 bytes.
    Narrow(Vec<u32>),
    /// Words of 8 bytes.
    Wide(Vec<u64>),
}

impl WordColumn {
    /// Number of words.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(words) => words.len(),
            Self::Wide(words) => words.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `index`-th word.
    pub fn get(&self, index: usize) -> Option<u64> {
        match self {
            Self::Narrow(words) => words.get(index).copied().map(u64::from),
            Self::Wide(words) => words.get(index).copied(),
        }
    }
}

/// A column of four arguments per event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentColumn {
    /// Arguments of 4 bytes.
    Narrow(Vec<[u32; 4]>),
    /// Arguments of 8 bytes.
    Wide(Vec<[u64; 4]>),
}

impl ArgumentColumn {
    /// The arguments of the `index`-th event.
    pub fn get(&self, index: usize) -> Option<[u64; 4]> {
        match self {
            Self::Narrow(words) => words.get(index).map(|words| words.map(u64::from)),
            Self::Wide(words) => words.get(index).copied(),
        }
    }
}

/// What a record says about the running context, packed into a word: a thread's
/// priority (0 is the highest) and preemption threshold, or the context that an
/// interrupt interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityWord(pub u32);

const THRESHOLD_KNOWN: u32 = 1 << 31;

impl PriorityWord {
    /// A thread's event without a recorded priority.
    pub const NO_PRIORITY: Self = Self(u16::MAX as u32);

    /// A thread's priority and, if recorded, its preemption threshold, both
    /// below 32768.
    pub const fn thread(priority: u16, threshold: Option<u16>) -> Self {
        match threshold {
            Some(threshold) => {
                Self(THRESHOLD_KNOWN | ((threshold & 0x7FFF) as u32) << 16 | priority as u32)
            }
            None => Self(priority as u32),
        }
    }

    /// Whether a thread's preemption threshold was recorded.
    pub const fn has_threshold(self) -> bool {
        self.0 & THRESHOLD_KNOWN != 0
    }

    /// The context that an interrupt interrupted; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub const fn interrupted(context: ContextId) -> Self {
        Self(context.0)
    }
}

/// The columns. All have one value per event, in trace order: oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
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
    /// What the record says about the running context, see [`Event::priority`]
    /// and [`Event::interrupted`].
    pub priority_word: Vec<PriorityWord>,
    /// Its arguments.
    pub arguments: ArgumentColumn,
    /// Content that does not fit into four arguments.
    pub extras: Extras,
}

/// One event, assembled from the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Its number: the oldest is 0.
    pub index: EventIndex,
    /// Time since the first event.
    pub time: Ticks,
    /// The timestamp as recorded.
    pub timestamp: u64,
    /// The core that recorded it.
    pub core: u8,
    /// The context of the event.
    pub context: ContextId,
    /// The kind of event.
    pub kind: EventKindId,
    /// What the record says about the running context.
    pub priority_word: PriorityWord,
    /// Its arguments.
    pub arguments: [u64; 4],
}

/// The context and time of an event: what a scheduler needs in addition to its
/// meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventHeader {
    /// The event's number.
    pub index: EventIndex,
    /// Time since the first event.
    pub time: Ticks,
    /// The core that recorded it.
    pub core: u8,
    /// The context of the event.
    pub context: ContextId,
    /// What the record says about the running context.
    pub priority_word: PriorityWord,
}

impl EventHeader {
    /// The running thread's effective priority; 0 is the highest. `None`
    /// outside threads and with [`PriorityWord::NO_PRIORITY`].
    pub fn priority(&self) -> Option<u16> {
        let known =
            self.context > Contexts::IDLE && self.priority_word != PriorityWord::NO_PRIORITY;
        known.then_some(self.priority_word.0 as u16)
    }

    /// The interrupted context, in an interrupt; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub fn interrupted(&self) -> Option<ContextId> {
        (self.context == Contexts::INTERRUPT).then_some(ContextId(self.priority_word.0))
    }
}

impl Event {
    fn is_thread(&self) -> bool {
        self.context > Contexts::IDLE
    }

    /// The event's context and time.
    pub fn header(&self) -> EventHeader {
        EventHeader {
            index: self.index,
            time: self.time,
            core: self.core,
            context: self.context,
            priority_word: self.priority_word,
        }
    }

    /// The running thread's effective priority; 0 is the highest. `None`
    /// outside threads and with [`PriorityWord::NO_PRIORITY`].
    pub fn priority(&self) -> Option<u16> {
        self.header().priority()
    }

    /// The running thread's effective preemption threshold. `None` outside
    /// threads and if the kernel does not record it.
    pub fn threshold(&self) -> Option<u16> {
        let known = self.is_thread() && self.priority_word.has_threshold();
        known.then_some((self.priority_word.0 >> 16) as u16 & 0x7FFF)
    }

    /// The interrupted context, in an interrupt; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub fn interrupted(&self) -> Option<ContextId> {
        self.header().interrupted()
    }
}

/// The values with these numbers, as far as the column has them.
fn column_range<'c, T>(column: &'c [T], numbers: &Range<usize>) -> std::slice::Iter<'c, T> {
    let end = numbers.end.min(column.len());
    column.get(numbers.start..end).unwrap_or_default().iter()
}

impl Events {
    /// Number of events.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The event with that number.
    pub fn get(&self, index: EventIndex) -> Option<Event> {
        let at = index.index();
        Some(Event {
            index,
            time: Ticks(*self.time.get(at)?),
            timestamp: self.timestamp.get(at)?,
            core: self.core.get(at).copied().unwrap_or_default(),
            context: *self.context.get(at)?,
            kind: *self.kind.get(at)?,
            priority_word: *self.priority_word.get(at)?,
            arguments: self.arguments.get(at)?,
        })
    }

    /// All events, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Event> {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        (0..count).filter_map(|index| self.get(EventIndex(index)))
    }

    /// Calls `visit` with the events with these numbers, oldest first: the
    /// fastest way to read many.
    pub fn visit(&self, numbers: Range<usize>, visit: impl FnMut(Event)) {
        match (&self.timestamp, &self.arguments) {
            (WordColumn::Narrow(timestamps), ArgumentColumn::Narrow(arguments)) => {
                self.visit_columns(numbers, timestamps, arguments, visit);
            }
            (WordColumn::Wide(timestamps), ArgumentColumn::Wide(arguments)) => {
                self.visit_columns(numbers, timestamps, arguments, visit);
            }
            // Columns of different widths: no decoder creates them.
            _ => {
                let index = |number| EventIndex(u32::try_from(number).unwrap_or(u32::MAX));
                let events = numbers.map_while(|number| self.get(index(number)));
                events.for_each(visit);
            }
        }
    }

    #[inline]
    fn visit_columns<W: Copy + Into<u64>>(
        &self,
        numbers: Range<usize>,
        timestamps: &[W],
        arguments: &[[W; 4]],
        mut visit: impl FnMut(Event),
    ) {
        let first = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        let mut cores = column_range(&self.core, &numbers);
        let columns = (first..)
            .zip(column_range(&self.time, &numbers))
            .zip(column_range(timestamps, &numbers))
            .zip(column_range(&self.context, &numbers))
            .zip(column_range(&self.kind, &numbers))
            .zip(column_range(&self.priority_word, &numbers))
            .zip(column_range(arguments, &numbers));
        for ((((((index, time), timestamp), context), kind), priority_word), arguments) in columns {
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

    /// The same without kinds and arguments, which reads fewer columns.
    pub fn visit_headers(&self, numbers: Range<usize>, mut visit: impl FnMut(EventHeader)) {
        let first = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        let mut cores = column_range(&self.core, &numbers);
        let columns = (first..)
            .zip(column_range(&self.time, &numbers))
            .zip(column_range(&self.context, &numbers))
            .zip(column_range(&self.priority_word, &numbers));
        for (((index, time), context), priority_word) in columns {
            visit(EventHeader {
                index: EventIndex(index),
                time: Ticks(*time),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                priority_word: *priority_word,
            });
        }
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> Ticks {
        Ticks(self.time.last().copied().unwrap_or_default())
    }
}

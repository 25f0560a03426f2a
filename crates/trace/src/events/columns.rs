//! Columns of events in memory, which a decoder fills.

use crate::event::PriorityWord;
use crate::extras::Extras;
use crate::{ContextId, EventKindId};

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

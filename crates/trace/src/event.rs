//! One event of a trace.

use crate::{ContextId, Contexts, EventIndex, EventKindId, Ticks};

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

    /// The running thread's effective priority, for an event of that context; 0
    /// is the highest. `None` outside threads and with
    /// [`PriorityWord::NO_PRIORITY`].
    pub fn priority(self, context: ContextId) -> Option<u16> {
        let known = context > Contexts::IDLE && self != Self::NO_PRIORITY;
        known.then_some(self.0 as u16)
    }

    /// The running thread's effective preemption threshold, for an event of that
    /// context. `None` outside threads and if the kernel does not record it.
    pub fn threshold(self, context: ContextId) -> Option<u16> {
        let known = context > Contexts::IDLE && self.has_threshold();
        known.then_some((self.0 >> 16) as u16 & 0x7FFF)
    }

    /// The interrupted context, for an event of that context: only in an
    /// interrupt; [`ContextId::UNKNOWN`] if not recorded.
    pub fn interrupted_context(self, context: ContextId) -> Option<ContextId> {
        (context == Contexts::INTERRUPT).then_some(ContextId(self.0))
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
        self.priority_word.priority(self.context)
    }

    /// The running thread's effective preemption threshold. `None` outside
    /// threads and if the kernel does not record it.
    pub fn threshold(&self) -> Option<u16> {
        self.priority_word.threshold(self.context)
    }

    /// The interrupted context, in an interrupt; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub fn interrupted(&self) -> Option<ContextId> {
        self.priority_word.interrupted_context(self.context)
    }
}

impl Event {
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
        self.priority_word.priority(self.context)
    }

    /// The running thread's effective preemption threshold. `None` outside
    /// threads and if the kernel does not record it.
    pub fn threshold(&self) -> Option<u16> {
        self.priority_word.threshold(self.context)
    }

    /// The interrupted context, in an interrupt; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub fn interrupted(&self) -> Option<ContextId> {
        self.priority_word.interrupted_context(self.context)
    }
}

//! Interrupt service routines.

use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// An activation of a schedule: index into [`Schedule::activations`](super::Schedule::activations).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IsrActivationId(pub u32);

impl IsrActivationId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interrupt service routine, from its entry to its exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsrActivation {
    /// The number that the application gave it. `None` if it did not record
    /// its entry and exit: then its activation is inferred from a group of
    /// records that nothing else interrupts.
    pub number: Option<u32>,
    /// The core that executed it.
    pub core: u8,
    /// How many routines had begun, itself included: 1 for the outermost.
    pub depth: u16,
    /// The thread it interrupted, or idle; [`ContextId::UNKNOWN`] if the trace
    /// does not say.
    pub interrupted: ContextId,
    /// Its first event.
    pub first: EventIndex,
    /// Its last event.
    pub last: EventIndex,
    /// Whether its first event is its entry.
    pub entered: bool,
    /// Whether its last event is its exit.
    pub exited: bool,
    /// The time of its first event.
    pub start: Ticks,
    /// The time of its last event; where the exit was not recorded, the last
    /// moment at which it is known to have executed.
    pub end: Ticks,
    /// Ticks of it in which others that interrupted it executed.
    pub nested: Ticks,
}

impl IsrActivation {
    /// Ticks from entry to exit.
    pub fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.start.0))
    }

    /// Whether it was recorded from its entry to its exit, so that its duration
    /// is known.
    pub fn is_complete(&self) -> bool {
        self.entered && self.exited
    }
}

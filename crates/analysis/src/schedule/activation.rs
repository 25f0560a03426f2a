//! Interrupt service routines.

use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// An activation of an ISR: index into
/// [`Schedule::activations`](super::Schedule::activations).
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
    /// The number that the application gave it. `None` if it did not record its
    /// entry and exit: then its activation is inferred from an uninterrupted
    /// group of records.
    pub number: Option<u32>,
    /// The core that ran it.
    pub core: u8,
    /// Number of active ISRs, itself included: 1 for the outermost.
    pub depth: u16,
    /// The thread it interrupted, or idle; [`ContextId::UNKNOWN`] if not
    /// recorded.
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
    /// The time of its last event; if the exit was not recorded, the last time
    /// at which it is known to have run.
    pub end: Ticks,
    /// Ticks of it in which nested ISRs ran.
    pub nested: Ticks,
}

impl IsrActivation {
    /// Ticks from entry to exit.
    pub fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.start.0))
    }

    /// Whether both entry and exit were recorded, so that its duration is
    /// known.
    pub fn is_complete(&self) -> bool {
        self.entered && self.exited
    }
}

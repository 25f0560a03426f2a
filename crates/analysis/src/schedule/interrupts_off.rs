//! Interrupts that are disabled.

use super::IsrActivationId;
use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// How the time in which interrupts were off ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InterruptsOffEnding {
    /// They were enabled by the last event.
    Restored,
    /// The core went to somebody else by the last event: with what state of
    /// the interrupts is not recorded.
    Switched,
    /// They had been enabled at an unknown time: the next that disabled them
    /// found them so. The last event is the last that found them disabled.
    Unrecorded,
    /// Events are missing behind the last event.
    Lost,
    /// The trace ends.
    Open,
}

/// A time in which a core took no interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterruptsOffSection {
    /// The core.
    pub core: u8,
    /// On whose behalf they were disabled: what the first event's record says.
    pub context: ContextId,
    /// The interrupt service routine that did it, the innermost, if one did.
    pub activation: Option<IsrActivationId>,
    /// When they were disabled; where that was not recorded, when they were
    /// first found to be.
    pub start: Ticks,
    /// When that ended; where that was not recorded, the last moment at which
    /// they are known to have been disabled.
    pub end: Ticks,
    /// The event of the start.
    pub first: EventIndex,
    /// The event of the end; of a trace that ends, its last.
    pub last: EventIndex,
    /// How often they were disabled though they were already.
    pub nested: u32,
    /// Whether the first event is the one that disabled them.
    pub start_known: bool,
    /// How it ended.
    pub ending: InterruptsOffEnding,
}

impl InterruptsOffSection {
    /// Ticks from start to end.
    pub fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.start.0))
    }

    /// Whether both ends were recorded, so that the duration is known. Else it
    /// is the least that it can be.
    pub fn is_complete(&self) -> bool {
        self.start_known && self.ending == InterruptsOffEnding::Restored
    }
}

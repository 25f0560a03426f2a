//! States that last.

use rtoscope_trace::{EventIndex, Ticks, Vertex};

/// A time in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateInterval {
    /// The state.
    pub state: Vertex,
    /// The event of the trace with which it begins.
    pub first: EventIndex,
    /// From when on.
    pub start: Ticks,
    /// Until when, or the last time at which it is known to have lasted.
    pub end: Ticks,
    /// Whether the trace tells how it ended: with another state, or with the
    /// end of the trace; not if records are missing.
    pub complete: bool,
}

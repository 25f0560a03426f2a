//! State intervals.

use rtoscope_trace::{EventIndex, Ticks, Vertex};

/// A span of time in which a machine is in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateInterval {
    /// The state.
    pub state: Vertex,
    /// The event of the trace with which it begins.
    pub first: EventIndex,
    /// Its start.
    pub start: Ticks,
    /// Its end, or the last time at which the trace confirms the state.
    pub end: Ticks,
    /// Whether the end is recorded: with another state, or with the end of the
    /// trace; false if records are missing.
    pub complete: bool,
}

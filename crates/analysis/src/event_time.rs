//! Points in time at events.

use rtoscope_trace::EventIndex;

/// A point in time, and the event at or before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventTime {
    pub(crate) time: u64,
    pub(crate) event: EventIndex,
}

impl EventTime {
    pub(crate) const START: Self = Self {
        time: 0,
        event: EventIndex(0),
    };

    /// The later of the two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            time: self.time.max(other.time),
            event: self.event.max(other.event),
        }
    }
}

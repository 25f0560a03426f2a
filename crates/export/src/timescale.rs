//! Times of a trace in nanoseconds.

use rtoscope_trace::{Frequency, Ticks, Trace};

/// Converts times of a trace into nanoseconds since the first event of its
/// recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timescale {
    base: Ticks,
    frequency: Option<Frequency>,
}

impl Timescale {
    /// Creates the scale of a trace. If the clock's frequency is unknown, or the
    /// clock does not measure time, a tick becomes a nanosecond, and
    /// [`is_time`](Self::is_time) is false.
    pub(crate) fn new(trace: &Trace) -> Self {
        Self {
            base: trace.origin.time,
            frequency: trace.clock.timebase(),
        }
    }

    /// Whether the results are nanoseconds instead of ticks.
    pub(crate) fn is_time(&self) -> bool {
        self.frequency.is_some()
    }

    /// The clock's frequency; `None` if the results are ticks.
    pub(crate) fn frequency(&self) -> Option<Frequency> {
        self.frequency
    }

    /// Converts a time into nanoseconds since the recording's first event.
    pub(crate) fn nanoseconds(&self, time: Ticks) -> u64 {
        let time = Ticks(self.base.0.saturating_add(time.0));
        self.frequency
            .map_or(time.0, |frequency| frequency.to_time(time).0)
    }
}

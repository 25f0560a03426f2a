//! The times of a trace in a format that counts nanoseconds.

use rtoscope_trace::{Frequency, Ticks, Trace};

/// How the times of a trace become nanoseconds since the first event of its
/// recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timescale {
    base: Ticks,
    frequency: Option<Frequency>,
}

impl Timescale {
    /// Of a trace. Where the clock's frequency is not known, or it does not
    /// count time, a tick becomes a nanosecond, which
    /// [`is_time`](Self::is_time) then denies.
    pub(crate) fn new(trace: &Trace) -> Self {
        Self {
            base: trace.origin.time,
            frequency: trace.clock.timebase(),
        }
    }

    /// Whether nanoseconds are such, and not ticks.
    pub(crate) fn is_time(&self) -> bool {
        self.frequency.is_some()
    }

    /// How often the clock ticks; `None` where nanoseconds are ticks.
    pub(crate) fn frequency(&self) -> Option<Frequency> {
        self.frequency
    }

    /// A time of the trace, in nanoseconds since the recording's first event.
    pub(crate) fn nanoseconds(&self, time: Ticks) -> u64 {
        let time = Ticks(self.base.0.saturating_add(time.0));
        self.frequency
            .map_or(time.0, |frequency| frequency.to_time(time).0)
    }
}

//! The clock of a trace.

use super::digest::{TraceDigest, Uuid};
use crate::timescale::Timescale;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Frequency, Nanoseconds, Ticks, Trace};

/// Converts the times of a trace into clock values: ticks of the target's clock.
#[derive(Debug)]
pub(super) struct CtfClock {
    base: Ticks,
    /// The frequency in hertz, as the metadata declare it.
    pub(super) frequency: u64,
    /// The maximum value written.
    max_written: u64,
    /// The description in the metadata.
    pub(super) description: &'static str,
    /// The unit in one word.
    pub(super) unit: &'static str,
}

/// Readers store times as signed 64-bit nanoseconds and compute with floating-point
/// numbers; beyond 146 years nothing is reliable.
const MAX_VALUE: u64 = 1 << 62;

/// The reference reader treats this frequency as unknown.
const NO_FREQUENCY: u64 = u64::MAX;

impl CtfClock {
    pub(super) fn new(trace: &Trace) -> Self {
        let frequency = Timescale::new(trace).frequency();
        let last =
            |frequency: Frequency| frequency.last_tick(Nanoseconds(MAX_VALUE)).0.min(MAX_VALUE);
        let (description, unit) = match (trace.clock.quality, frequency) {
            (_, Some(_)) => ("time since the first event of the recording", "time"),
            (ClockQuality::Static, None) => (
                "the target's clock stood still: only the order of the events is known",
                "none",
            ),
            (ClockQuality::EventCounter, None) => (
                "the target's clock counted events: a nanosecond stands for an event",
                "events",
            ),
            (ClockQuality::Good | ClockQuality::Unknown, None) => (
                "the frequency of the target's clock is not known: a nanosecond stands for a tick",
                "ticks",
            ),
        };
        Self {
            base: trace.origin.time,
            frequency: frequency.map_or(1_000_000_000, |it| it.0.get().min(NO_FREQUENCY - 1)),
            max_written: frequency.map_or(MAX_VALUE, last),
            description,
            unit,
        }
    }

    /// The UUID of the clock, which is 0 at the start of a recording. Readers
    /// relate traces to each other only if their clocks are identical, so all
    /// recordings share one.
    pub(super) fn uuid() -> Uuid {
        TraceDigest::new().uuid("time since the beginning of a recording")
    }

    /// The clock value at a time of the trace: ticks since the first event of the
    /// recording, clamped to the largest value that readers support.
    pub(super) fn value(&self, time: Ticks) -> u64 {
        self.base.0.saturating_add(time.0).min(self.max_written)
    }
}

//! The clock of a trace.

use super::digest::{TraceDigest, Uuid};
use crate::timescale::Timescale;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Frequency, Nanoseconds, Ticks, Trace};

/// How the times of a trace are written: as the target's clock counted them.
#[derive(Debug)]
pub(super) struct CtfClock {
    base: Ticks,
    /// How often it ticks in a second, as the trace says it.
    pub(super) frequency: u64,
    /// The last value that is written.
    max_written: u64,
    /// What it counts.
    pub(super) description: &'static str,
    /// What it counts, in a word.
    pub(super) unit: &'static str,
}

/// Readers hold times as nanoseconds in signed words of 64 bits, and reckon
/// with them in floating-point numbers; behind 146 years nothing is certain.
const MAX_VALUE: u64 = 1 << 62;

/// As the reference reader takes this one for "not known".
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

    /// Which clock it is: one that stands at 0 when a recording begins. Readers
    /// put traces beside each other only if their clocks are the same, so that
    /// of all recordings is.
    pub(super) fn uuid() -> Uuid {
        TraceDigest::new().uuid("time since the beginning of a recording")
    }

    /// What the clock showed at a time of the trace: ticks since the first event
    /// of the recording. Times that readers cannot hold are the last that they can.
    pub(super) fn value(&self, time: Ticks) -> u64 {
        self.base.0.saturating_add(time.0).min(self.max_written)
    }
}

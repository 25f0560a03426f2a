//! The clock of a trace.

use super::digest::{Digest, Uuid};
use crate::timescale::Timescale;
use rtoscope_trace::clock::Quality;
use rtoscope_trace::{Frequency, Nanoseconds, Ticks, Trace};

/// How the times of a trace are written: as the target's clock counted them.
#[derive(Debug)]
pub(super) struct Clock {
    base: Ticks,
    /// How often it ticks in a second, as the trace says it.
    pub(super) frequency: u64,
    /// The last value that is written.
    last: u64,
    /// What it counts.
    pub(super) description: &'static str,
    /// What it counts, in a word.
    pub(super) unit: &'static str,
}

/// Readers hold times as nanoseconds in signed words of 64 bits, and reckon
/// with them in floating-point numbers; behind 146 years nothing is certain.
const LAST: u64 = 1 << 62;

/// As the reference reader takes this one for "not known".
const NO_FREQUENCY: u64 = u64::MAX;

impl Clock {
    pub(super) fn of(trace: &Trace) -> Self {
        let frequency = Timescale::of(trace).frequency();
        let last = |frequency: Frequency| frequency.last_tick(Nanoseconds(LAST)).0.min(LAST);
        let (description, unit) = match (trace.clock.quality, frequency) {
            (_, Some(_)) => ("time since the first event of the recording", "time"),
            (Quality::Static, None) => (
                "the target's clock stood still: only the order of the events is known",
                "none",
            ),
            (Quality::EventCounter, None) => (
                "the target's clock counted events: a nanosecond stands for an event",
                "events",
            ),
            (Quality::Good | Quality::Unknown, None) => (
                "the frequency of the target's clock is not known: a nanosecond stands for a tick",
                "ticks",
            ),
        };
        Self {
            base: trace.base.time,
            frequency: frequency.map_or(1_000_000_000, |it| it.0.get().min(NO_FREQUENCY - 1)),
            last: frequency.map_or(LAST, last),
            description,
            unit,
        }
    }

    /// Which clock it is: one that stands at 0 when a recording begins. Readers
    /// put traces beside each other only if their clocks are the same, so that
    /// of all recordings is.
    pub(super) fn identity() -> Uuid {
        Digest::new().identity("time since the beginning of a recording")
    }

    /// What the clock showed at a time of the trace: ticks since the first event
    /// of the recording. Times that readers cannot hold are the last that they can.
    pub(super) fn value(&self, time: Ticks) -> u64 {
        self.base.0.saturating_add(time.0).min(self.last)
    }
}

//! The clock of a trace.

use super::digest::{TraceDigest, Uuid};
use rtoscope_trace::{Nanoseconds, NoTime, Ticks, Timescale, Trace};

/// Converts the times of a trace into clock values: ticks of the target's clock.
#[derive(Debug)]
pub(super) struct CtfClock {
    scale: Timescale,
    /// The frequency in hertz, as the metadata declare it.
    pub(super) frequency: u64,
    /// The maximum value written.
    max_written: u64,
    /// The description in the metadata.
    pub(super) description: String,
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
        let scale = trace.timescale();
        let last = scale.last_tick(Nanoseconds(MAX_VALUE));
        let (description, unit) = match scale.no_time() {
            None => (
                "time since the first event of the recording".to_owned(),
                "time",
            ),
            Some(why @ NoTime::StaticClock) => (why.to_string(), "none"),
            Some(why @ NoTime::EventCounter) => (why.to_string(), "events"),
            Some(why @ (NoTime::LossyClock | NoTime::UnevenClock)) => (why.to_string(), "ticks"),
            Some(NoTime::UnknownFrequency) => (
                "the frequency of the target's clock is not known: a nanosecond stands for a tick"
                    .to_owned(),
                "ticks",
            ),
        };
        Self {
            scale,
            frequency: scale.written_hertz().min(NO_FREQUENCY - 1),
            max_written: last.map_or(MAX_VALUE, |last| last.0.min(MAX_VALUE)),
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
        self.scale.recording_time(time).0.min(self.max_written)
    }
}

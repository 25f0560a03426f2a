//! Ticks in nanoseconds, as the tables have them.

use rtoscope_trace::{Frequency, Ticks};

/// A duration in nanoseconds, rounded down; `None` if it is negative.
pub(crate) fn ticks_to_ns(ticks: i64, frequency: Frequency) -> Option<i64> {
    let ticks = Ticks(u64::try_from(ticks).ok()?);
    Some(i64::try_from(frequency.nanoseconds(ticks).0).unwrap_or(i64::MAX))
}

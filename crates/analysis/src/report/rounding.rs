//! Rounded figures.

use rtoscope_trace::{Clock, Ticks};

/// To three decimals.
pub(super) fn three_decimals(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A share of a time in percent, to three decimals; `None` for a share of 0,
/// and if the clock does not measure all time.
pub fn share_of_time(clock: &Clock, part: Ticks, whole: f64) -> Option<f64> {
    let measured = clock.quality.measures_shares().then_some(part.0 as f64)?;
    percent_of(measured, whole)
}

/// A share in percent, to three decimals; `None` for a share of 0.
pub(super) fn percent_of(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole * 100_000.0).round() / 1000.0)
}

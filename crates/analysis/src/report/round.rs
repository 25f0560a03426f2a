//! Figures rounded for people and machines alike.

/// To three decimals.
pub(super) fn three_decimals(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A part in percent, to three decimals; `None` of nothing.
pub(super) fn percent(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole * 100_000.0).round() / 1000.0)
}

//! Points of a plot.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// Durations over a window. A point is where the duration ends.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Plot {
    /// The positions of the points, in units of the window, in ascending order.
    pub positions: Vec<f64>,
    /// The durations in ticks.
    pub values: Vec<u64>,
    /// The events at which they end.
    pub events: Vec<u32>,
    /// Number of points in the window. If there are more than two a pixel, the smallest and
    /// the largest of each pixel are listed.
    pub total: u32,
}

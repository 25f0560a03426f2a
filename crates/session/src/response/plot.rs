//! Points of a plot.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// Durations or values of events over a window. A duration is where it ends.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Plot {
    /// The positions of the points, in units of the window, in ascending order.
    pub positions: Vec<f64>,
    /// The durations in ticks, or the values.
    #[cfg_attr(test, ts(type = "Array<number>"))]
    pub values: Vec<i128>,
    /// The events of the values, or at which the durations end.
    pub events: Vec<u64>,
    /// Number of points in the window. If there are more than two a pixel, the smallest and
    /// the largest of each pixel are listed.
    pub total: u32,
}

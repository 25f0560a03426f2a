//! User-defined intervals.

use crate::query::IntervalFilters;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The bars of intervals in a window, in the order of their starts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct IntervalBars {
    /// The starts of the bars, in units of the window.
    pub starts: Vec<f64>,
    /// Their ends.
    pub ends: Vec<f64>,
    /// The event that starts the first interval of each bar.
    pub events: Vec<u64>,
    /// Number of intervals that start in the bar. If there are too many to list, a bar is
    /// a pixel in which an interval is open: then it can be 0.
    pub counts: Vec<u32>,
    /// Whether the end is recorded.
    pub ended: Vec<bool>,
}

/// Intervals that were declared when the trace was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct DeclaredInterval {
    /// Their name.
    pub name: String,
    /// Which events start and end one.
    pub filters: IntervalFilters,
    /// The maximum duration, in ticks.
    pub deadline: Option<u64>,
}

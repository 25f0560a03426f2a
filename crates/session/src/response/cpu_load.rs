//! CPU time by context over a window.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// CPU time by context over the parts of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct CpuLoad {
    /// The edges of the parts: one more than there are parts, or none. On the time axis
    /// they are whole ticks, on the event axis whole events, so that zooming in leaves
    /// fewer parts. They ascend.
    pub positions: Vec<u64>,
    /// The times of the edges in ticks.
    pub times: Vec<u64>,
    /// Number of cores whose time is counted.
    pub cores: u32,
    /// The contexts that run in the window, the busiest of the whole trace first; then
    /// the sum of the other contexts, idle time and unknown time. For each part, their
    /// times add up to its length times the number of cores.
    pub contexts: Vec<ContextLoad>,
}

/// CPU time of a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ContextLoad {
    /// `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown` or `other`.
    pub kind: &'static str,
    /// Its name in the profile.
    pub name: String,
    /// Its context, if it is a thread.
    pub context: Option<u32>,
    /// CPU time in each part, in ticks.
    pub ticks: Vec<u64>,
}

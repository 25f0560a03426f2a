//! CPU time, or events, by context over a window.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// CPU time by context over the parts of a window; on the event axis, the events at which
/// each context runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct CpuLoad {
    /// The edges of the parts: one more than there are parts, or none. On the time axis
    /// they are whole ticks, on the event axis whole events, so that zooming in leaves
    /// fewer parts. They ascend.
    pub positions: Vec<u64>,
    /// Number of cores whose time is counted.
    pub cores: u32,
    /// The contexts that run in the window, the busiest of the whole trace first; then
    /// the sum of the other contexts, idle time and unknown time. For each part, their
    /// lengths add up to its own times the number of cores.
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
    /// Its length in each part: CPU time in ticks, or events.
    pub lengths: Vec<u64>,
}

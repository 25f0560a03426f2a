//! Events as recorded.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The events of a window as text: CSV with the columns of `rtoscope events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RawEvents {
    /// The line with the names of the columns.
    pub header: &'static str,
    /// A line for each requested event.
    pub lines: String,
    /// Number of events in the window.
    pub total: u32,
}

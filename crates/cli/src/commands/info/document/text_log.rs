//! Text logs in the document of `info`.

use super::{DiagnosticDocument, diagnostic};
use rtoscope_trace::{TextLog, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// A text log. Times are ticks since the first event of the trace, negative before it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TextLogDocument {
    pub(crate) file: String,
    pub(crate) format: String,
    /// Without blank lines.
    pub(crate) lines: usize,
    pub(crate) timed_lines: usize,
    /// From the first event to the last.
    pub(crate) lines_within_trace: usize,
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) diagnostics: Vec<DiagnosticDocument>,
}

impl TextLogDocument {
    pub(crate) fn new(log: &TextLog, trace: &Trace) -> Self {
        let [start, end] = match log.span() {
            Some(span) => span.map(|time| Some(time.0)),
            None => [None; 2],
        };
        Self {
            file: log.name.clone(),
            format: log.format.clone(),
            lines: log.len(),
            timed_lines: log.timed_len(),
            lines_within_trace: log.lines_within(trace),
            start,
            end,
            diagnostics: log.diagnostics.iter().map(diagnostic).collect(),
        }
    }
}

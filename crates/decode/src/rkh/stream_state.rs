//! The state before a record that gives it the same meaning as in the whole
//! stream.

use super::attribution::{self, AttributionContext, RunningState};
use super::record_page::RecordPage;
use super::timing::ClockState;
use std::ops::Range;

/// The state before a record.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamState {
    /// The running context.
    pub(super) running: RunningState,
    /// The clock.
    pub(super) clock: ClockState,
}

impl StreamState {
    /// Advances over a range of a page.
    pub(super) fn advance(
        &mut self,
        page: &RecordPage,
        range: Range<usize>,
        known: &AttributionContext<'_>,
    ) {
        if !range.is_empty() {
            (_, self.running) =
                attribution::attribute_contexts(page, range.clone(), known, &self.running);
            self.clock.advance(page, range);
        }
    }
}

//! What has to be known before a record so that it means what it means in the
//! whole stream.

use super::attribution::{self, AttributionContext, RunningState};
use super::record_page::RecordPage;
use super::timing::ClockState;
use std::ops::Range;

/// What is known before a record of the records before it.
#[derive(Debug, Clone, Default)]
pub(super) struct AttributionState {
    /// Of who executes.
    pub(super) running: RunningState,
    /// Of the clock.
    pub(super) clock: ClockState,
}

impl AttributionState {
    /// Goes on over a part of a page.
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

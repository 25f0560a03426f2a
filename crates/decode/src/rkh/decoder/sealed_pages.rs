//! The pages before the open one.

use crate::rkh::attribution::AttributionContext;
use crate::rkh::losses::StreamLosses;
use crate::rkh::record_page::RecordPage;
use crate::rkh::stream_state::StreamState;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A page and the state before its first record.
pub(super) struct PageWithState {
    pub(super) page: RecordPage,
    pub(super) state: StreamState,
}

/// The retained pages before the open one, and the totals of all pages before it.
#[derive(Default)]
pub(super) struct SealedPages {
    pages: VecDeque<Arc<PageWithState>>,
    /// The state after them.
    pub(super) state: StreamState,
    /// Their losses, without the problems.
    pub(super) losses: StreamLosses,
    /// Number of problems retained in them.
    pub(super) problems: usize,
    /// Number of gaps.
    pub(super) gaps: u64,
}

impl SealedPages {
    /// No pages before a stream in this state.
    pub(super) fn before(state: StreamState) -> Self {
        Self {
            state,
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, page: RecordPage, known: &AttributionContext<'_>) {
        let state = self.state.clone();
        self.state.advance(&page, 0..page.len(), known);
        self.losses.add_counts(&page.losses);
        self.problems = self.problems.saturating_add(page.losses.problems.len());
        self.gaps += page.gaps.len() as u64;
        self.pages
            .push_back(Arc::new(PageWithState { page, state }));
    }

    /// The number of the first retained record.
    pub(super) fn first(&self) -> Option<u64> {
        self.pages.front().map(|sealed| sealed.page.first)
    }

    /// The pages with these records.
    pub(super) fn within(&self, numbers: Range<u64>) -> impl Iterator<Item = &Arc<PageWithState>> {
        let before = |sealed: &Arc<PageWithState>| sealed.page.end() <= numbers.start;
        let first = self.pages.partition_point(before);
        let sealed = self.pages.range(first..);
        sealed.take_while(move |sealed| sealed.page.first < numbers.end)
    }

    /// Discards the first pages, as far as all of them are old.
    pub(super) fn discard_while(&mut self, is_old: impl Fn(&RecordPage) -> bool) {
        let old = self.pages.iter();
        let old = old.take_while(|sealed| is_old(&sealed.page)).count();
        self.pages.drain(..old);
    }
}

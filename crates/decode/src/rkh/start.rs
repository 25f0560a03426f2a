//! What has to be known before a record so that it means what it means in the
//! whole stream.

use super::page::Page;
use super::timing::Dial;
use super::who::{self, Known, State};
use std::ops::Range;

/// What is known before a record of the records before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// Of who executes.
    pub(super) who: State,
    /// Of the clock.
    pub(super) dial: Dial,
}

impl Start {
    /// Goes on over a part of a page.
    pub(super) fn advance(&mut self, page: &Page, range: Range<usize>, known: &Known<'_>) {
        if !range.is_empty() {
            (_, self.who) = who::executed(page, range.clone(), known, &self.who);
            self.dial.advance(page, range);
        }
    }
}

//! Names of threads in a sentence.

use crate::report::View;
use rtoscope_trace::ContextId;

/// Maximum number of names in a sentence.
const MAX_NAMES: usize = 6;

pub(super) fn names<'a>(
    view: &View<'_>,
    threads: impl ExactSizeIterator<Item = &'a ContextId>,
) -> String {
    let count = threads.len();
    let shown = threads.take(MAX_NAMES);
    let shown: Vec<_> = shown.map(|id| view.trace.context_name(*id)).collect();
    let mut names = shown.join(", ");
    if let Some(more) = count.checked_sub(MAX_NAMES).filter(|more| *more > 0) {
        names.push_str(&format!(" and {more} more"));
    }
    names
}

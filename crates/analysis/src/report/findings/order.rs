//! The order and the number of findings.

use super::{Finding, FindingCategory, FindingSeverity};
use std::collections::BTreeMap;

/// Maximum number of findings of one category and severity.
const MAX_PER_CATEGORY: u64 = 8;

/// Sorts findings. Categories keep the order in which they come first.
pub(super) fn sorted(mut all: Vec<Finding>) -> Vec<Finding> {
    let mut first = BTreeMap::new();
    for (finding, at) in all.iter().zip(0_usize..) {
        first.entry(finding.category).or_insert(at);
    }
    let place = |it: &Finding| (it.severity, first.get(&it.category).copied());
    all.sort_by(|one, other| {
        let by_place = place(one).cmp(&place(other));
        by_place.then(other.badness.total_cmp(&one.badness))
    });
    all
}

/// Keeps the first findings of each category and counts the others.
pub(super) fn limit_per_category(all: Vec<Finding>) -> Vec<Finding> {
    let mut counts: BTreeMap<(FindingSeverity, FindingCategory), u64> = BTreeMap::new();
    let mut few = Vec::new();
    for finding in all {
        let count = counts
            .entry((finding.severity, finding.category))
            .or_default();
        *count += 1;
        if *count <= MAX_PER_CATEGORY {
            few.push(finding);
        }
    }
    for ((severity, category), count) in counts {
        let Some(more) = count.checked_sub(MAX_PER_CATEGORY).filter(|more| *more > 0) else {
            continue;
        };
        let message = format!("and {more} more of this kind");
        let last = few
            .iter()
            .rposition(|it: &Finding| (it.severity, it.category) == (severity, category));
        let at = last.map_or(few.len(), |last| last + 1);
        few.insert(at, Finding::new(severity, category, None, message));
    }
    few
}

//! What cannot be found, because the recording does not have what shows it.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::{ReportKind, View, stacks};

/// Says which findings are impossible: their absence means nothing.
pub(super) fn unknown(view: &View<'_>, all: &mut Vec<Finding>) {
    if !view.active.is_empty() {
        // Frameworks of active objects have none of these.
        return;
    }
    let rows = stacks::stacks(view);
    let mut stacks = rows.iter().map(|row| &row.stack);
    let shows_stacks = stacks.any(|stack| stack.min_free.is_some() || stack.outside > 0);
    let shown = [
        (
            "priority inversions",
            ReportKind::Inversions.applies_to(view),
        ),
        ("stack use", shows_stacks),
        (
            "levels of queues and pools",
            ReportKind::Objects.applies_to(view),
        ),
    ];
    let unknown: Vec<_> = shown
        .iter()
        .filter_map(|(what, is_shown)| (!is_shown).then_some(*what))
        .collect();
    if unknown.is_empty() {
        return;
    }
    let message = format!("unknown, as no event shows them: {}", unknown.join(", "));
    all.push(Finding::new(
        FindingSeverity::Note,
        FindingCategory::Unknown,
        None,
        message,
    ));
}

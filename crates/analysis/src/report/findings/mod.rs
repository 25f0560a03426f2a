//! Findings: what needs attention first.

mod active_objects;
mod cycles;
mod deadlines;
mod exhausted;
mod extent;
mod finding;
mod interrupts_off;
mod inversions;
mod load;
mod missing;
mod names;
mod order;
mod reset;
mod stack_use;
mod starvation;
mod unknown;
mod unknown_time;

pub use finding::{Finding, FindingCategory, FindingSeverity};
pub use reset::final_reset;
pub(super) use stack_use::MAX_STACK_PERCENT;

use super::cycles::{Cycles, cycles as cycles_report};
use super::{ReportKind, View};

/// The title of the list of findings.
pub const FINDINGS_TITLE: &str = "Findings";

/// The findings, the most severe first; of equal severity category by category, of one
/// category the worst first.
pub fn findings(view: &View<'_>) -> Vec<Finding> {
    let applies = ReportKind::Cycles.applies_to(view);
    let cycles = applies.then(|| cycles_report(view, None));
    with_cycles(view, cycles.as_ref())
}

/// The findings, among them those in the cycles with the best anchor, if any.
pub(super) fn with_cycles(view: &View<'_>, cycles: Option<&Cycles>) -> Vec<Finding> {
    let mut all = Vec::new();
    reset::reset(view, &mut all);
    missing::loss(view, &mut all);
    missing::filtered(view, &mut all);
    inversions::inversions(view, &mut all);
    stack_use::stack_use(view, &mut all);
    starvation::starvation(view, &mut all);
    exhausted::exhausted(view, &mut all);
    active_objects::active_objects(view, &mut all);
    interrupts_off::interrupts_off(view, &mut all);
    deadlines::deadlines_missed(view, &mut all);
    if let Some(found) = cycles {
        cycles::unusual_cycles(found, &mut all);
    }
    load::load(view, &mut all);
    extent::extent(view, &mut all);
    unknown::unknown(view, &mut all);
    order::limit_per_category(order::sorted(all))
}

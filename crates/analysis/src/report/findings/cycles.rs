//! Cycles that differ from the median one.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::cycles::Cycles;
use rtoscope_trace::{EventIndex, Ticks};

/// The cycles that differ: the longer, the worse.
pub(super) fn unusual_cycles(found: &Cycles, all: &mut Vec<Finding>) {
    let anchor = found.anchor.as_deref().unwrap_or_default();
    for row in &found.outliers {
        let message = format!("cycle {} of {anchor}: {}", row.cycle, row.cause);
        let (severity, category) = (FindingSeverity::Warning, FindingCategory::UnusualCycle);
        let event = Some(EventIndex(row.event));
        let end = row.start.saturating_add(row.length);
        let finding = Finding::new(severity, category, event, message);
        all.push(finding.lasting(Some([Ticks(row.start), Ticks(end)])));
    }
}

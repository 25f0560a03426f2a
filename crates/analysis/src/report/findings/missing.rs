//! Events and records of the scheduler that are missing.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use rtoscope_trace::diagnostic::pluralise;

pub(super) fn loss(view: &View<'_>, all: &mut Vec<Finding>) {
    let gaps = view.trace.gaps.iter();
    let gaps: Vec<_> = gaps.filter(|gap| !gap.is_restart).collect();
    let Some(first) = gaps.first() else {
        return;
    };
    let missing: Option<u64> = gaps.iter().map(|gap| gap.missing).sum();
    let events = match missing {
        Some(missing) => pluralise(missing, "event is", "events are"),
        None => "events are".to_owned(),
    };
    let gap = view.trace.gap_bounds(first);
    let gaps = pluralise(gaps.len() as u64, "gap", "gaps");
    let message = format!("{events} missing in {gaps}: what happened there is unknown");
    let (severity, category) = (FindingSeverity::Warning, FindingCategory::Loss);
    let finding = Finding::new(severity, category, Some(first.next_event), message);
    all.push(finding.lasting(Some(gap)));
}

pub(super) fn filtered(view: &View<'_>, all: &mut Vec<Finding>) {
    let schedule = view.schedule;
    if schedule.unrecorded == 0 {
        return;
    }
    let times = pluralise(schedule.unrecorded, "time", "times");
    let message = format!(
        "{times} a thread ran or stopped without a record of the scheduler, as with an event \
         filter on the target: states and counts are incomplete"
    );
    let event = schedule.first_unrecorded;
    all.push(Finding::new(
        FindingSeverity::Warning,
        FindingCategory::Filtered,
        event,
        message,
    ));
}

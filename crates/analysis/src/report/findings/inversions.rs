//! Priority inversions.

use super::names::names;
use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use crate::schedule::Inversion;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, ResourceId, Ticks};
use std::collections::{BTreeMap, BTreeSet};

/// The inversions of one thread on one mutex.
#[derive(Default)]
struct InversionGroup<'a> {
    count: u64,
    worst: Option<&'a Inversion>,
    culprits: BTreeSet<ContextId>,
}

pub(super) fn inversions(view: &View<'_>, all: &mut Vec<Finding>) {
    let mut cases: BTreeMap<(bool, ResourceId, ContextId), InversionGroup<'_>> = BTreeMap::new();
    for inversion in &view.schedule.inversions {
        if !view.contains(inversion.start) || !view.includes_thread(inversion.blocked) {
            continue;
        }
        let unbounded = inversion.unbounded() == Some(true);
        let key = (!unbounded, inversion.resource, inversion.blocked);
        let case = cases.entry(key).or_default();
        case.count += 1;
        let took = |inversion: &Inversion| inversion.end.0 - inversion.start.0;
        if case.worst.is_none_or(|worst| took(worst) < took(inversion)) {
            case.worst = Some(inversion);
        }
        let culprits = inversion.culprits.iter().map(|culprit| culprit.thread);
        case.culprits.extend(culprits);
    }
    for ((bounded, resource, blocked), case) in cases {
        let Some(worst) = case.worst else { continue };
        let owner = worst.owners.first().copied().unwrap_or(ContextId::UNKNOWN);
        let took = Ticks(worst.end.0 - worst.start.0);
        let longest = match view.trace.clock.measures_time() {
            true => format!(", longest {}", view.duration(took)),
            false => String::new(),
        };
        let mut message = format!(
            "{} (priority {}) was blocked on mutex {} of {} (priority {}): {}{longest}",
            view.trace.context_name(blocked),
            worst.blocked_priority,
            view.resource_name(resource),
            view.trace.context_name(owner),
            worst.owner_priority,
            pluralise(case.count, "priority inversion", "priority inversions"),
        );
        let severity = if bounded {
            FindingSeverity::Note
        } else {
            message.push_str(&format!(
                ", unbounded: prolonged by {}",
                names(view, case.culprits.iter())
            ));
            FindingSeverity::Critical
        };
        let category = if bounded {
            FindingCategory::BoundedInversion
        } else {
            FindingCategory::UnboundedInversion
        };
        let finding = Finding::new(severity, category, worst.first.or(worst.last), message);
        all.push(finding.lasting(Some([worst.start, worst.end])));
    }
}

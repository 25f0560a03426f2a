//! Queues that were full, pools that were empty.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::levels::LevelExtreme;
use crate::report::View;
use rtoscope_trace::ObjectClass;
use rtoscope_trace::diagnostic::pluralise;

/// Queues that were full, pools that were empty.
pub(super) fn exhausted(view: &View<'_>, all: &mut Vec<Finding>) {
    for usage in view.levels {
        let (what, extreme, unserved_calls) = match usage.class {
            ObjectClass::Queue => {
                // A queue without storage is always full and always empty.
                let capacity = usage.capacity.filter(|capacity| *capacity > 0);
                let full = |extreme: &LevelExtreme| Some(u64::from(extreme.level)) == capacity;
                let extreme = usage.level.maximum().filter(full);
                ("was full", extreme, usage.unserved_puts)
            }
            ObjectClass::BlockPool => {
                let empty = |extreme: &LevelExtreme| extreme.level == 0;
                let extreme = usage.level.minimum().filter(empty);
                ("had no free block", extreme, usage.unserved_takes)
            }
            _ => continue,
        };
        let Some(extreme) = extreme else { continue };
        let name = view.resource_name(usage.resource);
        let calls = pluralise(
            unserved_calls,
            "call was not served immediately",
            "calls were not served immediately",
        );
        let message = format!("{} {name} {what}; {calls}", usage.class);
        let event = Some(extreme.event);
        let (severity, category) = (FindingSeverity::Warning, FindingCategory::Exhausted);
        let finding = Finding::new(severity, category, event, message);
        all.push(finding.with_badness(unserved_calls as f64));
    }
}

//! Stacks that overflow, or nearly so.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::{View, stacks};
use rtoscope_trace::EventIndex;
use rtoscope_trace::diagnostic::pluralise;

/// A stack with a higher usage, in percent, is a finding.
pub(in crate::report) const MAX_STACK_PERCENT: f64 = 80.0;

pub(super) fn stack_use(view: &View<'_>, all: &mut Vec<Finding>) {
    let rows = stacks::stacks(view);
    let outside: u64 = rows.iter().map(|row| row.stack.outside).sum();
    let inside = rows.iter().any(|row| row.stack.min_free.is_some());
    if outside > 0 && !inside {
        let message = "no stack pointer is inside its thread's stack, as on a simulator: stack \
                       usage is unknown";
        let message = message.to_owned();
        all.push(Finding::new(
            FindingSeverity::Note,
            FindingCategory::StackUnknown,
            None,
            message,
        ));
        return;
    }
    for row in rows {
        let stack = &row.stack;
        if stack.outside > 0 {
            let events = pluralise(stack.outside, "event", "events");
            let message = format!(
                "{}: the stack pointer of {events} is outside its stack of {} bytes",
                row.thread, stack.stack_bytes
            );
            let (severity, category) = (FindingSeverity::Critical, FindingCategory::StackOverflow);
            let finding = Finding::new(severity, category, None, message);
            all.push(finding.with_badness(stack.outside as f64));
        }
        if let (Some(percent), Some(free)) = (stack.used_percent, stack.min_free)
            && percent > MAX_STACK_PERCENT
        {
            let message = format!(
                "{}: {percent:.1} % of its stack used, {free} of {} bytes were free",
                row.thread, stack.stack_bytes
            );
            let event = stack.event.map(EventIndex);
            let (severity, category) = (FindingSeverity::Warning, FindingCategory::StackUse);
            all.push(Finding::new(severity, category, event, message).with_badness(percent));
        }
    }
}

//! Stacks that overflow, or nearly so.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use crate::report::stacks::{self, StackRow};
use rtoscope_trace::EventIndex;
use rtoscope_trace::diagnostic::pluralise;

/// A stack with a higher usage, in percent, is a finding.
pub(in crate::report) const MAX_STACK_PERCENT: f64 = 80.0;

/// As few stack pointers that are not just below a stack may be damaged: a wrong block in a dump
/// leaves two entries with fields of others.
const MAX_DAMAGED_POINTERS: u64 = 2;

pub(super) fn stack_use(view: &View<'_>, all: &mut Vec<Finding>) {
    let rows = stacks::stacks(view);
    let is_inside = |row: &StackRow| row.stack.min_free.is_some();
    let inside = rows.iter().filter(|row| is_inside(row)).count();
    let elsewhere = rows
        .iter()
        .filter(|row| row.stack.outside > 0 && !is_inside(row));
    // One damaged stack in the registry may contain pointers by accident.
    if inside < elsewhere.count() {
        let stacks = match inside {
            0 => "no stack pointer is inside its thread's stack",
            _ => "few stack pointers are inside their thread's stack",
        };
        let message = format!("{stacks}, as on a simulator: stack usage is unknown");
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
            let is_evident = stack.outside > MAX_DAMAGED_POINTERS || stack.is_just_below;
            let (severity, doubt) = match (is_inside(&row), is_evident) {
                (true, true) => (FindingSeverity::Critical, ""),
                (true, false) => (FindingSeverity::Warning, ", which may be damage"),
                (false, _) => (
                    FindingSeverity::Warning,
                    ", and none is inside: the stack's address may be damaged",
                ),
            };
            let message = format!(
                "{}: the stack pointer of {events} is outside its stack of {} bytes{doubt}",
                row.thread, stack.stack_bytes
            );
            let category = FindingCategory::StackOverflow;
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

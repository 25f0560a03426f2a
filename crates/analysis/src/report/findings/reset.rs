//! The fault or reset that ended the recording.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use rtoscope_trace::{Contexts, Diagnostic, DiagnosticKind, EventIndex};

/// The fault or reset that ended the recording, if the scope reaches its end.
pub fn final_reset<'a>(view: &View<'a>) -> Option<&'a Diagnostic> {
    if view.window().end < view.schedule.span.0 {
        return None;
    }
    let resets = [DiagnosticKind::Fault, DiagnosticKind::UnfrozenReset];
    let mut diagnostics = view.diagnostics.iter();
    diagnostics.find(|it| resets.contains(&it.kind))
}

/// Names the context that ran last.
pub(super) fn reset(view: &View<'_>, all: &mut Vec<Finding>) {
    let Some(found) = final_reset(view) else {
        return;
    };
    let last = view.trace.events.len().checked_sub(1);
    let last = last.and_then(|it| Some(EventIndex(u32::try_from(it).ok()?)));
    let context = last.and_then(|it| view.trace.events.context(it));
    let ran = match context {
        Some(Contexts::IDLE) => "; no thread was running".to_owned(),
        Some(Contexts::INTERRUPT) => "; an interrupt was running".to_owned(),
        Some(context) if context > Contexts::IDLE && view.trace.contexts.get(context).is_some() => {
            format!("; {} was running", view.trace.context_name(context))
        }
        _ => String::new(),
    };
    let severity = FindingSeverity::Critical;
    let message = format!("{}{ran}", found.message);
    all.push(Finding::new(
        severity,
        FindingCategory::Reset,
        last,
        message,
    ));
}

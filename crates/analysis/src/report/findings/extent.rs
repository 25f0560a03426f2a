//! Recordings that are too short, or that do not measure time.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use rtoscope_trace::DiagnosticKind;
use rtoscope_trace::diagnostic::pluralise;

/// A trace with fewer events is too short.
const MIN_EVENTS: u64 = 100;

pub(super) fn extent(view: &View<'_>, all: &mut Vec<Finding>) {
    let events = view.event_counts.events;
    if events < MIN_EVENTS {
        let span = match view.trace.clock.measures_time() {
            true => format!(" in {}", view.duration(view.span())),
            false => String::new(),
        };
        let message = format!(
            "{}{span}: too short for reliable figures",
            pluralise(events, "event", "events"),
        );
        all.push(Finding::new(
            FindingSeverity::Warning,
            FindingCategory::TooShort,
            None,
            message,
        ));
    }
    let quality = view.trace.clock.quality;
    let (event, message) = match (quality.no_time(), quality.no_shares()) {
        (Some(why), _) => (None, why.to_string()),
        (None, Some(why)) => {
            let mut diagnostics = view.diagnostics.iter();
            let found = diagnostics.find(|it| it.kind == DiagnosticKind::ClockContradictsTicks);
            let message = format!("{why}: loads and shares of time are unknown");
            (found.and_then(|it| it.event), message)
        }
        (None, None) => return,
    };
    all.push(Finding::new(
        FindingSeverity::Warning,
        FindingCategory::NoTime,
        event,
        message,
    ));
}

//! Long interrupts-off sections.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::context_switches::InterruptsOffRow;
use crate::report::context_switches::interrupts_off::{overlaps_scope, sections_in_scope};
use crate::report::{Samples, View};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Ticks};

/// Minimum number of sections for a comparison with the median.
const MIN_SECTIONS: u64 = 8;
/// A section is a finding from this multiple of the median.
const MIN_MEDIAN_FACTOR: u64 = 10;
/// A section is a finding from this share of the scope's time, in percent.
const MIN_TIME_PERCENT: f64 = 10.0;

/// The longest interrupts-off section, if it stands out from the others, or
/// from the time of the scope.
pub(super) fn interrupts_off(view: &View<'_>, all: &mut Vec<Finding>) {
    let mut durations = Samples::default();
    for section in sections_in_scope(view)
        .filter(|section| section.is_complete() && view.contains(section.end))
    {
        durations.add(section.duration(), section.last);
    }
    let touching = sections_in_scope(view).filter(|section| overlaps_scope(view, section));
    // Of several with equal duration, the first.
    let Some(max) = touching.max_by_key(|it| (it.duration(), std::cmp::Reverse(it.first))) else {
        return;
    };
    let ticks = max.duration();
    let usual = durations.distribution(&view.trace.clock);
    let usual = usual.filter(|usual| {
        usual.count >= MIN_SECTIONS && ticks.0 >= MIN_MEDIAN_FACTOR * usual.p50.max(1)
    });
    let share = view.percent(view.clip(max.start, max.end));
    let share = share.filter(|share| *share >= MIN_TIME_PERCENT);
    if usual.is_none() && share.is_none() {
        return;
    }
    let off = InterruptsOffRow::of(view, max);
    let mut message = format!("interrupts were off for {}", off.format_duration(view));
    if let Some(usual) = usual {
        message.push_str(&format!(
            ", the median of {} is {}",
            pluralise(usual.count, "section", "sections"),
            view.duration(Ticks(usual.p50))
        ));
    }
    if let Some(share) = share {
        message.push_str(&format!(", {share:.1} % of the time"));
    }
    message.push_str(": disabled");
    match &off.handler {
        Some(handler) => message.push_str(&format!(" in {handler}")),
        None => message.push_str(&format!(" in {}", off.context)),
    }
    if let Some(location) = &off.disabled_at {
        message.push_str(&format!(" at {}", location.text));
    }
    if let Some(location) = &off.enabled_at {
        message.push_str(&format!(", enabled at {}", location.text));
    }
    message.push_str("; no interrupts are served during that time");
    let event = Some(EventIndex(off.first_event));
    let (severity, category) = (FindingSeverity::Warning, FindingCategory::InterruptsOff);
    let finding = Finding::new(severity, category, event, message);
    all.push(finding.lasting(Some([max.start, max.end])));
}

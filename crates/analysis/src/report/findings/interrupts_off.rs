//! Long interrupts-off sections.

use super::{Finding, FindingCategory, FindingSeverity, push};
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
    for masked in
        sections_in_scope(view).filter(|masked| masked.is_complete() && view.contains(masked.end))
    {
        durations.add(masked.duration(), masked.last);
    }
    let touching = sections_in_scope(view).filter(|masked| overlaps_scope(view, masked));
    // Of several with equal duration, the first.
    let Some(longest) = touching.max_by_key(|it| (it.duration(), std::cmp::Reverse(it.first)))
    else {
        return;
    };
    let ticks = longest.duration();
    let usual = durations.distribution(&view.trace.clock);
    let usual = usual.filter(|usual| {
        usual.count >= MIN_SECTIONS && ticks.0 >= MIN_MEDIAN_FACTOR * usual.p50.max(1)
    });
    let share = view.percent(view.clip(longest.start, longest.end));
    let share = share.filter(|share| *share >= MIN_TIME_PERCENT);
    if usual.is_none() && share.is_none() {
        return;
    }
    let off = InterruptsOffRow::of(view, longest);
    let mut message = format!("interrupts were off for {}", off.format_duration(view));
    if let Some(usual) = usual {
        message.push_str(&format!(
            ", the median of {} is {}",
            pluralise(usual.count, "time", "times"),
            view.duration(Ticks(usual.p50))
        ));
    }
    if let Some(share) = share {
        message.push_str(&format!(", {share:.1} % of the time at once"));
    }
    message.push_str(": disabled");
    match &off.handler {
        Some(handler) => message.push_str(&format!(" in {handler}")),
        None => message.push_str(&format!(" in {}", off.context)),
    }
    if let Some(place) = &off.disabled_at {
        message.push_str(&format!(" at {}", place.text));
    }
    if let Some(place) = &off.enabled_at {
        message.push_str(&format!(", enabled at {}", place.text));
    }
    message.push_str("; no interrupt is served meanwhile");
    let event = Some(EventIndex(off.first_event));
    push(
        all,
        FindingSeverity::Warning,
        FindingCategory::InterruptsOff,
        event,
        message,
    );
}

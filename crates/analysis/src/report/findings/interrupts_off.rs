//! Long interrupts-off sections.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::context_switches::InterruptsOffRow;
use crate::report::context_switches::interrupts_off::{overlaps_scope, sections_in_scope};
use crate::report::periods::{isr_activations, regular_period};
use crate::report::{Samples, View};
use crate::schedule::InterruptsOffSection;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{EventIndex, Ticks};

/// Minimum number of sections for a comparison with the median.
const MIN_SECTIONS: u64 = 8;
/// A section is a finding from this multiple of the median.
const MIN_MEDIAN_FACTOR: u64 = 10;
/// A section is a finding from this share of the scope's time, in percent.
const MIN_TIME_PERCENT: f64 = 10.0;

/// The longest interrupts-off section, if it stands out from the others, from the time of
/// the scope, or from the period of a handler.
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
    let handler = faster_handler(view, &max);
    if usual.is_none() && share.is_none() && handler.is_none() {
        return;
    }
    let off = InterruptsOffRow::of(view, &max);
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
    if let Some((handler, period)) = handler {
        let period = view.duration(period);
        message.push_str(&format!(", longer than the period of {handler}, {period}"));
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

/// The handler with the shortest regular period, if that is shorter than a section of its
/// core.
fn faster_handler(view: &View<'_>, section: &InterruptsOffSection) -> Option<(String, Ticks)> {
    let streams = isr_activations(view).into_values();
    let periods = streams.filter_map(|stream| {
        let is_of_core = stream.activations.iter().any(|it| it.core == section.core);
        let period = regular_period(&stream.activations).filter(|_| is_of_core)?;
        Some((stream.source, period))
    });
    let (source, period) = periods.min_by_key(|(_, period)| *period)?;
    (section.duration() > period).then(|| (source.name(view), period))
}

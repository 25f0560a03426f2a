//! Points of interest by name.

use super::latency::MeasuredDuration;
use super::{Distribution, Samples, View};
use crate::PackedVec;
use crate::markers::{MarkerId, SpanEnding};
use crate::report::ReportKind;
use crate::report::periods::Activation;
use crate::report::table::{ReportTable, TableRow, column};
use rtoscope_trace::{EventIndex, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// The spans and instants of a marker.
///
/// A span counts in the window with its first recorded event, its duration in the window
/// with its end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkerRow {
    /// Its name, or the address of the name if that is not readable.
    pub name: String,
    /// Number of spans.
    pub spans: u64,
    /// Number of instants.
    pub instants: u64,
    /// Spans whose begin is not recorded.
    pub begin_unknown: u64,
    /// Spans whose end is not recorded because events are missing.
    pub lost: u64,
    /// Spans that are open at the end of the trace.
    pub open: u64,
    /// Durations of the spans with both ends recorded.
    pub duration: Option<Distribution>,
    /// From each begin or instant to the next.
    pub period: Option<Distribution>,
}

impl TableRow for MarkerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "markers",
        title: ReportKind::Markers.title(),
        note: "",
        empty: "No points of interest",
        rank: "spans",
        columns: &[
            column!(Text, name, "Marker"),
            column!(Count, spans, "Spans"),
            column!(Count, instants, "Instants"),
            column!(Count, begin_unknown, "Begin unknown").hint("Ends without a recorded begin"),
            column!(Count, lost, "Lost").hint("Open where events are missing"),
            column!(Count, open, "Open").hint("Open at the end of the trace"),
            column!(Distribution, duration, "Duration").hint("From begin to end"),
            column!(Distribution, period, "Period").hint("From a begin or instant to the next"),
        ],
    };
}

#[derive(Debug, Default)]
struct MarkerTotals {
    spans: u64,
    instants: u64,
    begin_unknown: u64,
    lost: u64,
    open: u64,
    duration: Samples,
    period: Samples,
}

/// The markers with events in the scope, in the order of their first events.
pub fn markers(view: &View<'_>) -> Vec<MarkerRow> {
    let markers = view.markers;
    let mut all: Vec<MarkerTotals> = Vec::new();
    all.resize_with(markers.names.len(), MarkerTotals::default);
    for span in &markers.spans {
        let Some(totals) = all.get_mut(span.marker.index()) else {
            continue;
        };
        if !includes(view, span.first_event()) {
            continue;
        }
        if view.contains(span.start) {
            totals.spans += 1;
            totals.begin_unknown += u64::from(span.begin.is_none());
            totals.lost += u64::from(span.ending == SpanEnding::Lost);
            totals.open += u64::from(span.ending == SpanEnding::Open);
        }
    }
    for_each_duration(view, |marker, duration| {
        if let Some(totals) = all.get_mut(marker.index()) {
            totals.duration.add(duration.duration, duration.event);
        }
    });
    for instant in &markers.instants {
        if let Some(totals) = all.get_mut(instant.marker.index())
            && view.contains(instant.time)
            && includes(view, instant.event)
        {
            totals.instants += 1;
        }
    }
    for_each_period(view, |marker, period| {
        if let Some(totals) = all.get_mut(marker.index()) {
            totals.period.add(period.duration, period.event);
        }
    });
    let rows = markers.names.iter().zip(all);
    let rows = rows
        .filter(|(_, totals)| totals.spans + totals.instants > 0 || !totals.duration.is_empty());
    let clock = &view.trace.clock;
    rows.map(|(name, totals)| MarkerRow {
        name: name.clone(),
        spans: totals.spans,
        instants: totals.instants,
        begin_unknown: totals.begin_unknown,
        lost: totals.lost,
        open: totals.open,
        duration: totals.duration.distribution(clock),
        period: totals.period.distribution(clock),
    })
    .collect()
}

/// The durations of a marker's spans with both ends recorded, as in the report.
pub fn durations(view: &View<'_>, marker: MarkerId) -> Vec<MeasuredDuration> {
    let mut all = Vec::new();
    for_each_duration(view, |of, duration| {
        if of == marker {
            all.push(duration);
        }
    });
    all
}

/// The times from each begin or instant of a marker to the next, as in the report.
pub fn periods(view: &View<'_>, marker: MarkerId) -> Vec<MeasuredDuration> {
    let mut all = Vec::new();
    for_each_period(view, |of, period| {
        if of == marker {
            all.push(period);
        }
    });
    all
}

/// The values of a marker's begins and instants in the scope, and their events.
pub fn values(view: &View<'_>, marker: MarkerId) -> Vec<(EventIndex, u64)> {
    let spans = view.markers.spans.iter().filter_map(|span| {
        let begin = span.begin?;
        Some((span.marker, begin, span.start, span.value))
    });
    let instants = view.markers.instants.iter();
    let instants = instants.map(|one| (one.marker, one.event, one.time, one.value));
    let of_marker = spans.chain(instants).filter(|(of, event, time, _)| {
        *of == marker && view.contains(*time) && includes(view, *event)
    });
    of_marker
        .map(|(_, event, _, value)| (event, value))
        .collect()
}

fn for_each_duration(view: &View<'_>, mut found: impl FnMut(MarkerId, MeasuredDuration)) {
    for span in &view.markers.spans {
        if let (Some(ticks), Some(event)) = (span.duration(), span.end)
            && view.contains(span.until)
            && includes(view, span.first_event())
        {
            found(
                span.marker,
                MeasuredDuration {
                    duration: ticks,
                    event,
                },
            );
        }
    }
}

/// The begins and instants of each marker, as activations.
pub(super) fn marker_activations(view: &View<'_>) -> Vec<PackedVec<Activation>> {
    let mut all = vec![PackedVec::new(); view.markers.names.len()];
    for_each_start(view, |marker, event, start, period| {
        if let Some(of_marker) = all.get_mut(marker.index()) {
            of_marker.push(Activation {
                start,
                event,
                core: view.trace.events.core(event).unwrap_or_default(),
                period,
                response: None,
                cpu_time: None,
            });
        }
    });
    all
}

/// Calls `found` with the times from each begin or instant to the next of the same
/// marker, without those across gaps.
fn for_each_period(view: &View<'_>, mut found: impl FnMut(MarkerId, MeasuredDuration)) {
    for_each_start(view, |marker, event, _, period| {
        if let Some(ticks) = period {
            found(
                marker,
                MeasuredDuration {
                    duration: ticks,
                    event,
                },
            );
        }
    });
}

/// Calls `found` with the event and time of each begin or instant, and the time since the
/// one before it, unless that is across a gap.
fn for_each_start(
    view: &View<'_>,
    mut found: impl FnMut(MarkerId, EventIndex, Ticks, Option<Ticks>),
) {
    let markers = view.markers;
    let mut last: Vec<Option<Ticks>> = vec![None; markers.names.len()];
    let mut spans = markers.spans.iter().filter_map(|span| {
        let begin = span.begin?;
        Some((begin, span.start, span.marker))
    });
    let instants = markers.instants.iter();
    let mut instants = instants.map(|one| (one.event, one.time, one.marker));
    let mut gaps = view.trace.gaps.iter().peekable();
    let (mut span, mut instant) = (spans.next(), instants.next());
    loop {
        let is_span = match (span, instant) {
            (Some((span, ..)), Some((instant, ..))) => span < instant,
            (span, _) => span.is_some(),
        };
        let next = if is_span {
            std::mem::replace(&mut span, spans.next())
        } else {
            std::mem::replace(&mut instant, instants.next())
        };
        let Some((event, time, marker)) = next else {
            return;
        };
        if gaps.next_if(|gap| gap.next_event <= event).is_some() {
            while gaps.next_if(|gap| gap.next_event <= event).is_some() {}
            last.fill(None);
        }
        let Some(last) = last.get_mut(marker.index()) else {
            continue;
        };
        if !view.contains(time) || !includes(view, event) {
            continue;
        }
        let period = last.replace(time);
        let period = period.map(|previous| Ticks(time.0.saturating_sub(previous.0)));
        found(marker, event, time, period);
    }
}

/// Whether the scope includes the context and the core of an event.
fn includes(view: &View<'_>, event: EventIndex) -> bool {
    let event = view.trace.events.get(event);
    event.is_some_and(|event| view.scope.includes(&event))
}

#[cfg(test)]
mod tests;

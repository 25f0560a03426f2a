//! The changes of a recording's signals beside those of its cores and threads.

use super::signal::{SignalId, SignalValue, TextId};
use super::signal_plan::RecordingSignals;
use super::spans::{LineSpan, SpanEdge, SpanEdges};
use itertools::Itertools as _;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::View;
use rtoscope_analysis::schedule::InterruptsOffEnding;
use rtoscope_analysis::timeline::{self, Change, Label, Span, Text, Track};
use rtoscope_trace::{ContextId, EventIndex, Ticks, Trace};

/// A change of a recording's signals.
#[derive(Debug, Clone, Copy)]
pub(super) enum SignalChange {
    /// Of a core or a thread.
    Timeline(Change),
    /// The start or end of an inversion, a step or a marker's span.
    Span(SpanEdge),
    /// Of an independent signal.
    Value(SignalId, SignalValue),
    /// Recorded or not from this time on.
    Recorded(bool),
    /// The recording ends; another one is longer.
    Ended,
}

/// Changes in time order.
pub(super) type SignalChanges<'a> = Box<dyn Iterator<Item = (Ticks, SignalChange)> + 'a>;

/// The changes of other signals, in time order. Of the same time, those of
/// what is recorded come last. `last` means that no other recording ends later.
pub(super) fn signal_changes<'a>(
    source: &'a AnalyzedRecording,
    plan: &'a RecordingSignals,
    last: bool,
) -> SignalChanges<'a> {
    let view = &source.view();
    let mut streams: Vec<SignalChanges<'a>> = Vec::new();
    let value = |signal, (time, value)| (time, SignalChange::Value(signal, value));
    for (core, signals) in timeline::cores(view).zip(&plan.cores) {
        if let Some(signal) = signals.enabled {
            let changes = interrupt_changes(view, core);
            streams.push(Box::new(changes.map(move |change| value(signal, change))));
        }
    }
    let all: [Box<dyn Iterator<Item = Span<'a>> + 'a>; 3] = [
        Box::new(timeline::inversions(view)),
        Box::new(timeline::steps(view)),
        Box::new(timeline::markers(view)),
    ];
    for spans in all {
        let spans = spans.filter_map(|span| {
            let [start, end] = span.times;
            let line = *plan.others.get(&span.track)?;
            Some(LineSpan { start, end, line })
        });
        let edges = SpanEdges::new(spans);
        streams.push(Box::new(
            edges.map(|edge| (edge.time, SignalChange::Span(edge))),
        ));
    }
    for (object, signal) in &plan.machines {
        let changes = machine_states(view, plan, *object);
        streams.push(Box::new(changes.map(move |change| value(*signal, change))));
    }
    for (counter, signal) in timeline::counters(view).zip(&plan.levels) {
        let changes = counter.steps().map(|step| {
            let level = step.level.map_or(SignalValue::Unknown, SignalValue::Number);
            (step.start, level)
        });
        streams.push(Box::new(changes.map(move |change| value(*signal, change))));
    }
    streams.push(Box::new(recorded_changes(view.trace, last)));
    let ranked = streams.into_iter().zip(0_u32..).map(|(stream, rank)| {
        // Of the same time, in the order of the streams.
        stream.map(move |(time, change)| ((time, rank), change))
    });
    let merged = ranked.kmerge_by(|one, other| one.0 < other.0);
    Box::new(merged.map(|((time, _), change)| (time, change)))
}

/// Recorded from the first event on, except in gaps on any core. After the end
/// everything is unknown, unless this recording is the last to end.
fn recorded_changes<'a>(
    trace: &'a Trace,
    last: bool,
) -> impl Iterator<Item = (Ticks, SignalChange)> + 'a {
    let gaps = trace
        .gaps
        .iter()
        .filter(|gap| gap.next_event > EventIndex(0));
    let mut gaps: Vec<_> = gaps.map(|gap| trace.gap_bounds(gap)).collect();
    gaps.sort_unstable();
    // Gaps of several cores may overlap.
    gaps.dedup_by(|[from, to], [_, end]| {
        let overlaps = *from < *end;
        if overlaps {
            *end = (*end).max(*to);
        }
        overlaps
    });
    let gaps = gaps.into_iter().flat_map(|[from, to]| {
        [
            (from, SignalChange::Recorded(false)),
            (to, SignalChange::Recorded(true)),
        ]
    });
    let end = (!last).then(|| (trace.events.span(), SignalChange::Ended));
    let start = (Ticks(0), SignalChange::Recorded(!trace.events.is_empty()));
    [start].into_iter().chain(gaps).chain(end)
}

/// Whether interrupts are enabled on a core.
fn interrupt_changes<'a>(
    view: &View<'a>,
    core: u8,
) -> impl Iterator<Item = (Ticks, SignalValue)> + use<'a> {
    let trace = view.trace;
    let sections = timeline::interrupts_off(view);
    let own = sections.filter(move |span| span.track == Track::InterruptsOff(core));
    let own = own.filter_map(|span| span.interrupts_off());
    let next = own.clone().skip(1).map(Some).chain([None]);
    own.zip(next).flat_map(move |(masked, next)| {
        let off = (masked.start, SignalValue::Line(false));
        // In an unrecorded time they may have been enabled and disabled again.
        let on = masked.ending == InterruptsOffEnding::Restored
            && next.is_none_or(|next| next.start_known);
        let value = if on {
            SignalValue::Line(true)
        } else {
            SignalValue::Unknown
        };
        let next = next.map_or(EventIndex(u32::MAX), |next| next.first);
        let lost = on
            .then(|| gap_start(trace, core, masked.last, next))
            .flatten();
        let lost = lost.map(|time| (time, SignalValue::Unknown));
        [off, (masked.end, value)].into_iter().chain(lost)
    })
}

/// The start of the first gap between two events that affects a core.
fn gap_start(trace: &Trace, core: u8, event: EventIndex, next: EventIndex) -> Option<Ticks> {
    let at = trace.gaps.partition_point(|gap| gap.next_event <= event);
    let between = trace.gaps.get(at..)?.iter();
    let mut between = between.take_while(|gap| gap.next_event <= next);
    let gap = between.find(|gap| gap.core.is_none_or(|of| of == core))?;
    trace.last_event_before(gap)?;
    Some(trace.gap_bounds(gap)[0])
}

/// The states of an object's machine.
fn machine_states<'a>(
    view: &View<'a>,
    plan: &'a RecordingSignals,
    object: ContextId,
) -> impl Iterator<Item = (Ticks, SignalValue)> + use<'a> {
    let spans = timeline::machine_states(view, object);
    let next = spans.clone().skip(1).map(|next| next.times[0]);
    let next = next.chain([view.trace.events.span()]);
    spans.zip(next).flat_map(|(span, next)| {
        let text = match span.text {
            Text::Label(Label::Vertex(state)) => plan.vertices.get(&state).copied(),
            _ => None,
        };
        let [start, end] = span.times;
        let text = SignalValue::Text(text.unwrap_or(TextId::UNKNOWN), None);
        let unknown = (end < next).then_some((end, SignalValue::Unknown));
        [(start, text)].into_iter().chain(unknown)
    })
}

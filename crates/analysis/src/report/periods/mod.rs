//! Periods: how regularly threads, interrupt service routines, active objects, states
//! and events recur, and how long they run.

mod activation;
mod activations;
mod thread_activations;

pub use activation::{Activation, ActivationSource, ActivationStream};
pub(super) use activations::{RunLengths, regular_period, run_lengths, thread_and_isr_streams};
pub use activations::{activation_streams, isr_activations, runs};
pub use thread_activations::thread_activations;

use super::{Distribution, Samples, View};
use crate::report::ReportKind;
use crate::report::table::{Cell, ReportTable, TableRow, column};
use rtoscope_trace::{EventKindId, Ticks, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// The activations of one source. A duration counts in the window in which it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeriodRow {
    /// The name of the thread, routine, active object, state or event.
    pub name: String,
    /// What recurs: `thread`, `interrupt`, `dispatch`, `state` or `event`.
    pub kind: &'static str,
    /// Number of activations.
    pub activations: u64,
    /// Activations whose period is unknown: the first one, and those before which
    /// another may be missing.
    pub unjudged_periods: u64,
    /// Activations whose response time is unknown, as their end or their start is not
    /// recorded.
    pub unjudged_responses: u64,
    /// From the start of one activation to the start of the next.
    pub period: Option<Distribution>,
    /// The variation of the period.
    pub jitter: Option<PeriodJitter>,
    /// From an activation's start to its end; of active objects, from the post to the
    /// end of the step.
    pub response: Option<Distribution>,
    /// CPU time of one activation, without interrupts; of active objects, from the start
    /// of the step to its end.
    pub cpu_time: Option<Distribution>,
    /// Lengths of its uninterrupted runs.
    pub run: Option<Distribution>,
}

impl TableRow for PeriodRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "periods",
        title: ReportKind::Periods.title(),
        note: "Peak-to-peak jitter: the longest period less the shortest",
        empty: "Nothing was activated",
        rank: "activations",
        columns: &[
            column!(Text, name, "Name"),
            column!(Text, kind, "Kind"),
            column!(Count, activations, "Activations"),
            column!(Duration, jitter?.peak_to_peak, "Peak-to-peak jitter")
                .hint("Longest period less the shortest"),
            column!(
                Duration,
                jitter.standard_deviation,
                "Standard deviation",
                |row| Some(Cell::FractionalDuration(row.jitter?.standard_deviation))
            )
            .hint("Of the periods"),
            column!(Count, unjudged_periods, "Unknown periods")
                .hint("The first, and those before which an activation may be missing"),
            column!(Count, unjudged_responses, "Unknown responses")
                .hint("Start or end not recorded"),
            column!(Distribution, period, "Period").hint("from one start to the next"),
            column!(Distribution, response, "Response time")
                .hint("from ready to suspended, entry to exit, post to end of step"),
            column!(Distribution, cpu_time, "CPU time").hint("of one activation"),
            column!(Distribution, run, "Run").hint("uninterrupted"),
        ],
    };
}

/// The variation of a period.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct PeriodJitter {
    /// The longest period less the shortest, in ticks.
    pub peak_to_peak: u64,
    /// The standard deviation of the periods, in ticks.
    pub standard_deviation: f64,
}

/// The rows of the scope: threads, interrupt service routines, active objects, states,
/// then the events of these kinds. Sources without activations have none.
pub fn periods(view: &View<'_>, events: &[EventKindId]) -> Vec<PeriodRow> {
    rows(view, activation_streams(view, events), &run_lengths(view))
}

/// The rows of streams.
pub(super) fn rows(
    view: &View<'_>,
    mut streams: Vec<ActivationStream>,
    runs: &RunLengths,
) -> Vec<PeriodRow> {
    streams.retain(|stream| !stream.activations.is_empty());
    rtoscope_trace::parallel::map(streams, |stream| {
        let runs = runs.get(&stream.source);
        row(view, stream, runs.cloned())
    })
}

/// The kinds of the trace's events with this name or symbol, in any case. Events of a
/// trace can have names that its catalogue does not list, like those of user events.
pub fn event_kinds_named(trace: &Trace, name: &str) -> Vec<EventKindId> {
    let kinds = trace.events.occurring_kinds();
    let is_named = |kind: &EventKindId| {
        let symbol = trace.catalogue.get(*kind).map(|it| &*it.symbol);
        let shown = trace.catalogue.name(*kind);
        let is_symbol = symbol.is_some_and(|symbol| symbol.eq_ignore_ascii_case(name));
        is_symbol || shown.eq_ignore_ascii_case(name)
    };
    kinds.into_iter().filter(is_named).collect()
}

fn row(view: &View<'_>, stream: ActivationStream, run: Option<Distribution>) -> PeriodRow {
    let clock = &view.trace.clock;
    let ActivationStream {
        source,
        activations,
    } = stream;
    let context = source.context();
    let mut unknown_periods = 0;
    let mut unknown_responses = 0;
    let [mut period, mut response, mut cpu_time] = std::array::from_fn(|_| Samples::default());
    for activation in &activations {
        match activation.period {
            Some(ticks) => {
                let start = Ticks(activation.start.0.saturating_sub(ticks.0));
                period.add_interval([start, activation.start], activation.event, context);
            }
            None => unknown_periods += 1,
        }
        match activation.response {
            Some(it) => response.add(it.duration, it.event),
            None => unknown_responses += 1,
        }
        if let Some(it) = activation.cpu_time {
            cpu_time.add(it.duration, it.event);
        }
    }
    let jitter = period.range().zip(period.standard_deviation());
    PeriodRow {
        name: source.name(view),
        kind: source.kind(),
        activations: activations.len() as u64,
        unjudged_periods: unknown_periods,
        unjudged_responses: match source {
            ActivationSource::Event(_) => 0,
            _ => unknown_responses,
        },
        jitter: jitter.map(|([min, max], standard_deviation)| PeriodJitter {
            peak_to_peak: max - min,
            standard_deviation,
        }),
        period: period.distribution(clock),
        response: response.distribution(clock),
        cpu_time: cpu_time.distribution(clock),
        run,
    }
}

#[cfg(test)]
mod tests;

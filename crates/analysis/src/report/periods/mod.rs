//! Periods: how regularly threads, interrupt service routines, active objects, states
//! and events recur, and how long they run.

mod activations;
mod thread_activations;

pub use activations::{
    Activation, ActivationSource, ActivationStream, activation_streams, isr_activations, runs,
};
pub(super) use activations::{RunLengths, regular_period, run_lengths, thread_and_isr_streams};
pub use thread_activations::thread_activations;

use super::distribution::standard_deviation;
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
            column!(Count, unjudged_periods, "Unknown periods")
                .hint("The first, and those before which an activation may be missing"),
            column!(Count, unjudged_responses, "Unknown responses")
                .hint("Start or end not recorded"),
            column!(Duration, jitter?.peak_to_peak, "Peak-to-peak jitter")
                .hint("Longest period less the shortest"),
            column!(
                Duration,
                jitter.standard_deviation,
                "Standard deviation",
                |row| Some(Cell::FractionalDuration(row.jitter?.standard_deviation))
            )
            .hint("Of the periods"),
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

impl PeriodJitter {
    fn of(periods: impl Iterator<Item = u64> + Clone) -> Option<Self> {
        let (min, max) = (periods.clone().min()?, periods.clone().max()?);
        Some(Self {
            peak_to_peak: max - min,
            standard_deviation: standard_deviation(periods)?,
        })
    }
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
    let mut period = Samples::default();
    for activation in &activations {
        if let Some(ticks) = activation.period {
            let start = Ticks(activation.start.0.saturating_sub(ticks.0));
            period.add_interval([start, activation.start], activation.event, context);
        }
    }
    let distribution = |measured: fn(&Activation) -> Option<(Ticks, _)>| {
        let mut samples = Samples::default();
        for (ticks, event) in activations.iter().filter_map(measured) {
            samples.add(ticks, event);
        }
        samples.distribution(clock)
    };
    let unknown = |is_known: fn(&Activation) -> bool| {
        let unknown = activations.iter().filter(|it| !is_known(it));
        unknown.count() as u64
    };
    let periods = activations.iter().filter_map(|it| Some(it.period?.0));
    PeriodRow {
        name: source.name(view),
        kind: source.kind(),
        activations: activations.len() as u64,
        unjudged_periods: unknown(|it| it.period.is_some()),
        unjudged_responses: match source {
            ActivationSource::Event(_) => 0,
            _ => unknown(|it| it.response.is_some()),
        },
        period: period.distribution(clock),
        jitter: PeriodJitter::of(periods),
        response: distribution(|it| it.response.map(|it| (it.duration, it.event))),
        cpu_time: distribution(|it| it.cpu_time.map(|it| (it.duration, it.event))),
        run,
    }
}

#[cfg(test)]
mod tests;

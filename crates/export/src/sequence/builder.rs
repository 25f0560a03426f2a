//! Builds the model of a sequence diagram from the analysis of active objects.

use super::row_builder::RowBuilder;
use super::row_sources::{RowSource, collect_rows};
use super::{
    DiagramRow, Lifeline, LifelineId, RowId, RowKind, SequenceDiagram, SequenceOptions, step_bars,
};
use crate::naming;
use rtoscope_analysis::active::{ActiveObjects, StateInterval};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};
use std::collections::BTreeMap;

pub(super) fn build(
    trace: &Trace,
    active: &ActiveObjects,
    options: &SequenceOptions,
) -> SequenceDiagram {
    let events = options.window.events(trace);
    let mut found = collect_rows(trace, active, options, &events);
    let skipped = found.len().saturating_sub(options.max_rows);
    found.truncate(options.max_rows);
    let mut describer = RowBuilder::new(trace, active);
    let rows = found.into_iter();
    let rows = rows.filter_map(|(event, source)| Some((source, describer.row(event, source)?)));
    let (sources, mut rows): (Vec<_>, Vec<_>) = rows.unzip();
    link_posts(&mut rows, &sources);
    let order = order_lifelines(&mut rows, &describer.endpoints);
    let naming = NameFormatter(trace);
    let time = trace.events.time(events.start).unwrap_or_default();
    let state = |endpoint| {
        let interval = state_before(active, endpoint, events.start, time);
        interval
            .filter(|_| options.show.states)
            .map(|interval| naming.vertex(interval.state))
    };
    let lifelines = order.into_iter().map(|endpoint| Lifeline {
        endpoint,
        name: naming::endpoint_name(trace, endpoint),
        state: state(endpoint),
    });
    let mut sequence = SequenceDiagram {
        lifelines: lifelines.collect(),
        rows,
        bars: Vec::new(),
        skipped_rows: skipped,
    };
    sequence.bars = step_bars::step_bars(trace, active, options, &sequence, &events);
    sequence
}

/// Links posts with the rows that take them.
fn link_posts(rows: &mut [DiagramRow], sources: &[RowSource<'_>]) {
    let mut posts = BTreeMap::new();
    let mut takes = BTreeMap::new();
    for (source, row) in sources.iter().zip((0..).map(RowId)) {
        match source {
            RowSource::Post(post, _) => drop(posts.insert(*post, row)),
            RowSource::Take(step, _) => drop(takes.insert(*step, row)),
            _ => {}
        }
    }
    for ((row, source), here) in rows.iter_mut().zip(sources).zip((0..).map(RowId)) {
        match (&mut row.kind, source) {
            (RowKind::Post { take_row, .. }, RowSource::Post(_, post)) => {
                let take = post.step.and_then(|step| takes.get(&step));
                *take_row = take.copied().filter(|take| *take > here);
            }
            (RowKind::Take { post_row, .. }, RowSource::Take(_, step)) => {
                let post = step.post.and_then(|post| posts.get(&post));
                *post_row = post.copied().filter(|post| *post < here);
            }
            _ => {}
        }
    }
}

/// Orders the lifelines from left to right, and returns their endpoints.
fn order_lifelines(rows: &mut [DiagramRow], endpoints: &[Endpoint]) -> Vec<Endpoint> {
    let mut order: Vec<_> = endpoints
        .iter()
        .copied()
        .zip((0..).map(LifelineId))
        .collect();
    // The sort is stable: endpoints other than active objects keep the order of
    // their rows.
    order.sort_by_key(|(endpoint, _)| match endpoint {
        Endpoint::Unknown => (0, 0),
        Endpoint::Other(_) => (1, 0),
        Endpoint::Object(context) => (2, context.index()),
    });
    let numbers = order.iter().zip((0..).map(LifelineId));
    let places: BTreeMap<_, _> = numbers.map(|((_, id), place)| (*id, place)).collect();
    for id in rows.iter_mut().flat_map(|row| row.kind.lifelines()) {
        *id = places.get(id).copied().unwrap_or(*id);
    }
    order.into_iter().map(|(endpoint, _)| endpoint).collect()
}

/// The state of a machine when an event arrived.
fn state_before(
    active: &ActiveObjects,
    endpoint: Endpoint,
    event: EventIndex,
    time: Ticks,
) -> Option<&StateInterval> {
    let Endpoint::Object(context) = endpoint else {
        return None;
    };
    let intervals = active.state_intervals.get(context.index())?;
    let count = intervals.partition_point(|interval| interval.first < event);
    let interval = intervals.get(count.checked_sub(1)?)?;
    // An interval that ends in a gap says nothing about the time after the gap.
    (interval.complete || interval.end >= time).then_some(interval)
}

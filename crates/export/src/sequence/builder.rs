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
    wish: &SequenceOptions,
) -> SequenceDiagram {
    let events = wish.window.events(trace);
    let mut found = collect_rows(trace, active, wish, &events);
    let left_out = found.len().saturating_sub(wish.max_rows);
    found.truncate(wish.max_rows);
    let mut describer = RowBuilder::new(trace, active);
    let rows = found.into_iter();
    let rows = rows.filter_map(|(event, what)| Some((what, describer.row(event, what)?)));
    let (whats, mut rows): (Vec<_>, Vec<_>) = rows.unzip();
    link_posts(&mut rows, &whats, active);
    let order = order_lifelines(&mut rows, &describer.endpoints);
    let naming = NameFormatter(trace);
    let time = trace.events.time.get(events.start.index()).copied();
    let time = Ticks(time.unwrap_or_default());
    let state = |party| {
        let stay = state_before(active, party, events.start, time);
        stay.filter(|_| wish.show.states)
            .map(|stay| naming.vertex(stay.state))
    };
    let lifelines = order.into_iter().map(|party| Lifeline {
        endpoint: party,
        name: naming::endpoint_name(trace, party),
        state: state(party),
    });
    let mut sequence = SequenceDiagram {
        lifelines: lifelines.collect(),
        rows,
        bars: Vec::new(),
        skipped_rows: left_out,
    };
    sequence.bars = step_bars::step_bars(trace, active, wish, &sequence, &events);
    sequence
}

/// Links posts with the rows that take them.
fn link_posts(rows: &mut [DiagramRow], whats: &[RowSource], active: &ActiveObjects) {
    let mut posts = BTreeMap::new();
    let mut takes = BTreeMap::new();
    for (what, row) in whats.iter().zip((0..).map(RowId)) {
        match what {
            RowSource::Post(post) => drop(posts.insert(*post, row)),
            RowSource::Take(step) => drop(takes.insert(*step, row)),
            _ => {}
        }
    }
    for ((row, what), here) in rows.iter_mut().zip(whats).zip((0..).map(RowId)) {
        match (&mut row.kind, what) {
            (
                RowKind::Post {
                    take_row: taken, ..
                },
                RowSource::Post(post),
            ) => {
                let post = active.posts.get(post.index());
                let take = post.and_then(|post| takes.get(&post.step?));
                *taken = take.copied().filter(|take| *take > here);
            }
            (
                RowKind::Take {
                    post_row: posted, ..
                },
                RowSource::Take(step),
            ) => {
                let step = active.steps.get(step.index());
                let post = step.and_then(|step| posts.get(&step.post?));
                *posted = post.copied().filter(|post| *post < here);
            }
            _ => {}
        }
    }
}

/// Orders the lifelines from left to right, and returns their endpoints.
fn order_lifelines(rows: &mut [DiagramRow], parties: &[Endpoint]) -> Vec<Endpoint> {
    let mut order: Vec<_> = parties.iter().copied().zip((0..).map(LifelineId)).collect();
    // The sort is stable: endpoints other than active objects keep the order of
    // their rows.
    order.sort_by_key(|(party, _)| match party {
        Endpoint::Unknown => (0, 0),
        Endpoint::Other(_) => (1, 0),
        Endpoint::Object(context) => (2, context.index()),
    });
    let numbers = order.iter().zip((0..).map(LifelineId));
    let places: BTreeMap<_, _> = numbers.map(|((_, id), place)| (*id, place)).collect();
    for id in rows.iter_mut().flat_map(|row| row.kind.lifelines()) {
        *id = places.get(id).copied().unwrap_or(*id);
    }
    order.into_iter().map(|(party, _)| party).collect()
}

/// The state of a machine when an event arrived.
fn state_before(
    active: &ActiveObjects,
    party: Endpoint,
    event: EventIndex,
    time: Ticks,
) -> Option<&StateInterval> {
    let Endpoint::Object(context) = party else {
        return None;
    };
    let stays = active.state_intervals.get(context.index())?;
    let behind = stays.partition_point(|stay| stay.first < event);
    let stay = stays.get(behind.checked_sub(1)?)?;
    // An interval that ends in a gap says nothing about the time after the gap.
    (stay.complete || stay.end >= time).then_some(stay)
}

//! The model of a sequence diagram from what is known of active objects.

use super::collect::{What, collect};
use super::describe::Describer;
use super::{Lifeline, LifelineId, Mark, Row, RowId, Sequence, Wish, bars};
use crate::naming;
use rtoscope_analysis::active::{Active, Stay};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::{EventIndex, Party, Ticks, Trace};
use std::collections::BTreeMap;

pub(super) fn build(trace: &Trace, active: &Active, wish: &Wish) -> Sequence {
    let events = wish.window.events(trace);
    let mut found = collect(trace, active, wish, &events);
    let left_out = found.len().saturating_sub(wish.most);
    found.truncate(wish.most);
    let mut describer = Describer::new(trace, active);
    let rows = found.into_iter();
    let rows = rows.filter_map(|(event, what)| Some((what, describer.row(event, what)?)));
    let (whats, mut rows): (Vec<_>, Vec<_>) = rows.unzip();
    link(&mut rows, &whats, active);
    let order = settle(&mut rows, &describer.parties);
    let naming = Naming(trace);
    let time = trace.events.time.get(events.start.index()).copied();
    let time = Ticks(time.unwrap_or_default());
    let state = |party| {
        let stay = state_before(active, party, events.start, time);
        stay.filter(|_| wish.show.states)
            .map(|stay| naming.vertex(stay.state))
    };
    let lifelines = order.into_iter().map(|party| Lifeline {
        party,
        name: naming::party(trace, party),
        state: state(party),
    });
    let mut sequence = Sequence {
        lifelines: lifelines.collect(),
        rows,
        bars: Vec::new(),
        left_out,
    };
    sequence.bars = bars::bars(trace, active, wish, &sequence, &events);
    sequence
}

/// Joins posts with where they are taken.
fn link(rows: &mut [Row], whats: &[What], active: &Active) {
    let mut posts = BTreeMap::new();
    let mut takes = BTreeMap::new();
    for (what, row) in whats.iter().zip((0..).map(RowId)) {
        match what {
            What::Post(post) => drop(posts.insert(*post, row)),
            What::Take(step) => drop(takes.insert(*step, row)),
            _ => {}
        }
    }
    for ((row, what), here) in rows.iter_mut().zip(whats).zip((0..).map(RowId)) {
        match (&mut row.mark, what) {
            (Mark::Post { taken, .. }, What::Post(post)) => {
                let post = active.posts.get(post.index());
                let take = post.and_then(|post| takes.get(&post.step?));
                *taken = take.copied().filter(|take| *take > here);
            }
            (Mark::Take { posted, .. }, What::Take(step)) => {
                let step = active.steps.get(step.index());
                let post = step.and_then(|step| posts.get(&step.post?));
                *posted = post.copied().filter(|post| *post < here);
            }
            _ => {}
        }
    }
}

/// Numbers lifelines from left to right, and says whose they are.
fn settle(rows: &mut [Row], parties: &[Party]) -> Vec<Party> {
    let mut order: Vec<_> = parties.iter().copied().zip((0..).map(LifelineId)).collect();
    // Stable: those that are no active objects stay in the order of their rows.
    order.sort_by_key(|(party, _)| match party {
        Party::Unknown => (0, 0),
        Party::Other(_) => (1, 0),
        Party::Object(context) => (2, context.index()),
    });
    let numbers = order.iter().zip((0..).map(LifelineId));
    let places: BTreeMap<_, _> = numbers.map(|((_, id), place)| (*id, place)).collect();
    for id in rows.iter_mut().flat_map(|row| row.mark.lifelines()) {
        *id = places.get(id).copied().unwrap_or(*id);
    }
    order.into_iter().map(|(party, _)| party).collect()
}

/// Where a machine stayed when an event came.
fn state_before(active: &Active, party: Party, event: EventIndex, time: Ticks) -> Option<&Stay> {
    let Party::Object(context) = party else {
        return None;
    };
    let stays = active.stays.get(context.index())?;
    let behind = stays.partition_point(|stay| stay.first < event);
    let stay = stays.get(behind.checked_sub(1)?)?;
    // One that ends in lost records says nothing of what came behind them.
    (stay.whole || stay.end >= time).then_some(stay)
}

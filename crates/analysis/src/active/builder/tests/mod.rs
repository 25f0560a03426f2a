//! What is made of reactions that were written by hand, one every ten ticks.

mod machines;
mod pairs;

use super::super::{Active, Ending, Stay, Step};
use crate::fixture::reactive::{A, B, Reactions};
use crate::fixture::trace;
use rtoscope_trace::reaction::{Outcome, Role};
use rtoscope_trace::{Address, ContextId, EventIndex, Gap, Party, Reaction, Signal, Ticks, Vertex};

const GO: Signal = Signal(1);
const STOP: Signal = Signal(2);
const IDLE: Vertex = Vertex(Address(0x10));
const BUSY: Vertex = Vertex(Address(0x20));
const PROCESSED: Outcome = Outcome::Processed;

/// What is made of two objects' reactions, with records missing before some.
fn active(reactions: &[Reaction], gaps: &[u32]) -> Active {
    let mut trace = trace((0..reactions.len() as u64).map(|number| number * 10), 2);
    trace.gaps.extend(gaps.iter().map(|before| Gap {
        before: EventIndex(*before),
        missing: None,
        core: None,
    }));
    Active::of(&trace, &Reactions(reactions.to_vec()))
}

fn post(to: ContextId, signal: Signal, queued: u32) -> Reaction {
    Reaction::Post {
        to,
        signal,
        from: Party::Unknown,
        front: false,
        queued,
    }
}

fn post_front(to: ContextId, signal: Signal, queued: u32) -> Reaction {
    Reaction::Post {
        to,
        signal,
        from: Party::Unknown,
        front: true,
        queued,
    }
}

fn take(object: ContextId, signal: Signal, left: u32) -> Reaction {
    Reaction::Take {
        object,
        signal,
        left,
    }
}

fn dispatch(object: ContextId, signal: Signal, state: Vertex) -> Reaction {
    Reaction::Dispatch {
        object,
        signal,
        state,
    }
}

fn transition(object: ContextId, source: Vertex, target: Option<Vertex>) -> Reaction {
    Reaction::Transition {
        object,
        source,
        target,
    }
}

fn settle(object: ContextId, state: Vertex) -> Reaction {
    Reaction::Settle { object, state }
}

fn enter(object: ContextId, state: Vertex) -> Reaction {
    Reaction::Enter { object, state }
}

fn exit(object: ContextId, state: Vertex) -> Reaction {
    Reaction::Exit { object, state }
}

fn done(object: ContextId, outcome: Outcome) -> Reaction {
    Reaction::Done { object, outcome }
}

/// A step's first and last event, and how it ended.
fn extent(step: &Step) -> (u32, u32, Ending) {
    (step.first.0, step.last.0, step.ending)
}

/// The states of stays, from when until when, and whether they are whole.
fn states(stays: &[Stay]) -> Vec<(Vertex, u64, u64, bool)> {
    let state = |stay: &Stay| (stay.state, stay.start.0, stay.end.0, stay.whole);
    stays.iter().map(state).collect()
}

/// For each post, the first event of the step that took it.
fn taken(active: &Active) -> Vec<Option<u32>> {
    let first = |step: Option<super::super::StepId>| Some(active.steps[step?.index()].first.0);
    active.posts.iter().map(|post| first(post.step)).collect()
}

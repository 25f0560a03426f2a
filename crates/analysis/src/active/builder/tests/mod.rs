//! Results for events written by hand, one every ten ticks.

mod machines;
mod pairs;

use super::super::{ActiveObjects, RtcStep, StateInterval, StepEnding};
use crate::fixture::active_story::{A, B, ScriptedActiveEvents};
use crate::fixture::trace;
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{
    ActiveObjectEvent, Address, ContextId, Endpoint, EventIndex, Gap, Signal, Ticks, Vertex,
};

const GO: Signal = Signal(1);
const STOP: Signal = Signal(2);
const IDLE: Vertex = Vertex(Address(0x10));
const BUSY: Vertex = Vertex(Address(0x20));
const PROCESSED: StepOutcome = StepOutcome::Processed;

/// The result for the events of two objects, with gaps before some.
fn active(events: &[ActiveObjectEvent], gaps: &[u32]) -> ActiveObjects {
    let mut trace = trace((0..events.len() as u64).map(|number| number * 10), 2);
    trace.gaps.extend(gaps.iter().map(|before| Gap {
        next_event: EventIndex(*before),
        missing: None,
        core: None,
        is_restart: false,
    }));
    ActiveObjects::from_trace(&trace, &ScriptedActiveEvents(events.to_vec()))
}

fn post(to: ContextId, signal: Signal, queued: u32) -> ActiveObjectEvent {
    ActiveObjectEvent::Post {
        to,
        signal,
        from: Endpoint::Unknown,
        front: false,
        queued,
    }
}

fn post_front(to: ContextId, signal: Signal, queued: u32) -> ActiveObjectEvent {
    ActiveObjectEvent::Post {
        to,
        signal,
        from: Endpoint::Unknown,
        front: true,
        queued,
    }
}

fn take(object: ContextId, signal: Signal, left: u32) -> ActiveObjectEvent {
    ActiveObjectEvent::Take {
        object,
        signal,
        remaining: left,
    }
}

fn dispatch(object: ContextId, signal: Signal, state: Vertex) -> ActiveObjectEvent {
    ActiveObjectEvent::Dispatch {
        object,
        signal,
        state,
    }
}

fn transition(object: ContextId, source: Vertex, target: Option<Vertex>) -> ActiveObjectEvent {
    ActiveObjectEvent::Transition {
        object,
        source,
        target,
    }
}

fn settle(object: ContextId, state: Vertex) -> ActiveObjectEvent {
    ActiveObjectEvent::Settle { object, state }
}

fn enter(object: ContextId, state: Vertex) -> ActiveObjectEvent {
    ActiveObjectEvent::Enter { object, state }
}

fn exit(object: ContextId, state: Vertex) -> ActiveObjectEvent {
    ActiveObjectEvent::Exit { object, state }
}

fn done(object: ContextId, outcome: StepOutcome) -> ActiveObjectEvent {
    ActiveObjectEvent::Done { object, outcome }
}

/// A step's first and last event, and its ending.
fn step_extent(step: &RtcStep) -> (u32, u32, StepEnding) {
    (step.first.0, step.last.0, step.ending)
}

/// The states of intervals, their start and end, and whether they are complete.
fn states(intervals: &[StateInterval]) -> Vec<(Vertex, u64, u64, bool)> {
    let state = |interval: &StateInterval| {
        (
            interval.state,
            interval.start.0,
            interval.end.0,
            interval.complete,
        )
    };
    intervals.iter().map(state).collect()
}

/// For each post, the first event of the step that took it.
fn taken(active: &ActiveObjects) -> Vec<Option<u32>> {
    let first = |step: Option<super::super::StepId>| Some(active.steps[step?.index()].first.0);
    active.posts.iter().map(|post| first(post.step)).collect()
}

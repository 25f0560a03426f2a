//! Tracks of state machines.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::{LaneStep, StepTrack};
use crate::index::state_machines::{IndexedMachine, StateMachines};
use rtoscope_analysis::active::{ActiveObjects, StateInterval};
use rtoscope_trace::{ContextId, EventIndex, Ticks, Trace};
use std::collections::BTreeMap;

/// The track of each machine, in the order of [`StateMachines`]. The subject of a step is the
/// number of the state.
pub(crate) fn tracks(
    trace: &Trace,
    active: &ActiveObjects,
    machines: &StateMachines,
) -> Vec<StepTrack> {
    let creations = creation_events(active);
    let tracks = machines.iter().map(|machine| {
        let intervals = active.state_intervals.get(machine.context.index());
        let intervals = intervals.map(Vec::as_slice).unwrap_or_default();
        let created = creations.get(&machine.context).copied();
        track(trace, machine, intervals, created)
    });
    tracks.collect()
}

/// The first event of each active object's initial transition.
fn creation_events(active: &ActiveObjects) -> BTreeMap<ContextId, EventIndex> {
    let steps = active.steps.iter().filter(|step| step.signal.is_none());
    let steps = steps.map(|step| (step.object, step.first));
    let transitions = active.transitions.iter().filter(|one| one.initial);
    let transitions = transitions.map(|one| (one.object, one.event));
    let mut first = BTreeMap::new();
    for (object, event) in steps.chain(transitions) {
        let earliest = first.entry(object).or_insert(event);
        *earliest = event.min(*earliest);
    }
    first
}

fn track(
    trace: &Trace,
    machine: &IndexedMachine,
    intervals: &[StateInterval],
    created: Option<EventIndex>,
) -> StepTrack {
    let mut track = StepTrack::default();
    // The machine does not exist, not yet or no longer; or its state is unknown.
    let push_without_state = |track: &mut StepTrack, exists, start: Ticks, event| {
        let class = if exists {
            BarClass::UNKNOWN
        } else {
            BarClass::NOTHING
        };
        let nothing = LaneStep::nothing(start.0, event);
        track.push(LaneStep { class, ..nothing });
    };
    if let Some(first) = intervals.first().filter(|first| first.first.0 > 0) {
        let is_created = created.is_some_and(|created| created <= first.first);
        push_without_state(&mut track, !is_created, Ticks(0), 0);
    }
    let followers = intervals.iter().skip(1).map(Some).chain([None]);
    for (interval, next) in intervals.iter().zip(followers) {
        let state = machine.state_number(interval.state);
        track.push(LaneStep {
            start: interval.start.0,
            event: interval.first.0,
            subject: state.unwrap_or(TOO_MANY),
            class: state.map_or(BarClass::UNKNOWN, BarClass::state),
            owns_event: state.is_some(),
        });
        let until = next.map_or(trace.events.span(), |next| next.start);
        if !interval.complete || interval.end < until {
            let last = last_event_in_state(trace, interval, next);
            let start = interval.end.min(until);
            push_without_state(&mut track, !interval.complete, start, last);
        }
    }
    track.shrink_to_fit();
    track
}

/// The last event at which the state is known to be current, before the next interval.
fn last_event_in_state(
    trace: &Trace,
    interval: &StateInterval,
    next: Option<&StateInterval>,
) -> u32 {
    let after = trace.events.index_after(interval.end).0;
    let gap = trace
        .gaps
        .partition_point(|gap| gap.next_event <= interval.first);
    let gap = trace.gaps.get(gap).map_or(u32::MAX, |gap| gap.next_event.0);
    let next = next.map_or(u32::MAX, |next| next.first.0);
    let last = after.min(gap).min(next).saturating_sub(1);
    last.max(interval.first.0)
}

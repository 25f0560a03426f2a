//! In which states machines stay.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::Track;
use crate::machines::{StateMachine, StateMachines};
use rtoscope_analysis::active::{ActiveObjects, StateInterval};
use rtoscope_trace::{ContextId, EventIndex, Trace};
use std::collections::BTreeMap;

/// In which states each machine stays, in the order of [`StateMachines`].
#[derive(Debug)]
pub(super) struct MachineTracks(Vec<MachineTrack>);

/// In which states a machine stays.
#[derive(Debug)]
pub(super) struct MachineTrack(Vec<MachineStep>);

#[derive(Debug, Clone, Copy)]
struct MachineStep {
    start: u64,
    event: u32,
    /// The state's number, or one of the below.
    state_code: u32,
}

/// There is no machine: not yet, or no more.
const NOTHING: u32 = u32::MAX;
/// It is not known in which state it is.
const UNKNOWN: u32 = u32::MAX - 1;

impl MachineTracks {
    pub(super) fn of(trace: &Trace, active: &ActiveObjects, machines: &StateMachines) -> Self {
        let creations = creation_events(active);
        let tracks = machines.iter().map(|machine| {
            let stays = active.state_intervals.get(machine.context.index());
            let stays = stays.map(Vec::as_slice).unwrap_or_default();
            let created = creations.get(&machine.context).copied();
            MachineTrack::of(trace, machine, stays, created)
        });
        Self(tracks.collect())
    }

    /// That of the machine of that place.
    pub(super) fn get(&self, place: usize) -> Option<&MachineTrack> {
        self.0.get(place)
    }
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

impl MachineTrack {
    fn of(
        trace: &Trace,
        machine: &StateMachine,
        stays: &[StateInterval],
        created: Option<EventIndex>,
    ) -> Self {
        let mut steps = Vec::with_capacity(stays.len() + 1);
        if let Some(first) = stays.first().filter(|first| first.first.0 > 0) {
            let is_created = created.is_some_and(|created| created <= first.first);
            steps.push(MachineStep {
                start: 0,
                event: 0,
                state_code: if is_created { NOTHING } else { UNKNOWN },
            });
        }
        let followers = stays.iter().skip(1).map(Some).chain([None]);
        for (stay, next) in stays.iter().zip(followers) {
            steps.push(MachineStep {
                start: stay.start.0,
                event: stay.first.0,
                state_code: machine.state_number(stay.state).unwrap_or(UNKNOWN),
            });
            let until = next.map_or(trace.events.span(), |next| next.start);
            if !stay.complete || stay.end < until {
                steps.push(MachineStep {
                    start: stay.end.0.min(until.0),
                    event: last_event_in_state(trace, stay, next),
                    state_code: if stay.complete { NOTHING } else { UNKNOWN },
                });
            }
        }
        steps.shrink_to_fit();
        Self(steps)
    }

    /// The number of the state of a step, if it is one.
    pub(super) fn state(&self, step: usize) -> Option<u32> {
        let what = self.0.get(step)?.state_code;
        (what < UNKNOWN).then_some(what)
    }
}

/// The last event up to which a stay is known to have lasted that no other follows.
fn last_event_in_state(trace: &Trace, stay: &StateInterval, next: Option<&StateInterval>) -> u32 {
    let behind = trace
        .events
        .time
        .partition_point(|time| *time <= stay.end.0);
    let behind = u32::try_from(behind).unwrap_or(u32::MAX);
    let gap = trace
        .gaps
        .partition_point(|gap| gap.next_event <= stay.first);
    let gap = trace.gaps.get(gap).map_or(u32::MAX, |gap| gap.next_event.0);
    let next = next.map_or(u32::MAX, |next| next.first.0);
    let last = behind.min(gap).min(next).saturating_sub(1);
    last.max(stay.first.0)
}

impl Track for MachineTrack {
    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.0.get(step).map_or(0, |step| step.start)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.0.get(step).map_or(0, |step| step.event)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        match self.0.get(step).map_or(NOTHING, |step| step.state_code) {
            NOTHING => BarClass::NOTHING,
            UNKNOWN => BarClass::UNKNOWN,
            state => BarClass::state(state),
        }
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.state(step).unwrap_or(TOO_MANY)
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.state(step).is_some()
    }

    fn start_known(&self, step: usize) -> bool {
        self.state(step).is_some()
    }
}

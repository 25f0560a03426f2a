//! Tracks of state machines.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::Track;
use crate::index::state_machines::{IndexedMachine, StateMachines};
use rtoscope_analysis::active::{ActiveObjects, StateInterval};
use rtoscope_trace::{ContextId, EventIndex, Trace};
use std::collections::BTreeMap;

/// The track of each machine, in the order of [`StateMachines`].
#[derive(Debug)]
pub(crate) struct MachineTracks(Vec<MachineTrack>);

/// The states of a machine over time.
#[derive(Debug)]
pub(crate) struct MachineTrack(Vec<MachineStep>);

#[derive(Debug, Clone, Copy)]
struct MachineStep {
    start: u64,
    event: u32,
    /// The state's number, or one of the constants below.
    state_code: u32,
}

/// The machine does not exist: not yet, or no longer.
const NOTHING: u32 = u32::MAX;
/// The state is unknown.
const UNKNOWN: u32 = u32::MAX - 1;

impl MachineTracks {
    pub(crate) fn of(trace: &Trace, active: &ActiveObjects, machines: &StateMachines) -> Self {
        let creations = creation_events(active);
        let tracks = machines.iter().map(|machine| {
            let intervals = active.state_intervals.get(machine.context.index());
            let intervals = intervals.map(Vec::as_slice).unwrap_or_default();
            let created = creations.get(&machine.context).copied();
            MachineTrack::of(trace, machine, intervals, created)
        });
        Self(tracks.collect())
    }

    /// The track of the machine with this index.
    pub(crate) fn get(&self, place: usize) -> Option<&MachineTrack> {
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
        machine: &IndexedMachine,
        intervals: &[StateInterval],
        created: Option<EventIndex>,
    ) -> Self {
        let mut steps = Vec::with_capacity(intervals.len() + 1);
        if let Some(first) = intervals.first().filter(|first| first.first.0 > 0) {
            let is_created = created.is_some_and(|created| created <= first.first);
            steps.push(MachineStep {
                start: 0,
                event: 0,
                state_code: if is_created { NOTHING } else { UNKNOWN },
            });
        }
        let followers = intervals.iter().skip(1).map(Some).chain([None]);
        for (interval, next) in intervals.iter().zip(followers) {
            steps.push(MachineStep {
                start: interval.start.0,
                event: interval.first.0,
                state_code: machine.state_number(interval.state).unwrap_or(UNKNOWN),
            });
            let until = next.map_or(trace.events.span(), |next| next.start);
            if !interval.complete || interval.end < until {
                steps.push(MachineStep {
                    start: interval.end.0.min(until.0),
                    event: last_event_in_state(trace, interval, next),
                    state_code: if interval.complete { NOTHING } else { UNKNOWN },
                });
            }
        }
        steps.shrink_to_fit();
        Self(steps)
    }

    /// The number of the state in a step, if known.
    pub(crate) fn state(&self, step: usize) -> Option<u32> {
        let what = self.0.get(step)?.state_code;
        (what < UNKNOWN).then_some(what)
    }
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

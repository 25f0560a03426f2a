//! Interprets RKH records as events of active objects.

use super::kind_semantics::{ArgumentPosition, RecordRole, SemanticsTable};
use foldhash::HashMap;
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{
    ActiveObjectEvent, Address, ContextId, Endpoint, Event, EventIndex, Signal, Trace, Vertex,
};

/// The active-object event of a record.
pub(super) fn active_object_event(
    trace: &Trace,
    kind_semantics: &SemanticsTable,
    objects: &HashMap<u32, ContextId>,
    event: &Event,
) -> ActiveObjectEvent {
    let record = RecordView {
        trace,
        kind_semantics,
        objects,
        event,
        arguments: event.arguments.map(|argument| argument as u32),
    };
    record
        .active_object_event()
        .unwrap_or(ActiveObjectEvent::None)
}

/// Whether the target started before it sent its configuration.
pub(super) fn is_restart(trace: &Trace, event: &Event) -> bool {
    event.index.0 == 0 || trace.is_restart(event.index)
}

/// Maximum number of records to look back for the last one of a state machine.
const MAX_LOOK_BACK: u32 = 256;

/// Whether a record ends the processing of an event. A false guard does not
/// while the state machine searches for a transition; it does after the history
/// pseudostate of a transition that was taken (`rkh_sm_dispatch()` of RKH
/// 3.4.00).
pub(super) fn ends_step(
    kind_semantics: &SemanticsTable,
    trace: &Trace,
    event: &Event,
    outcome: StepOutcome,
) -> bool {
    if outcome != StepOutcome::GuardFalse {
        return true;
    }
    let events = &trace.events;
    let earliest = event.index.0.saturating_sub(MAX_LOOK_BACK);
    let gap = trace
        .gaps
        .partition_point(|gap| gap.next_event <= event.index);
    let gap = gap.checked_sub(1).and_then(|gap| trace.gaps.get(gap));
    let earliest = earliest.max(gap.map_or(0, |gap| gap.next_event.0));
    let before = (earliest..event.index.0).rev().map(EventIndex);
    let object = event.context;
    let last = before
        .filter(|index| events.context(*index) == Some(object))
        .find_map(|index| {
            let role = kind_semantics.get(events.kind(index)?).role;
            match role {
                RecordRole::Transition | RecordRole::Segment => Some(true),
                RecordRole::Take
                | RecordRole::Dispatch
                | RecordRole::Settle
                | RecordRole::Enstate
                | RecordRole::Initial
                | RecordRole::Machine => Some(false),
                RecordRole::Done(outcome) => (outcome != StepOutcome::GuardFalse).then_some(false),
                _ => None,
            }
        });
    last == Some(true)
}

struct RecordView<'a> {
    trace: &'a Trace,
    kind_semantics: &'a SemanticsTable,
    objects: &'a HashMap<u32, ContextId>,
    event: &'a Event,
    arguments: [u32; 4],
}

impl RecordView<'_> {
    fn active_object_event(&self) -> Option<ActiveObjectEvent> {
        let semantics = self.kind_semantics.get(self.event.kind);
        let object = || self.object(semantics.object);
        let signal = || self.value(semantics.signal).map(Signal);
        let [first, second, third, fourth] = self.arguments;
        let address = |address: u32| Address(address.into());
        let vertex = |at: u32| Vertex(address(at));
        Some(match semantics.role {
            RecordRole::Target if is_restart(self.trace, self.event) => ActiveObjectEvent::Restart,
            RecordRole::Activate => ActiveObjectEvent::Activate { object: object()? },
            RecordRole::Terminate => ActiveObjectEvent::Terminate { object: object()? },
            RecordRole::PostFifo | RecordRole::PostLifo => ActiveObjectEvent::Post {
                to: object()?,
                signal: signal()?,
                from: self.endpoint(semantics.actor),
                front: semantics.role == RecordRole::PostLifo,
                queued: self
                    .value(semantics.level)
                    .unwrap_or(ActiveObjectEvent::UNKNOWN_COUNT),
            },
            RecordRole::Take => ActiveObjectEvent::Take {
                object: object()?,
                signal: signal()?,
                remaining: self
                    .value(semantics.level)
                    .unwrap_or(ActiveObjectEvent::UNKNOWN_COUNT),
            },
            // Up to RKH 2.4.03 the record lacks the state: only the next record
            // contains it.
            RecordRole::Dispatch => ActiveObjectEvent::Dispatch {
                object: object()?,
                signal: signal()?,
                state: vertex(third),
            },
            RecordRole::Initial => ActiveObjectEvent::Initial {
                object: object()?,
                state: vertex(second),
            },
            RecordRole::Transition => ActiveObjectEvent::Transition {
                object: object()?,
                source: vertex(second),
                target: Some(third).filter(|target| *target != 0).map(vertex),
            },
            RecordRole::Segment => ActiveObjectEvent::Segment {
                object: object()?,
                vertex: vertex(second),
            },
            RecordRole::Exstate => ActiveObjectEvent::Exit {
                object: object()?,
                state: vertex(second),
            },
            RecordRole::Enstate => ActiveObjectEvent::Enter {
                object: object()?,
                state: vertex(second),
            },
            RecordRole::Settle => ActiveObjectEvent::Settle {
                object: object()?,
                state: vertex(second),
            },
            // Here the first argument is the kind of action.
            RecordRole::Action => ActiveObjectEvent::Action {
                object: object()?,
                role: action_role(first),
                state: vertex(third),
                function: address(fourth),
            },
            RecordRole::Done(outcome) => ActiveObjectEvent::Done {
                object: object()?,
                outcome,
            },
            RecordRole::Defer => ActiveObjectEvent::Defer {
                queue: address(first),
                signal: signal()?,
            },
            RecordRole::Recall => ActiveObjectEvent::Recall {
                object: object()?,
                signal: signal()?,
            },
            RecordRole::TimerInit => ActiveObjectEvent::TimerCreate {
                timer: address(first),
                signal: signal()?,
            },
            RecordRole::TimerStart => ActiveObjectEvent::TimerStart {
                timer: address(first),
                object: object()?,
                ticks: third,
                period: self.value(semantics.period).unwrap_or_default(),
            },
            RecordRole::TimerStop => ActiveObjectEvent::TimerStop {
                timer: address(first),
                remaining: second,
            },
            RecordRole::TimerExpire => ActiveObjectEvent::TimerExpire {
                timer: address(first),
                object: object()?,
                signal: signal()?,
            },
            RecordRole::TimerRemove => ActiveObjectEvent::TimerRemove {
                timer: address(first),
            },
            RecordRole::Failure => ActiveObjectEvent::AssertionFailed,
            RecordRole::Execute => ActiveObjectEvent::Call {
                function: address(first),
                from: match self.event.context {
                    context if context.is_thread() => Endpoint::Object(context),
                    _ => Endpoint::Unknown,
                },
                to: Endpoint::Unknown,
            },
            RecordRole::Synchronous => ActiveObjectEvent::Call {
                function: address(first),
                from: self.endpoint(semantics.actor),
                to: self.endpoint(semantics.object),
            },
            _ => return None,
        })
    }

    fn value(&self, place: ArgumentPosition) -> Option<u32> {
        let words = || self.trace.events.extras().words(self.event.index);
        place.value(&self.arguments, words)
    }

    fn object(&self, place: ArgumentPosition) -> Option<ContextId> {
        self.objects.get(&self.value(place)?).copied()
    }

    fn endpoint(&self, place: ArgumentPosition) -> Endpoint {
        match self.value(place) {
            None | Some(0) => Endpoint::Unknown,
            Some(address) => {
                let other = Endpoint::Other(Address(address.into()));
                let object = self.objects.get(&address).copied();
                object.map_or(other, Endpoint::Object)
            }
        }
    }
}

/// The kind of an action (`RKH_SUBTE_SM_EXE_ACT_…` of RKH 3.4.00).
fn action_role(role: u32) -> ActionRole {
    match role {
        0 => ActionRole::Effect,
        1 => ActionRole::Entry,
        2 => ActionRole::Exit,
        3 => ActionRole::Initial,
        4 => ActionRole::Preprocess,
        5 => ActionRole::Guard,
        _ => ActionRole::Other,
    }
}

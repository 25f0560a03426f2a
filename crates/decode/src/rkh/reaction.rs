//! What the records of RKH mean to active objects.

use super::addresses::Addresses;
use super::role::{Place, Role, Senses};
use rtoscope_trace::reaction::{Outcome, Role as ActionRole};
use rtoscope_trace::{
    Address, ContextId, Event, EventIndex, Party, Reaction, Signal, Trace, Vertex,
};

/// What an event means.
pub(super) fn of(
    trace: &Trace,
    senses: &Senses,
    objects: &Addresses<ContextId>,
    event: &Event,
) -> Reaction {
    let record = Record {
        trace,
        senses,
        objects,
        event,
        arguments: event.arguments.map(|argument| argument as u32),
    };
    record.reaction().unwrap_or(Reaction::None)
}

/// Whether the target started again before it told its configuration: else
/// nothing would be missing there.
pub(super) fn is_restart(trace: &Trace, event: &Event) -> bool {
    let missing = trace
        .gaps
        .binary_search_by_key(&event.index, |gap| gap.before);
    event.index.0 == 0 || missing.is_ok()
}

/// Records that are looked back at for the machine's last.
const LOOK_BACK: u32 = 256;

/// Whether a record ends the processing of an event. A false guard does not
/// while a transition is looked for; it does behind the history pseudostate of
/// one that was taken (`rkh_sm_dispatch()` of RKH 3.4.00).
pub(super) fn ends(senses: &Senses, trace: &Trace, event: &Event, outcome: Outcome) -> bool {
    if outcome != Outcome::GuardFalse {
        return true;
    }
    let events = &trace.events;
    let earliest = event.index.0.saturating_sub(LOOK_BACK);
    let gap = trace.gaps.partition_point(|gap| gap.before <= event.index);
    let gap = gap.checked_sub(1).and_then(|gap| trace.gaps.get(gap));
    let earliest = earliest.max(gap.map_or(0, |gap| gap.before.0));
    let before = (earliest..event.index.0).rev().map(EventIndex);
    let object = event.context;
    let last = before
        .filter(|index| events.context.get(index.index()) == Some(&object))
        .find_map(|index| {
            let role = senses.get(*events.kind.get(index.index())?).role;
            match role {
                Role::Transition | Role::Segment => Some(true),
                Role::Take
                | Role::Dispatch
                | Role::Settle
                | Role::Enstate
                | Role::Initial
                | Role::Machine => Some(false),
                Role::Done(outcome) => (outcome != Outcome::GuardFalse).then_some(false),
                _ => None,
            }
        });
    last == Some(true)
}

struct Record<'a> {
    trace: &'a Trace,
    senses: &'a Senses,
    objects: &'a Addresses<ContextId>,
    event: &'a Event,
    arguments: [u32; 4],
}

impl Record<'_> {
    fn reaction(&self) -> Option<Reaction> {
        let sense = self.senses.get(self.event.kind);
        let object = || self.object(sense.object);
        let signal = || self.value(sense.signal).map(Signal);
        let [first, second, third, fourth] = self.arguments;
        let address = |address: u32| Address(address.into());
        let vertex = |at: u32| Vertex(address(at));
        Some(match sense.role {
            Role::Target if is_restart(self.trace, self.event) => Reaction::Restart,
            Role::Activate => Reaction::Activate { object: object()? },
            Role::Terminate => Reaction::Terminate { object: object()? },
            Role::PostFifo | Role::PostLifo => Reaction::Post {
                to: object()?,
                signal: signal()?,
                from: self.party(sense.actor),
                front: sense.role == Role::PostLifo,
                queued: self.value(sense.level).unwrap_or(Reaction::NOT_TOLD),
            },
            Role::Take => Reaction::Take {
                object: object()?,
                signal: signal()?,
                left: self.value(sense.level).unwrap_or(Reaction::NOT_TOLD),
            },
            // Up to RKH 2.4.03 without the state: only the next record tells it.
            Role::Dispatch => Reaction::Dispatch {
                object: object()?,
                signal: signal()?,
                state: vertex(third),
            },
            Role::Initial => Reaction::Initial {
                object: object()?,
                state: vertex(second),
            },
            Role::Transition => Reaction::Transition {
                object: object()?,
                source: vertex(second),
                target: Some(third).filter(|target| *target != 0).map(vertex),
            },
            Role::Segment => Reaction::Segment {
                object: object()?,
                vertex: vertex(second),
            },
            Role::Exstate => Reaction::Exit {
                object: object()?,
                state: vertex(second),
            },
            Role::Enstate => Reaction::Enter {
                object: object()?,
                state: vertex(second),
            },
            Role::Settle => Reaction::Settle {
                object: object()?,
                state: vertex(second),
            },
            // The kind of action is the first argument here.
            Role::Action => Reaction::Action {
                object: object()?,
                role: action(first),
                state: vertex(third),
                function: address(fourth),
            },
            Role::Done(outcome) => Reaction::Done {
                object: object()?,
                outcome,
            },
            Role::Defer => Reaction::Defer {
                queue: address(first),
                signal: signal()?,
            },
            Role::Recall => Reaction::Recall {
                object: object()?,
                signal: signal()?,
            },
            Role::TimerInit => Reaction::TimerCreate {
                timer: address(first),
                signal: signal()?,
            },
            Role::TimerStart => Reaction::TimerStart {
                timer: address(first),
                object: object()?,
                ticks: third,
                period: self.value(sense.period).unwrap_or_default(),
            },
            Role::TimerStop => Reaction::TimerStop {
                timer: address(first),
                left: second,
            },
            Role::TimerExpire => Reaction::TimerExpire {
                timer: address(first),
                object: object()?,
                signal: signal()?,
            },
            Role::TimerRemove => Reaction::TimerRemove {
                timer: address(first),
            },
            Role::Failure => Reaction::Failure,
            Role::Execute => Reaction::Call {
                function: address(first),
                from: match self.event.context {
                    context if context.is_thread() => Party::Object(context),
                    _ => Party::Unknown,
                },
                to: Party::Unknown,
            },
            Role::Synchronous => Reaction::Call {
                function: address(first),
                from: self.party(sense.actor),
                to: self.party(sense.object),
            },
            _ => return None,
        })
    }

    fn value(&self, place: Place) -> Option<u32> {
        let words = || self.trace.events.extras.words(self.event.index);
        place.of(&self.arguments, words)
    }

    fn object(&self, place: Place) -> Option<ContextId> {
        self.objects.get(self.value(place)?)
    }

    fn party(&self, place: Place) -> Party {
        match self.value(place) {
            None | Some(0) => Party::Unknown,
            Some(address) => {
                let other = Party::Other(Address(address.into()));
                self.objects.get(address).map_or(other, Party::Object)
            }
        }
    }
}

/// What an action is for (`RKH_SUBTE_SM_EXE_ACT_…` of RKH 3.4.00).
fn action(role: u32) -> ActionRole {
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

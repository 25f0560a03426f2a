//! Transitions, grouped and counted.

use rtoscope_analysis::active::{Action, ActiveObjects, RtcStep, Transition};
use rtoscope_trace::active_object::ActionRole;
use rtoscope_trace::{Address, ContextId, EventIndex, Signal, Vertex};
use std::collections::{BTreeMap, BTreeSet};

/// The key by which transitions are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TransitionKey {
    /// `None` for the initial transition.
    pub(super) source: Option<Vertex>,
    pub(super) target: Option<Vertex>,
    pub(super) trigger: Option<Signal>,
    pub(super) final_state: Option<Vertex>,
}

/// The count of the transitions, and the functions that they ran.
#[derive(Debug, Clone, Default)]
pub(super) struct TransitionStats {
    pub(super) count: u64,
    pub(super) guards: FunctionList,
    pub(super) effects: FunctionList,
}

/// Functions in the order of first execution: guards and branches can differ
/// between transitions.
#[derive(Debug, Clone, Default)]
pub(super) struct FunctionList {
    pub(super) list: Vec<Address>,
    known: BTreeSet<Address>,
}

impl FunctionList {
    fn add(&mut self, function: Address) {
        if self.known.insert(function) {
            self.list.push(function);
        }
    }
}

pub(super) fn transitions(
    active: &ActiveObjects,
    object: ContextId,
) -> BTreeMap<TransitionKey, TransitionStats> {
    let mut edges = BTreeMap::<TransitionKey, TransitionStats>::new();
    let own = |action: &&Action| action.object == object;
    let actions: Vec<_> = active.actions.iter().filter(own).collect();
    let transitions = active.transitions.iter();
    let own = transitions.filter(|transition| transition.object == object);
    let own: Vec<_> = own.collect();
    for (number, transition) in own.iter().enumerate() {
        let key = TransitionKey {
            source: (!transition.initial).then_some(transition.source),
            target: match transition.initial {
                true => Some(transition.target.unwrap_or(transition.source)),
                false => transition.target,
            },
            trigger: transition.trigger,
            final_state: transition.settled,
        };
        let taken = edges.entry(key).or_default();
        taken.count += 1;
        let step = transition.step;
        let step = step.and_then(|step| active.steps.get(step.index()));
        let Some(step) = step else {
            continue;
        };
        let before = number.checked_sub(1).and_then(|number| own.get(number));
        let after = own.get(number + 1);
        let around = [before, after].map(Option::<&&Transition>::copied);
        add_actions(taken, &actions, step, transition, around);
    }
    edges
}

/// Adds the functions that a transition ran: guards before its record, effects
/// after it, up to the neighbouring transitions' records.
fn add_actions(
    taken: &mut TransitionStats,
    actions: &[&Action],
    step: &RtcStep,
    transition: &Transition,
    [before, after]: [Option<&Transition>; 2],
) {
    let first = before.map_or(step.first, |before| before.event.max(step.first));
    let next = EventIndex(step.last.0.saturating_add(1));
    let end = after.map_or(next, |after| after.event.min(next));
    let begin = actions.partition_point(|action| action.event < first);
    let own = actions.get(begin..).unwrap_or_default().iter();
    for action in own.take_while(|action| action.event < end) {
        let list = match action.role {
            ActionRole::Guard if action.event < transition.event => &mut taken.guards,
            ActionRole::Effect | ActionRole::Initial if action.event > transition.event => {
                &mut taken.effects
            }
            _ => continue,
        };
        list.add(action.function);
    }
}

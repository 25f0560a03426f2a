//! Transitions of state machines, and what never occurred.

use super::View;
use crate::active::{Action, Transition};
use crate::naming::NameFormatter;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use rtoscope_trace::active_object::ActionRole;
use rtoscope_trace::{Address, ContextId, ObjectClass, Signal, Vertex};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Transitions taken, states never entered, signals never received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Transitions {
    /// The transitions that were taken, in the order of the objects, the
    /// initial ones first, then by source, trigger and target.
    pub taken: Vec<TransitionRow>,
    /// States with a name in the recording and no evidence in the scope that a
    /// machine was in them.
    pub states_never_entered: Vec<NeverEnteredState>,
    /// Signals with a name in the recording that no object is known to have
    /// received in the scope. A filter on the target can hide them.
    pub signals_never_received: Vec<NeverReceivedSignal>,
}

/// A transition that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TransitionRow {
    /// The active object.
    pub object: String,
    /// The source state.
    pub source: String,
    /// The signal that triggered it; `None` for the initial one, and if
    /// unknown.
    pub trigger: Option<String>,
    /// The target, which can be a pseudostate; `None` for an internal
    /// transition.
    pub target: Option<String>,
    /// The state in which the machine remained; `None` if unknown.
    pub settled: Option<String>,
    /// Whether it is the initial transition, which creates the machine.
    pub initial: bool,
    /// Number of times that it was taken.
    pub count: u64,
    /// Its first event in the trace.
    pub first_event: u32,
    /// Its last event.
    pub last_event: u32,
    /// The actions executed in it, as far as they are recorded.
    pub actions: Vec<ActionCount>,
}

impl TableRow for TransitionRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.taken",
        title: ReportKind::Transitions.title(),
        note: "",
        empty: "No transitions were recorded",
        rank: "count",
        columns: &[
            column!(Text, object, "Active object"),
            column!(Text, source, "Source"),
            column!(Text, trigger, "Trigger", |row| match row.initial {
                true => Some(Cell::Note("(initial)".into())),
                false => row.trigger.as_deref().and_then(Cell::name),
            })
            .missing("(unknown)"),
            column!(Text, target, "Target").missing("(internal)"),
            column!(Text, settled, "Final state"),
            column!(Count, count, "Count"),
            column!(Event, first_event, "First event"),
            column!(Event, last_event, "Last event").only(&[Viewer]),
            column!(Text, actions, "Actions", |row| {
                let actions = row.actions.iter();
                let actions: Vec<_> = actions
                    .map(|action| match action.count {
                        1 => format!("{} {}", action.role, action.function),
                        count => format!("{} {} ×{count}", action.role, action.function),
                    })
                    .collect();
                Cell::made(&actions.join(", "))
            })
            .only(&[Text, Viewer]),
        ],
    };
}

/// An action of a transition, with its count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ActionCount {
    /// Its role: `effect`, `entry`, `exit`, `initial`, `preprocess`, `guard` or
    /// `other`.
    pub role: &'static str,
    /// The function's name, or its address.
    pub function: String,
    /// Number of executions.
    pub count: u64,
}

/// A state that no machine entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NeverEnteredState {
    /// The active object that it belongs to, if known.
    pub object: Option<String>,
    /// Its name, or its address if it has none.
    pub state: String,
}

impl TableRow for NeverEnteredState {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.states_never_entered",
        title: "States never entered",
        note: "",
        empty: "None",
        rank: "",
        columns: &[
            column!(Text, state, "State"),
            column!(Text, object, "Active object"),
        ],
    };
}

/// The name of a signal that no object received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct NeverReceivedSignal(pub String);

impl TableRow for NeverReceivedSignal {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.signals_never_received",
        title: "Signals never received",
        note: "",
        empty: "None",
        rank: "",
        columns: &[column!(Text, signal, "Signal", |row| Cell::made(&row.0))],
    };
}

/// Builds the report for the machines of the scope.
pub fn transitions(view: &View<'_>) -> Transitions {
    Transitions {
        taken: taken(view),
        states_never_entered: states_never_entered(view),
        signals_never_received: signals_never_received(view),
    }
}

/// The identity of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TransitionKey {
    object: ContextId,
    later: bool,
    source: Vertex,
    trigger: Option<Signal>,
    target: Option<Vertex>,
    settled: Option<Vertex>,
}

#[derive(Debug, Default)]
struct TransitionTotals {
    count: u64,
    first: u32,
    last: u32,
    actions: BTreeMap<(ActionRole, Address), u64>,
}

fn taken(view: &View<'_>) -> Vec<TransitionRow> {
    let mut actions = ActionAssignment::new(view);
    let mut all: BTreeMap<TransitionKey, TransitionTotals> = BTreeMap::new();
    for transition in &view.active.transitions {
        let actions = actions.take(view, transition);
        if !view.includes_thread(transition.object) || !view.contains(transition.time) {
            continue;
        }
        let totals = all.entry(key(transition)).or_default();
        if totals.count == 0 {
            totals.first = transition.event.0;
        }
        totals.count += 1;
        totals.last = transition.event.0;
        for action in actions {
            let actions = totals.actions.entry((action.role, action.function));
            *actions.or_default() += 1;
        }
    }
    let rows = all.into_iter();
    rows.map(|(key, totals)| row(view, &key, totals)).collect()
}

fn key(transition: &Transition) -> TransitionKey {
    TransitionKey {
        object: transition.object,
        later: !transition.initial,
        source: transition.source,
        trigger: transition.trigger,
        target: transition.target,
        settled: transition.settled,
    }
}

fn row(view: &View<'_>, key: &TransitionKey, totals: TransitionTotals) -> TransitionRow {
    let naming = NameFormatter(view.trace);
    let actions = totals.actions.into_iter();
    let actions = actions.map(|((role, function), count)| ActionCount {
        role: role_name(role),
        function: naming.function(function),
        count,
    });
    TransitionRow {
        object: view.trace.context_name(key.object),
        source: naming.vertex(key.source),
        trigger: key.trigger.map(|trigger| naming.signal(trigger)),
        target: key.target.map(|target| naming.vertex(target)),
        settled: key.settled.map(|settled| naming.vertex(settled)),
        initial: !key.later,
        count: totals.count,
        first_event: totals.first,
        last_event: totals.last,
        actions: actions.collect(),
    }
}

fn role_name(role: ActionRole) -> &'static str {
    match role {
        ActionRole::Effect => "effect",
        ActionRole::Entry => "entry",
        ActionRole::Exit => "exit",
        ActionRole::Initial => "initial",
        ActionRole::Preprocess => "preprocess",
        ActionRole::Guard => "guard",
        ActionRole::Other => "other",
    }
}

/// Assigns actions to transitions: those of its step.
struct ActionAssignment<'a> {
    /// By object, in trace order.
    all: HashMap<ContextId, Vec<&'a Action>>,
    /// Number of actions already assigned, by object.
    assigned: HashMap<ContextId, usize>,
}

impl<'a> ActionAssignment<'a> {
    fn new(view: &View<'a>) -> Self {
        let mut all: HashMap<_, Vec<_>> = HashMap::new();
        for action in &view.active.actions {
            all.entry(action.object).or_default().push(action);
        }
        Self {
            all,
            assigned: HashMap::new(),
        }
    }

    /// Takes the actions of the next transition of its object.
    fn take(&mut self, view: &View<'_>, transition: &Transition) -> Vec<&'a Action> {
        let step = transition
            .step
            .and_then(|step| view.active.steps.get(step.index()));
        let (Some(step), Some(all)) = (step, self.all.get(&transition.object)) else {
            return Vec::new();
        };
        let assigned = self.assigned.entry(transition.object).or_default();
        let rest = all.get(*assigned..).unwrap_or_default();
        let before = rest.partition_point(|action| action.event < step.first);
        let after = rest.partition_point(|action| action.event <= step.last);
        *assigned += after;
        rest.get(before..after).unwrap_or_default().to_vec()
    }
}

fn states_never_entered(view: &View<'_>) -> Vec<NeverEnteredState> {
    let window = view.window();
    let intervals = view
        .active
        .state_intervals
        .iter()
        .chain(&view.active.active_state_intervals);
    let intervals = intervals.flatten();
    let within = intervals
        .filter(|interval| interval.start.0 <= window.end && interval.end.0 >= window.start);
    let mut seen: BTreeSet<_> = within.map(|interval| interval.state).collect();
    let transitions = view.active.transitions.iter();
    let transitions = transitions.filter(|transition| view.contains(transition.time));
    seen.extend(transitions.map(|transition| transition.source));
    let objects = view.trace.objects.iter();
    let states = objects.filter(|object| object.class == ObjectClass::State);
    let never = states.filter(|state| !seen.contains(&Vertex(state.address)));
    let contexts = view.trace.contexts.threads();
    let owners: HashMap<_, _> = contexts
        .map(|context| (context.address, context.id))
        .collect();
    let of_scope = never.filter_map(|state| {
        let owner = state.parameters.map(|[owner, _]| Address(owner));
        let owner = owner.and_then(|owner| owners.get(&owner).copied());
        let shown = owner.is_none_or(|owner| view.includes_thread(owner));
        shown.then(|| NeverEnteredState {
            object: owner.map(|owner| view.trace.context_name(owner)),
            state: state.display_name(),
        })
    });
    of_scope.collect()
}

fn signals_never_received(view: &View<'_>) -> Vec<NeverReceivedSignal> {
    let steps = view.active.steps.iter();
    let steps = steps.filter(|step| view.contains(step.start) && view.includes_thread(step.object));
    let seen: BTreeSet<_> = steps.filter_map(|step| step.signal).collect();
    let objects = view.trace.objects.iter();
    let signals = objects.filter(|object| object.class == ObjectClass::Signal);
    let never = signals.filter(|signal| {
        let number = u32::try_from(signal.address.0).map(Signal);
        number.is_ok_and(|number| !seen.contains(&number))
    });
    never
        .map(|signal| NeverReceivedSignal(signal.display_name()))
        .collect()
}

#[cfg(test)]
mod tests;

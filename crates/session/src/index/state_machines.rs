//! State machines of active objects.

use crate::identity::IdMap;
use rtoscope_analysis::active::{ActiveObjects, StateInterval, residencies};
use rtoscope_trace::{ContextId, Object, ObjectClass, ObjectId, Trace, Vertex};
use std::collections::BTreeMap;

/// The state machines with a known state, by context.
#[derive(Debug)]
pub(crate) struct StateMachines(Vec<IndexedMachine>);

/// A state machine.
#[derive(Debug)]
pub(crate) struct IndexedMachine {
    /// The active object.
    pub(crate) context: ContextId,
    /// Its states by number: registered ones first, in the order of their registration.
    pub(crate) states: Vec<IndexedState>,
    numbers: BTreeMap<Vertex, u32>,
    /// The numbers of the states in a live recording.
    pub(crate) ids: IdMap,
}

/// A state of a machine.
#[derive(Debug)]
pub(crate) struct IndexedState {
    pub(crate) vertex: Vertex,
    /// The object that names it.
    pub(crate) object: Option<ObjectId>,
    pub(crate) visits: u32,
    /// In ticks.
    pub(crate) residency: u64,
}

impl StateMachines {
    pub(crate) fn of(trace: &Trace, active: &ActiveObjects) -> Self {
        let all = (0..).map(ContextId).zip(&active.state_intervals);
        let all = all.filter(|(_, intervals)| !intervals.is_empty());
        let machines =
            all.map(|(context, intervals)| IndexedMachine::of(trace, context, intervals));
        Self(machines.collect())
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, IndexedMachine> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, IndexedMachine> {
        self.0.iter_mut()
    }

    /// The machine of an active object, and its index.
    pub(crate) fn find(&self, context: ContextId) -> Option<(usize, &IndexedMachine)> {
        let found = self.0.binary_search_by_key(&context, |one| one.context);
        let place = found.ok()?;
        Some((place, self.0.get(place)?))
    }
}

impl IndexedMachine {
    fn of(trace: &Trace, context: ContextId, intervals: &[StateInterval]) -> Self {
        let totals = residencies(intervals, &(0..trace.events.span().0));
        let states = totals.into_iter().map(|(vertex, total)| IndexedState {
            vertex,
            object: vertex_object(trace, vertex, context).map(|object| object.id),
            visits: u32::try_from(total.visits).unwrap_or(u32::MAX),
            residency: total.ticks,
        });
        let mut states: Vec<_> = states.collect();
        states.sort_by_key(|state| (state.object.is_none(), state.object, state.vertex));
        let numbers = (0..).zip(&states);
        let numbers = numbers.map(|(number, state)| (state.vertex, number));
        Self {
            context,
            numbers: numbers.collect(),
            ids: IdMap::default(),
            states,
        }
    }

    /// The number of a visited state.
    pub(crate) fn state_number(&self, vertex: Vertex) -> Option<u32> {
        Some(self.ids.id(*self.numbers.get(&vertex)?))
    }

    /// The state with this number, if it is visited.
    pub(crate) fn state(&self, number: u32) -> Option<&IndexedState> {
        self.states.get(self.ids.own(number)? as usize)
    }

    /// Time in known states, in ticks.
    pub(crate) fn known_ticks(&self) -> u64 {
        self.states.iter().map(|state| state.residency).sum()
    }
}

/// The object that names a state or pseudostate; one of this active object is
/// preferred.
pub(crate) fn vertex_object(trace: &Trace, vertex: Vertex, context: ContextId) -> Option<&Object> {
    let owner = trace.contexts.get(context).map(|context| context.address.0);
    let is_vertex =
        |object: &&Object| matches!(object.class, ObjectClass::State | ObjectClass::Pseudostate);
    let own = |object: &&Object| object.parameters.map(|[owner, _]| owner) == owner;
    let all = || trace.objects.at(vertex.0).filter(is_vertex);
    // A target may register its states as objects without a class.
    let any = || trace.objects.find_class(vertex.0, ObjectClass::Unknown);
    all().find(own).or_else(|| all().next()).or_else(any)
}

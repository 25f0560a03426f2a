//! The model of a state machine from what is known of active objects.

use super::edges::{Functions, Key, Taken, edges};
use super::nesting::parents;
use super::{Edge, Kind, Machine, State, StateId};
use rtoscope_analysis::active::{Active, Residency, Stay, residencies};
use rtoscope_analysis::naming::Naming;
use rtoscope_analysis::report::share_of_time;
use rtoscope_trace::{ContextId, ObjectClass, Ticks, Trace, Vertex};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn build(trace: &Trace, active: &Active, object: ContextId) -> Machine {
    let naming = Naming(trace);
    let stays = of(&active.stays, object);
    let spells = of(&active.spells, object);
    let span = trace.events.span();
    let stayed = residencies(stays, &(0..span.0));
    let share = |ticks| share_of_time(&trace.clock, ticks, span.0 as f64);
    let known: u64 = stayed.values().map(|state| state.ticks).sum();
    let unknown = Ticks(span.0.saturating_sub(known));
    let active_for = residencies(spells, &(0..span.0));
    let taken = edges(active, object);
    let mut seen = Seen(registered(trace, object));
    seen.add_states(&stayed, &active_for);
    seen.add_edges(trace, &taken, !spells.is_empty());
    let Seen(vertices) = seen;

    let ids: BTreeMap<_, _> = vertices.keys().copied().zip((0..).map(StateId)).collect();
    let id = |vertex: Vertex| ids.get(&vertex).copied();
    let parents = parents(spells);
    let composites: BTreeSet<_> = parents.values().copied().collect();
    let ticks = |vertex: &Vertex| {
        let figures = match composites.contains(vertex) {
            true => active_for.get(vertex),
            false => stayed.get(vertex),
        };
        Ticks(figures.map_or(0, |figures| figures.ticks))
    };
    let vertices = vertices.into_iter().map(|(vertex, found)| State {
        vertex,
        name: naming.vertex(vertex),
        kind: found.kind,
        parent: parents.get(&vertex).copied().and_then(id),
        reached: match found.stays {
            stays if stays > 0 && !composites.contains(&vertex) => stays,
            _ => found.reached,
        },
        stayed: ticks(&vertex),
        share: share(ticks(&vertex)),
    });
    let functions = |functions: Functions| {
        let functions = functions.list.into_iter();
        functions
            .map(|function| naming.function(function))
            .collect()
    };
    let edges = taken.into_iter().map(|(key, taken)| Edge {
        source: key.source.and_then(id),
        trigger: key.trigger.map(|trigger| naming.signal(trigger)),
        target: key.target.and_then(id),
        settled: key.settled.and_then(id),
        guards: functions(taken.guards),
        effects: functions(taken.effects),
        count: taken.count,
    });
    Machine {
        object,
        name: trace.context_name(object),
        vertices: vertices.collect(),
        edges: edges.collect(),
        span,
        unknown,
        unknown_share: share(unknown),
    }
}

/// An object's part of a list by context.
fn of(lists: &[Vec<Stay>], object: ContextId) -> &[Stay] {
    lists.get(object.index()).map_or(&[], Vec::as_slice)
}

/// What is known of a vertex.
struct Found {
    kind: Kind,
    /// How often the machine stayed in it.
    stays: u64,
    /// How often it was entered, or led to.
    reached: u64,
}

impl Found {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            stays: 0,
            reached: 0,
        }
    }
}

/// The vertices that the recording names as the object's.
fn registered(trace: &Trace, object: ContextId) -> BTreeMap<Vertex, Found> {
    let Some(owner) = trace.contexts.get(object) else {
        return BTreeMap::new();
    };
    let own = trace.objects.iter().filter_map(|object| {
        let kind = match object.class {
            ObjectClass::State => Kind::State,
            ObjectClass::Pseudostate => Kind::Pseudostate,
            _ => return None,
        };
        let [machine, _] = object.parameters;
        (machine == owner.address.0).then(|| (Vertex(object.address), Found::new(kind)))
    });
    own.collect()
}

struct Seen(BTreeMap<Vertex, Found>);

impl Seen {
    fn add_states(
        &mut self,
        stayed: &BTreeMap<Vertex, Residency>,
        active: &BTreeMap<Vertex, Residency>,
    ) {
        for (vertex, figures) in stayed {
            self.state(*vertex).stays += figures.visits;
        }
        for (vertex, figures) in active {
            self.state(*vertex).reached += figures.visits;
        }
    }

    /// What stays or is entered is a state, whatever its name says.
    fn state(&mut self, vertex: Vertex) -> &mut Found {
        let new = || Found::new(Kind::State);
        let found = self.0.entry(vertex).or_insert_with(new);
        found.kind = Kind::State;
        found
    }

    fn add_edges(&mut self, trace: &Trace, edges: &BTreeMap<Key, Taken>, told: bool) {
        let class = ObjectClass::Pseudostate;
        for (key, taken) in edges {
            if let Some(source) = key.source {
                let new = || Found::new(Kind::State);
                self.0.entry(source).or_insert_with(new);
            }
            let Some(target) = key.target else {
                continue;
            };
            // Where states that are entered are recorded, one that never is
            // is none.
            let is_pseudostate = told || trace.objects.find_class(target.0, class).is_some();
            let kind = match is_pseudostate {
                true => Kind::Pseudostate,
                false => Kind::State,
            };
            let found = self.0.entry(target).or_insert_with(|| Found::new(kind));
            if found.kind == Kind::Pseudostate {
                found.reached += taken.count;
            }
        }
    }
}

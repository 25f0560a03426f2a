//! The model of a state machine from what is known of active objects.

use super::edges::{Functions, Key, Taken, edges};
use super::nesting::parents;
use super::{Edge, Kind, Machine, State, StateId};
use rtoscope_analysis::active::{Active, Stay};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::{ContextId, ObjectClass, Ticks, Trace, Vertex};
use std::collections::BTreeMap;

pub(super) fn build(trace: &Trace, active: &Active, object: ContextId) -> Machine {
    let naming = Naming(trace);
    let stays = of(&active.stays, object);
    let spells = of(&active.spells, object);
    let taken = edges(active, object);
    let mut seen = Seen(registered(trace, object));
    seen.add_stays(stays, spells);
    seen.add_edges(trace, &taken, !spells.is_empty());
    let Seen(vertices) = seen;

    let ids: BTreeMap<_, _> = vertices.keys().copied().zip((0..).map(StateId)).collect();
    let id = |vertex: Vertex| ids.get(&vertex).copied();
    let parents = parents(spells);
    let vertices = vertices.into_iter().map(|(vertex, found)| State {
        vertex,
        name: naming.vertex(vertex),
        kind: found.kind,
        parent: parents.get(&vertex).copied().and_then(id),
        reached: found.reached.max(found.stays),
        stayed: Ticks(found.stayed),
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
    let mut vertices: Vec<_> = vertices.collect();
    add_inner(&mut vertices);
    Machine {
        object,
        name: trace.context_name(object),
        vertices,
        edges: edges.collect(),
        known: Ticks(stays.iter().map(ticks).sum()),
    }
}

/// Adds to states how long the machine stayed in those inside.
fn add_inner(vertices: &mut [State]) {
    let own: Vec<_> = vertices
        .iter()
        .map(|state| (state.stayed.0, state.parent))
        .collect();
    for (stayed, mut above) in own {
        while let Some(outer) = above.and_then(|id| vertices.get_mut(id.0)) {
            outer.stayed.0 = outer.stayed.0.saturating_add(stayed);
            above = outer.parent;
        }
    }
}

/// An object's part of a list by context.
fn of(lists: &[Vec<Stay>], object: ContextId) -> &[Stay] {
    lists.get(object.index()).map_or(&[], Vec::as_slice)
}

fn ticks(stay: &Stay) -> u64 {
    stay.end.0.saturating_sub(stay.start.0)
}

/// What is known of a vertex.
struct Found {
    kind: Kind,
    /// How often the machine stayed in it, and how long.
    stays: u64,
    stayed: u64,
    /// How often it was entered, or led to.
    reached: u64,
}

impl Found {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            stays: 0,
            stayed: 0,
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
    fn add_stays(&mut self, stays: &[Stay], spells: &[Stay]) {
        for stay in stays {
            let found = self.state(stay.state);
            found.stays += 1;
            found.stayed += ticks(stay);
        }
        for spell in spells {
            let found = self.state(spell.state);
            found.reached += 1;
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

//! Builds the model of a state machine from the analysis of active objects.

use super::nesting::parents;
use super::transition_stats::{FunctionList, TransitionKey, TransitionStats, transitions};
use super::{MachineState, MachineTransition, StateId, StateMachine, VertexKind};
use rtoscope_analysis::active::{ActiveObjects, Residency, StateInterval, residencies};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_analysis::report::share_of_time;
use rtoscope_trace::{ContextId, ObjectClass, Ticks, Trace, Vertex};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn build(trace: &Trace, active: &ActiveObjects, object: ContextId) -> StateMachine {
    let naming = NameFormatter(trace);
    let intervals = list_of(&active.state_intervals, object);
    let active_intervals = list_of(&active.active_state_intervals, object);
    let span = trace.events.span();
    let times = residencies(intervals, &(0..span.0));
    let share = |ticks| share_of_time(&trace.clock, ticks, span.0 as f64);
    let known: u64 = times.values().map(|state| state.ticks).sum();
    let unknown = Ticks(span.0.saturating_sub(known));
    let active_for = residencies(active_intervals, &(0..span.0));
    let taken = transitions(active, object);
    let mut seen = VertexCollector(registered_vertices(trace, object));
    seen.add_states(&times, &active_for);
    seen.add_edges(trace, &taken, !active_intervals.is_empty());
    let VertexCollector(vertices) = seen;

    let ids: BTreeMap<_, _> = vertices.keys().copied().zip((0..).map(StateId)).collect();
    let id = |vertex: Vertex| ids.get(&vertex).copied();
    let parents = parents(active_intervals);
    let composites: BTreeSet<_> = parents.values().copied().collect();
    let ticks = |vertex: &Vertex| {
        let figures = match composites.contains(vertex) {
            true => active_for.get(vertex),
            false => times.get(vertex),
        };
        Ticks(figures.map_or(0, |figures| figures.ticks))
    };
    let vertices = vertices.into_iter().map(|(vertex, found)| MachineState {
        vertex,
        name: naming.vertex(vertex),
        kind: found.kind,
        parent: parents.get(&vertex).copied().and_then(id),
        visits: match found.intervals {
            intervals if intervals > 0 && !composites.contains(&vertex) => intervals,
            _ => found.visits,
        },
        time_in_state: ticks(&vertex),
        share: share(ticks(&vertex)),
    });
    let functions = |functions: FunctionList| {
        let functions = functions.list.into_iter();
        functions
            .map(|function| naming.function(function))
            .collect()
    };
    let edges = taken.into_iter().map(|(key, taken)| MachineTransition {
        source: key.source.and_then(id),
        trigger: key.trigger.map(|trigger| naming.signal(trigger)),
        target: key.target.and_then(id),
        final_state: key.final_state.and_then(id),
        guards: functions(taken.guards),
        effects: functions(taken.effects),
        count: taken.count,
    });
    StateMachine {
        object,
        name: trace.context_name(object),
        vertices: vertices.collect(),
        transitions: edges.collect(),
        span,
        unknown_time: unknown,
        unknown_share: share(unknown),
    }
}

/// The entry of an object in a list by context.
fn list_of(lists: &[Vec<StateInterval>], object: ContextId) -> &[StateInterval] {
    lists.get(object.index()).map_or(&[], Vec::as_slice)
}

/// The statistics of a vertex.
struct VertexStats {
    kind: VertexKind,
    /// The number of state intervals.
    intervals: u64,
    /// The number of entries and of transitions to it.
    visits: u64,
}

impl VertexStats {
    fn new(kind: VertexKind) -> Self {
        Self {
            kind,
            intervals: 0,
            visits: 0,
        }
    }
}

/// The registered vertices of the object.
fn registered_vertices(trace: &Trace, object: ContextId) -> BTreeMap<Vertex, VertexStats> {
    let Some(owner) = trace.contexts.get(object) else {
        return BTreeMap::new();
    };
    let own = trace.objects.iter().filter_map(|object| {
        let kind = match object.class {
            ObjectClass::State => VertexKind::State,
            ObjectClass::Pseudostate => VertexKind::Pseudostate,
            _ => return None,
        };
        let [machine, _] = object.parameters?;
        (machine == owner.address.0).then(|| (Vertex(object.address), VertexStats::new(kind)))
    });
    own.collect()
}

struct VertexCollector(BTreeMap<Vertex, VertexStats>);

impl VertexCollector {
    fn add_states(
        &mut self,
        times: &BTreeMap<Vertex, Residency>,
        active: &BTreeMap<Vertex, Residency>,
    ) {
        for (vertex, figures) in times {
            self.state(*vertex).intervals += figures.visits;
        }
        for (vertex, figures) in active {
            self.state(*vertex).visits += figures.visits;
        }
    }

    /// A vertex with state intervals or entries is a state, whatever its registered
    /// class.
    fn state(&mut self, vertex: Vertex) -> &mut VertexStats {
        let new = || VertexStats::new(VertexKind::State);
        let found = self.0.entry(vertex).or_insert_with(new);
        found.kind = VertexKind::State;
        found
    }

    fn add_edges(
        &mut self,
        trace: &Trace,
        edges: &BTreeMap<TransitionKey, TransitionStats>,
        has_active_intervals: bool,
    ) {
        let class = ObjectClass::Pseudostate;
        for (key, taken) in edges {
            if let Some(source) = key.source {
                let new = || VertexStats::new(VertexKind::State);
                self.0.entry(source).or_insert_with(new);
            }
            let Some(target) = key.target else {
                continue;
            };
            // If entries are recorded, a vertex that is never entered is not a
            // state.
            let is_pseudostate =
                has_active_intervals || trace.objects.find_class(target.0, class).is_some();
            let kind = match is_pseudostate {
                true => VertexKind::Pseudostate,
                false => VertexKind::State,
            };
            let found = self
                .0
                .entry(target)
                .or_insert_with(|| VertexStats::new(kind));
            if found.kind == VertexKind::Pseudostate {
                found.visits += taken.count;
            }
        }
    }
}

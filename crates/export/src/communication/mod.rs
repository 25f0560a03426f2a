//! Communication graphs: contexts, the objects that they use, and what they send to each
//! other.
//!
//! [`CommunicationGraph::new`] builds the model from the report `communication`;
//! [`dot`] and [`mermaid`] render it.

pub mod dot;
pub mod mermaid;

use rtoscope_analysis::View;
use rtoscope_analysis::flows::{FlowKind, FlowObject};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_analysis::report::communication::{FlowRow, ObjectUse, communication};
use rtoscope_trace::{Contexts, Endpoint, EventIndex, ObjectClass, ObjectId, ResourceId};
use std::collections::{BTreeMap, BTreeSet};

/// The model of a communication graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommunicationGraph {
    /// Contexts and objects, in the order of their numbers.
    pub nodes: Vec<CommunicationNode>,
    /// The edges, in the order of the nodes and kinds.
    pub edges: Vec<CommunicationEdge>,
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// A context, or a sender or receiver that is not one.
    Endpoint(Endpoint),
    /// An object that contexts share.
    Resource(ResourceId),
}

/// The shape of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeShape {
    /// A thread or an active object.
    Thread,
    /// The interrupts, or a sender that is not a context.
    Interrupt,
    /// An object of this class.
    Object(ObjectClass),
}

/// A context or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommunicationNode {
    /// What it stands for.
    pub party: Party,
    /// Its shape.
    pub shape: NodeShape,
    /// Its name.
    pub name: String,
    /// The registered object of a [`Party::Resource`], if any.
    pub object: Option<ObjectId>,
}

/// The kind of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// From a context to an object: puts.
    Put,
    /// From an object to a context: takes.
    Take,
    /// Between a context and a mutex: acquisitions. The edge has no direction.
    Hold,
    /// From a context to an active object: posts.
    Post,
    /// From a context to a thread that does not wait for an object: wake-ups.
    Wake,
}

/// What one node does to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommunicationEdge {
    /// Index of the node at its start.
    pub from: usize,
    /// Index of the node at its end.
    pub to: usize,
    /// The kind.
    pub kind: EdgeKind,
    /// How often.
    pub count: u64,
    /// Calls that had to wait.
    pub blocked: u64,
    /// Calls that failed without a wait.
    pub refused: u64,
    /// The signals of posts with their counts, the most frequent first.
    pub signals: Vec<(String, u64)>,
    /// The first of these events, by its number in the recording.
    pub first_event: u64,
}

impl CommunicationEdge {
    /// Maximum number of signals in a label.
    const MAX_SIGNALS: usize = 3;

    /// The lines of its label.
    fn label(&self) -> Vec<String> {
        let count = self.count;
        let mut lines = match self.kind {
            EdgeKind::Post => {
                let shown = self.signals.iter().take(Self::MAX_SIGNALS);
                let mut lines: Vec<_> = shown
                    .map(|(signal, count)| format!("{signal} ×{count}"))
                    .collect();
                match self.signals.len().saturating_sub(Self::MAX_SIGNALS) {
                    0 => {}
                    1 => lines.push("1 more signal".to_owned()),
                    more => lines.push(format!("{more} more signals")),
                }
                lines
            }
            EdgeKind::Wake => vec![format!("wakes ×{count}")],
            EdgeKind::Put | EdgeKind::Take | EdgeKind::Hold => vec![format!("×{count}")],
        };
        let unserved = [(self.blocked, "blocked"), (self.refused, "refused")];
        let unserved = unserved.iter().filter(|(count, _)| *count > 0);
        lines.extend(unserved.map(|(count, what)| format!("{count} {what}")));
        lines
    }
}

impl CommunicationGraph {
    /// The communication in the scope of a view.
    pub fn new(view: &View<'_>) -> Self {
        let found = communication(view);
        let mut edges = BTreeMap::<EdgeKey, EdgeTotals>::new();
        for used in &found.uses {
            add_use(view, used, &mut edges);
        }
        for flow in &found.flows {
            add_flow(view, flow, &mut edges);
        }
        let ends = edges.keys().flat_map(|(from, to, _)| [*from, *to]);
        let parties: BTreeSet<_> = ends.collect();
        let indices: BTreeMap<_, _> = parties.iter().copied().zip(0..).collect();
        let index = |party| indices.get(party).copied().unwrap_or_default();
        let nodes = parties.iter().map(|party| node(view, *party)).collect();
        let edges = edges.iter().map(|((from, to, kind), totals)| {
            let mut signals = totals.signals.clone();
            signals.sort_by(|(one, count), (other, more)| (more, one).cmp(&(count, other)));
            CommunicationEdge {
                from: index(from),
                to: index(to),
                kind: *kind,
                count: totals.count,
                blocked: totals.blocked,
                refused: totals.refused,
                signals,
                first_event: view.trace.recording_event(EventIndex(totals.first_event)),
            }
        });
        Self {
            edges: edges.collect(),
            nodes,
        }
    }

    /// The count of the most frequent edge.
    fn max_count(&self) -> u64 {
        self.edges.iter().map(|edge| edge.count).max().unwrap_or(1)
    }
}

/// The ends and the kind of an edge.
type EdgeKey = (Party, Party, EdgeKind);

/// The figures of an edge.
#[derive(Debug, Default)]
struct EdgeTotals {
    count: u64,
    blocked: u64,
    refused: u64,
    signals: Vec<(String, u64)>,
    first_event: u32,
}

fn add_use(view: &View<'_>, used: &ObjectUse, edges: &mut BTreeMap<EdgeKey, EdgeTotals>) {
    let context = Party::Endpoint(Endpoint::Object(used.caller));
    let object = Party::Resource(used.resource);
    let puts = EdgeTotals {
        count: used.puts,
        blocked: used.blocked_puts,
        refused: used.refused_puts,
        first_event: used.first_event,
        ..EdgeTotals::default()
    };
    let takes = EdgeTotals {
        count: used.takes,
        blocked: used.blocked_takes,
        refused: used.refused_takes,
        first_event: used.first_event,
        ..EdgeTotals::default()
    };
    let known = view.schedule.resources.get(used.resource.index());
    if known.is_some_and(|known| known.class == ObjectClass::Mutex) {
        // What is released was acquired, perhaps before the scope.
        let count = takes.count.max(puts.count);
        let holds = EdgeTotals { count, ..takes };
        edges.insert((context, object, EdgeKind::Hold), holds);
        return;
    }
    if puts.count > 0 {
        edges.insert((context, object, EdgeKind::Put), puts);
    }
    if takes.count > 0 {
        edges.insert((object, context, EdgeKind::Take), takes);
    }
}

fn add_flow(view: &View<'_>, flow: &FlowRow, edges: &mut BTreeMap<EdgeKey, EdgeTotals>) {
    let wakes_active_object =
        matches!(flow.key.to, Endpoint::Object(to) if view.active.objects.contains(&to));
    let kind = match (flow.key.kind, flow.key.object) {
        (FlowKind::Post, _) => EdgeKind::Post,
        // Other wake-ups show as posts, or in the use of the object that the thread
        // waited for.
        (FlowKind::Wake, None) if !wakes_active_object => EdgeKind::Wake,
        (FlowKind::Wake | FlowKind::Message, _) => return,
    };
    let [from, to] = [flow.key.from, flow.key.to].map(Party::Endpoint);
    let totals = edges.entry((from, to, kind)).or_insert(EdgeTotals {
        first_event: flow.first_event,
        ..EdgeTotals::default()
    });
    totals.count += flow.count;
    totals.first_event = totals.first_event.min(flow.first_event);
    if let Some(FlowObject::Signal(_)) = flow.key.object {
        let name = flow.object.clone().unwrap_or_default();
        totals.signals.push((name, flow.count));
    }
}

fn node(view: &View<'_>, party: Party) -> CommunicationNode {
    let (shape, name, object) = match party {
        Party::Resource(resource) => {
            let known = view.schedule.resources.get(resource.index());
            let shape = known.map_or(NodeShape::Thread, |known| NodeShape::Object(known.class));
            let object = known.and_then(|known| known.object);
            (shape, view.resource_name(resource), object)
        }
        Party::Endpoint(endpoint) => {
            let is_thread = matches!(endpoint, Endpoint::Object(id) if id > Contexts::IDLE);
            let shape = match is_thread {
                true => NodeShape::Thread,
                false => NodeShape::Interrupt,
            };
            let name = NameFormatter(view.trace).endpoint(endpoint);
            (shape, name.unwrap_or_else(|| "unknown".to_owned()), None)
        }
    };
    CommunicationNode {
        party,
        shape,
        name,
        object,
    }
}

//! State machine diagrams for Graphviz.

use super::labels::Children;
use super::{MachineState, MachineTransition, StateId, StateMachine, VertexKind};
use crate::escape::{dot as quoted, xml};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The attributes of all states and edges.
const DEFAULT_ATTRIBUTES: &str = "    compound=true;
    newrank=true;
    nodesep=0.45;
    ranksep=0.6;
    fontname=\"Helvetica\";
    labelloc=t;
    node [shape=box, style=\"rounded,filled\", fillcolor=\"#e6effb\", color=\"#2f67b1\", fontname=\"Helvetica\", fontsize=12, margin=\"0.16,0.08\"];
    edge [color=\"#4a5460\", fontcolor=\"#1c2128\", fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];
";

/// The attributes of a pseudostate.
const PSEUDOSTATE_ATTRIBUTES: &str = "shape=ellipse, fillcolor=\"#eef0f3\", color=\"#5a6472\", fontsize=10, \
                           margin=\"0.06,0.03\"";

/// The start node of the initial transition.
const START_NODE: &str = "    start [shape=circle, style=filled, fillcolor=\"#1c2128\", \
                     color=\"#1c2128\", label=\"\", width=0.16, fixedsize=true];\n";

/// The font size of the text below a name, in points.
const SMALL_FONT_SIZE: u32 = 10;

/// Renders the machine as a graph for `dot`.
///
/// Composite states are clusters; edges end at their border, or at a dot inside if
/// they stay inside. Internal transitions are listed in their state's box. The
/// width of an edge grows with the transition's count; states never entered are
/// dashed. Transitions into a pseudostate continue from there as dashed edges with
/// counts per target.
pub fn render(machine: &StateMachine) -> String {
    let name = quoted(&machine.name);
    let title = match machine.unknown_share_text() {
        not_known if not_known.is_empty() => name.clone(),
        not_known => format!("{name}\\n{}", quoted(&not_known)),
    };
    let mut text = format!("digraph \"{name}\" {{\n{DEFAULT_ATTRIBUTES}    label=\"{title}\";\n");
    let (internal, edges): (Vec<_>, Vec<_>) = machine
        .drawn_transitions()
        .into_iter()
        .partition(|edge| edge.source.is_some() && edge.target.is_none());
    let mut lines = BTreeMap::<_, Vec<_>>::new();
    for edge in &internal {
        lines
            .entry(edge.source)
            .or_default()
            .push(edge.line_label());
    }
    let mut graph = DotGraph {
        machine,
        anchored_states: BTreeSet::new(),
        children: machine.children(),
        internal_transitions: lines,
        max_count: edges.iter().map(|edge| edge.count).max().unwrap_or(1),
    };
    graph.anchored_states = graph.inner_anchors(&edges);
    graph.states(None, 1, &mut text);
    if edges.iter().any(|edge| edge.source.is_none()) {
        text.push_str(START_NODE);
    }
    for edge in &edges {
        graph.transition(edge, &mut text);
    }
    for ((from, to), count) in machine.pseudostate_exits() {
        let ends = graph.edge_ends(Some(from), to);
        let _ = writeln!(text, "    {ends}label=\"×{count}\", style=dashed];");
    }
    text.push_str("}\n");
    text
}

struct DotGraph<'a> {
    machine: &'a StateMachine,
    children: Children,
    /// The composite states that contain a dot as an anchor for edges.
    anchored_states: BTreeSet<StateId>,
    /// The lines for internal transitions.
    internal_transitions: BTreeMap<Option<StateId>, Vec<String>>,
    /// The count of the most frequent transition.
    max_count: u64,
}

impl DotGraph<'_> {
    fn states(&self, parent: Option<StateId>, depth: usize, text: &mut String) {
        let indent = "    ".repeat(depth);
        for id in self.children.get(&parent).into_iter().flatten() {
            let Some(state) = self.machine.get(*id) else {
                continue;
            };
            let label = self.label(*id, state);
            let dashed = match state.visits {
                0 => ", style=\"rounded,dashed\"",
                _ => "",
            };
            let _ = match state.kind {
                VertexKind::Pseudostate => {
                    let name = quoted(&state.name);
                    let dashed = dashed.replace("rounded,", "");
                    writeln!(
                        text,
                        "{indent}s{} [label=\"{name}\", {PSEUDOSTATE_ATTRIBUTES}{dashed}];",
                        id.0
                    )
                }
                VertexKind::State if self.is_composite(*id) => {
                    let _ = writeln!(text, "{indent}subgraph cluster_{} {{", id.0);
                    let _ = writeln!(
                        text,
                        "{indent}    label={label}; style=rounded; color=\"#5a6472\"; fontsize=12; margin=12;"
                    );
                    let _ = writeln!(
                        text,
                        "{indent}    s{} [shape=point, width=0.06, color=\"#5a6472\", fillcolor=\"#5a6472\"{}];",
                        id.0,
                        if self.anchored_states.contains(id) {
                            ""
                        } else {
                            ", style=invis"
                        }
                    );
                    self.states(Some(*id), depth + 1, text);
                    writeln!(text, "{indent}}}")
                }
                VertexKind::State => writeln!(text, "{indent}s{} [label={label}{dashed}];", id.0),
            };
        }
    }

    /// A state's name and statistics.
    fn label(&self, id: StateId, state: &MachineState) -> String {
        let mut label = format!("<<b>{}</b>", xml(&state.name));
        let residency = self.machine.residency(state);
        let lines = self
            .internal_transitions
            .get(&Some(id))
            .into_iter()
            .flatten();
        for line in std::iter::once(&residency).chain(lines) {
            let line = xml(line);
            let _ = write!(
                label,
                "<br/><font point-size=\"{SMALL_FONT_SIZE}\">{line}</font>"
            );
        }
        label.push('>');
        label
    }

    fn transition(&self, edge: &MachineTransition, text: &mut String) {
        let Some(target) = edge.target else {
            return;
        };
        let [trigger, effects] = edge.label();
        let label = match trigger.is_empty() {
            true => quoted(&effects),
            false if effects.starts_with('/') => {
                format!("{}\\n{}", quoted(&trigger), quoted(&effects))
            }
            false => format!("{} {}", quoted(&trigger), quoted(&effects)),
        };
        let ends = self.edge_ends(edge.source, target);
        let width = pen_width(edge.count, self.max_count);
        let _ = writeln!(text, "    {ends}label=\"{label}\", penwidth={width}];");
    }

    /// The endpoints of an edge. It ends at the border of a composite state unless
    /// its other end is inside.
    fn edge_ends(&self, from: Option<StateId>, to: StateId) -> String {
        let mut ends = match from {
            Some(from) => format!("s{} -> s{} [", from.0, to.0),
            None => format!("start -> s{} [", to.0),
        };
        if let Some(from) = from.filter(|from| self.is_clipped(*from, Some(to))) {
            let _ = write!(ends, "ltail=cluster_{}, ", from.0);
        }
        if self.is_clipped(to, from) {
            let _ = write!(ends, "lhead=cluster_{}, ", to.0);
        }
        ends
    }

    /// The composite states with edges that stay inside.
    fn inner_anchors(&self, edges: &[MachineTransition]) -> BTreeSet<StateId> {
        let mut ends = BTreeSet::new();
        for edge in edges {
            let uncut = |id: &StateId, other| !self.is_clipped(*id, other);
            ends.extend(edge.source.filter(|id| uncut(id, edge.target)));
            ends.extend(edge.target.filter(|id| uncut(id, edge.source)));
        }
        ends
    }

    /// Whether an edge between a composite state and another state is clipped at
    /// the border of the first.
    fn is_clipped(&self, id: StateId, other: Option<StateId>) -> bool {
        let mut above = other;
        while let Some(one) = above {
            if one == id {
                return false;
            }
            above = self.machine.get(one).and_then(|state| state.parent);
        }
        self.is_composite(id)
    }

    fn is_composite(&self, id: StateId) -> bool {
        self.children.contains_key(&Some(id))
    }
}

/// The pen width: one point for a count of one, four for the maximum count.
pub(crate) fn pen_width(count: u64, max: u64) -> String {
    let more = u128::from(count.saturating_sub(1)) * 30;
    let tenths = 10 + more / u128::from(max.saturating_sub(1).max(1));
    format!("{}.{}", tenths / 10, tenths % 10)
}

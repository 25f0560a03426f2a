//! Communication graphs for Graphviz.

use super::{CommunicationEdge, CommunicationGraph, EdgeKind, NodeShape, Party};
use crate::escape::dot as quoted;
use crate::machine::dot::pen_width;
use rtoscope_trace::{Endpoint, ObjectClass};
use std::fmt::Write as _;

/// The attributes of all nodes and edges.
const DEFAULT_ATTRIBUTES: &str = "    nodesep=0.35;
    ranksep=0.8;
    node [style=filled, fontname=\"Helvetica\", fontsize=12, margin=\"0.16,0.08\"];
    edge [color=\"#4a5460\", fontcolor=\"#1c2128\", fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];
";

/// Renders the graph for `dot`.
///
/// Threads are boxes and interrupts are hexagons; each class of objects has its own shape.
/// The width of an edge grows with its count; dashed edges are wake-ups of threads that do
/// not wait for an object. The attribute `class` of a node is `context-N` or `object-N`,
/// the numbers of contexts and registered objects; that of an edge is `event-N`, its first event.
pub fn render(graph: &CommunicationGraph) -> String {
    let mut text = format!("digraph communication {{\n{DEFAULT_ATTRIBUTES}");
    for (number, node) in graph.nodes.iter().enumerate() {
        let name = quoted(&node.name);
        let _ = write!(
            text,
            "    n{number} [label=\"{name}\", {}",
            attributes(node.shape)
        );
        if let Party::Endpoint(Endpoint::Object(context)) = node.party {
            let _ = write!(text, ", class=\"context-{}\"", context.0);
        }
        if let Some(object) = node.object {
            let _ = write!(text, ", class=\"object-{}\"", object.0);
        }
        text.push_str("];\n");
    }
    let max_count = graph.max_count();
    for edge in &graph.edges {
        edge_line(edge, max_count, &mut text);
    }
    text.push_str("}\n");
    text
}

fn edge_line(edge: &CommunicationEdge, max_count: u64, text: &mut String) {
    let label: Vec<_> = edge.label().iter().map(|line| quoted(line)).collect();
    let style = match edge.kind {
        EdgeKind::Hold => ", dir=none",
        EdgeKind::Wake => ", style=dashed",
        EdgeKind::Put | EdgeKind::Take | EdgeKind::Post => "",
    };
    let _ = writeln!(
        text,
        "    n{} -> n{} [label=\"{}\", penwidth={}, class=\"event-{}\"{style}];",
        edge.from,
        edge.to,
        label.join("\\n"),
        pen_width(edge.count, max_count),
        edge.first_event,
    );
}

/// The attributes of a node.
fn attributes(shape: NodeShape) -> String {
    let form = match shape {
        NodeShape::Thread => {
            return "shape=box, style=\"rounded,filled\", fillcolor=\"#e6effb\", color=\"#2f67b1\""
                .to_owned();
        }
        NodeShape::Interrupt => {
            return "shape=hexagon, fillcolor=\"#fdf0dc\", color=\"#9a6700\"".to_owned();
        }
        NodeShape::Object(ObjectClass::Queue) => "cds",
        NodeShape::Object(ObjectClass::Mutex) => "octagon",
        NodeShape::Object(ObjectClass::EventFlags) => "tab",
        NodeShape::Object(ObjectClass::BlockPool | ObjectClass::BytePool) => "box3d",
        NodeShape::Object(_) => "ellipse",
    };
    format!("shape={form}, fillcolor=\"#eef0f3\", color=\"#5a6472\"")
}

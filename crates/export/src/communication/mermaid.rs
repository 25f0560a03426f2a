//! Communication graphs for Mermaid, which many hosts of Markdown render.

use super::{CommunicationGraph, EdgeKind, NodeShape};
use crate::escape::mermaid as safe;
use rtoscope_trace::ObjectClass;
use std::fmt::Write as _;

/// Renders the graph as a `flowchart`, with the shapes that Mermaid has.
pub fn render(graph: &CommunicationGraph) -> String {
    let mut text = "flowchart TB\n".to_owned();
    for (number, node) in graph.nodes.iter().enumerate() {
        let [open, close] = brackets(node.shape);
        let name = safe(&node.name);
        let _ = writeln!(text, "    n{number}{open}\"{name}\"{close}");
    }
    for edge in &graph.edges {
        let arrow = match edge.kind {
            EdgeKind::Hold => "---",
            EdgeKind::Wake => "-.->",
            EdgeKind::Put | EdgeKind::Take | EdgeKind::Post => "-->",
        };
        let label: Vec<_> = edge.label().iter().map(|line| safe(line)).collect();
        let label = label.join("<br/>");
        let _ = writeln!(text, "    n{} {arrow}|\"{label}\"| n{}", edge.from, edge.to);
    }
    text
}

fn brackets(shape: NodeShape) -> [&'static str; 2] {
    match shape {
        NodeShape::Thread => ["[", "]"],
        NodeShape::Interrupt => ["{{", "}}"],
        NodeShape::Object(ObjectClass::Queue) => ["[/", "/]"],
        NodeShape::Object(ObjectClass::Mutex) => ["[[", "]]"],
        NodeShape::Object(ObjectClass::BlockPool | ObjectClass::BytePool) => ["[(", ")]"],
        NodeShape::Object(_) => ["([", "])"],
    }
}

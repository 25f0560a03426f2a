//! State machine diagrams for Mermaid, which many hosts of Markdown render.

use super::labels::Children;
use super::{MachineTransition, StateId, StateMachine, VertexKind};
use crate::escape::mermaid as safe;
use std::fmt::Write as _;

/// Renders the machine as a `stateDiagram-v2`.
///
/// Internal transitions are listed in their state's box; those of a composite
/// state, whose box has no text, are loops. Transitions into a pseudostate continue
/// from there with counts per target.
pub fn render(machine: &StateMachine) -> String {
    let mut text = "stateDiagram-v2\n    direction TB\n".to_owned();
    let inside = machine.children();
    states(machine, &inside, None, 1, &mut text);
    for edge in &machine.drawn_transitions() {
        transition(edge, &inside, &mut text);
    }
    for ((from, to), count) in machine.pseudostate_exits() {
        let _ = writeln!(
            text,
            "    s{} --> s{}: {}",
            from.0,
            to.0,
            safe(&format!("×{count}"))
        );
    }
    let never = |id: &StateId| machine.get(*id).is_some_and(|state| state.visits == 0);
    let never: Vec<_> = (0..machine.vertices.len())
        .map(StateId)
        .filter(never)
        .collect();
    if !never.is_empty() {
        text.push_str("    classDef never stroke-dasharray:5 4\n");
        for id in never {
            let _ = writeln!(text, "    class s{} never", id.0);
        }
    }
    text
}

fn states(
    machine: &StateMachine,
    inside: &Children,
    parent: Option<StateId>,
    depth: usize,
    text: &mut String,
) {
    let indent = "    ".repeat(depth);
    for id in inside.get(&parent).into_iter().flatten() {
        let Some(state) = machine.get(*id) else {
            continue;
        };
        let more = match state.kind {
            VertexKind::State => format!(" ({})", machine.residency(state)),
            VertexKind::Pseudostate => " (pseudostate)".to_owned(),
        };
        let name = safe(&format!("{}{more}", state.name));
        let _ = writeln!(text, "{indent}state \"{name}\" as s{}", id.0);
        if inside.contains_key(&Some(*id)) {
            let _ = writeln!(text, "{indent}state s{} {{", id.0);
            states(machine, inside, Some(*id), depth + 1, text);
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

fn transition(edge: &MachineTransition, inside: &Children, text: &mut String) {
    let line = edge.line_label();
    let label = safe(&line);
    let _ = match (edge.source, edge.target) {
        (None, None) => return,
        (None, Some(target)) => writeln!(text, "    [*] --> s{}: {label}", target.0),
        (Some(source), Some(target)) => {
            writeln!(text, "    s{} --> s{}: {label}", source.0, target.0)
        }
        (Some(source), None) if inside.contains_key(&Some(source)) => {
            writeln!(text, "    s{0} --> s{0}: internal {label}", source.0)
        }
        (Some(source), None) => writeln!(text, "    s{}: {label}", source.0),
    };
}

//! A sequence diagram for Mermaid, as Markdown of many hosts shows it.

use super::Sequence;
use super::script::{Line, lines};
use crate::safe::mermaid as safe;
use std::fmt::Write as _;

/// The diagram as a `sequenceDiagram`.
///
/// Arrows are drawn where events are posted; where one is taken later, a note
/// says so. The times stand in comments.
pub fn render(sequence: &Sequence) -> String {
    let mut text = "sequenceDiagram\n".to_owned();
    let last = sequence.lifelines.len().saturating_sub(1);
    let across = match last {
        0 => "p0".to_owned(),
        last => format!("p0,p{last}"),
    };
    lines(sequence, |line| {
        text.push_str("    ");
        let _ = match line {
            Line::Lifeline { id, name, object } => {
                let kind = if object { "participant" } else { "actor" };
                writeln!(text, "{kind} p{} as {}", id.0, safe(name))
            }
            Line::State(on, state) => writeln!(text, "Note over p{}: {}", on.0, safe(state)),
            Line::Post { from, to, label } => {
                writeln!(text, "p{}-)p{}: {}", from.0, to.0, safe(label))
            }
            Line::Call { from, to, label } => {
                writeln!(text, "p{}->>p{}: {}", from.0, to.0, safe(label))
            }
            Line::Note(on, label) => writeln!(text, "Note right of p{}: {}", on.0, safe(label)),
            Line::Take(on, label) => writeln!(text, "Note right of p{}: {}", on.0, safe(&label)),
            Line::Begin(on) => writeln!(text, "activate p{}", on.0),
            Line::End(on) => writeln!(text, "deactivate p{}", on.0),
            Line::Divider(_) if sequence.lifelines.is_empty() => writeln!(text),
            Line::Divider(label) => writeln!(text, "Note over {across}: {}", safe(label)),
            Line::Comment(row) => writeln!(text, "%% {}, event {}", row.clock, row.number),
        };
    });
    if let (Some(note), false) = (sequence.left_out_note(), sequence.lifelines.is_empty()) {
        let _ = writeln!(text, "    Note over {across}: {}", safe(&note));
    }
    text
}

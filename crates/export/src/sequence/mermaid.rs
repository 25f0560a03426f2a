//! Sequence diagrams for Mermaid, which many hosts of Markdown render.

use super::SequenceDiagram;
use super::script_lines::{ScriptLine, write_lines};
use crate::escape::mermaid as safe;
use std::fmt::Write as _;

/// Renders the diagram as a `sequenceDiagram`.
///
/// Arrows are at the posts of events; an event taken later has a note there. Times
/// are comments.
pub fn render(sequence: &SequenceDiagram) -> String {
    let mut text = "sequenceDiagram\n".to_owned();
    let last = sequence.lifelines.len().saturating_sub(1);
    let across = match last {
        0 => "p0".to_owned(),
        last => format!("p0,p{last}"),
    };
    write_lines(sequence, |line| {
        text.push_str("    ");
        let _ = match line {
            ScriptLine::Lifeline { id, name, object } => {
                let kind = if object { "participant" } else { "actor" };
                writeln!(text, "{kind} p{} as {}", id.0, safe(name))
            }
            ScriptLine::State(on, state) => writeln!(text, "Note over p{}: {}", on.0, safe(state)),
            ScriptLine::Post { from, to, label } => {
                writeln!(text, "p{}-)p{}: {}", from.0, to.0, safe(label))
            }
            ScriptLine::Call { from, to, label } => {
                writeln!(text, "p{}->>p{}: {}", from.0, to.0, safe(label))
            }
            ScriptLine::Note(on, label) => {
                writeln!(text, "Note right of p{}: {}", on.0, safe(label))
            }
            ScriptLine::LateTake(on, label) => {
                writeln!(text, "Note right of p{}: {}", on.0, safe(&label))
            }
            ScriptLine::Begin(on) => writeln!(text, "activate p{}", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{}", on.0),
            ScriptLine::Divider(_) if sequence.lifelines.is_empty() => writeln!(text),
            ScriptLine::Divider(label) => writeln!(text, "Note over {across}: {}", safe(label)),
            ScriptLine::Comment(row) => {
                writeln!(text, "%% {}, event {}", row.time_text, row.number)
            }
        };
    });
    if let (Some(note), false) = (sequence.skipped_rows_note(), sequence.lifelines.is_empty()) {
        let _ = writeln!(text, "    Note over {across}: {}", safe(&note));
    }
    text
}

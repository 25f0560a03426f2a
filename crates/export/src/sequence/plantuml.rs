//! Sequence diagrams for PlantUML.

use super::SequenceDiagram;
use super::script_lines::{ScriptLine, write_lines};
use crate::escape::plantuml as safe;
use std::fmt::Write as _;

/// Renders the diagram between `@startuml` and `@enduml`.
///
/// Arrows are at the posts of events; an event taken later has a note there. States
/// are hexagons. Times are comments.
pub fn render(sequence: &SequenceDiagram) -> String {
    let mut text = "@startuml\n".to_owned();
    write_lines(sequence, |line| {
        let _ = match line {
            ScriptLine::Lifeline { id, name, object } => {
                let kind = if object { "participant" } else { "actor" };
                writeln!(text, "{kind} \"{}\" as p{}", safe(name), id.0)
            }
            ScriptLine::State(on, state) => {
                writeln!(text, "hnote over p{} : {}", on.0, safe(state))
            }
            ScriptLine::Post { from, to, label } => {
                writeln!(text, "p{} ->> p{} : {}", from.0, to.0, safe(label))
            }
            ScriptLine::Call { from, to, label } => {
                writeln!(text, "p{} -> p{} : {}", from.0, to.0, safe(label))
            }
            ScriptLine::Note(on, label) => {
                writeln!(text, "note right of p{} : {}", on.0, safe(label))
            }
            // In PlantUML only a message can start an activation.
            ScriptLine::LateTake(on, label) => writeln!(text, "?->> p{} : {}", on.0, safe(&label)),
            ScriptLine::Begin(on) => writeln!(text, "activate p{}", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{}", on.0),
            ScriptLine::Divider(label) => writeln!(text, "== {} ==", safe(label)),
            ScriptLine::Comment(row) => writeln!(text, "' {}, event {}", row.time_text, row.number),
        };
    });
    if let Some(note) = sequence.skipped_rows_note() {
        let _ = writeln!(text, "== {} ==", safe(&note));
    }
    text.push_str("@enduml\n");
    text
}

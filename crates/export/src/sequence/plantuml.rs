//! A sequence diagram for PlantUML.

use super::SequenceDiagram;
use super::script_lines::{ScriptLine, write_lines};
use crate::escape::plantuml as safe;
use std::fmt::Write as _;

/// The diagram between `@startuml` and `@enduml`.
///
/// Arrows are drawn where events are posted; where one is taken later, a note
/// says so. States are hexagons. The times stand in comments.
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
            // Here only a message can begin an activation.
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

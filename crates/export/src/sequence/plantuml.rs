//! A sequence diagram for PlantUML.

use super::Sequence;
use super::script::{Line, lines};
use crate::safe::plantuml as safe;
use std::fmt::Write as _;

/// The diagram between `@startuml` and `@enduml`.
///
/// Arrows are drawn where events are posted; where one is taken later, a note
/// says so. States are hexagons. The times stand in comments.
pub fn render(sequence: &Sequence) -> String {
    let mut text = "@startuml\n".to_owned();
    lines(sequence, |line| {
        let _ = match line {
            Line::Lifeline { id, name, object } => {
                let kind = if object { "participant" } else { "actor" };
                writeln!(text, "{kind} \"{}\" as p{}", safe(name), id.0)
            }
            Line::State(on, state) => writeln!(text, "hnote over p{} : {}", on.0, safe(state)),
            Line::Post { from, to, label } => {
                writeln!(text, "p{} ->> p{} : {}", from.0, to.0, safe(label))
            }
            Line::Call { from, to, label } => {
                writeln!(text, "p{} -> p{} : {}", from.0, to.0, safe(label))
            }
            Line::Note(on, label) => writeln!(text, "note right of p{} : {}", on.0, safe(label)),
            // Here only a message can begin an activation.
            Line::Take(on, label) => writeln!(text, "?->> p{} : {}", on.0, safe(&label)),
            Line::Begin(on) => writeln!(text, "activate p{}", on.0),
            Line::End(on) => writeln!(text, "deactivate p{}", on.0),
            Line::Divider(label) => writeln!(text, "== {} ==", safe(label)),
            Line::Comment(row) => writeln!(text, "' {}, event {}", row.clock, row.number),
        };
    });
    if let Some(note) = sequence.left_out_note() {
        let _ = writeln!(text, "== {} ==", safe(&note));
    }
    text.push_str("@enduml\n");
    text
}

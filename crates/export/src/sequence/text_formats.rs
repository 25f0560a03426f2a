//! Sequence diagrams as text for tools that lay them out: Mermaid, PlantUML and
//! Msc-generator.

use super::SequenceDiagram;
use super::script_lines::{ScriptLine, write_lines};
use crate::escape;
use std::fmt::Write as _;

/// Renders the diagram as a Mermaid `sequenceDiagram`, which many hosts of Markdown
/// render.
///
/// Arrows are at the posts of events; an event taken later has a note there. Times
/// are comments.
pub fn mermaid(sequence: &SequenceDiagram) -> String {
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
                writeln!(text, "{kind} p{} as {}", id.0, escape::mermaid(name))
            }
            ScriptLine::State(on, state) => {
                writeln!(text, "Note over p{}: {}", on.0, escape::mermaid(state))
            }
            ScriptLine::Post { from, to, label } => {
                writeln!(text, "p{}-)p{}: {}", from.0, to.0, escape::mermaid(label))
            }
            ScriptLine::Call { from, to, label } => {
                writeln!(text, "p{}->>p{}: {}", from.0, to.0, escape::mermaid(label))
            }
            ScriptLine::Note(on, label) => {
                writeln!(text, "Note right of p{}: {}", on.0, escape::mermaid(label))
            }
            ScriptLine::LateTake(on, label) => {
                writeln!(text, "Note right of p{}: {}", on.0, escape::mermaid(&label))
            }
            ScriptLine::Begin(on) => writeln!(text, "activate p{}", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{}", on.0),
            ScriptLine::Divider(_) if sequence.lifelines.is_empty() => writeln!(text),
            ScriptLine::Divider(label) => {
                writeln!(text, "Note over {across}: {}", escape::mermaid(label))
            }
            ScriptLine::Comment(row) => {
                writeln!(text, "%% {}, event {}", row.time_text, row.number)
            }
        };
    });
    if let (Some(note), false) = (sequence.skipped_rows_note(), sequence.lifelines.is_empty()) {
        let _ = writeln!(text, "    Note over {across}: {}", escape::mermaid(&note));
    }
    text
}

/// Renders the diagram for PlantUML, between `@startuml` and `@enduml`.
///
/// Arrows are at the posts of events; an event taken later has a note there. States
/// are hexagons. Times are comments.
pub fn plantuml(sequence: &SequenceDiagram) -> String {
    let mut text = "@startuml\n".to_owned();
    write_lines(sequence, |line| {
        let _ = match line {
            ScriptLine::Lifeline { id, name, object } => {
                let kind = if object { "participant" } else { "actor" };
                writeln!(text, "{kind} \"{}\" as p{}", escape::plantuml(name), id.0)
            }
            ScriptLine::State(on, state) => {
                writeln!(text, "hnote over p{} : {}", on.0, escape::plantuml(state))
            }
            ScriptLine::Post { from, to, label } => {
                writeln!(
                    text,
                    "p{} ->> p{} : {}",
                    from.0,
                    to.0,
                    escape::plantuml(label)
                )
            }
            ScriptLine::Call { from, to, label } => {
                writeln!(
                    text,
                    "p{} -> p{} : {}",
                    from.0,
                    to.0,
                    escape::plantuml(label)
                )
            }
            ScriptLine::Note(on, label) => {
                writeln!(
                    text,
                    "note right of p{} : {}",
                    on.0,
                    escape::plantuml(label)
                )
            }
            // In PlantUML only a message can start an activation.
            ScriptLine::LateTake(on, label) => {
                writeln!(text, "?->> p{} : {}", on.0, escape::plantuml(&label))
            }
            ScriptLine::Begin(on) => writeln!(text, "activate p{}", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{}", on.0),
            ScriptLine::Divider(label) => writeln!(text, "== {} ==", escape::plantuml(label)),
            ScriptLine::Comment(row) => writeln!(text, "' {}, event {}", row.time_text, row.number),
        };
    });
    if let Some(note) = sequence.skipped_rows_note() {
        let _ = writeln!(text, "== {} ==", escape::plantuml(&note));
    }
    text.push_str("@enduml\n");
    text
}

/// Renders the diagram as a signalling chart (`.signalling`, `.msc`) for Msc-
/// generator, <https://gitlab.com/msc-generator>.
///
/// Arrows are at the posts of events; an event taken later has a note there. States
/// are boxes. Times are comments.
pub fn msc_generator(sequence: &SequenceDiagram) -> String {
    let mut text = "hscale=auto;\n".to_owned();
    write_lines(sequence, |line| {
        let _ = match line {
            ScriptLine::Lifeline { id, name, .. } => {
                writeln!(
                    text,
                    "p{} [label=\"{}\"];",
                    id.0,
                    escape::msc_generator(name)
                )
            }
            ScriptLine::State(on, state) => {
                writeln!(
                    text,
                    "p{0}--p{0}: \"{1}\";",
                    on.0,
                    escape::msc_generator(state)
                )
            }
            ScriptLine::Post { from, to, label } => {
                let look = "[arrow.type=line]";
                writeln!(
                    text,
                    "p{}->p{}: \"{}\" {look};",
                    from.0,
                    to.0,
                    escape::msc_generator(label)
                )
            }
            ScriptLine::Call { from, to, label } => {
                let look = "[arrow.type=solid]";
                writeln!(
                    text,
                    "p{}->p{}: \"{}\" {look};",
                    from.0,
                    to.0,
                    escape::msc_generator(label)
                )
            }
            ScriptLine::Note(on, label) => {
                writeln!(
                    text,
                    "p{0}..p{0}: \"{1}\";",
                    on.0,
                    escape::msc_generator(label)
                )
            }
            ScriptLine::LateTake(on, label) => {
                writeln!(
                    text,
                    "p{0}..p{0}: \"{1}\";",
                    on.0,
                    escape::msc_generator(&label)
                )
            }
            ScriptLine::Begin(on) => writeln!(text, "activate p{};", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{};", on.0),
            ScriptLine::Divider(label) => {
                writeln!(text, "---: \"{}\";", escape::msc_generator(label))
            }
            ScriptLine::Comment(row) => writeln!(text, "# {}, event {}", row.time_text, row.number),
        };
    });
    if let Some(note) = sequence.skipped_rows_note() {
        let _ = writeln!(text, "---: \"{}\";", escape::msc_generator(&note));
    }
    text
}

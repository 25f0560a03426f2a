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
    let across = match sequence.lifelines.len() {
        0 | 1 => "p0".to_owned(),
        count => format!("p0,p{}", count - 1),
    };
    write_lines(sequence, escape::mermaid, |line| {
        if sequence.lifelines.is_empty() && matches!(line, ScriptLine::Divider(_)) {
            return;
        }
        text.push_str("    ");
        let _ = match line {
            ScriptLine::Object(on, name) => writeln!(text, "participant {on} as {name}"),
            ScriptLine::Actor(on, name) => writeln!(text, "actor {on} as {name}"),
            ScriptLine::State(on, state) => writeln!(text, "Note over {on}: {state}"),
            ScriptLine::Post([from, to], label) => writeln!(text, "{from}-){to}: {label}"),
            ScriptLine::Call([from, to], label) => writeln!(text, "{from}->>{to}: {label}"),
            ScriptLine::Note(on, label) | ScriptLine::LateTake(on, label) => {
                writeln!(text, "Note right of {on}: {label}")
            }
            ScriptLine::Begin(on) => writeln!(text, "activate {on}"),
            ScriptLine::End(on) => writeln!(text, "deactivate {on}"),
            ScriptLine::Divider(label) => writeln!(text, "Note over {across}: {label}"),
            ScriptLine::Comment(comment) => writeln!(text, "%% {comment}"),
        };
    });
    text
}

/// Renders the diagram for PlantUML, between `@startuml` and `@enduml`.
///
/// Arrows are at the posts of events; an event taken later has a note there. States
/// are hexagons. Times are comments.
pub fn plantuml(sequence: &SequenceDiagram) -> String {
    let mut text = "@startuml\n".to_owned();
    write_lines(sequence, escape::plantuml, |line| {
        let _ = match line {
            ScriptLine::Object(on, name) => writeln!(text, "participant \"{name}\" as {on}"),
            ScriptLine::Actor(on, name) => writeln!(text, "actor \"{name}\" as {on}"),
            ScriptLine::State(on, state) => writeln!(text, "hnote over {on} : {state}"),
            ScriptLine::Post([from, to], label) => writeln!(text, "{from} ->> {to} : {label}"),
            ScriptLine::Call([from, to], label) => writeln!(text, "{from} -> {to} : {label}"),
            ScriptLine::Note(on, label) => writeln!(text, "note right of {on} : {label}"),
            // In PlantUML only a message can start an activation.
            ScriptLine::LateTake(on, label) => writeln!(text, "?->> {on} : {label}"),
            ScriptLine::Begin(on) => writeln!(text, "activate {on}"),
            ScriptLine::End(on) => writeln!(text, "deactivate {on}"),
            ScriptLine::Divider(label) => writeln!(text, "== {label} =="),
            ScriptLine::Comment(comment) => writeln!(text, "' {comment}"),
        };
    });
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
    write_lines(sequence, escape::msc_generator, |line| {
        let _ = match line {
            ScriptLine::Object(on, name) | ScriptLine::Actor(on, name) => {
                writeln!(text, "{on} [label=\"{name}\"];")
            }
            ScriptLine::State(on, state) => writeln!(text, "{on}--{on}: \"{state}\";"),
            ScriptLine::Post([from, to], label) => {
                writeln!(text, "{from}->{to}: \"{label}\" [arrow.type=line];")
            }
            ScriptLine::Call([from, to], label) => {
                writeln!(text, "{from}->{to}: \"{label}\" [arrow.type=solid];")
            }
            ScriptLine::Note(on, label) | ScriptLine::LateTake(on, label) => {
                writeln!(text, "{on}..{on}: \"{label}\";")
            }
            ScriptLine::Begin(on) => writeln!(text, "activate {on};"),
            ScriptLine::End(on) => writeln!(text, "deactivate {on};"),
            ScriptLine::Divider(label) => writeln!(text, "---: \"{label}\";"),
            ScriptLine::Comment(comment) => writeln!(text, "# {comment}"),
        };
    });
    text
}

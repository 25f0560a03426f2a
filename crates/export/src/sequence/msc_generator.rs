//! Sequence diagrams for Msc-generator, <https://gitlab.com/msc-generator>.

use super::SequenceDiagram;
use super::script_lines::{ScriptLine, write_lines};
use crate::escape::msc_generator as safe;
use std::fmt::Write as _;

/// Renders the diagram as a signalling chart (`.signalling`, `.msc`).
///
/// Arrows are at the posts of events; an event taken later has a note there. States
/// are boxes. Times are comments.
pub fn render(sequence: &SequenceDiagram) -> String {
    let mut text = "hscale=auto;\n".to_owned();
    write_lines(sequence, |line| {
        let _ = match line {
            ScriptLine::Lifeline { id, name, .. } => {
                writeln!(text, "p{} [label=\"{}\"];", id.0, safe(name))
            }
            ScriptLine::State(on, state) => {
                writeln!(text, "p{0}--p{0}: \"{1}\";", on.0, safe(state))
            }
            ScriptLine::Post { from, to, label } => {
                let look = "[arrow.type=line]";
                writeln!(text, "p{}->p{}: \"{}\" {look};", from.0, to.0, safe(label))
            }
            ScriptLine::Call { from, to, label } => {
                let look = "[arrow.type=solid]";
                writeln!(text, "p{}->p{}: \"{}\" {look};", from.0, to.0, safe(label))
            }
            ScriptLine::Note(on, label) => {
                writeln!(text, "p{0}..p{0}: \"{1}\";", on.0, safe(label))
            }
            ScriptLine::LateTake(on, label) => {
                writeln!(text, "p{0}..p{0}: \"{1}\";", on.0, safe(&label))
            }
            ScriptLine::Begin(on) => writeln!(text, "activate p{};", on.0),
            ScriptLine::End(on) => writeln!(text, "deactivate p{};", on.0),
            ScriptLine::Divider(label) => writeln!(text, "---: \"{}\";", safe(label)),
            ScriptLine::Comment(row) => writeln!(text, "# {}, event {}", row.time_text, row.number),
        };
    });
    if let Some(note) = sequence.skipped_rows_note() {
        let _ = writeln!(text, "---: \"{}\";", safe(&note));
    }
    text
}

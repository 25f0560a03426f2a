//! A sequence diagram for Msc-generator, <https://gitlab.com/msc-generator>.

use super::Sequence;
use super::script::{Line, lines};
use crate::safe::msc_generator as safe;
use std::fmt::Write as _;

/// The diagram as a signalling chart (`.signalling`, `.msc`).
///
/// Arrows are drawn where events are posted; where one is taken later, a note
/// says so. States are boxes. The times stand in comments.
pub fn render(sequence: &Sequence) -> String {
    let mut text = "hscale=auto;\n".to_owned();
    lines(sequence, |line| {
        let _ = match line {
            Line::Lifeline { id, name, .. } => {
                writeln!(text, "p{} [label=\"{}\"];", id.0, safe(name))
            }
            Line::State(on, state) => {
                writeln!(text, "p{0}--p{0}: \"{1}\";", on.0, safe(state))
            }
            Line::Post { from, to, label } => {
                let look = "[arrow.type=line]";
                writeln!(text, "p{}->p{}: \"{}\" {look};", from.0, to.0, safe(label))
            }
            Line::Call { from, to, label } => {
                let look = "[arrow.type=solid]";
                writeln!(text, "p{}->p{}: \"{}\" {look};", from.0, to.0, safe(label))
            }
            Line::Note(on, label) => {
                writeln!(text, "p{0}..p{0}: \"{1}\";", on.0, safe(label))
            }
            Line::Take(on, label) => {
                writeln!(text, "p{0}..p{0}: \"{1}\";", on.0, safe(&label))
            }
            Line::Begin(on) => writeln!(text, "activate p{};", on.0),
            Line::End(on) => writeln!(text, "deactivate p{};", on.0),
            Line::Divider(label) => writeln!(text, "---: \"{}\";", safe(label)),
            Line::Comment(row) => writeln!(text, "# {}, event {}", row.clock, row.number),
        };
    });
    if let Some(note) = sequence.left_out_note() {
        let _ = writeln!(text, "---: \"{}\";", safe(&note));
    }
    text
}

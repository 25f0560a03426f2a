//! Text logs in the text output.

use super::diagnostic_lines;
use crate::commands::info::document::TextLogDocument;
use rtoscope_command::output;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

pub(super) fn append_section(text: &mut String, log: &TextLogDocument) {
    let times = match (log.start, log.end) {
        (Some(start), Some(end)) => format!("{start} to {end} ticks"),
        _ => "not known".to_owned(),
    };
    let timed = match log.lines - log.timed_lines {
        0 => String::new(),
        untimed => format!(", {untimed} without a known time"),
    };
    let mut section = String::new();
    // Writing to a `String` cannot fail.
    let _ = write!(
        section,
        "format  {}\nlines   {}{timed}\ntimes   {times}\nwithin  {} of the lines are within \
         the trace\n{}",
        Printable::text(&log.format),
        log.lines,
        log.lines_within_trace,
        diagnostic_lines(&log.diagnostics)
    );
    let title = format!("Text log {}", Printable::text(&log.file));
    output::append_section(text, &title, &section);
}

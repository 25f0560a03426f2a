//! The text output of `info`.

mod history;
mod text_log;

use super::document::{ContextDocument, DiagnosticDocument, InfoDocument};
use rtoscope_command::output::{self, append_section};
use rtoscope_decode::format::{FactSection, FactTable};
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Frequency, Nanoseconds};
use std::fmt::Write as _;

pub(crate) fn render(document: &InfoDocument) -> String {
    let mut text = summary_table(document);
    if let Some(recording) = &document.recording {
        history::append_sections(&mut text, recording);
    }
    for FactSection { title, table } in &document.facts.sections {
        append_section(&mut text, title, &section_text(table));
    }
    if document.events > 0 {
        let rows = document.components.iter();
        let rows = rows.map(|it| vec![it.component.clone(), it.events.to_string()]);
        let table = output::format_table(&["component", "events"], &["events"], rows);
        append_section(&mut text, "Components", &table);
        append_section(&mut text, "Contexts", &contexts(&document.contexts));
    }
    for log in &document.text_logs {
        text_log::append_section(&mut text, log);
    }
    let lines = diagnostic_lines(&document.diagnostics);
    if !lines.is_empty() {
        append_section(&mut text, "Diagnostics", &lines);
    }
    text
}

fn summary_table(document: &InfoDocument) -> String {
    let mut packed = document.compression.clone();
    packed.push(document.container);
    let mut rows = vec![
        ("source", Printable::text(&document.source).to_string()),
        ("format", document.facts.description.clone()),
        ("container", packed.join(" > ")),
    ];
    if let Some(recording) = &document.recording {
        rows.extend(history::summary_rows(recording));
    }
    rows.extend(document.facts.lines.iter().cloned());
    rows.extend([
        ("clock", clock_text(document)),
        ("events", document.events.to_string()),
        ("span", ticks_text(document.span, document.span_ns)),
    ]);
    let cores: Vec<String> = document.core_numbers.iter().map(u8::to_string).collect();
    rows.push((
        "cores",
        match cores.as_slice() {
            [] => "none".to_owned(),
            _ => format!("{} ({})", document.cores, cores.join(", ")),
        },
    ));
    let classes = document.object_classes.iter();
    let classes: Vec<String> = classes
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    let separator = if classes.is_empty() { "" } else { ": " };
    rows.push((
        "objects",
        format!("{}{separator}{}", document.objects, classes.join(", ")),
    ));
    let mut text = String::new();
    for (name, value) in rows {
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text
}

fn section_text(table: &FactTable) -> String {
    match table {
        FactTable::Lines(text) => text.clone(),
        FactTable::Rows { columns, rows } => {
            let header: Vec<_> = columns.iter().map(|column| column.title).collect();
            let numbers = columns.iter().filter(|column| column.is_number);
            let numbers: Vec<_> = numbers.map(|column| column.title).collect();
            output::format_table(&header, &numbers, rows.iter().cloned())
        }
    }
}

fn clock_text(document: &InfoDocument) -> String {
    let clock = &document.clock;
    let mut text = format!(
        "{} bits (mask {}), counts {}, {}",
        clock.bits, clock.mask, clock.direction, clock.quality
    );
    if let Some(frequency) = clock.frequency_hz.and_then(Frequency::from_hertz) {
        let (hertz, tick) = (frequency.hertz(), frequency.tick_text());
        let _ = write!(text, ", {hertz} Hz (resolution {tick})");
    }
    if let Some(period) = clock.period {
        let period = ticks_text(period, clock.period_ns);
        let _ = write!(text, ", wraps every {period} ({} seen)", clock.wraps);
    }
    if clock.backward_steps > 0 {
        let _ = write!(text, ", {} backward steps", clock.backward_steps);
    }
    text
}

/// A duration in ticks and, if it is known, as a time.
fn ticks_text(ticks: u64, nanoseconds: Option<u64>) -> String {
    match nanoseconds {
        Some(time) => format!("{ticks} ticks = {}", Nanoseconds(time)),
        None => format!("{ticks} ticks"),
    }
}

/// Contexts that the text shows: a damaged trace can have one context per event.
const MAX_CONTEXTS: usize = 200;

fn contexts(contexts: &[ContextDocument]) -> String {
    let shown = contexts.iter().take(MAX_CONTEXTS);
    let rows = shown.map(|it| vec![it.name.clone(), it.address.clone(), it.events.to_string()]);
    let mut table = output::format_table(&["context", "address", "events"], &["events"], rows);
    if let Some(more) = contexts
        .len()
        .checked_sub(MAX_CONTEXTS)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(table, "and {more} more, which --format json lists");
    }
    table
}

fn diagnostic_lines(diagnostics: &[DiagnosticDocument]) -> String {
    let mut lines = String::new();
    for diagnostic in diagnostics {
        let offset = diagnostic.offset;
        let place = offset.map(|offset| format!(" [offset {offset:#x}]"));
        let _ = writeln!(
            lines,
            "{:<8} {}: {}{}",
            diagnostic.severity,
            diagnostic.kind,
            Printable::text(&diagnostic.message),
            place.unwrap_or_default()
        );
    }
    lines
}

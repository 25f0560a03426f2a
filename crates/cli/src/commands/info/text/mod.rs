//! The same for people.

mod cswitch;
mod history;
mod rkh;

use super::document::{BufferDocument, ContextDocument, Document, OfFormat, ThreadX};
use rtoscope_command::output::{self, section};
use rtoscope_trace::Nanoseconds;
use rtoscope_trace::printable::Printable;
use std::fmt::Write as _;

pub(crate) fn render(document: &Document) -> String {
    let mut text = facts(document);
    if let Some(recording) = &document.recording {
        history::sections(&mut text, recording);
    }
    match &document.of_format {
        OfFormat::ThreadX(threadx) if threadx.buffers.len() > 1 => {
            section(&mut text, "Buffers", &buffers(&threadx.buffers));
        }
        OfFormat::ThreadX(_) => {}
        OfFormat::Rkh(rkh) => rkh::sections(&mut text, rkh),
        OfFormat::Cswitch(log) => cswitch::sections(&mut text, log),
    }
    if document.events > 0 {
        let rows = document.components.iter();
        let rows = rows.map(|it| vec![it.component.clone(), it.events.to_string()]);
        let table = output::table(&["component", "events"], &["events"], rows);
        section(&mut text, "Components", &table);
        section(&mut text, "Contexts", &contexts(&document.contexts));
    }
    text.push_str(&diagnostics(document));
    text
}

fn facts(document: &Document) -> String {
    let mut packed = document.compression.clone();
    packed.push(document.container);
    let (format, mut of_format) = match &document.of_format {
        OfFormat::ThreadX(threadx) => threadx_facts(threadx, document.recording.is_some()),
        OfFormat::Rkh(rkh) => rkh::facts(rkh, &document.gaps),
        OfFormat::Cswitch(log) => cswitch::facts(log),
    };
    let mut rows = vec![
        ("source", Printable::text(&document.source).to_string()),
        ("format", format),
        ("container", packed.join(" > ")),
    ];
    if let Some(recording) = &document.recording {
        rows.extend(history::facts(recording));
    }
    rows.append(&mut of_format);
    rows.extend([
        ("clock", clock(document)),
        ("events", document.events.to_string()),
        ("span", span(document)),
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

/// What the format is, and facts by name.
type Facts = (String, Vec<(&'static str, String)>);

fn threadx_facts(document: &ThreadX, is_recorded: bool) -> Facts {
    let format = format!(
        "ThreadX event trace, {} endian, {}-byte ULONG",
        document.endianness, document.ulong_bytes
    );
    let buffer = format!(
        "at {}, names of {} bytes, {} registry slots, {} event slots",
        document.header.base,
        document.header.name_size,
        document.ring.registry_slots,
        document.ring.event_slots
    );
    let mut facts = vec![("buffer", buffer)];
    if !is_recorded {
        // In a recording it went round as often as it did.
        facts.push(("ring", ring(document)));
    }
    (format, facts)
}

fn ring(document: &ThreadX) -> String {
    let slot = match document.ring.current_slot {
        Some(slot) => format!("next slot {slot}"),
        None => "next slot unknown".to_owned(),
    };
    if document.ring.wrapped {
        format!("full, {slot}")
    } else {
        format!("partly filled, {slot}")
    }
}

fn clock(document: &Document) -> String {
    let clock = &document.clock;
    let mut text = format!(
        "{} bits (mask {}), counts {}, {}",
        clock.bits, clock.mask, clock.direction, clock.quality
    );
    if let Some(frequency) = clock.frequency_hz {
        let _ = write!(text, ", {frequency} Hz");
    }
    if let Some(period) = clock.period_ticks {
        let _ = write!(text, ", wraps every {period} ticks ({} seen)", clock.wraps);
    }
    if clock.backward_steps > 0 {
        let _ = write!(text, ", {} steps back", clock.backward_steps);
    }
    text
}

fn span(document: &Document) -> String {
    match document.span_ns {
        Some(time) => format!("{} ticks = {}", document.span_ticks, Nanoseconds(time)),
        None => format!("{} ticks", document.span_ticks),
    }
}

/// Damaged traces can have a context an event: the table is for people.
const MOST_CONTEXTS: usize = 200;

fn contexts(contexts: &[ContextDocument]) -> String {
    let shown = contexts.iter().take(MOST_CONTEXTS);
    let rows = shown.map(|it| vec![it.name.clone(), it.address.clone(), it.events.to_string()]);
    let mut table = output::table(&["context", "address", "events"], &["events"], rows);
    if let Some(more) = contexts
        .len()
        .checked_sub(MOST_CONTEXTS)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(table, "and {more} more, which --format json lists");
    }
    table
}

fn buffers(buffers: &[BufferDocument]) -> String {
    let rows = buffers.iter().map(|it| {
        vec![
            it.number.to_string(),
            it.address.clone(),
            it.offset
                .map(|offset| offset.to_string())
                .unwrap_or_default(),
            it.bytes.to_string(),
            it.event_slots.to_string(),
            if it.chosen { "shown here" } else { "" }.to_owned(),
        ]
    });
    let header = ["number", "address", "offset", "bytes", "event slots", ""];
    output::table(&header, &["number", "offset", "bytes", "event slots"], rows)
}

fn diagnostics(document: &Document) -> String {
    if document.diagnostics.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let mut lines = String::new();
    for diagnostic in &document.diagnostics {
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
    section(&mut text, "Diagnostics", &lines);
    text
}

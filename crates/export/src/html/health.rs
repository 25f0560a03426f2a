//! What of a recording can be trusted.

use super::table::{figures, table, words};
use super::text::{count, event, flag, maybe, text};
use rtoscope_analysis::report::Document;
use rtoscope_analysis::report::health::{Gap, Problem};

/// Facts of the recording's quality, what is wrong, and where events are missing.
pub(super) fn health(document: &Document) -> String {
    let Some(found) = &document.health else {
        return String::new();
    };
    let lines = [
        ("Clock", text("clock.quality", &found.clock.quality)),
        ("Counts", text("clock.direction", &found.clock.direction)),
        ("Bits", count("clock.bits", found.clock.bits)),
        ("Wraps", count("clock.wraps", found.clock.wraps)),
        (
            "Backward steps",
            count("clock.backward_steps", found.clock.backward_steps),
        ),
        (
            "Older events overwritten",
            flag("overwritten", found.overwritten),
        ),
        (
            "Objects named",
            count("registry.objects", found.registry.objects),
        ),
        (
            "Threads without a name",
            count("registry.unnamed_threads", found.registry.unnamed_threads),
        ),
        (
            "Interrupts without an exit",
            count("unfinished_isrs", found.unfinished_isrs),
        ),
        (
            "Interrupts inferred",
            count("inferred_isrs", found.inferred_isrs),
        ),
    ];
    let facts = lines.map(|(title, value)| format!("<div><dt>{title}</dt><dd>{value}</dd></div>"));
    let mut html = format!("<dl data-report=\"health\">{}</dl>", facts.concat());
    if found.diagnostics.is_empty() {
        html.push_str("<p>No diagnostics.</p>");
    } else {
        html.push_str(&diagnostics(&found.diagnostics));
    }
    if !found.gaps.is_empty() {
        html.push_str(&gaps(&found.gaps));
    }
    html
}

fn diagnostics(rows: &[Problem]) -> String {
    let columns = [
        words("Severity", |row: &Problem| text("severity", &row.severity)),
        words("Kind", |row: &Problem| text("kind", row.kind)),
        words("What", |row: &Problem| text("message", &row.message)),
        figures("Event", |row: &Problem| {
            maybe(row.event, |at| event("event", at))
        }),
        figures("Byte", |row: &Problem| {
            maybe(row.offset, |at| count("offset", at))
        }),
        figures("Concerns", |row: &Problem| count("count", row.count)),
    ];
    let caption = "Diagnostics of the decoder";
    table("health.diagnostics", caption, rows, &columns, |_| ())
}

fn gaps(rows: &[Gap]) -> String {
    let columns = [
        words("First event behind", |row: &Gap| {
            event("before_event", row.before_event)
        }),
        figures("Missing at most", |row: &Gap| {
            maybe(row.missing, |missing| count("missing", missing))
        }),
    ];
    let caption = "Where events are missing";
    table("health.gaps", caption, rows, &columns, |row| row.missing)
}

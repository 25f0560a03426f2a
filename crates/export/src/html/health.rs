//! The quality of a recording.

use super::cells::{count, event, flag, or_dash, text};
use super::table::{number_column, table, text_column};
use rtoscope_analysis::report::ReportDocument;
use rtoscope_analysis::report::health::{DiagnosticRow, GapRow};

/// The clock, diagnostics and gaps of a recording.
pub(super) fn health(document: &ReportDocument) -> String {
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

fn diagnostics(rows: &[DiagnosticRow]) -> String {
    let columns = [
        text_column("Severity", |row: &DiagnosticRow| {
            text("severity", &row.severity)
        }),
        text_column("Kind", |row: &DiagnosticRow| text("kind", row.kind)),
        text_column("What", |row: &DiagnosticRow| text("message", &row.message)),
        number_column("Event", |row: &DiagnosticRow| {
            or_dash(row.event, |at| event("event", at))
        }),
        number_column("Byte", |row: &DiagnosticRow| {
            or_dash(row.offset, |at| count("offset", at))
        }),
        number_column("Concerns", |row: &DiagnosticRow| count("count", row.count)),
    ];
    let caption = "Diagnostics of the decoder";
    table("health.diagnostics", caption, rows, &columns, |_| ())
}

fn gaps(rows: &[GapRow]) -> String {
    let columns = [
        text_column("First event after", |row: &GapRow| {
            event("before_event", row.before_event)
        }),
        number_column("Missing at most", |row: &GapRow| {
            or_dash(row.missing, |missing| count("missing", missing))
        }),
    ];
    let caption = "Gaps";
    table("health.gaps", caption, rows, &columns, |row| row.missing)
}

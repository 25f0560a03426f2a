//! Sections for context-switch logs.

use super::cells::{count, event, or_dash, text, time};
use super::chart::{distribution, share};
use super::table::{number_column, table, text_column};
use rtoscope_analysis::View;
use rtoscope_analysis::report::ReportDocument;
use rtoscope_analysis::report::context_switches::InterruptsOffRow;

/// Interrupts-off sections.
pub(super) fn interrupts_off(view: &View<'_>, document: &ReportDocument) -> String {
    let found = document.context_switches.as_ref();
    let Some(found) = found.and_then(|found| found.interrupts_off.as_ref()) else {
        return String::new();
    };
    let mut html = format!(
        "<p data-report=\"context_switches.interrupts_off\">{} times, {} in all: {} {}</p>",
        count("count", found.count),
        time(view, "ticks", found.share.ticks),
        share("percent", found.share.percent),
        distribution(view, "duration", found.duration.as_ref()),
    );
    let columns = [
        text_column("On behalf of", |row: &InterruptsOffRow| {
            text("context", &row.context)
        }),
        text_column("Handler", |row: &InterruptsOffRow| {
            or_dash(row.handler.as_ref(), |handler| text("handler", handler))
        }),
        text_column("Disabled at", |row: &InterruptsOffRow| {
            or_dash(row.disabled_at.as_ref(), |place| {
                text("disabled_at.text", &place.text)
            })
        }),
        number_column("From", |row: &InterruptsOffRow| {
            time(view, "start_ticks", row.start_ticks)
        }),
        number_column("For", |row: &InterruptsOffRow| {
            time(view, "ticks", row.ticks)
        }),
        number_column("Event", |row: &InterruptsOffRow| {
            event("first_event", row.first_event)
        }),
        text_column("Ended", |row: &InterruptsOffRow| text("ending", row.ending)),
    ];
    html.push_str(&table(
        "context_switches.interrupts_off.longest",
        "The longest interrupts-off sections",
        &found.longest,
        &columns,
        |row| row.ticks,
    ));
    html
}

/// Idle time, and the contexts that ended it.
pub(super) fn idle(view: &View<'_>, document: &ReportDocument) -> String {
    let Some(found) = &document.context_switches else {
        return String::new();
    };
    let lines = [
        ("Idle", share("idle.percent", found.idle.share.percent)),
        ("Times idle", count("idle.periods", found.idle.periods)),
        (
            "Idle for",
            distribution(view, "idle.duration", found.idle.duration.as_ref()),
        ),
        (
            "Idle to thread",
            distribution(
                view,
                "wake_ups.to_thread",
                found.wake_ups.to_thread.as_ref(),
            ),
        ),
        (
            "Idle to idle",
            distribution(view, "wake_ups.spurious", found.wake_ups.spurious.as_ref()),
        ),
        ("Dispatches", count("dispatches", found.dispatches)),
        (
            "Context switches",
            count("context_switches", found.context_switches),
        ),
    ];
    let facts = lines.map(|(title, value)| format!("<div><dt>{title}</dt><dd>{value}</dd></div>"));
    format!(
        "<dl class=\"broad\" data-report=\"context_switches\">{}</dl>",
        facts.concat()
    )
}

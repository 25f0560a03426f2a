//! What only a log of context switches tells.

use super::chart::{share, spread};
use super::table::{figures, table, words};
use super::text::{count, event, maybe, text, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::Document;
use rtoscope_analysis::report::cswitch::Off;

/// When interrupts were off.
pub(super) fn interrupts_off(view: &View<'_>, document: &Document) -> String {
    let found = document.cswitch.as_ref();
    let Some(found) = found.and_then(|found| found.interrupts_off.as_ref()) else {
        return String::new();
    };
    let mut html = format!(
        "<p data-report=\"cswitch.interrupts_off\">{} times, {} in all: {} {}</p>",
        count("count", found.count),
        time(view, "ticks", found.share.ticks),
        share("percent", found.share.percent),
        spread(view, "duration", found.duration.as_ref()),
    );
    let columns = [
        words("On behalf of", |row: &Off| text("context", &row.context)),
        words("Handler", |row: &Off| {
            maybe(row.handler.as_ref(), |handler| text("handler", handler))
        }),
        words("Disabled at", |row: &Off| {
            maybe(row.from.as_ref(), |place| text("from.text", &place.text))
        }),
        figures("From", |row: &Off| {
            time(view, "start_ticks", row.start_ticks)
        }),
        figures("For", |row: &Off| time(view, "ticks", row.ticks)),
        figures("Event", |row: &Off| event("first_event", row.first_event)),
        words("Ended", |row: &Off| text("ending", row.ending)),
    ];
    html.push_str(&table(
        "cswitch.interrupts_off.longest",
        "The longest times in which interrupts were off",
        &found.longest,
        &columns,
        |row| row.ticks,
    ));
    html
}

/// When nothing executed, and what ended that.
pub(super) fn idle(view: &View<'_>, document: &Document) -> String {
    let Some(found) = &document.cswitch else {
        return String::new();
    };
    let lines = [
        ("Idle", share("idle.percent", found.idle.share.percent)),
        ("Times idle", count("idle.periods", found.idle.periods)),
        (
            "Idle for",
            spread(view, "idle.duration", found.idle.duration.as_ref()),
        ),
        (
            "Idle to thread",
            spread(
                view,
                "wake_ups.to_thread",
                found.wake_ups.to_thread.as_ref(),
            ),
        ),
        (
            "Idle to idle",
            spread(view, "wake_ups.in_vain", found.wake_ups.in_vain.as_ref()),
        ),
        ("Dispatches", count("dispatches", found.dispatches)),
        (
            "Context switches",
            count("context_switches", found.context_switches),
        ),
    ];
    let facts = lines.map(|(title, value)| format!("<div><dt>{title}</dt><dd>{value}</dd></div>"));
    format!(
        "<dl class=\"broad\" data-report=\"cswitch\">{}</dl>",
        facts.concat()
    )
}

//! Who had the processors, and what the scheduler and interrupts did.

use super::chart::{share, spread};
use super::load;
use super::table::{figures, table, words};
use super::text::{count, event, text, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::isr::Row;
use rtoscope_analysis::report::profile::Kind;
use rtoscope_analysis::report::{Document, profile};
use std::collections::BTreeMap;

/// The load over time, and the share of each.
pub(super) fn load(view: &View<'_>, document: &Document) -> String {
    let chart = document.load.as_ref();
    let chart = chart.and_then(|found| load::chart(view, found));
    let mut html = chart.unwrap_or_default();
    let Some(rows) = document.profile.as_deref() else {
        return html;
    };
    let swatches = swatches(document);
    let name = |row: &profile::Row| {
        let swatch = match row.kind {
            Kind::Thread => {
                let address = row.address.map(|address| address.0.0);
                swatches.get(&address).map_or("others", String::as_str)
            }
            Kind::Isr | Kind::Kernel => "isr",
            Kind::Initialize => "initialize",
            Kind::Idle => "idle",
            Kind::Unknown => "unknown",
        };
        format!(
            "<i class=\"swatch {swatch}\"></i>{}",
            text("context", &row.context)
        )
    };
    let columns = [
        words("Who", name),
        words("What", |row: &profile::Row| text("kind", kind(row.kind))),
        figures("Executed", |row: &profile::Row| {
            time(view, "ticks", row.ticks)
        }),
        words("Part of the time", |row: &profile::Row| {
            share("percent", row.percent)
        }),
    ];
    html.push_str(&table(
        "profile",
        "Who executed how long, on all cores",
        rows,
        &columns,
        |row| row.ticks,
    ));
    html
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Thread => "thread",
        Kind::Isr => "isr",
        Kind::Kernel => "kernel",
        Kind::Idle => "idle",
        Kind::Initialize => "initialize",
        Kind::Unknown => "unknown",
    }
}

/// The classes of the threads' colours in the chart, by the threads' addresses.
fn swatches(document: &Document) -> BTreeMap<Option<u64>, String> {
    let Some(load) = &document.load else {
        return BTreeMap::new();
    };
    let rows = load.contexts.iter().zip(load::colours(load));
    let rows = rows.filter_map(|(row, class)| Some((Some(row.address?.0.0), class?)));
    rows.collect()
}

/// How often what happened in the scheduler.
pub(super) fn performance(document: &Document) -> String {
    let Some(found) = &document.performance else {
        return String::new();
    };
    let figures = [
        ("Dispatches", "dispatches", found.dispatches),
        (
            "Context switches",
            "context_switches",
            found.context_switches,
        ),
        (
            "Preempted by calls",
            "preemptions.solicited",
            found.preemptions.solicited,
        ),
        (
            "Preempted by interrupts",
            "preemptions.interrupt",
            found.preemptions.interrupt,
        ),
        ("Time slices", "time_slices", found.time_slices),
        ("Relinquishes", "relinquishes", found.relinquishes),
        ("Suspensions", "suspensions", found.suspensions),
        ("Resumptions", "resumptions", found.resumptions),
        (
            "Priority changes",
            "priority_changes",
            found.priority_changes,
        ),
        ("Interrupts", "interrupts", found.interrupts),
        (
            "Nested interrupts",
            "nested_interrupts",
            found.nested_interrupts,
        ),
        (
            "Priority inversions",
            "inversions.total",
            found.inversions.total,
        ),
        (
            "Unbounded inversions",
            "inversions.unbounded",
            found.inversions.unbounded,
        ),
    ];
    let facts = figures.map(|(title, key, value)| {
        format!("<div><dt>{title}</dt><dd>{}</dd></div>", count(key, value))
    });
    format!("<dl data-report=\"performance\">{}</dl>", facts.concat())
}

/// Interrupt service routines.
pub(super) fn interrupts(view: &View<'_>, document: &Document) -> String {
    let Some(rows) = document.isr.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Routine", |row: &Row| text("name", &row.name)),
        figures("Began", |row: &Row| count("activations", row.activations)),
        figures("Nested", |row: &Row| count("nested", row.nested)),
        figures("Unfinished", |row: &Row| {
            count("unfinished", row.unfinished)
        }),
        figures("Inferred", |row: &Row| count("inferred", row.inferred)),
        figures("Deepest", |row: &Row| count("deepest", row.deepest)),
        figures("Executed", |row: &Row| time(view, "ticks", row.ticks)),
        words("Part of the time", |row: &Row| {
            share("percent", row.percent)
        }),
        words("Entry to exit", |row: &Row| {
            spread(view, "duration", row.duration.as_ref())
        }),
        words("Entry to entry", |row: &Row| {
            spread(view, "interarrival", row.interarrival.as_ref())
        }),
    ];
    let mut html = table(
        "isr",
        "Interrupt service routines; of durations the median, what 99 % do not exceed, and the longest",
        rows,
        &columns,
        |row| row.ticks,
    );
    let longest = document.latency.as_ref();
    let longest = longest.and_then(|latency| latency.longest_interrupt_stretch.as_ref());
    if let Some(found) = longest {
        html.push_str(&format!(
            "<p data-report=\"latency.longest_interrupt_stretch\">The longest time in which only interrupts executed: {} on core {}, from event {}.</p>",
            time(view, "ticks", found.ticks),
            count("core", found.core),
            event("first_event", found.first_event),
        ));
    }
    html
}

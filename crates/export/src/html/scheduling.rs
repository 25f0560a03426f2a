//! CPU time, scheduler counts and interrupts.

use super::cells::{count, event, text, time};
use super::chart::{distribution, share};
use super::load;
use super::table::{number_column, table, text_column};
use rtoscope_analysis::View;
use rtoscope_analysis::report::isr::IsrRow;
use rtoscope_analysis::report::profile::ProfileKind;
use rtoscope_analysis::report::{ReportDocument, profile};
use std::collections::BTreeMap;

/// The load over time, and the share of each context.
pub(super) fn load(view: &View<'_>, document: &ReportDocument) -> String {
    let chart = document.load.as_ref();
    let chart = chart.and_then(|found| load::chart(view, found));
    let mut html = chart.unwrap_or_default();
    let Some(rows) = document.profile.as_deref() else {
        return html;
    };
    let swatches = colour_classes(document);
    let name = |row: &profile::ProfileRow| {
        let swatch = match row.kind {
            ProfileKind::Thread => {
                let address = row.address.map(|address| address.0.0);
                swatches.get(&address).map_or("others", String::as_str)
            }
            ProfileKind::Isr | ProfileKind::Kernel => "isr",
            ProfileKind::Initialize => "initialize",
            ProfileKind::Idle => "idle",
            ProfileKind::Unknown => "unknown",
        };
        format!(
            "<i class=\"swatch {swatch}\"></i>{}",
            text("context", &row.context)
        )
    };
    let columns = [
        text_column("Who", name),
        text_column("What", |row: &profile::ProfileRow| {
            text("kind", context_kind(row.kind))
        }),
        number_column("Executed", |row: &profile::ProfileRow| {
            time(view, "ticks", row.ticks)
        }),
        text_column("Share of the time", |row: &profile::ProfileRow| {
            share("percent", row.percent)
        }),
    ];
    html.push_str(&table(
        "profile",
        "CPU time by context, all cores",
        rows,
        &columns,
        |row| row.ticks,
    ));
    html
}

fn context_kind(kind: ProfileKind) -> &'static str {
    match kind {
        ProfileKind::Thread => "thread",
        ProfileKind::Isr => "isr",
        ProfileKind::Kernel => "kernel",
        ProfileKind::Idle => "idle",
        ProfileKind::Initialize => "initialize",
        ProfileKind::Unknown => "unknown",
    }
}

/// The colour classes of threads in the chart, by address.
fn colour_classes(document: &ReportDocument) -> BTreeMap<Option<u64>, String> {
    let Some(load) = &document.load else {
        return BTreeMap::new();
    };
    let rows = load.contexts.iter().zip(load::colours(load));
    let rows = rows.filter_map(|(row, class)| Some((Some(row.address?.0.0), class?)));
    rows.collect()
}

/// Scheduler event counts.
pub(super) fn performance(document: &ReportDocument) -> String {
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
pub(super) fn interrupts(view: &View<'_>, document: &ReportDocument) -> String {
    let Some(rows) = document.isr.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Routine", |row: &IsrRow| text("name", &row.name)),
        number_column("Began", |row: &IsrRow| {
            count("activations", row.activations)
        }),
        number_column("Nested", |row: &IsrRow| count("nested", row.nested)),
        number_column("Unfinished", |row: &IsrRow| {
            count("unfinished", row.unfinished)
        }),
        number_column("Inferred", |row: &IsrRow| count("inferred", row.inferred)),
        number_column("Deepest", |row: &IsrRow| {
            count("max_nesting", row.max_nesting)
        }),
        number_column("Executed", |row: &IsrRow| time(view, "ticks", row.ticks)),
        text_column("Share of the time", |row: &IsrRow| {
            share("percent", row.percent)
        }),
        text_column("Entry to exit", |row: &IsrRow| {
            distribution(view, "duration", row.duration.as_ref())
        }),
        text_column("Entry to entry", |row: &IsrRow| {
            distribution(view, "interarrival", row.interarrival.as_ref())
        }),
    ];
    let mut html = table(
        "isr",
        "Interrupt service routines; durations are the median, the 99th percentile and the maximum",
        rows,
        &columns,
        |row| row.ticks,
    );
    let longest = document.latency.as_ref();
    let longest = longest.and_then(|latency| latency.max_interrupt_burst.as_ref());
    if let Some(found) = longest {
        html.push_str(&format!(
            "<p data-report=\"latency.max_interrupt_burst\">The longest time in interrupts only: {} on core {}, from event {}.</p>",
            time(view, "ticks", found.ticks),
            count("core", found.core),
            event("first_event", found.first_event),
        ));
    }
    html
}

//! CPU time, threads, latencies and interrupts.

use super::cells::{count, duration, escaped, event, time};
use super::chart::{distribution, stacked_bar};
use super::load;
use super::table::{caption, chart_column, columns, columns_with_prefix, report_table, table};
use rtoscope_analysis::View;
use rtoscope_analysis::report::TableRow;
use rtoscope_analysis::report::deadlines::DeadlineRow;
use rtoscope_analysis::report::intervals::IntervalRow;
use rtoscope_analysis::report::latency::{InterruptBurst, Latency, WaitRow};
use rtoscope_analysis::report::load::Load;
use rtoscope_analysis::report::pipeline::PipelineRow;
use rtoscope_analysis::report::profile::{ProfileKind, ProfileRow};
use rtoscope_analysis::report::threads::{ThreadRow, ThreadStateTimes};
use std::collections::BTreeMap;

/// The CPU time of each context, with its colour in the chart of the load.
pub(super) fn profile(view: &View<'_>, rows: &[ProfileRow], load: Option<&Load>) -> String {
    let swatches = colour_classes(load);
    let columns = columns_with_prefix(view, |row: &ProfileRow| {
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
        format!("<i class=\"swatch {swatch}\"></i>")
    });
    let caption = caption::<ProfileRow>();
    table(ProfileRow::TABLE.path, &caption, rows, &columns, |row| {
        row.ticks
    })
}

/// The colour classes of threads in the chart, by address.
fn colour_classes(load: Option<&Load>) -> BTreeMap<Option<u64>, String> {
    let Some(load) = load else {
        return BTreeMap::new();
    };
    let rows = load.contexts.iter().zip(load::colours(load));
    let rows = rows.filter_map(|(row, class)| Some((Some(row.address?.0.0), class?)));
    rows.collect()
}

/// The table of threads, with a bar of their states.
pub(super) fn threads(view: &View<'_>, rows: &[ThreadRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut columns = columns(view);
    columns.push(chart_column("States", |row: &ThreadRow| {
        state_bar(view, &row.name, &row.states)
    }));
    let caption = caption::<ThreadRow>();
    let mut html = table(ThreadRow::TABLE.path, &caption, rows, &columns, |row| {
        row.states.running
    });
    html.push_str(
        "<ul class=\"legend\"><li><i class=\"running\"></i>running</li>\
         <li><i class=\"isr\"></i>interrupted</li><li><i class=\"ready\"></i>ready</li>\
         <li><i class=\"waiting\"></i>waiting</li><li><i class=\"unknown\"></i>unknown</li></ul>",
    );
    html
}

fn state_bar(view: &View<'_>, name: &str, states: &ThreadStateTimes) -> String {
    let part = |label: &str, ticks, class| {
        let shown = format!("{label}: {}", duration(view, ticks));
        (shown, ticks, class)
    };
    let mut all = vec![
        part("running", states.running, "running"),
        part("interrupted", states.interrupted, "isr"),
        part("ready", states.ready.unwrap_or_default(), "ready"),
    ];
    let waiting = states.waiting.iter();
    all.extend(waiting.map(|(reason, ticks)| part(reason, *ticks, "waiting")));
    all.push(part("unknown", states.unknown, "unknown"));
    stacked_bar(&format!("States of {name}"), &all)
}

/// Declared deadlines, and the misses of each.
pub(super) fn deadlines(view: &View<'_>, rows: &[DeadlineRow]) -> String {
    let mut html = report_table(view, rows, |row| row.misses.len());
    for row in rows.iter().filter(|row| !row.misses.is_empty()) {
        html.push_str(&format!("<h3>{}</h3>", escaped(&row.name)));
        html.push_str(&report_table(view, &row.misses, |miss| miss.observed_ticks));
    }
    html
}

/// Declared pipelines: the stages of each, and the late and dropped items.
pub(super) fn pipelines(view: &View<'_>, rows: &[PipelineRow]) -> String {
    let mut html = report_table(view, rows, |row| row.misses.len());
    for row in rows {
        html.push_str(&format!("<h3>{}</h3>", escaped(&row.name)));
        html.push_str(&report_table(view, &row.stages, |stage| stage.misses));
        if !row.misses.is_empty() {
            html.push_str(&report_table(view, &row.misses, |miss| miss.latency_ticks));
        }
    }
    html
}

/// Declared intervals, and the longest of each.
pub(super) fn intervals(view: &View<'_>, rows: &[IntervalRow]) -> String {
    let mut html = report_table(view, rows, |row| row.intervals);
    for row in rows.iter().filter(|row| !row.longest.is_empty()) {
        html.push_str(&format!("<h3>{}</h3>", escaped(&row.name)));
        html.push_str(&report_table(view, &row.longest, |it| it.ticks));
    }
    html
}

/// Wake-up latencies, response times and wait times.
pub(super) fn latency(view: &View<'_>, found: &Latency) -> String {
    let mut html = String::new();
    if let Some(why) = found.not_recorded {
        html.push_str(&format!("<p class=\"note\">{why}</p>"));
    }
    if let Some(isr_to_thread) = &found.isr_to_thread {
        html.push_str(&format!(
            "<p data-report=\"latency\">{}: {}</p>",
            Latency::ISR_TO_THREAD_LABEL,
            distribution(view, "isr_to_thread", isr_to_thread)
        ));
    }
    if let Some(burst) = &found.max_interrupt_burst {
        html.push_str(&interrupt_burst(view, burst));
    }
    if found.threads.iter().any(|row| row.response.is_some()) {
        html.push_str(&report_table(view, &found.threads, |row| {
            row.wake_up.as_ref().map(|it| it.max)
        }));
    }
    if !found.blocking.is_empty() {
        html.push_str(&format!("<h3>{}</h3>", WaitRow::TABLE.title));
        html.push_str(&report_table(view, &found.blocking, |row| row.duration.max));
    }
    html
}

fn interrupt_burst(view: &View<'_>, found: &InterruptBurst) -> String {
    format!(
        "<p data-report=\"latency.max_interrupt_burst\">{}: {} on core {}, from event {}.</p>",
        Latency::INTERRUPT_BURST_LABEL,
        time(view, "ticks", found.ticks),
        count("core", found.core),
        event("first_event", found.first_event),
    )
}

//! Threads: counts, latencies and stacks.

use super::cells::{count, duration, escaped, event, or_dash, text, time};
use super::chart::{distribution, share, stacked_bar};
use super::table::{number_column, table, text_column};
use rtoscope_analysis::View;
use rtoscope_analysis::report::context_switches;
use rtoscope_analysis::report::latency::{ThreadLatency, WaitRow};
use rtoscope_analysis::report::threads::{ThreadRow, ThreadStateTimes};
use rtoscope_analysis::report::{ReportDocument, stacks};

/// The table of threads.
pub(super) fn threads(view: &View<'_>, document: &ReportDocument) -> String {
    if let Some(found) = &document.context_switches {
        return switched_threads(view, found);
    }
    let Some(rows) = document.threads.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Thread", |row: &ThreadRow| text("name", &row.name)),
        number_column("Priority", |row: &ThreadRow| {
            or_dash(row.priority, |priority| count("priority", priority))
        }),
        number_column("Events", |row: &ThreadRow| count("events", row.events)),
        number_column("Dispatches", |row: &ThreadRow| {
            count("dispatches", row.dispatches)
        }),
        number_column("Preempted", |row: &ThreadRow| {
            format!(
                "{} + {}",
                count("preemptions.solicited", row.preemptions.solicited),
                count("preemptions.interrupt", row.preemptions.interrupt)
            )
        }),
        number_column("Suspensions", |row: &ThreadRow| {
            count("suspensions", row.suspensions)
        }),
        number_column("Inversions", |row: &ThreadRow| {
            count("inversions.total", row.inversions.total)
        }),
        number_column("Running", |row: &ThreadRow| {
            time(view, "states.running", row.states.running)
        }),
        number_column("Ready", |row: &ThreadRow| {
            time(view, "states.ready", row.states.ready)
        }),
        text_column("States", |row: &ThreadRow| {
            state_row(view, &row.name, &row.states)
        }),
    ];
    let mut html = table(
        "threads",
        "Threads; preempted: by their own calls + by interrupts",
        rows,
        &columns,
        |row| row.states.running,
    );
    html.push_str(
        "<ul class=\"legend\"><li><i class=\"running\"></i>running</li>\
         <li><i class=\"isr\"></i>interrupted</li><li><i class=\"ready\"></i>ready</li>\
         <li><i class=\"waiting\"></i>waiting</li><li><i class=\"unknown\"></i>unknown</li></ul>",
    );
    html
}

fn state_row(view: &View<'_>, name: &str, states: &ThreadStateTimes) -> String {
    let part = |label: &str, ticks, class| {
        let shown = format!("{label}: {}", duration(view, ticks));
        (shown, ticks, class)
    };
    let mut all = vec![
        part("running", states.running, "running"),
        part("interrupted", states.interrupted, "isr"),
        part("ready", states.ready, "ready"),
    ];
    let waiting = states.waiting.iter();
    all.extend(waiting.map(|(reason, ticks)| part(reason, *ticks, "waiting")));
    all.push(part("unknown", states.unknown, "unknown"));
    stacked_bar(&format!("States of {name}"), &all)
}

/// The threads of a context-switch log.
fn switched_threads(view: &View<'_>, found: &context_switches::ContextSwitches) -> String {
    if found.threads.is_empty() {
        return String::new();
    }
    let columns = [
        text_column("Thread", |row: &context_switches::ThreadSwitchRow| {
            text("name", &row.name)
        }),
        number_column("Dispatches", |row: &context_switches::ThreadSwitchRow| {
            count("dispatches", row.dispatches)
        }),
        number_column("Resumes", |row: &context_switches::ThreadSwitchRow| {
            count("resumes", row.resumes)
        }),
        number_column("Executed", |row: &context_switches::ThreadSwitchRow| {
            time(view, "ticks", row.share.ticks)
        }),
        text_column(
            "Share of the time",
            |row: &context_switches::ThreadSwitchRow| share("percent", row.share.percent),
        ),
    ];
    let rows = &found.threads;
    let caption = "Threads";
    table("context_switches.threads", caption, rows, &columns, |row| {
        row.share.ticks
    })
}

/// Wake-up latencies, response times and wait times.
pub(super) fn latency(view: &View<'_>, document: &ReportDocument) -> String {
    let Some(found) = &document.latency else {
        return String::new();
    };
    let mut html = String::new();
    if let Some(isr_to_thread) = &found.isr_to_thread {
        html.push_str(&format!(
            "<p data-report=\"latency\">From a resumption in an interrupt to the thread: {}</p>",
            distribution(view, "isr_to_thread", Some(isr_to_thread))
        ));
    }
    let columns = [
        text_column("Thread", |row: &ThreadLatency| text("name", &row.name)),
        number_column("Woken", |row: &ThreadLatency| {
            or_dash(row.wake_up.as_ref(), |it| count("wake_up.count", it.count))
        }),
        text_column("Wake-up latency", |row: &ThreadLatency| {
            distribution(view, "wake_up", row.wake_up.as_ref())
        }),
        text_column("Response time", |row: &ThreadLatency| {
            distribution(view, "response", row.response.as_ref())
        }),
        text_column("Period", |row: &ThreadLatency| {
            distribution(view, "period", row.period.as_ref())
        }),
        text_column("Preempted for", |row: &ThreadLatency| {
            distribution(view, "preempted", row.preempted.as_ref())
        }),
    ];
    let of_interest = |row: &ThreadLatency| row.wake_up.as_ref().map(|it| it.max);
    if found.threads.iter().any(|row| row.response.is_some()) {
        html.push_str(&table(
            "latency.threads",
            "After a wake-up; the median, the 99th percentile and the maximum",
            &found.threads,
            &columns,
            of_interest,
        ));
    }
    if !found.blocking.is_empty() {
        html.push_str("<h3>Waits</h3>");
        html.push_str(&wait_table(view, &found.blocking));
    }
    html
}

fn wait_table(view: &View<'_>, rows: &[WaitRow]) -> String {
    let columns = [
        text_column("For", |row: &WaitRow| match &row.object {
            Some(object) => text("object", object),
            None => format!("<span class=\"soft\">{}</span>", escaped(row.reason)),
        }),
        text_column("What", |row: &WaitRow| text("reason", row.reason)),
        number_column("Waits", |row: &WaitRow| {
            count("duration.count", row.duration.count)
        }),
        text_column("How long", |row: &WaitRow| {
            distribution(view, "duration", Some(&row.duration))
        }),
        number_column("Longest ended at", |row: &WaitRow| {
            event("duration.event", row.duration.event)
        }),
    ];
    let caption = "Blocking times by object";
    table("latency.blocking", caption, rows, &columns, |row| {
        row.duration.max
    })
}

/// Stack usage.
pub(super) fn stacks(document: &ReportDocument) -> String {
    let Some(rows) = document.stacks.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Thread", |row: &stacks::StackRow| {
            text("thread", &row.thread)
        }),
        number_column("Bytes", |row: &stacks::StackRow| {
            count("size", row.stack.size)
        }),
        number_column("Min free", |row: &stacks::StackRow| {
            or_dash(row.stack.min_free, |free| count("min_free", free))
        }),
        text_column("Max used", |row: &stacks::StackRow| {
            share("used_percent", row.stack.used_percent)
        }),
        number_column("At event", |row: &stacks::StackRow| {
            or_dash(row.stack.event, |at| event("event", at))
        }),
        number_column("Pointers outside", |row: &stacks::StackRow| {
            count("outside", row.stack.outside)
        }),
    ];
    table(
        "stacks",
        "Stack pointers of events; between events the usage may have been higher",
        rows,
        &columns,
        |row| {
            let used = row.stack.used_percent.unwrap_or_default();
            (row.stack.outside, (used * 1000.0) as u64)
        },
    )
}

//! Threads: what they did, how long they took, and their stacks.

use super::chart::{parts, share, spread};
use super::table::{figures, table, words};
use super::text::{count, duration, escaped, event, maybe, text, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::cswitch;
use rtoscope_analysis::report::latency::{ThreadLatency, Waited};
use rtoscope_analysis::report::threads::{States, Thread};
use rtoscope_analysis::report::{Document, stacks};

/// Each thread by itself.
pub(super) fn threads(view: &View<'_>, document: &Document) -> String {
    if let Some(found) = &document.cswitch {
        return of_log(view, found);
    }
    let Some(rows) = document.threads.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Thread", |row: &Thread| text("name", &row.name)),
        figures("Priority", |row: &Thread| {
            maybe(row.priority, |priority| count("priority", priority))
        }),
        figures("Events", |row: &Thread| count("events", row.events)),
        figures("Dispatches", |row: &Thread| {
            count("dispatches", row.dispatches)
        }),
        figures("Preempted", |row: &Thread| {
            format!(
                "{} + {}",
                count("preemptions.solicited", row.preemptions.solicited),
                count("preemptions.interrupt", row.preemptions.interrupt)
            )
        }),
        figures("Suspensions", |row: &Thread| {
            count("suspensions", row.suspensions)
        }),
        figures("Inversions", |row: &Thread| {
            count("inversions.total", row.inversions.total)
        }),
        figures("Running", |row: &Thread| {
            time(view, "states.running", row.states.running)
        }),
        figures("Ready", |row: &Thread| {
            time(view, "states.ready", row.states.ready)
        }),
        words("States", |row: &Thread| {
            states(view, &row.name, &row.states)
        }),
    ];
    let mut html = table(
        "threads",
        "Each thread by itself; preempted: by calls of its own + by interrupts",
        rows,
        &columns,
        |row| row.states.running,
    );
    html.push_str(
        "<ul class=\"legend\"><li><i class=\"running\"></i>running</li>\
         <li><i class=\"isr\"></i>interrupted</li><li><i class=\"ready\"></i>ready</li>\
         <li><i class=\"waiting\"></i>waiting</li><li><i class=\"unknown\"></i>not known</li></ul>",
    );
    html
}

fn states(view: &View<'_>, name: &str, states: &States) -> String {
    let part = |what: &str, ticks, class| {
        let shown = format!("{what}: {}", duration(view, ticks));
        (shown, ticks, class)
    };
    let mut all = vec![
        part("running", states.running, "running"),
        part("interrupted", states.interrupted, "isr"),
        part("ready", states.ready, "ready"),
    ];
    let waiting = states.waiting.iter();
    all.extend(waiting.map(|(reason, ticks)| part(reason, *ticks, "waiting")));
    all.push(part("not known", states.unknown, "unknown"));
    parts(&format!("States of {name}"), &all)
}

/// Threads of a log of context switches.
fn of_log(view: &View<'_>, found: &cswitch::ContextSwitches) -> String {
    if found.threads.is_empty() {
        return String::new();
    }
    let columns = [
        words("Thread", |row: &cswitch::Thread| text("name", &row.name)),
        figures("Dispatches", |row: &cswitch::Thread| {
            count("dispatches", row.dispatches)
        }),
        figures("Resumes", |row: &cswitch::Thread| {
            count("resumes", row.resumes)
        }),
        figures("Executed", |row: &cswitch::Thread| {
            time(view, "ticks", row.share.ticks)
        }),
        words("Part of the time", |row: &cswitch::Thread| {
            share("percent", row.share.percent)
        }),
    ];
    let rows = &found.threads;
    let caption = "Each thread by itself";
    table("cswitch.threads", caption, rows, &columns, |row| {
        row.share.ticks
    })
}

/// How long threads take to wake up, to respond and to wait.
pub(super) fn latency(view: &View<'_>, document: &Document) -> String {
    let Some(found) = &document.latency else {
        return String::new();
    };
    let mut html = String::new();
    if let Some(distribution) = &found.isr_to_thread {
        html.push_str(&format!(
            "<p data-report=\"latency\">From a resumption in an interrupt to the thread: {}</p>",
            spread(view, "isr_to_thread", Some(distribution))
        ));
    }
    let columns = [
        words("Thread", |row: &ThreadLatency| text("name", &row.name)),
        figures("Woken", |row: &ThreadLatency| {
            maybe(row.wake_up.as_ref(), |it| count("wake_up.count", it.count))
        }),
        words("Until it executes", |row: &ThreadLatency| {
            spread(view, "wake_up", row.wake_up.as_ref())
        }),
        words("Until it is done", |row: &ThreadLatency| {
            spread(view, "response", row.response.as_ref())
        }),
        words("Period", |row: &ThreadLatency| {
            spread(view, "period", row.period.as_ref())
        }),
        words("Preempted for", |row: &ThreadLatency| {
            spread(view, "preempted", row.preempted.as_ref())
        }),
    ];
    let of_interest = |row: &ThreadLatency| row.wake_up.as_ref().map(|it| it.max);
    if found.threads.iter().any(|row| row.response.is_some()) {
        html.push_str(&table(
            "latency.threads",
            "From being woken; the median, what 99 % do not exceed, and the longest",
            &found.threads,
            &columns,
            of_interest,
        ));
    }
    if !found.blocking.is_empty() {
        html.push_str("<h3>Waits</h3>");
        html.push_str(&waits(view, &found.blocking));
    }
    html
}

fn waits(view: &View<'_>, rows: &[Waited]) -> String {
    let columns = [
        words("For", |row: &Waited| match &row.object {
            Some(object) => text("object", object),
            None => format!("<span class=\"soft\">{}</span>", escaped(row.reason)),
        }),
        words("What", |row: &Waited| text("reason", row.reason)),
        figures("Waits", |row: &Waited| {
            count("duration.count", row.duration.count)
        }),
        words("How long", |row: &Waited| {
            spread(view, "duration", Some(&row.duration))
        }),
        figures("Longest ended at", |row: &Waited| {
            event("duration.event", row.duration.event)
        }),
    ];
    let caption = "What threads waited for";
    table("latency.blocking", caption, rows, &columns, |row| {
        row.duration.max
    })
}

/// How full stacks are.
pub(super) fn stacks(document: &Document) -> String {
    let Some(rows) = document.stacks.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Thread", |row: &stacks::Row| text("thread", &row.thread)),
        figures("Bytes", |row: &stacks::Row| count("size", row.stack.size)),
        figures("Least free", |row: &stacks::Row| {
            maybe(row.stack.minimum_free, |free| count("minimum_free", free))
        }),
        words("Most used", |row: &stacks::Row| {
            share("used_percent", row.stack.used_percent)
        }),
        figures("At event", |row: &stacks::Row| {
            maybe(row.stack.event, |at| event("event", at))
        }),
        figures("Pointers outside", |row: &stacks::Row| {
            count("outside", row.stack.outside)
        }),
    ];
    table(
        "stacks",
        "What the stack pointers of events tell; between events a stack can have been fuller",
        rows,
        &columns,
        |row| {
            let used = row.stack.used_percent.unwrap_or_default();
            (row.stack.outside, (used * 1000.0) as u64)
        },
    )
}

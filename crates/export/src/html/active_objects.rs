//! Active objects: steps, signals, states, transitions and timers.

use super::cells::{count, duration, escaped, event, or_dash, text, time};
use super::chart::{distribution, share, stacked_bar};
use super::load::THREAD_COLOURS;
use super::table::{number_column, table, text_column};
use rtoscope_analysis::View;
use rtoscope_analysis::report::states::MachineStates;
use rtoscope_analysis::report::{ReportDocument, active, signals, states, timers, transitions};

/// The table of active objects and their step times.
pub(super) fn objects(view: &View<'_>, document: &ReportDocument) -> String {
    use active::ActiveObjectRow;
    let Some(rows) = document.active.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Active object", |row: &ActiveObjectRow| {
            text("name", &row.name)
        }),
        number_column("Posted", |row: &ActiveObjectRow| {
            count("posted", row.posted)
        }),
        number_column("Steps", |row: &ActiveObjectRow| count("steps", row.steps)),
        number_column("Unhandled", |row: &ActiveObjectRow| {
            count("endings.unhandled", row.endings.unhandled)
        }),
        number_column("Failed", |row: &ActiveObjectRow| {
            count("endings.failed", row.endings.failed)
        }),
        number_column("Deferred", |row: &ActiveObjectRow| {
            count("deferred", row.deferred)
        }),
        text_column("Busy", |row: &ActiveObjectRow| {
            share("busy_percent", row.busy_percent)
        }),
        text_column("In the queue", |row: &ActiveObjectRow| {
            distribution(view, "queueing", row.queueing.as_ref())
        }),
        text_column("In the step", |row: &ActiveObjectRow| {
            distribution(view, "duration", row.duration.as_ref())
        }),
        text_column("Post to end", |row: &ActiveObjectRow| {
            distribution(view, "response", row.response.as_ref())
        }),
        number_column("Max queued", |row: &ActiveObjectRow| {
            or_dash(row.max_queued, |max| count("max_queued.events", max.events))
        }),
        number_column("Room", |row: &ActiveObjectRow| {
            let capacity = row.queue.as_ref().and_then(|queue| queue.capacity);
            or_dash(capacity, |capacity| count("queue.capacity", capacity))
        }),
    ];
    table(
        "active",
        "Received events; durations are the median, the 99th percentile and the maximum",
        rows,
        &columns,
        |row| row.busy_ticks,
    )
}

/// The table of signals, their senders and their latencies.
pub(super) fn signals(view: &View<'_>, document: &ReportDocument) -> String {
    use signals::SignalRow;
    let Some(rows) = document.signals.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Signal", |row: &SignalRow| text("signal", &row.signal)),
        text_column("From", |row: &SignalRow| {
            or_dash(row.sender.as_ref(), |sender| text("sender", sender))
        }),
        text_column("To", |row: &SignalRow| text("object", &row.object)),
        number_column("Posted", |row: &SignalRow| count("posted", row.posted)),
        number_column("At the front", |row: &SignalRow| count("front", row.front)),
        number_column("Taken", |row: &SignalRow| count("taken", row.taken)),
        text_column("In the queue", |row: &SignalRow| {
            distribution(view, "queueing", row.queueing.as_ref())
        }),
        text_column("Post to end", |row: &SignalRow| {
            distribution(view, "response", row.response.as_ref())
        }),
        number_column("Slowest post", |row: &SignalRow| {
            or_dash(row.slowest, |slowest| {
                event("slowest.post_event", slowest.post_event)
            })
        }),
    ];
    let caption = "Events by signal, sender and receiver";
    table("signals", caption, rows, &columns, |row| row.posted)
}

/// The states of machines.
pub(super) fn states(view: &View<'_>, document: &ReportDocument) -> String {
    let machines = document.states.as_deref().unwrap_or_default();
    let machines = machines.iter().zip(0..).take(super::table::MAX_ROWS);
    machines
        .map(|(one, place)| machine_table(view, one, place))
        .collect()
}

fn machine_table(view: &View<'_>, machine: &MachineStates, place: usize) -> String {
    use states::StateRow;
    let colours: Vec<_> = (0..machine.states.len()).map(colour).collect();
    let state = |(row, colour): (&StateRow, &'_ String)| {
        let name = format!("{}: {}", row.state, duration(view, row.ticks));
        (name, row.ticks, colour.clone())
    };
    let mut all: Vec<_> = machine.states.iter().zip(&colours).map(state).collect();
    let unknown = duration(view, machine.unknown_ticks);
    let unknown = format!("unknown: {unknown}");
    all.push((unknown, machine.unknown_ticks, "unknown".to_owned()));
    let all: Vec<_> = all
        .iter()
        .map(|(name, ticks, class)| (name.clone(), *ticks, class.as_str()))
        .collect();
    let bar = stacked_bar(&format!("States of {}", machine.object), &all);
    let rows: Vec<_> = machine.states.iter().zip(colours).collect();
    let columns = [
        text_column("State", |(row, colour): &(&StateRow, String)| {
            format!(
                "<i class=\"swatch {colour}\"></i>{}",
                text("state", &row.state)
            )
        }),
        number_column("In it", |(row, _): &(&StateRow, String)| {
            time(view, "ticks", row.ticks)
        }),
        text_column("Share of the time", |(row, _): &(&StateRow, String)| {
            share("percent", row.percent)
        }),
        number_column("Visits", |(row, _): &(&StateRow, String)| {
            count("visits", row.visits)
        }),
        number_column("Longest", |(row, _): &(&StateRow, String)| {
            time(view, "max_ticks", row.max_ticks)
        }),
        number_column("From event", |(row, _): &(&StateRow, String)| {
            event("max_event", row.max_event)
        }),
    ];
    let caption = format!(
        "{} was in these states; its state is unknown for {}",
        escaped(&machine.object),
        duration(view, machine.unknown_ticks)
    );
    let report = format!("states.{place}.states");
    let name = escaped(&machine.object);
    let table = table(&report, &caption, &rows, &columns, |(row, _)| row.ticks);
    format!("<h3>{name} {bar}</h3>{table}")
}

fn colour(place: usize) -> String {
    format!("c{}", place % THREAD_COLOURS)
}

/// The transitions of machines, and those never taken.
pub(super) fn transitions(document: &ReportDocument) -> String {
    use transitions::TransitionRow;
    let Some(found) = &document.transitions else {
        return String::new();
    };
    let mut html = String::new();
    if !found.taken.is_empty() {
        let columns = [
            text_column("Active object", |row: &TransitionRow| {
                text("object", &row.object)
            }),
            text_column("From", |row: &TransitionRow| text("source", &row.source)),
            text_column("On", |row: &TransitionRow| match &row.trigger {
                Some(trigger) => text("trigger", trigger),
                None if row.initial => "<span class=\"soft\">(initial)</span>".to_owned(),
                None => super::cells::dash(),
            }),
            text_column("To", |row: &TransitionRow| match &row.target {
                Some(target) => text("target", target),
                None => "<span class=\"soft\">(internal)</span>".to_owned(),
            }),
            text_column("Final state", |row: &TransitionRow| {
                or_dash(row.settled.as_ref(), |settled| text("settled", settled))
            }),
            number_column("Times", |row: &TransitionRow| count("count", row.count)),
            number_column("First", |row: &TransitionRow| {
                event("first_event", row.first_event)
            }),
        ];
        let caption = "Transitions taken";
        let rows = &found.taken;
        html.push_str(&table(
            "transitions.taken",
            caption,
            rows,
            &columns,
            |row| row.count,
        ));
    }
    let states = found
        .states_never_entered
        .iter()
        .map(|never| match &never.object {
            Some(object) => format!("{} of {}", escaped(&never.state), escaped(object)),
            None => escaped(&never.state),
        });
    html.push_str(&never_list("States never entered", states.collect()));
    let signals = found.signals_never_received.iter().map(escaped);
    html.push_str(&never_list("Signals never received", signals.collect()));
    html
}

fn never_list(title: &str, mut names: Vec<String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(super::table::MAX_ROWS);
    names.truncate(super::table::MAX_ROWS);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("<p><b>{title}:</b> {}{more}</p>", names.join(", "))
}

/// The table of timers: endings and accuracy.
pub(super) fn timers(view: &View<'_>, document: &ReportDocument) -> String {
    use timers::TimerRow;
    let Some(rows) = document.timers.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Timer", |row: &TimerRow| text("name", &row.name)),
        text_column("To", |row: &TimerRow| text("object", &row.object)),
        text_column("Signal", |row: &TimerRow| {
            or_dash(row.signal.as_ref(), |signal| text("signal", signal))
        }),
        number_column("Runs", |row: &TimerRow| count("runs", row.runs)),
        number_column("Expired", |row: &TimerRow| count("expired", row.expired)),
        number_column("Stopped", |row: &TimerRow| count("stopped", row.stopped)),
        number_column("Restarted", |row: &TimerRow| {
            count("restarted", row.restarted)
        }),
        number_column("Lost", |row: &TimerRow| count("lost", row.lost)),
        text_column("Jitter", |row: &TimerRow| {
            distribution(view, "jitter", row.jitter.as_ref())
        }),
        text_column("Expiry to step", |row: &TimerRow| {
            distribution(view, "delay", row.delay.as_ref())
        }),
    ];
    let caption = "Timers from start to end";
    table("timers", caption, rows, &columns, |row| row.runs)
}

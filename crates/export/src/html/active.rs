//! Active objects: what they got, in which states they were, and their timers.

use super::chart::{parts, share, spread};
use super::load::COLOURS;
use super::table::{figures, table, words};
use super::text::{count, duration, escaped, event, maybe, text, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::states::Machine;
use rtoscope_analysis::report::{Document, active, signals, states, timers, transitions};

/// What each active object received, and how long it took for it.
pub(super) fn objects(view: &View<'_>, document: &Document) -> String {
    use active::Row;
    let Some(rows) = document.active.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Active object", |row: &Row| text("name", &row.name)),
        figures("Posted", |row: &Row| count("posted", row.posted)),
        figures("Steps", |row: &Row| count("steps", row.steps)),
        figures("Unhandled", |row: &Row| {
            count("endings.unhandled", row.endings.unhandled)
        }),
        figures("Failed", |row: &Row| {
            count("endings.failed", row.endings.failed)
        }),
        figures("Deferred", |row: &Row| count("deferred", row.deferred)),
        words("Busy", |row: &Row| share("busy_percent", row.busy_percent)),
        words("In the queue", |row: &Row| {
            spread(view, "queueing", row.queueing.as_ref())
        }),
        words("In the step", |row: &Row| {
            spread(view, "duration", row.duration.as_ref())
        }),
        words("Post to end", |row: &Row| {
            spread(view, "response", row.response.as_ref())
        }),
        figures("Most queued", |row: &Row| {
            maybe(row.most_queued, |most| {
                count("most_queued.events", most.events)
            })
        }),
        figures("Room", |row: &Row| {
            let capacity = row.queue.as_ref().and_then(|queue| queue.capacity);
            maybe(capacity, |capacity| count("queue.capacity", capacity))
        }),
    ];
    table(
        "active",
        "What they received; of durations the median, what 99 % do not exceed, and the longest",
        rows,
        &columns,
        |row| row.busy_ticks,
    )
}

/// Which events were sent by whom, and how long they were on their way.
pub(super) fn signals(view: &View<'_>, document: &Document) -> String {
    use signals::Row;
    let Some(rows) = document.signals.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Signal", |row: &Row| text("signal", &row.signal)),
        words("From", |row: &Row| {
            maybe(row.sender.as_ref(), |sender| text("sender", sender))
        }),
        words("To", |row: &Row| text("object", &row.object)),
        figures("Posted", |row: &Row| count("posted", row.posted)),
        figures("At the front", |row: &Row| count("front", row.front)),
        figures("Taken", |row: &Row| count("taken", row.taken)),
        words("In the queue", |row: &Row| {
            spread(view, "queueing", row.queueing.as_ref())
        }),
        words("Post to end", |row: &Row| {
            spread(view, "response", row.response.as_ref())
        }),
        figures("Slowest post", |row: &Row| {
            maybe(row.slowest, |slowest| {
                event("slowest.post_event", slowest.post_event)
            })
        }),
    ];
    let caption = "Events by signal, sender and receiver";
    table("signals", caption, rows, &columns, |row| row.posted)
}

/// In which states machines were.
pub(super) fn states(view: &View<'_>, document: &Document) -> String {
    let machines = document.states.as_deref().unwrap_or_default();
    let machines = machines.iter().zip(0..).take(super::table::MOST_ROWS);
    machines
        .map(|(one, place)| machine(view, one, place))
        .collect()
}

fn machine(view: &View<'_>, machine: &Machine, place: usize) -> String {
    use states::Row;
    let colours: Vec<_> = (0..machine.states.len()).map(colour).collect();
    let state = |(row, colour): (&Row, &'_ String)| {
        let name = format!("{}: {}", row.state, duration(view, row.ticks));
        (name, row.ticks, colour.clone())
    };
    let mut all: Vec<_> = machine.states.iter().zip(&colours).map(state).collect();
    let unknown = duration(view, machine.unknown_ticks);
    let unknown = format!("not known: {unknown}");
    all.push((unknown, machine.unknown_ticks, "unknown".to_owned()));
    let all: Vec<_> = all
        .iter()
        .map(|(name, ticks, class)| (name.clone(), *ticks, class.as_str()))
        .collect();
    let bar = parts(&format!("States of {}", machine.object), &all);
    let rows: Vec<_> = machine.states.iter().zip(colours).collect();
    let columns = [
        words("State", |(row, colour): &(&Row, String)| {
            format!(
                "<i class=\"swatch {colour}\"></i>{}",
                text("state", &row.state)
            )
        }),
        figures("In it", |(row, _): &(&Row, String)| {
            time(view, "ticks", row.ticks)
        }),
        words("Part of the time", |(row, _): &(&Row, String)| {
            share("percent", row.percent)
        }),
        figures("Visits", |(row, _): &(&Row, String)| {
            count("visits", row.visits)
        }),
        figures("Longest", |(row, _): &(&Row, String)| {
            time(view, "longest_ticks", row.longest_ticks)
        }),
        figures("From event", |(row, _): &(&Row, String)| {
            event("longest_event", row.longest_event)
        }),
    ];
    let caption = format!(
        "{} was in these states; for {} it is not known in which",
        escaped(&machine.object),
        duration(view, machine.unknown_ticks)
    );
    let report = format!("states.{place}.states");
    let name = escaped(&machine.object);
    let table = table(&report, &caption, &rows, &columns, |(row, _)| row.ticks);
    format!("<h3>{name} {bar}</h3>{table}")
}

fn colour(place: usize) -> String {
    format!("c{}", place % COLOURS)
}

/// Which transitions machines took, and what they never did.
pub(super) fn transitions(document: &Document) -> String {
    use transitions::Row;
    let Some(found) = &document.transitions else {
        return String::new();
    };
    let mut html = String::new();
    if !found.taken.is_empty() {
        let columns = [
            words("Active object", |row: &Row| text("object", &row.object)),
            words("From", |row: &Row| text("source", &row.source)),
            words("On", |row: &Row| match &row.trigger {
                Some(trigger) => text("trigger", trigger),
                None if row.initial => "<span class=\"soft\">(initial)</span>".to_owned(),
                None => super::text::nothing(),
            }),
            words("To", |row: &Row| match &row.target {
                Some(target) => text("target", target),
                None => "<span class=\"soft\">(internal)</span>".to_owned(),
            }),
            words("Settled in", |row: &Row| {
                maybe(row.settled.as_ref(), |settled| text("settled", settled))
            }),
            figures("Times", |row: &Row| count("count", row.count)),
            figures("First", |row: &Row| event("first_event", row.first_event)),
        ];
        let caption = "Transitions that were taken";
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
    html.push_str(&never("States never entered", states.collect()));
    let signals = found.signals_never_received.iter().map(escaped);
    html.push_str(&never("Signals never received", signals.collect()));
    html
}

fn never(title: &str, mut names: Vec<String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(super::table::MOST_ROWS);
    names.truncate(super::table::MOST_ROWS);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("<p><b>{title}:</b> {}{more}</p>", names.join(", "))
}

/// How timers ended, and how exact they are.
pub(super) fn timers(view: &View<'_>, document: &Document) -> String {
    use timers::Row;
    let Some(rows) = document.timers.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Timer", |row: &Row| text("name", &row.name)),
        words("To", |row: &Row| text("object", &row.object)),
        words("Signal", |row: &Row| {
            maybe(row.signal.as_ref(), |signal| text("signal", signal))
        }),
        figures("Runs", |row: &Row| count("runs", row.runs)),
        figures("Expired", |row: &Row| count("expired", row.expired)),
        figures("Stopped", |row: &Row| count("stopped", row.stopped)),
        figures("Restarted", |row: &Row| count("restarted", row.restarted)),
        figures("Lost", |row: &Row| count("lost", row.lost)),
        words("Jitter", |row: &Row| {
            spread(view, "jitter", row.jitter.as_ref())
        }),
        words("Expiry to step", |row: &Row| {
            spread(view, "delay", row.delay.as_ref())
        }),
    ];
    let caption = "Timers from start to end";
    table("timers", caption, rows, &columns, |row| row.runs)
}

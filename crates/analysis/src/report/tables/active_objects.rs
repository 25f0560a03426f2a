//! Active objects, signals, states, transitions and timers.

use super::*;
use crate::report::active::ActiveObjectRow;
use crate::report::signals::SignalRow;
use crate::report::states::{MachineStates, StateRow};
use crate::report::timers::{NominalRuns, TimerRow};
use crate::report::transitions::{NeverEnteredState, NeverReceivedSignal, TransitionRow};

impl TableRow for ActiveObjectRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "active",
        title: ReportKind::Active.title(),
        note: "",
        empty: "No active objects",
        rank: "busy_ticks",
        columns: &[
            link("name", "Active object", |row: &Self| {
                let address = row.address;
                Some((&row.name, LinkTarget::ActiveObject { address }))
            }),
            count("posted", "Posted", |row: &Self| Some(row.posted))
                .hint("Events posted to its queue"),
            count("steps", "Steps", |row: &Self| Some(row.steps)).hint("Events handled"),
            duration("busy_ticks", "Busy time", |row: &Self| Some(row.busy_ticks))
                .hint("Total time of its steps")
                .only(&[Text, Viewer]),
            percent("busy_percent", "Busy", |row: &Self| row.busy_percent),
            count("endings.unhandled", "Unhandled", |row: &Self| {
                Some(row.endings.unhandled)
            })
            .hint("No transition for the event"),
            count("guards_false", "Guards false", |row: &Self| {
                Some(row.guards_false)
            })
            .only(&[Text, Viewer]),
            count("endings.no_branch", "No branch", |row: &Self| {
                Some(row.endings.no_branch)
            })
            .only(&[Text, Viewer]),
            count("endings.failed", "Failed", |row: &Self| {
                Some(row.endings.failed)
            })
            .hint("Error in the state machine"),
            count("endings.lost", "Lost", |row: &Self| Some(row.endings.lost))
                .hint("Missing records")
                .only(&[Text, Viewer]),
            count("endings.unrecorded", "Filtered", |row: &Self| {
                Some(row.endings.unrecorded)
            })
            .hint("The target does not record how the step ended")
            .only(&[Text, Viewer]),
            count("endings.open", "Unfinished", |row: &Self| {
                Some(row.endings.open)
            })
            .hint("At the end of the trace")
            .only(&[Text, Viewer]),
            count("deferred", "Deferred", |row: &Self| Some(row.deferred)),
            count("recalled", "Recalled", |row: &Self| Some(row.recalled)).only(&[Text, Viewer]),
            count("max_queued.events", "Max queued", |row: &Self| {
                row.max_queued.map(|max| max.events.into())
            }),
            event("max_queued.event", "At event", |row: &Self| {
                row.max_queued.map(|max| max.event)
            })
            .only(&[Text, Viewer]),
            count("queue.capacity", "Capacity", |row: &Self| {
                row.queue.as_ref().and_then(|queue| queue.capacity)
            })
            .hint("Capacity of its queue"),
            count("queue.min_free", "Min free", |row: &Self| {
                row.queue.as_ref().and_then(|queue| queue.min_free)
            })
            .hint("Free entries of its queue")
            .only(&[Text, Viewer]),
            distribution("queueing", "Queueing time", |row: &Self| {
                row.queueing.as_ref()
            })
            .hint("from the post of an event to the start of its step"),
            distribution("duration", "Step time", |row: &Self| row.duration.as_ref())
                .hint("from the start of a step to its end"),
            distribution("response", "Response time", |row: &Self| {
                row.response.as_ref()
            })
            .hint("from the post of an event to the end of its step"),
        ],
    };
}

impl TableRow for SignalRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "signals",
        title: ReportKind::Signals.title(),
        note: "",
        empty: "No events were posted",
        rank: "posted",
        columns: &[
            text("signal", "Signal", |row: &Self| name(&row.signal)),
            text("sender", "Sender", |row: &Self| named(row.sender.as_ref())).missing("(unknown)"),
            text("object", "Receiver", |row: &Self| name(&row.object)),
            count("posted", "Posted", |row: &Self| Some(row.posted)),
            count("front", "Front", |row: &Self| Some(row.front))
                .hint("Posted to the front of the queue"),
            count("recalled", "Recalled", |row: &Self| Some(row.recalled))
                .hint("Deferred before")
                .only(&[Text, Viewer]),
            count("taken", "Taken", |row: &Self| Some(row.taken)).hint("Events with a known step"),
            duration("queueing.p50", "Median queueing time", |row: &Self| {
                row.queueing.as_ref().map(|found| found.p50)
            })
            .only(&[Text]),
            duration("response.p50", "Median response time", |row: &Self| {
                row.response.as_ref().map(|found| found.p50)
            })
            .only(&[Text]),
            duration("slowest.ticks", "Slowest response", |row: &Self| {
                row.slowest.map(|slowest| slowest.ticks)
            })
            .only(&[Text, Viewer]),
            event("slowest.post_event", "Slowest post", |row: &Self| {
                row.slowest.map(|slowest| slowest.post_event)
            }),
            event("slowest.first_event", "First event", |row: &Self| {
                row.slowest.map(|slowest| slowest.first_event)
            })
            .hint("First event of the slowest step")
            .only(&[Text, Viewer]),
            event("slowest.last_event", "Last event", |row: &Self| {
                row.slowest.map(|slowest| slowest.last_event)
            })
            .hint("Last event of the slowest step")
            .only(&[Text, Viewer]),
            distribution("queueing", "Queueing time", |row: &Self| {
                row.queueing.as_ref()
            })
            .hint("from post to start of step")
            .only(&[Html, Viewer]),
            distribution("response", "Response time", |row: &Self| {
                row.response.as_ref()
            })
            .hint("from post to end of step")
            .only(&[Html, Viewer]),
        ],
    };
}

impl TableRow for MachineStates {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "states",
        title: "State machines",
        note: "",
        empty: "No state machines",
        rank: "",
        columns: &[
            text("object", "Active object", |row: &Self| name(&row.object)),
            duration("unknown_ticks", "Unknown", |row: &Self| {
                Some(row.unknown_ticks)
            })
            .hint("Time in an unknown state"),
            percent("unknown_percent", "Share", |row: &Self| row.unknown_percent),
        ],
    };
}

impl TableRow for StateRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "states.*.states",
        title: ReportKind::States.title(),
        note: "",
        empty: "No state machines",
        rank: "ticks",
        columns: &[
            text("state", "State", |row: &Self| name(&row.state)),
            duration("ticks", "Time", |row: &Self| Some(row.ticks)),
            percent("percent", "Share", |row: &Self| row.percent),
            count("visits", "Visits", |row: &Self| Some(row.visits)),
            count("uncertain", "Uncertain", |row: &Self| Some(row.uncertain))
                .hint("Visits with an unknown end")
                .only(&[Text, Viewer]),
            duration("max_ticks", "Longest", |row: &Self| Some(row.max_ticks))
                .hint("Longest visit"),
            event("max_event", "At event", |row: &Self| Some(row.max_event))
                .hint("Start of the longest visit"),
        ],
    };
}

impl TableRow for TransitionRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.taken",
        title: ReportKind::Transitions.title(),
        note: "",
        empty: "No transitions were recorded",
        rank: "count",
        columns: &[
            text("object", "Active object", |row: &Self| name(&row.object)),
            text("source", "Source", |row: &Self| name(&row.source)),
            text("trigger", "Trigger", |row: &Self| match row.initial {
                true => Some(Cell::Note("(initial)".into())),
                false => named(row.trigger.as_ref()),
            })
            .missing("(unknown)"),
            text("target", "Target", |row: &Self| named(row.target.as_ref())).missing("(internal)"),
            text("settled", "Final state", |row: &Self| {
                named(row.settled.as_ref())
            }),
            count("count", "Count", |row: &Self| Some(row.count)),
            event("first_event", "First event", |row: &Self| {
                Some(row.first_event)
            }),
            event("last_event", "Last event", |row: &Self| {
                Some(row.last_event)
            })
            .only(&[Viewer]),
            text("actions", "Actions", |row: &Self| {
                let actions = row.actions.iter();
                let actions: Vec<_> = actions
                    .map(|action| match action.count {
                        1 => format!("{} {}", action.role, action.function),
                        count => format!("{} {} ×{count}", action.role, action.function),
                    })
                    .collect();
                made(&actions.join(", "))
            })
            .only(&[Text, Viewer]),
        ],
    };
}

impl TableRow for NeverEnteredState {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.states_never_entered",
        title: "States never entered",
        note: "",
        empty: "None",
        rank: "",
        columns: &[
            text("state", "State", |row: &Self| name(&row.state)),
            text("object", "Active object", |row: &Self| {
                named(row.object.as_ref())
            }),
        ],
    };
}

impl TableRow for NeverReceivedSignal {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "transitions.signals_never_received",
        title: "Signals never received",
        note: "",
        empty: "None",
        rank: "",
        columns: &[text("signal", "Signal", |row: &Self| made(&row.0))],
    };
}

impl TableRow for TimerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "timers",
        title: ReportKind::Timers.title(),
        note: "",
        empty: "No timers were started",
        rank: "runs",
        columns: &[
            text("name", "Timer", |row: &Self| name(&row.name)),
            text("object", "Receiver", |row: &Self| name(&row.object)),
            text("signal", "Signal", |row: &Self| named(row.signal.as_ref())).missing("(unknown)"),
            count("runs", "Runs", |row: &Self| Some(row.runs)),
            count("expired", "Expired", |row: &Self| Some(row.expired)),
            count("stopped", "Stopped", |row: &Self| Some(row.stopped)),
            count("restarted", "Restarted", |row: &Self| Some(row.restarted))
                .hint("Started again before it expired"),
            count("running", "Running", |row: &Self| Some(row.running))
                .hint("At the end")
                .only(&[Text, Viewer]),
            count("lost", "Lost", |row: &Self| Some(row.lost)).hint("Missing records"),
            distribution("jitter", "Jitter", |row: &Self| row.jitter.as_ref())
                .hint("difference between successive periods"),
            distribution("delay", "Expiry to step", |row: &Self| row.delay.as_ref())
                .hint("from the expiry to the step that handles its event"),
        ],
    };
}

impl TableRow for NominalRuns {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "timers.*.nominal",
        title: "Start to expiry",
        note: "",
        empty: "No timer expired",
        rank: "",
        columns: &[
            count("timer_ticks", "Nominal duration", |row: &Self| {
                Some(row.timer_ticks.into())
            })
            .unit("timer ticks"),
            flag("periodic", "Periodic", |row: &Self| Some(row.periodic)),
            distribution("duration", "Start to expiry", |row: &Self| {
                Some(&row.duration)
            })
            .hint("from the start, or the last expiry, to the expiry"),
        ],
    };
}

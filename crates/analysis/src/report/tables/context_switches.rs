//! Switches, handlers and interrupts-off sections of a context-switch log.

use super::*;
use crate::report::context_switches::{
    ContextSwitches, HandlerRow, InterruptsOffRow, ThreadSwitchRow,
};

impl TableRow for ContextSwitches {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches",
        title: ReportKind::ContextSwitches.title(),
        note: "",
        empty: "",
        rank: "",
        columns: &[
            count("dispatches", "Dispatches", |it: &Self| Some(it.dispatches)),
            decimal(
                "dispatches_per_second",
                "Dispatches per second",
                |it: &Self| it.dispatches_per_second,
            ),
            count("context_switches", "Context switches", |it: &Self| {
                Some(it.context_switches)
            }),
            text("resumes", "Resumed by", |it: &Self| {
                let resumes = it.resumes.iter();
                let resumes: Vec<_> = resumes.map(|(by, count)| format!("{by} {count}")).collect();
                made(&resumes.join(", "))
            }),
            percent("idle.percent", "Idle", |it: &Self| it.idle.share.percent),
            duration("idle.ticks", "Idle time", |it: &Self| {
                Some(it.idle.share.ticks)
            }),
            count("idle.periods", "Idle periods", |it: &Self| {
                Some(it.idle.periods)
            }),
            percent("kernel.percent", "Kernel", |it: &Self| it.kernel.percent)
                .hint("Interrupts and the scheduler, outside handlers"),
            duration("kernel.ticks", "Kernel time", |it: &Self| {
                Some(it.kernel.ticks)
            }),
            percent("interrupts_off.percent", "Interrupts off", |it: &Self| {
                it.interrupts_off.as_ref()?.share.percent
            }),
            duration(
                "interrupts_off.ticks",
                "Interrupts-off time",
                |it: &Self| Some(it.interrupts_off.as_ref()?.share.ticks),
            ),
            count(
                "interrupts_off.count",
                "Interrupts-off sections",
                |it: &Self| Some(it.interrupts_off.as_ref()?.count),
            ),
            count("interrupts_off.nested", "Nested disables", |it: &Self| {
                Some(it.interrupts_off.as_ref()?.nested)
            }),
            text(
                "interrupts_off.unknown",
                "Sections of unknown length",
                |it: &Self| made(&it.interrupts_off.as_ref()?.unknown),
            ),
            percent("unknown.percent", "Unknown", |it: &Self| it.unknown.percent),
            duration("unknown.ticks", "Unknown time", |it: &Self| {
                Some(it.unknown.ticks)
            }),
            count("gaps", "Gaps", |it: &Self| Some(it.gaps)),
            distribution(
                "interrupts_off.duration",
                "Interrupts-off section",
                |it: &Self| it.interrupts_off.as_ref()?.duration.as_ref(),
            ),
            distribution("idle.duration", "Idle period", |it: &Self| {
                it.idle.duration.as_ref()
            }),
            distribution("wake_ups.to_thread", "Idle to thread", |it: &Self| {
                it.wake_ups.to_thread.as_ref()
            }),
            distribution("wake_ups.spurious", "Idle to idle", |it: &Self| {
                it.wake_ups.spurious.as_ref()
            }),
        ],
    };
}

impl TableRow for ThreadSwitchRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.threads",
        title: ReportKind::Threads.title(),
        note: "",
        empty: "No threads",
        rank: "ticks",
        columns: &[
            text("name", "Thread", |row: &Self| name(&row.name)),
            text("address", "Address", |row: &Self| made(&row.address)).only(&[Text]),
            count("dispatches", "Dispatches", |row: &Self| {
                Some(row.dispatches)
            }),
            count("resumes", "Resumptions", |row: &Self| Some(row.resumes)),
            duration("ticks", "CPU time", |row: &Self| Some(row.share.ticks)),
            percent("percent", "Share", |row: &Self| row.share.percent),
        ],
    };
}

impl TableRow for HandlerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.handlers",
        title: "Handlers",
        note: "",
        empty: "No handlers were recorded",
        rank: "ticks",
        columns: &[
            text("name", "Handler", |row: &Self| name(&row.name)),
            text("address", "Address", |row: &Self| {
                row.address.as_ref().and_then(made)
            })
            .only(&[Text]),
            count("activations", "Activations", |row: &Self| {
                Some(row.activations)
            }),
            count("nested", "Nested", |row: &Self| Some(row.nested)),
            duration("ticks", "CPU time", |row: &Self| Some(row.share.ticks)),
            percent("percent", "Share", |row: &Self| row.share.percent),
            duration("max_ticks", "Longest", |row: &Self| row.max_ticks)
                .hint("Longest activation, from entry to exit"),
            event("max_event", "At event", |row: &Self| row.max_event)
                .hint("Exit of the longest activation"),
        ],
    };
}

impl TableRow for InterruptsOffRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.interrupts_off.longest",
        title: "Longest interrupts-off sections",
        note: "",
        empty: "Interrupts were never off",
        rank: "ticks",
        columns: &[
            interval("start_ticks", "Start", |row: &Self| {
                TimeInterval::lasting(row.start_ticks, row.ticks, row.first_event)
            })
            .only(&[Html, Viewer]),
            duration("ticks", "Duration", |row: &Self| Some(row.ticks)),
            flag("complete", "Exact", |row: &Self| Some(row.complete))
                .hint("If not, the duration is a minimum")
                .only(&[Text, Viewer]),
            count("nested", "Nested", |row: &Self| Some(row.nested.into()))
                .hint("Disabled again meanwhile")
                .only(&[Text, Viewer]),
            event("first_event", "First event", |row: &Self| {
                Some(row.first_event)
            }),
            event("last_event", "Last event", |row: &Self| {
                Some(row.last_event)
            })
            .only(&[Text, Viewer]),
            text("context", "Context", |row: &Self| name(&row.context)),
            text("handler", "Handler", |row: &Self| {
                named(row.handler.as_ref())
            }),
            text("disabled_at.text", "Disabled at", |row: &Self| {
                row.disabled_at.as_ref().and_then(|at| name(&at.text))
            }),
            text("enabled_at.text", "Enabled at", |row: &Self| {
                row.enabled_at.as_ref().and_then(|at| name(&at.text))
            })
            .only(&[Text, Viewer]),
            text("ending", "Ending", |row: &Self| name(row.ending)),
        ],
    };
}

//! CPU time, scheduler counts, threads, stacks, services, latency and interrupts.

use super::*;
use crate::report::deadlines::{DeadlineMiss, DeadlineRow};
use crate::report::findings::MAX_STACK_PERCENT;
use crate::report::isr::IsrRow;
use crate::report::latency::{Latency, ThreadLatency, WaitRow};
use crate::report::load::LoadRow;
use crate::report::performance::Performance;
use crate::report::periods::PeriodRow;
use crate::report::profile::ProfileRow;
use crate::report::services::ServiceRow;
use crate::report::stacks::StackRow;
use crate::report::threads::ThreadRow;

impl TableRow for ProfileRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "profile",
        title: ReportKind::Profile.title(),
        note: "",
        empty: "No context ran",
        rank: "ticks",
        columns: &[
            text("context", "Context", |row: &Self| name(&row.context)),
            text("kind", "Kind", |row: &Self| name(row.kind.name())).only(&[Html]),
            text("address", "Address", |row: &Self| {
                row.address.as_ref().and_then(made)
            })
            .only(&[Text]),
            duration("ticks", "CPU time", |row: &Self| Some(row.ticks)),
            percent("percent", "Share", |row: &Self| row.percent),
        ],
    };
}

impl TableRow for Performance {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "performance",
        title: ReportKind::Performance.title(),
        note: "",
        empty: "",
        rank: "",
        columns: &[
            count("dispatches", "Dispatches", |it: &Self| Some(it.dispatches)),
            count("context_switches", "Context switches", |it: &Self| {
                Some(it.context_switches)
            }),
            count(
                "preemptions.solicited",
                "Solicited preemptions",
                |it: &Self| Some(it.preemptions.solicited),
            ),
            count(
                "preemptions.interrupt",
                "Interrupt preemptions",
                |it: &Self| Some(it.preemptions.interrupt),
            ),
            count("time_slices", "Time slices", |it: &Self| {
                Some(it.time_slices)
            }),
            count("relinquishes", "Relinquishes", |it: &Self| {
                Some(it.relinquishes)
            }),
            count("suspensions", "Suspensions", |it: &Self| {
                Some(it.suspensions)
            }),
            count("resumptions", "Resumptions", |it: &Self| {
                Some(it.resumptions)
            }),
            count("priority_changes", "Priority changes", |it: &Self| {
                Some(it.priority_changes)
            }),
            count("interrupts", "Interrupts", |it: &Self| Some(it.interrupts)),
            count("nested_interrupts", "Nested interrupts", |it: &Self| {
                Some(it.nested_interrupts)
            }),
            count("inversions.total", "Priority inversions", |it: &Self| {
                Some(it.inversions.total)
            }),
            count(
                "inversions.unbounded",
                "Unbounded inversions",
                |it: &Self| Some(it.inversions.unbounded),
            ),
        ],
    };
}

impl TableRow for ThreadRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "threads",
        title: ReportKind::Threads.title(),
        note: "Solicited and by interrupt: preemptions by the thread's own calls, and by interrupts",
        empty: "No threads",
        rank: "states.running",
        columns: &[
            text("name", "Thread", |row: &Self| match row.deleted {
                true => made(&format_args!("{} (deleted)", row.name)),
                false => name(&row.name),
            }),
            count("priority", "Priority", |row: &Self| {
                row.priority.map(u64::from)
            })
            .hint("0 is the highest"),
            count("highest_priority", "Highest", |row: &Self| {
                row.highest_priority.map(u64::from)
            })
            .hint("Highest priority during the trace")
            .only(&[Text, Viewer]),
            count("lowest_priority", "Lowest", |row: &Self| {
                row.lowest_priority.map(u64::from)
            })
            .hint("Lowest priority during the trace")
            .only(&[Text, Viewer]),
            count("events", "Events", |row: &Self| Some(row.events)),
            count("dispatches", "Dispatches", |row: &Self| {
                Some(row.dispatches)
            }),
            count("suspensions", "Suspensions", |row: &Self| row.suspensions),
            count("resumptions", "Resumptions", |row: &Self| row.resumptions).only(&[Text, Viewer]),
            count("preemptions.solicited", "Solicited", |row: &Self| {
                Some(row.preemptions?.solicited)
            })
            .hint("Preemptions by its own calls"),
            count("preemptions.interrupt", "By interrupt", |row: &Self| {
                Some(row.preemptions?.interrupt)
            })
            .hint("Preemptions by interrupts"),
            count("time_slices", "Time slices", |row: &Self| row.time_slices).only(&[Text, Viewer]),
            count("relinquishes", "Relinquishes", |row: &Self| {
                row.relinquishes
            })
            .only(&[Text, Viewer]),
            count("inversions.total", "Inversions", |row: &Self| {
                Some(row.inversions?.total)
            }),
            duration("states.running", "Running", |row: &Self| {
                Some(row.states.running)
            })
            .only(&[Html, Viewer]),
            duration("states.ready", "Ready", |row: &Self| row.states.ready).only(&[Html, Viewer]),
            duration("waiting", "Waiting", |row: &Self| {
                Some(row.states.waiting.values().sum())
            })
            .only(&[Viewer]),
            shares("states", "States", |row: &Self| Some(row.states.shares()))
                .only(&[Html, Viewer]),
            distribution("run", "Run", |row: &Self| row.run.as_ref()).hint("uninterrupted"),
            percent("stack.used_percent", "Stack usage", |row: &Self| {
                row.stack.as_ref().and_then(|stack| stack.used_percent)
            })
            .only(&[Text]),
        ],
    };
}

impl TableRow for StackRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "stacks",
        title: ReportKind::Stacks.title(),
        note: "The kernel records an address inside its own functions: the real usage is slightly higher",
        empty: "The recording has no stack data",
        rank: "used_percent",
        columns: &[
            text("thread", "Thread", |row: &Self| name(&row.thread)),
            text("start", "Start", |row: &Self| made(&row.stack.start)).only(&[Text]),
            count("size", "Size", |row: &Self| Some(row.stack.size)).unit("bytes"),
            count("min_free", "Min free", |row: &Self| row.stack.min_free)
                .unit("bytes")
                .hint("Free bytes at the deepest call"),
            percent("used_percent", "Used", |row: &Self| row.stack.used_percent)
                .warns(MAX_STACK_PERCENT, 95.0),
            event("event", "At event", |row: &Self| row.stack.event),
            count("outside", "Outside", |row: &Self| Some(row.stack.outside))
                .hint("Events with a stack pointer outside the stack"),
        ],
    };
}

impl TableRow for ServiceRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "services",
        title: ReportKind::Services.title(),
        note: "",
        empty: "No events",
        rank: "count",
        columns: &[
            link("name", "Event", |row: &Self| {
                Some((&row.name, LinkTarget::EventKind { id: row.id }))
            }),
            count("id", "Id", |row: &Self| Some(row.id.into())).only(&[Text, Viewer]),
            text("component", "Component", |row: &Self| name(&row.component)),
            count("count", "Count", |row: &Self| Some(row.count)),
            percent("percent", "Share", |row: &Self| Some(row.percent)).hint("Share of all events"),
            count("contexts", "Contexts", |row: &Self| Some(row.contexts))
                .hint("Number of contexts that logged the event"),
        ],
    };
}

impl TableRow for Latency {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency",
        title: "Interrupts",
        note: "",
        empty: "",
        rank: "",
        columns: &[
            duration(
                "max_interrupt_burst.ticks",
                "Longest uninterrupted interrupt time",
                |it: &Self| Some(it.max_interrupt_burst?.ticks),
            ),
            count("max_interrupt_burst.core", "On core", |it: &Self| {
                Some(it.max_interrupt_burst?.core.into())
            }),
            event(
                "max_interrupt_burst.first_event",
                "From event",
                |it: &Self| Some(it.max_interrupt_burst?.first_event),
            ),
            distribution("isr_to_thread", "Interrupt to thread", |it: &Self| {
                it.isr_to_thread.as_ref()
            }),
        ],
    };
}

impl TableRow for ThreadLatency {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency.threads",
        title: ReportKind::Latency.title(),
        note: "",
        empty: "No thread was resumed and suspended",
        rank: "wake_up",
        columns: &[
            text("name", "Thread", |row: &Self| name(&row.name)),
            distribution("wake_up", "Wake-up latency", |row: &Self| {
                row.wake_up.as_ref()
            })
            .hint("from resumption to running"),
            distribution("response", "Response time", |row: &Self| {
                row.response.as_ref()
            })
            .hint("from resumption to the next suspension"),
            distribution("period", "Period", |row: &Self| row.period.as_ref())
                .hint("from one resumption to the next"),
            distribution("jitter", "Jitter", |row: &Self| row.jitter.as_ref())
                .hint("difference between successive periods")
                .only(&[Text, Viewer]),
            distribution("preempted", "Preempted", |row: &Self| {
                row.preempted.as_ref()
            })
            .hint("ready after a preemption"),
        ],
    };
}

impl TableRow for WaitRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "latency.blocking",
        title: "Blocking",
        note: "",
        empty: "No thread was blocked",
        rank: "duration",
        columns: &[
            text("object", "Blocked on", |row: &Self| {
                let reason = || Cell::Note(row.reason.into());
                Some(named(row.object.as_ref()).unwrap_or_else(reason))
            }),
            text("reason", "Wait reason", |row: &Self| name(row.reason)),
            count("duration.count", "Waits", |row: &Self| {
                Some(row.duration.count)
            })
            .only(&[Html]),
            distribution("duration", "Duration", |row: &Self| Some(&row.duration))
                .hint("of complete waits"),
            event("duration.event", "Longest ended at event", |row: &Self| {
                Some(row.duration.event)
            })
            .only(&[Html]),
        ],
    };
}

impl TableRow for PeriodRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "periods",
        title: ReportKind::Periods.title(),
        note: "Peak-to-peak jitter: the longest period less the shortest",
        empty: "Nothing was activated",
        rank: "activations",
        columns: &[
            text("name", "Name", |row: &Self| name(&row.name)),
            text("kind", "Kind", |row: &Self| name(row.kind)),
            count("activations", "Activations", |row: &Self| {
                Some(row.activations)
            }),
            count("unjudged_periods", "Unknown periods", |row: &Self| {
                Some(row.unjudged_periods)
            })
            .hint("The first, and those before which an activation may be missing"),
            count("unjudged_responses", "Unknown responses", |row: &Self| {
                Some(row.unjudged_responses)
            })
            .hint("Start or end not recorded"),
            duration(
                "jitter.peak_to_peak",
                "Peak-to-peak jitter",
                |row: &Self| Some(row.jitter?.peak_to_peak),
            )
            .hint("Longest period less the shortest"),
            fractional_duration(
                "jitter.standard_deviation",
                "Standard deviation",
                |row: &Self| Some(row.jitter?.standard_deviation),
            )
            .hint("Of the periods"),
            distribution("period", "Period", |row: &Self| row.period.as_ref())
                .hint("from one start to the next"),
            distribution("response", "Response time", |row: &Self| {
                row.response.as_ref()
            })
            .hint("from ready to suspended, entry to exit, post to end of step"),
            distribution("cpu_time", "CPU time", |row: &Self| row.cpu_time.as_ref())
                .hint("of one activation"),
            distribution("run", "Run", |row: &Self| row.run.as_ref()).hint("uninterrupted"),
        ],
    };
}

impl TableRow for DeadlineRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "deadlines",
        title: ReportKind::Deadlines.title(),
        note: "",
        empty: "No deadlines were declared",
        rank: "misses",
        columns: &[
            text("name", "Name", |row: &Self| name(&row.name)),
            text("source", "Source", |row: &Self| name(&row.source)),
            text("kind", "Kind", |row: &Self| name(row.kind)),
            duration("period_ticks", "Period", |row: &Self| row.period_ticks),
            duration("jitter_ticks", "Jitter", |row: &Self| row.jitter_ticks)
                .hint("Deviation from the period, in both directions"),
            duration("deadline_ticks", "Deadline", |row: &Self| {
                row.deadline_ticks
            }),
            text("verdict", "Verdict", |row: &Self| name(row.verdict.name())),
            count("judged", "Judged", |row: &Self| Some(row.judged)),
            count("unjudged", "Not judged", |row: &Self| Some(row.unjudged))
                .hint("Start or end not recorded"),
            count("misses", "Misses", |row: &Self| {
                Some(row.misses.len() as u64)
            })
            .only(&[Text, Html]),
        ],
    };
}

impl TableRow for DeadlineMiss {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "deadlines.*.misses",
        title: "Misses",
        note: "",
        empty: "No activation missed it",
        rank: "observed_ticks",
        columns: &[
            text("limit", "Limit", |row: &Self| name(row.limit)),
            event("event", "Event", |row: &Self| Some(row.event)),
            duration("start_ticks", "Start", |row: &Self| Some(row.start_ticks)),
            duration("observed_ticks", "Observed", |row: &Self| {
                Some(row.observed_ticks)
            }),
            duration("limit_ticks", "Limit value", |row: &Self| {
                Some(row.limit_ticks)
            }),
            text("cause", "First cause", |row: &Self| name(&row.cause)),
            text("culprit", "Culprit", |row: &Self| {
                named(row.culprit.as_ref())
            }),
        ],
    };
}

impl TableRow for IsrRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "isr",
        title: ReportKind::Isr.title(),
        note: "",
        empty: "No interrupts were recorded",
        rank: "ticks",
        columns: &[
            text("name", "Routine", |row: &Self| name(&row.name)),
            count("activations", "Activations", |row: &Self| {
                Some(row.activations)
            }),
            count("nested", "Nested", |row: &Self| Some(row.nested)),
            count("max_nesting", "Max nesting", |row: &Self| {
                Some(row.max_nesting.into())
            }),
            count("unfinished", "Unfinished", |row: &Self| {
                Some(row.unfinished)
            }),
            count("inferred", "Inferred", |row: &Self| Some(row.inferred)),
            duration("ticks", "CPU time", |row: &Self| {
                Some(row.ticks).filter(|_| row.has_known_time())
            })
            .missing("unknown"),
            percent("percent", "Share", |row: &Self| {
                row.percent.filter(|_| row.has_known_time())
            })
            .missing("unknown"),
            text("cores", "Cores", |row: &Self| {
                let cores: Vec<_> = row.cores.iter().map(u8::to_string).collect();
                made(&cores.join(", "))
            })
            .only(&[Text, Viewer]),
            distribution("duration", "Total time", |row: &Self| row.duration.as_ref())
                .hint("from entry to exit"),
            distribution("self_duration", "Self time", |row: &Self| {
                row.self_duration.as_ref()
            })
            .hint("the same without nested routines")
            .only(&[Text, Viewer]),
            distribution("interarrival", "Interval", |row: &Self| {
                row.interarrival.as_ref()
            })
            .hint("from entry to entry"),
        ],
    };
}

impl TableRow for LoadRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "load.contexts",
        title: "Load by context",
        note: "",
        empty: "No context ran",
        rank: "ticks",
        columns: &[
            text("context", "Context", |row: &Self| name(&row.context)),
            duration("ticks", "CPU time", |row: &Self| {
                Some(row.ticks.iter().sum())
            }),
            percent("percent", "Max", |row: &Self| {
                row.percent.iter().copied().reduce(f64::max)
            })
            .hint("Maximum share in a window"),
        ],
    };
}

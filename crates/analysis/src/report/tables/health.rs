//! The health of a recording: its figures, diagnostics and gaps.

use super::*;
use crate::report::health::{ActiveObjectHealth, DiagnosticRow, GapRow, Health};

impl TableRow for Health {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health",
        title: ReportKind::Health.title(),
        note: "These figures cover the whole recording, whatever the scope",
        empty: "",
        rank: "",
        columns: &[
            count("events", "Events", |it: &Self| Some(it.events)),
            decimal("events_per_second", "Events per second", |it: &Self| {
                it.events_per_second
            }),
            percent(
                "coverage.percent",
                "Time with known context",
                |it: &Self| it.coverage.percent,
            ),
            duration("coverage.first_ticks", "Known from", |it: &Self| {
                it.coverage.first_ticks
            }),
            duration("coverage.last_ticks", "Known to", |it: &Self| {
                it.coverage.last_ticks
            }),
            flag("overwritten", "Older events overwritten", |it: &Self| {
                Some(it.overwritten)
            }),
            count("gaps", "Gaps", |it: &Self| Some(it.gaps.len() as u64)).only(&[Text, Viewer]),
            count("lost_events", "Missing events", |it: &Self| {
                Some(it.lost_events)
            }),
            text("clock.quality", "Clock quality", |it: &Self| {
                name(&it.clock.quality)
            }),
            text("clock.direction", "Clock direction", |it: &Self| {
                name(&it.clock.direction)
            }),
            count("clock.bits", "Clock bits", |it: &Self| {
                Some(it.clock.bits.into())
            }),
            count("clock.wraps", "Clock wraps", |it: &Self| {
                Some(it.clock.wraps)
            }),
            count("clock.backward_steps", "Backward steps", |it: &Self| {
                Some(it.clock.backward_steps)
            }),
            count("registry.objects", "Registered objects", |it: &Self| {
                Some(it.registry.objects)
            }),
            count("registry.deleted", "Deleted objects", |it: &Self| {
                Some(it.registry.deleted)
            }),
            count(
                "registry.unnamed_threads",
                "Unregistered threads",
                |it: &Self| Some(it.registry.unnamed_threads),
            ),
            flag("registry.full", "Registry full", |it: &Self| {
                Some(it.registry.full)
            }),
            count("unfinished_isrs", "ISRs without an exit", |it: &Self| {
                Some(it.unfinished_isrs)
            }),
            count("inferred_isrs", "Inferred ISRs", |it: &Self| {
                Some(it.inferred_isrs)
            }),
            count("restarts", "Restarts", |it: &Self| {
                Some(it.restarts.len() as u64)
            })
            .only(&[Text, Viewer]),
            count("severities.error", "Errors", |it: &Self| {
                Some(it.severities.error)
            }),
            count("severities.warning", "Warnings", |it: &Self| {
                Some(it.severities.warning)
            }),
            count("severities.info", "Information", |it: &Self| {
                Some(it.severities.info)
            }),
        ],
    };
}

impl TableRow for ActiveObjectHealth {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.active",
        title: "Unknown events of active objects",
        note: "",
        empty: "",
        rank: "",
        columns: &[
            count("untaken_posts", "Posts without a take", |it: &Self| {
                Some(it.untaken_posts)
            }),
            count("unposted_steps", "Steps without a post", |it: &Self| {
                Some(it.unposted_steps)
            }),
            count("lost_steps", "Steps with a lost end", |it: &Self| {
                Some(it.lost_steps)
            }),
            count(
                "unrecorded_steps",
                "Steps with a filtered end",
                |it: &Self| Some(it.unrecorded_steps),
            ),
            count(
                "uncertain_visits",
                "Visits with an unknown end",
                |it: &Self| Some(it.uncertain_visits),
            ),
            count("lost_timers", "Timers with a lost end", |it: &Self| {
                Some(it.lost_timers)
            }),
        ],
    };
}

impl TableRow for DiagnosticRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.diagnostics",
        title: "Diagnostics",
        note: "",
        empty: "No diagnostics",
        rank: "",
        columns: &[
            text("severity", "Severity", |row: &Self| name(&row.severity)),
            text("kind", "Kind", |row: &Self| name(row.kind)),
            text("message", "Message", |row: &Self| name(&row.message)),
            event("event", "Event", |row: &Self| row.event),
            count("offset", "Offset", |row: &Self| row.offset).unit("bytes"),
            count("count", "Count", |row: &Self| Some(row.count))
                .hint("Number of affected events, entries or bytes"),
        ],
    };
}

impl TableRow for GapRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.gaps",
        title: "Gaps",
        note: "",
        empty: "No gaps",
        rank: "missing",
        columns: &[
            event("before_event", "First event after", |row: &Self| {
                Some(row.before_event)
            }),
            count("missing", "Missing events", |row: &Self| row.missing)
                .hint("Maximum number of missing events"),
        ],
    };
}

//! The health of a recording: its figures, diagnostics and gaps.

use super::*;
use crate::report::health::{DiagnosticRow, GapRow, Health};

impl TableRow for Health {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health",
        title: ReportKind::Health.title(),
        note: "",
        empty: "",
        columns: &[
            count("events", "Events", |it: &Self| Some(it.events)).only(&[Viewer]),
            decimal("events_per_second", "Events per second", |it: &Self| {
                it.events_per_second
            })
            .only(&[Viewer]),
            percent(
                "coverage.percent",
                "Time with known context",
                |it: &Self| it.coverage.percent,
            ),
            duration("coverage.first_ticks", "Known from", |it: &Self| {
                it.coverage.first_ticks
            })
            .only(&[Viewer]),
            duration("coverage.last_ticks", "Known to", |it: &Self| {
                it.coverage.last_ticks
            })
            .only(&[Viewer]),
            flag("overwritten", "Older events overwritten", |it: &Self| {
                Some(it.overwritten)
            }),
            count("gaps", "Gaps", |it: &Self| Some(it.gaps.len() as u64)).only(&[Viewer]),
            count("lost_events", "Missing events", |it: &Self| {
                Some(it.lost_events)
            })
            .only(&[Viewer]),
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
            })
            .only(&[Viewer]),
            count(
                "registry.unnamed_threads",
                "Unregistered threads",
                |it: &Self| Some(it.registry.unnamed_threads),
            ),
            flag("registry.full", "Registry full", |it: &Self| {
                Some(it.registry.full)
            })
            .only(&[Viewer]),
            count("unfinished_isrs", "ISRs without an exit", |it: &Self| {
                Some(it.unfinished_isrs)
            }),
            count("inferred_isrs", "Inferred ISRs", |it: &Self| {
                Some(it.inferred_isrs)
            }),
            count("severities.error", "Errors", |it: &Self| {
                Some(it.severities.error)
            })
            .only(&[Viewer]),
            count("severities.warning", "Warnings", |it: &Self| {
                Some(it.severities.warning)
            })
            .only(&[Viewer]),
            count("severities.info", "Information", |it: &Self| {
                Some(it.severities.info)
            })
            .only(&[Viewer]),
        ],
    };
}

impl TableRow for DiagnosticRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "health.diagnostics",
        title: "Diagnostics",
        note: "",
        empty: "No diagnostics",
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
        columns: &[
            event("before_event", "First event after", |row: &Self| {
                Some(row.before_event)
            }),
            count("missing", "Missing events", |row: &Self| row.missing)
                .hint("Maximum number of missing events"),
        ],
    };
}

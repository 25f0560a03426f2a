//! The tables of the communication of contexts.

use super::*;
use crate::report::communication::{FlowRow, ObjectUse};

impl TableRow for ObjectUse {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "communication.uses",
        title: "Use of objects",
        note: "Blocked calls had to wait; refused calls failed without a wait",
        empty: "No queues, semaphores, event flags, pools or mutexes were used",
        rank: "puts",
        columns: &[
            text("object", "Object", |row: &Self| name(&row.object)),
            text("class", "Class", |row: &Self| name(row.class)),
            text("context", "Context", |row: &Self| name(&row.context)),
            count("puts", "Puts", |row: &Self| Some(row.puts))
                .hint("Calls that add to the object, or release the mutex"),
            count("blocked_puts", "Blocked puts", |row: &Self| {
                Some(row.blocked_puts)
            }),
            count("refused_puts", "Refused puts", |row: &Self| {
                Some(row.refused_puts)
            }),
            count("takes", "Takes", |row: &Self| Some(row.takes))
                .hint("Calls that take from the object, or acquire the mutex"),
            count("blocked_takes", "Blocked takes", |row: &Self| {
                Some(row.blocked_takes)
            }),
            count("refused_takes", "Refused takes", |row: &Self| {
                Some(row.refused_takes)
            }),
            event("first_event", "First event", |row: &Self| {
                Some(row.first_event)
            })
            .only(&[Text, Viewer]),
        ],
    };
}

impl TableRow for FlowRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "communication.flows",
        title: "From cause to effect",
        note: "",
        empty: "No context sends to, posts to or wakes another one",
        rank: "count",
        columns: &[
            text("kind", "Kind", |row: &Self| name(row.kind)),
            text("from", "From", |row: &Self| named(row.from.as_ref())).missing("unknown"),
            text("object", "Object or signal", |row: &Self| {
                named(row.object.as_ref())
            }),
            text("to", "To", |row: &Self| named(row.to.as_ref())).missing("unknown"),
            count("count", "Count", |row: &Self| Some(row.count)),
            event("first_event", "First event", |row: &Self| {
                Some(row.first_event)
            })
            .only(&[Text, Viewer]),
            distribution("latency", "Latency", |row: &Self| row.latency.as_ref())
                .hint("from cause to effect"),
        ],
    };
}

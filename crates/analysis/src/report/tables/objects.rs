//! Mutexes, priority inversions, queues, semaphores and pools.

use super::*;
use crate::report::inversions::InversionRow;
use crate::report::locks::LockRow;
use crate::report::objects::ObjectRow;

impl TableRow for InversionRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "inversions",
        title: ReportKind::Inversions.title(),
        note: "Priorities in parentheses; 0 is the highest",
        empty: "No priority inversions",
        rank: "ticks",
        columns: &[
            text("object", "Mutex", |row: &Self| name(&row.object)),
            thread("blocked", "Blocked", |row: &Self| {
                Some((&row.blocked, row.blocked_priority))
            }),
            thread("owner", "Owner", |row: &Self| {
                Some((row.owner.as_deref()?, row.owner_priority))
            }),
            text("owners", "All owners", |row: &Self| {
                made(&row.owners.join(" > "))
            }),
            interval("start_ticks", "Start", |row: &Self| {
                Some(TimeInterval {
                    start_ticks: row.start_ticks,
                    end_ticks: row.end_ticks,
                    event: row.start_event.or(row.end_event),
                })
            })
            .only(&[Html, Viewer]),
            duration("ticks", "Duration", |row: &Self| Some(row.ticks)),
            flag("unbounded", "Unbounded", |row: &Self| row.unbounded).missing("unknown"),
            text("culprits", "Prolonged by", |row: &Self| {
                let culprits: Vec<_> = row.culprits.iter().map(|it| it.thread.as_str()).collect();
                made(&culprits.join(", "))
            }),
            event("start_event", "Start event", |row: &Self| row.start_event),
            event("end_event", "End event", |row: &Self| row.end_event).only(&[Text, Viewer]),
            text("ending", "Ending", |row: &Self| name(row.ending)),
        ],
    };
}

impl TableRow for LockRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "locks",
        title: ReportKind::Locks.title(),
        note: "",
        empty: "No mutexes were used",
        rank: "acquisitions",
        columns: &[
            text("name", "Mutex", |row: &Self| name(&row.name)),
            count("acquisitions", "Acquired", |row: &Self| {
                Some(row.acquisitions)
            })
            .hint("Number of acquisitions"),
            count("contended", "Contended", |row: &Self| Some(row.contended))
                .hint("Acquisitions after a wait")
                .only(&[Text, Html]),
            percent("contended_percent", "Contention", |row: &Self| {
                row.contended_percent
            })
            .hint("Share of the acquisitions after a wait"),
            count("given_up", "Given up", |row: &Self| Some(row.given_up))
                .hint("Waits that ended without the mutex"),
            count("max_waiting", "Max waiting", |row: &Self| {
                Some(row.max_waiting)
            })
            .hint("Maximum number of threads that waited at once"),
            count("inversions.total", "Inversions", |row: &Self| {
                Some(row.inversions.total)
            }),
            count("inversions.unbounded", "Unbounded", |row: &Self| {
                Some(row.inversions.unbounded)
            })
            .only(&[Text, Viewer]),
            duration("max_hold.ticks", "Longest hold", |row: &Self| {
                row.max_hold.as_ref().map(|hold| hold.ticks)
            })
            .only(&[Text, Viewer]),
            text("max_hold.thread", "Held by", |row: &Self| {
                row.max_hold.as_ref().and_then(|hold| name(&hold.thread))
            })
            .hint("Owner in the longest hold"),
            event("max_hold.event", "At event", |row: &Self| {
                row.max_hold.as_ref().map(|hold| hold.event)
            })
            .hint("End of the longest hold")
            .only(&[Text, Viewer]),
            text("owner_at_end", "Owner at end", |row: &Self| {
                named(row.owner_at_end.as_ref())
            }),
            distribution("hold", "Hold time", |row: &Self| row.hold.as_ref())
                .hint("from acquisition to release"),
            distribution("wait", "Wait time", |row: &Self| row.wait.as_ref())
                .hint("from suspension to resumption"),
        ],
    };
}

impl TableRow for ObjectRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "objects",
        title: ReportKind::Objects.title(),
        note: "Blocked and refused: calls that the level did not allow",
        empty: "No queues, semaphores, pools or event flags",
        rank: "calls",
        columns: &[
            link("name", "Object", |row: &Self| {
                let (class, address) = (row.class, row.address);
                Some((&row.name, LinkTarget::Object { class, address }))
            }),
            text("class", "Class", |row: &Self| name(row.class)),
            count("puts", "Puts", |row: &Self| Some(row.puts)).only(&[Text, Viewer]),
            count("takes", "Takes", |row: &Self| Some(row.takes)).only(&[Text, Viewer]),
            count("calls", "Calls", |row: &Self| Some(row.calls)),
            count("blocked", "Blocked", |row: &Self| Some(row.blocked)),
            count("refused", "Refused", |row: &Self| Some(row.refused)),
            count("level.min", "Min level", |row: &Self| {
                row.level.as_ref().map(|level| level.min.into())
            }),
            event("level.min_event", "Min at event", |row: &Self| {
                row.level.as_ref().map(|level| level.min_event)
            })
            .only(&[Viewer]),
            decimal("level.mean", "Mean level", |row: &Self| {
                row.level.as_ref().and_then(|level| level.mean)
            }),
            count("level.max", "Max level", |row: &Self| {
                row.level.as_ref().map(|level| level.max.into())
            }),
            event("level.max_event", "Max at event", |row: &Self| {
                row.level.as_ref().map(|level| level.max_event)
            })
            .only(&[Text, Viewer]),
            count("capacity", "Capacity", |row: &Self| row.capacity),
            percent("high_water_percent", "High-water mark", |row: &Self| {
                row.high_water_percent
            })
            .warns(80.0, 100.0),
            count("waiters.count", "Waits", |row: &Self| {
                Some(row.waiters.count)
            })
            .only(&[Text, Viewer]),
            duration("waiters.ticks", "Wait time", |row: &Self| {
                Some(row.waiters.ticks)
            })
            .only(&[Text]),
            duration("waiters.max_ticks", "Longest wait", |row: &Self| {
                Some(row.waiters.max_ticks).filter(|_| row.waiters.count > 0)
            })
            .only(&[Viewer]),
            event("waiters.max_event", "Wait at event", |row: &Self| {
                row.waiters.max_event
            })
            .hint("Start of the longest wait")
            .only(&[Viewer]),
            distribution("transfer", "Transfer time", |row: &Self| {
                row.transfer.as_ref()
            })
            .hint("from put to take"),
        ],
    };
}

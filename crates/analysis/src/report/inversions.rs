//! Priority inversions, one by one.

use super::{Hex, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, TimeInterval, column};
use crate::schedule::{Inversion, LockEnding};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

/// A thread that prolonged an inversion and has nothing to do with the mutex.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CulpritRow {
    /// Its name.
    pub thread: String,
    /// The event at which it first did so; `None` if that was before the known
    /// part of the trace.
    pub event: Option<u32>,
}

/// A thread was blocked on a mutex that a thread of lower priority owned.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InversionRow {
    /// The mutex: its name, or its address if it has none.
    pub object: String,
    /// The address of the mutex.
    pub object_address: Option<Hex>,
    /// The blocked thread.
    pub blocked: String,
    /// Its priority at the call (0 is the highest).
    pub blocked_priority: u16,
    /// The thread that owned the mutex at the start.
    pub owner: Option<String>,
    /// The owner's priority at the call.
    pub owner_priority: u16,
    /// All owners during the inversion, in order.
    pub owners: Vec<String>,
    /// The thread that the first owner waited for, and so on.
    pub chain: Vec<String>,
    /// The call. `None` if it was before the known part of the trace.
    pub get_event: Option<u32>,
    /// The suspension. `None` as above.
    pub first_event: Option<u32>,
    /// The resumption. `None` if it was not recorded.
    pub last_event: Option<u32>,
    /// The time of the suspension, or the first known time.
    pub start: u64,
    /// The time of the resumption, or the last known time.
    pub end: u64,
    /// Its duration, as far as known.
    pub duration: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// Whether a thread that has nothing to do with the mutex prolonged it;
    /// `None` if unknown.
    pub unbounded: Option<bool>,
    /// The threads that prolonged it.
    pub culprits: Vec<CulpritRow>,
    /// `released`: the thread got the mutex. `gave-up`: its timeout expired,
    /// its wait was aborted, or it was terminated. `lost`: events are missing,
    /// or the trace ends.
    pub ending: &'static str,
}

impl TableRow for InversionRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "inversions",
        title: ReportKind::Inversions.title(),
        note: "Priorities in parentheses; 0 is the highest",
        empty: "No priority inversions",
        rank: "duration",
        columns: &[
            column!(Text, object, "Mutex"),
            column!(Thread, blocked, "Blocked", |row| {
                Some(Cell::Thread(&row.blocked, row.blocked_priority))
            }),
            column!(Thread, owner, "Owner", |row| {
                Some(Cell::Thread(row.owner.as_deref()?, row.owner_priority))
            }),
            column!(Duration, duration, "Duration"),
            column!(Flag, unbounded, "Unbounded").missing("unknown"),
            column!(Text, culprits, "Prolonged by", |row| {
                let culprits: Vec<_> = row.culprits.iter().map(|it| it.thread.as_str()).collect();
                Cell::made(&culprits.join(", "))
            }),
            column!(Interval, start, "Start", |row| {
                Some(Cell::Interval(TimeInterval {
                    start: row.start,
                    end: row.end,
                    event: row.first_event.or(row.last_event),
                }))
            })
            .only(&[Html, Viewer]),
            column!(Text, owners, "All owners", |row| {
                Cell::made(&row.owners.join(" > "))
            }),
            column!(Event, first_event, "Start event"),
            column!(Event, last_event, "End event").only(&[Text, Viewer]),
            column!(Text, ending, "Ending"),
        ],
    };
}

/// The inversions that began, or were first known, in the scope, in that order.
pub fn inversions(view: &View<'_>) -> Vec<InversionRow> {
    let all = view.schedule.inversions.iter();
    let shown = all.filter(|inversion| {
        view.contains(inversion.start) && view.includes_thread(inversion.blocked)
    });
    let mut rows: Vec<_> = shown.map(|inversion| row(view, inversion)).collect();
    rows.sort_by_key(|row| row.start);
    rows
}

fn row(view: &View<'_>, inversion: &Inversion) -> InversionRow {
    let name = |context: &ContextId| view.trace.context_name(*context);
    let names = |contexts: &[ContextId]| contexts.iter().map(name).collect::<Vec<_>>();
    let number = |event: Option<EventIndex>| event.map(|event| event.0);
    let resource = view.schedule.resources.get(inversion.resource.index());
    let ticks = Ticks(inversion.end.0.saturating_sub(inversion.start.0));
    let culprits = inversion.culprits.iter().map(|culprit| CulpritRow {
        thread: name(&culprit.thread),
        event: number(culprit.event),
    });
    InversionRow {
        object: view.resource_name(inversion.resource),
        object_address: resource.map(|resource| Hex(resource.address)),
        blocked: name(&inversion.blocked),
        blocked_priority: inversion.blocked_priority,
        owner: inversion.owners.first().map(name),
        owner_priority: inversion.owner_priority,
        owners: names(&inversion.owners),
        chain: names(&inversion.chain),
        get_event: number(inversion.get),
        first_event: number(inversion.first),
        last_event: number(inversion.last),
        start: inversion.start.0,
        end: inversion.end.0,
        duration: ticks.0,
        duration_ns: view.nanoseconds(ticks),
        unbounded: inversion.unbounded(),
        culprits: culprits.collect(),
        ending: match inversion.ending {
            LockEnding::Done => "released",
            LockEnding::GaveUp => "gave-up",
            LockEnding::Lost => "lost",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{open, with_view};
    use crate::{Schedule, Scope};

    fn of(name: &str, from: impl Fn(&Schedule) -> Option<Ticks>) -> Vec<InversionRow> {
        let trace = open(&format!("{name}.trx"));
        let all = Scope::default();
        let from = with_view(&trace, &all, |view| from(view.schedule));
        with_view(&trace, &Scope { start: from, ..all }, inversions)
    }

    #[test]
    fn bounded_and_unbounded_inversions_are_distinguished() {
        let bounded = of("linux32_inv_det", |_| None);
        assert_eq!(bounded.len(), 4);
        assert!(bounded.iter().all(|row| row.unbounded == Some(false)));
        assert!(bounded.iter().all(|row| row.culprits.is_empty()));

        let rows = of("linux32_inv_nondet", |_| None);
        let unbounded = rows.iter().filter(|row| row.unbounded == Some(true));
        assert_eq!((rows.len(), unbounded.count()), (4, 3));
        for row in &rows {
            assert_eq!(row.unbounded, Some(!row.culprits.is_empty()));
            assert_eq!(row.ending, "released");
            assert!(row.owner_priority > row.blocked_priority);
            assert!(row.get_event < row.first_event && row.first_event < row.last_event);
            assert_eq!(row.duration, row.end - row.start);
            assert_eq!(row.owner.as_ref(), row.owners.first());
        }
    }

    #[test]
    fn only_inversions_that_began_in_the_window_count() {
        let last = |schedule: &Schedule| schedule.inversions.last().map(|last| last.start);
        assert_eq!(of("linux32_inv_nondet", last).len(), 1);
    }
}

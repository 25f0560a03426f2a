//! Mutexes: hold times, contention and waits.

use super::performance::InversionCounts;
use super::rounding::percent_of;
use super::{Distribution, Hex, Samples, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{ReportTable, TableRow, column};
use crate::schedule::{LockEnding, MutexHold, ThreadState, ThreadStateInterval};
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks, WaitReason};
use schemars::JsonSchema;
use serde::Serialize;

/// A mutex.
///
/// If the scope has only some threads, only their holds and waits count.
/// Acquisitions and inversions count where they begin, durations where they
/// end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LockRow {
    /// Its name, or its address if it has none.
    pub object: String,
    /// Its address.
    pub object_address: Hex,
    /// Number of acquisitions.
    pub acquisitions: u64,
    /// Acquisitions for which the thread had to wait.
    pub contended: u64,
    /// The same in percent; `None` if there are no acquisitions.
    pub contended_percent: Option<f64>,
    /// Durations of complete holds.
    pub hold: Option<Distribution>,
    /// Durations of complete waits, with or without an acquisition.
    pub wait: Option<Distribution>,
    /// Waits that ended without the mutex: the timeout expired, the wait was
    /// aborted, or the thread was terminated.
    pub given_up: u64,
    /// The longest complete hold.
    pub max_hold: Option<MaxHold>,
    /// Maximum number of threads that waited at once.
    pub max_waiting: u64,
    /// The owner at the end of the scope, if any.
    pub owner_at_end: Option<String>,
    /// Priority inversions on it; `None` if the recording has no priorities.
    pub inversions: Option<InversionCounts>,
}

impl TableRow for LockRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "locks",
        title: ReportKind::Locks.title(),
        note: "",
        empty: "No mutexes were used",
        rank: "acquisitions",
        columns: &[
            column!(Text, object, "Mutex"),
            column!(Address, object_address, "Address").only(&[]),
            column!(Count, acquisitions, "Acquired").hint("Number of acquisitions"),
            column!(Count, contended, "Contended")
                .hint("Acquisitions after a wait")
                .only(&[Text, Html]),
            column!(Percent, contended_percent, "Contention")
                .hint("Share of the acquisitions after a wait"),
            column!(Count, given_up, "Given up").hint("Waits that ended without the mutex"),
            column!(Count, max_waiting, "Max waiting")
                .hint("Maximum number of threads that waited at once"),
            column!(Count, inversions?.total, "Inversions"),
            column!(Count, inversions?.unbounded, "Unbounded").only(&[Text, Viewer]),
            column!(Duration, max_hold?.duration, "Longest hold").only(&[Text, Viewer]),
            column!(Text, max_hold?.thread, "Held by").hint("Owner in the longest hold"),
            column!(Event, max_hold?.event, "At event")
                .hint("End of the longest hold")
                .only(&[Text, Viewer]),
            column!(Text, owner_at_end, "Owner at end"),
            column!(Distribution, hold, "Hold time").hint("from acquisition to release"),
            column!(Distribution, wait, "Wait time").hint("from suspension to resumption"),
        ],
    };
}

/// The longest hold of a mutex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MaxHold {
    /// The name of the owner.
    pub thread: String,
    /// The address of the owner.
    pub address: Option<Hex>,
    /// Its duration, in ticks.
    pub duration: u64,
    /// The event by which the owner got the mutex.
    pub first_event: u32,
    /// The event by which the owner released it.
    pub event: u32,
}

/// The mutexes that were held or waited for in the scope, in the order of the
/// schedule. They belong to no core: a scope of one core does not limit them.
pub fn locks(view: &View<'_>) -> Vec<LockRow> {
    let mut all_totals: Vec<LockTotals> = Vec::new();
    all_totals.resize_with(view.schedule.resources.len(), LockTotals::default);
    let mut gained = Vec::new();
    for hold in &view.schedule.mutex_holds {
        if !view.includes_thread(hold.owner) {
            continue;
        }
        if hold.contended {
            gained.push((hold.owner, hold.first, hold.resource));
        }
        if let Some(totals) = all_totals.get_mut(hold.resource.index()) {
            totals.hold(view, &hold);
        }
    }
    gained.sort_unstable();
    for thread in view.threads() {
        let intervals = view.thread_states(thread.id);
        for (interval, next) in intervals.with_next(0) {
            if let ThreadState::Waiting {
                wait_reason: WaitReason::Mutex,
                resource: Some(resource),
            } = interval.state
                && let Some(totals) = all_totals.get_mut(resource.index())
            {
                let got = |event| gained.binary_search(&(thread.id, event, resource)).is_ok();
                totals.wait(view, thread.id, &interval, next.as_ref(), got);
            }
        }
    }
    for inversion in &view.schedule.inversions {
        if view.contains(inversion.start)
            && view.includes_thread(inversion.blocked)
            && let Some(totals) = all_totals.get_mut(inversion.resource.index())
        {
            totals.inversions.total += 1;
            totals.inversions.unbounded += u64::from(inversion.unbounded() == Some(true));
        }
    }
    let shows_inversions = view.shows_inversions();
    let rows = all_totals
        .into_iter()
        .zip(0..)
        .filter_map(|(totals, number)| {
            let is_used = totals.is_used;
            let inversions = shows_inversions.then_some(totals.inversions);
            is_used.then(|| totals.row(view, ResourceId(number), inversions))?
        });
    rows.collect()
}

/// Totals of a mutex.
#[derive(Debug, Default)]
struct LockTotals {
    is_used: bool,
    acquisitions: u64,
    contended: u64,
    hold: Samples,
    wait: Samples,
    given_up: u64,
    max_hold: Option<MutexHold>,
    /// The starts and ends of waits, in any order.
    steps: Vec<WaiterChange>,
    owner: Option<ContextId>,
    inversions: InversionCounts,
}

/// The start or end of a wait. Ends sort first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WaiterChange {
    time: Ticks,
    event: EventIndex,
    begins: bool,
}

impl LockTotals {
    fn hold(&mut self, view: &View<'_>, hold: &MutexHold) {
        let window = view.window();
        if hold.start.0 > window.end {
            return;
        }
        let lasts = hold.end.0 > window.end || lasts_to_end(view, hold);
        self.owner = lasts.then_some(hold.owner);
        if hold.end.0 < window.start {
            return;
        }
        self.is_used = true;
        if hold.start_known && view.contains(hold.start) {
            self.acquisitions += 1;
            self.contended += u64::from(hold.contended);
        }
        if hold.is_complete() && view.contains(hold.end) {
            let ticks = hold_ticks(hold);
            let interval = [hold.start, hold.end];
            self.hold
                .add_interval(interval, hold.last, Some(hold.owner));
            if self
                .max_hold
                .is_none_or(|longest| hold_ticks(&longest) < ticks)
            {
                self.max_hold = Some(*hold);
            }
        }
    }

    /// A thread waits until its next state interval, if any; `got` is whether
    /// an event gave it the mutex.
    fn wait(
        &mut self,
        view: &View<'_>,
        thread: ContextId,
        interval: &ThreadStateInterval,
        next: Option<&ThreadStateInterval>,
        got: impl Fn(EventIndex) -> bool,
    ) {
        let window = view.window();
        let ends_before = next.is_some_and(|next| next.start.0 < window.start);
        if interval.start.0 > window.end || ends_before {
            return;
        }
        self.is_used = true;
        self.steps.push(WaiterChange {
            time: interval.start.max(Ticks(window.start)),
            event: interval.event,
            begins: true,
        });
        let Some(next) = next.filter(|next| view.contains(next.start)) else {
            return;
        };
        self.steps.push(WaiterChange {
            time: next.start,
            event: next.event,
            begins: false,
        });
        if !next.start_known || next.state == ThreadState::Running {
            // No record shows when it was resumed.
            return;
        }
        self.given_up += u64::from(!got(next.event));
        if interval.start_known {
            let waited = [interval.start, next.start];
            self.wait.add_interval(waited, next.event, Some(thread));
        }
    }

    fn row(
        self,
        view: &View<'_>,
        id: ResourceId,
        inversions: Option<InversionCounts>,
    ) -> Option<LockRow> {
        let resource = view.schedule.resources.get(id.index())?;
        let clock = &view.trace.clock;
        Some(LockRow {
            object: view.resource_name(id),
            object_address: Hex(resource.address),
            acquisitions: self.acquisitions,
            contended: self.contended,
            contended_percent: percent_of(self.contended as f64, self.acquisitions as f64),
            hold: self.hold.distribution(clock),
            wait: self.wait.distribution(clock),
            given_up: self.given_up,
            max_hold: self.max_hold.map(|hold| MaxHold::of(view, &hold)),
            max_waiting: max_concurrent(self.steps),
            owner_at_end: self.owner.map(|owner| view.trace.context_name(owner)),
            inversions,
        })
    }
}

impl MaxHold {
    fn of(view: &View<'_>, hold: &MutexHold) -> Self {
        let owner = view.trace.contexts.get(hold.owner);
        Self {
            thread: view.trace.context_name(hold.owner),
            address: owner.map(|owner| Hex(owner.address)),
            duration: hold_ticks(hold),
            first_event: hold.first.0,
            event: hold.last.0,
        }
    }
}

fn hold_ticks(hold: &MutexHold) -> u64 {
    hold.end.0.saturating_sub(hold.start.0)
}

/// Whether the thread still holds the mutex at the end of the trace.
fn lasts_to_end(view: &View<'_>, hold: &MutexHold) -> bool {
    let at_end = hold.last.index() + 1 == view.trace.events.len();
    hold.ending == LockEnding::Lost && at_end
}

/// The maximum number of waits in progress.
fn max_concurrent(mut steps: Vec<WaiterChange>) -> u64 {
    steps.sort_unstable();
    let [mut now, mut most] = [0_i64; 2];
    for step in steps {
        now += if step.begins { 1 } else { -1 };
        most = most.max(now);
    }
    most.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{FIRST_THREAD, Fixture, waiting, window};
    use crate::report::Scope;
    use rtoscope_trace::{Address, ObjectClass, Resource, SwitchModel};
    use std::collections::BTreeSet;

    const SECOND: ContextId = ContextId(FIRST_THREAD.0 + 1);
    const THIRD: ContextId = ContextId(FIRST_THREAD.0 + 2);

    fn hold(
        owner: ContextId,
        start: u64,
        end: u64,
        ending: LockEnding,
        contended: bool,
    ) -> MutexHold {
        MutexHold {
            resource: ResourceId(0),
            owner,
            start: Ticks(start),
            end: Ticks(end),
            first: EventIndex(start as u32),
            last: EventIndex(end as u32),
            start_known: true,
            ending,
            contended,
        }
    }

    /// The first thread holds the mutex from 2 to 10; the second waits from 4
    /// and gets it, until the end; the third waits from 6 and gives up at 12.
    fn fixture() -> Fixture {
        let wait = waiting(WaitReason::Mutex, Some(0));
        let mut fixture = Fixture::empty(20, 3)
            .with_thread(
                SECOND,
                &[
                    (0, ThreadState::Running, false),
                    (4, wait, true),
                    (10, ThreadState::Ready, true),
                ],
            )
            .with_thread(
                THIRD,
                &[
                    (0, ThreadState::Running, false),
                    (6, wait, true),
                    (12, ThreadState::Ready, true),
                ],
            );
        fixture.schedule.mutex_holds.extend([
            hold(FIRST_THREAD, 2, 10, LockEnding::Done, false),
            hold(SECOND, 10, 20, LockEnding::Lost, true),
        ]);
        fixture
            .schedule
            .resources
            .push(Resource::new(ObjectClass::Mutex, Address(0x50)));
        fixture
    }

    #[test]
    fn waits_end_with_or_without_the_mutex() {
        let fixture = fixture();
        let rows = locks(&fixture.view(&Scope::default()));
        let [row] = &rows[..] else { panic!() };
        assert_eq!(
            (row.object.as_str(), row.acquisitions, row.contended),
            ("0x50", 2, 1)
        );
        assert_eq!(row.contended_percent, Some(50.0));
        let hold = row.hold.as_ref().unwrap();
        assert_eq!((hold.count, hold.max, hold.event), (1, 8, 10));
        let wait = row.wait.as_ref().unwrap();
        assert_eq!((wait.count, wait.min, wait.max, wait.event), (2, 6, 6, 10));
        assert_eq!((row.given_up, row.max_waiting), (1, 2));
        let longest = row.max_hold.as_ref().unwrap();
        assert_eq!((longest.thread.as_str(), longest.first_event), ("0x100", 2));
        assert_eq!((longest.duration, longest.event), (8, 10));
        assert_eq!(row.owner_at_end.as_deref(), Some("0x101"));
    }

    #[test]
    fn inversions_are_unknown_without_priorities() {
        let mut fixture = fixture();
        let inversions = |fixture: &Fixture| {
            let scope = Scope::default();
            let view = fixture.view(&scope);
            let rows = locks(&view);
            let [row] = &rows[..] else { panic!() };
            let applies = ReportKind::Inversions.applies_to(&view);
            assert_eq!(applies, row.inversions.is_some());
            row.inversions.map(|it| it.total)
        };
        assert_eq!(inversions(&fixture), Some(0));
        fixture.trace.switch_model = SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: false,
            records_states: true,
        };
        assert_eq!(inversions(&fixture), None);
    }

    #[test]
    fn the_scope_limits_window_and_threads() {
        let fixture = fixture();
        let in_window = |from, to| locks(&fixture.view(&window(from, to))).pop();
        let row = in_window(5, 9).unwrap();
        assert_eq!((row.acquisitions, row.max_waiting), (0, 2));
        assert_eq!((row.hold, row.wait, row.given_up), (None, None, 0));
        assert_eq!(row.owner_at_end.as_deref(), Some("0x100"));
        assert_eq!(in_window(11, 12).unwrap().max_waiting, 1);
        assert_eq!(in_window(0, 1), None);
        let scope = Scope {
            threads: Some(BTreeSet::from([THIRD])),
            ..Scope::default()
        };
        let row = locks(&fixture.view(&scope)).pop().unwrap();
        assert_eq!((row.acquisitions, row.contended_percent), (0, None));
        assert_eq!(
            (row.wait.as_ref().unwrap().count, row.owner_at_end),
            (1, None)
        );
    }
}

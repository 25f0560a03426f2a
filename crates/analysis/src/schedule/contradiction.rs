//! Self-checks: states that no kernel allows, because records are missing or
//! mean something else. No report is based on them: they become unknown.

use super::lock::LockEnding;
use super::{CoreSlices, MutexHold, Running, ThreadState, ThreadStateInterval};
use crate::PackedVec;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, Contexts, Diagnostic, DiagnosticKind, EventIndex, Ticks, Trace};

/// The kind of contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContradictionKind {
    /// A thread is ready while the only core is idle.
    ReadyWhileIdle,
    /// A thread that has ended owns a mutex.
    EndedOwner,
    /// A call names another owner or count of a mutex than the earlier calls imply. The
    /// call is right.
    MutexOwner,
}

/// An impossible state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// Its kind.
    pub kind: ContradictionKind,
    /// The thread; the recorded owner of the mutex.
    pub thread: ContextId,
    /// Number of occurrences.
    pub count: u64,
    /// The event at which it first began.
    pub event: EventIndex,
    /// Total duration in ticks.
    pub ticks: Ticks,
}

impl Contradiction {
    /// The diagnostic in `rtoscope report health`.
    pub fn diagnostic(&self, trace: &Trace) -> Diagnostic {
        let name = trace.context_name(self.thread);
        let times = pluralise(self.count, "time", "times");
        let ticks = self.ticks.0;
        let message = match self.kind {
            ContradictionKind::ReadyWhileIdle => format!(
                "{name} seems to be ready while the only core is idle ({times}, {ticks} ticks): \
                 its state is unknown there"
            ),
            ContradictionKind::EndedOwner => format!(
                "{name} has ended and seems to own a mutex ({times}): the end of the hold is unknown"
            ),
            ContradictionKind::MutexOwner => format!(
                "a call names another owner or count of a mutex than the earlier calls imply \
                 ({times}): records are missing; the owner and the count are those of the call"
            ),
        };
        let kind = DiagnosticKind::ImpossibleState;
        Diagnostic::new(kind, message)
            .at_event(self.event)
            .with_count(self.count)
    }
}

/// Finds impossible states and makes them unknown, thread by thread.
pub(super) fn resolve_contradictions(
    cores: &[CoreSlices],
    threads: &mut [PackedVec<ThreadStateInterval>],
    holds: &mut PackedVec<MutexHold>,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    if let [core] = cores {
        let idle = IdleTimes::of(core);
        let tasks = threads.iter_mut().zip((0..).map(ContextId)).collect();
        let of_threads = rtoscope_trace::parallel::map(tasks, |(intervals, thread)| {
            ready_while_idle(intervals, thread, &idle)
        });
        found.extend(of_threads.into_iter().flatten());
    }
    found.extend(ended_owners(threads, holds));
    found
}

/// The times in which a core is idle, oldest first; none is empty.
struct IdleTimes {
    starts: Vec<u64>,
    ends: Vec<u64>,
    /// The end of the core's slices.
    core_end: u64,
}

impl IdleTimes {
    fn of(core: &CoreSlices) -> Self {
        let mut idle = Self {
            starts: Vec::new(),
            ends: Vec::new(),
            core_end: core.end.0,
        };
        for (slice, end) in core.iter() {
            if slice.running == Running::context(Contexts::IDLE) && slice.start < end {
                idle.starts.push(slice.start.0);
                idle.ends.push(end.0);
            }
        }
        idle
    }
}

fn ready_while_idle(
    intervals: &mut PackedVec<ThreadStateInterval>,
    thread: ContextId,
    idle: &IdleTimes,
) -> Option<Contradiction> {
    let mut later_ends = idle.ends.as_slice();
    let mut found: Option<Contradiction> = None;
    let mut impossible = Vec::new();
    for (at, (interval, next)) in intervals.with_next(0).enumerate() {
        if interval.state != ThreadState::Ready {
            continue;
        }
        let end = next.map_or(idle.core_end, |next| next.start.0);
        let start = interval.start.0;
        later_ends = skip_while(later_ends, |idle_end| *idle_end <= start);
        let next_idle = idle.ends.len() - later_ends.len();
        let Some(idle_start) = idle.starts.get(next_idle) else {
            break;
        };
        if start >= end || *idle_start >= end {
            continue;
        }
        impossible.push(at);
        let one = found.get_or_insert(Contradiction {
            kind: ContradictionKind::ReadyWhileIdle,
            thread,
            count: 0,
            event: interval.event,
            ticks: Ticks(0),
        });
        one.count += 1;
        one.ticks.0 = one.ticks.0.saturating_add(end.saturating_sub(start));
    }
    intervals.update_all(&impossible, |interval| {
        interval.state = ThreadState::Unknown;
        interval.start_known = false;
    });
    found
}

/// Skips the leading elements of a sorted slice that fit, by galloping search:
/// the next other element is rarely far.
fn skip_while(all: &[u64], fits: impl Fn(&u64) -> bool) -> &[u64] {
    let mut step = 1;
    while all.get(step - 1).is_some_and(&fits) {
        step = step.saturating_mul(2);
    }
    let within = all.get(..step).unwrap_or(all);
    all.get(within.partition_point(fits)..).unwrap_or_default()
}

fn ended_owners(
    threads: &[PackedVec<ThreadStateInterval>],
    holds: &mut PackedVec<MutexHold>,
) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    let lost = holds.iter().enumerate();
    let lost = lost.filter(|(_, it)| it.ending == LockEnding::Lost);
    for (at, hold) in lost.collect::<Vec<_>>() {
        let last = threads.get(hold.owner.index()).and_then(|intervals| {
            let until = intervals.partition_point(|interval| interval.event <= hold.last);
            intervals.get(until.checked_sub(1)?)
        });
        let ended = last.filter(|last| {
            last.state.has_ended() && last.event < hold.last && hold.first <= last.event
        });
        let Some(ended) = ended else { continue };
        let ticks = hold.end.0.saturating_sub(ended.start.0);
        holds.update(at, |hold| {
            (hold.end, hold.last) = (ended.start, ended.event);
        });
        let known = found.iter().position(|one| one.thread == hold.owner);
        if known.is_none() && found.len() == MAX_OWNERS {
            continue;
        }
        let known = known.unwrap_or_else(|| {
            found.push(Contradiction {
                kind: ContradictionKind::EndedOwner,
                thread: hold.owner,
                count: 0,
                event: ended.event,
                ticks: Ticks(0),
            });
            found.len() - 1
        });
        if let Some(one) = found.get_mut(known) {
            one.count += 1;
            one.ticks.0 = one.ticks.0.saturating_add(ticks);
        }
    }
    found
}

/// Maximum number of owners with their own diagnostic, so that the cost of a
/// hold does not grow with the number of threads.
const MAX_OWNERS: usize = 64;

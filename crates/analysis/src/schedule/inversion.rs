//! Priority inversions.

use super::lock::MutexTracker;
use super::thread::ThreadTracker;
use super::{LockEnding, ThreadState};
use crate::event_time::EventTime;
use rtoscope_trace::{ContextId, Contexts, EventIndex, ResourceId, Ticks, WaitReason};

/// A thread that prolongs an inversion: it is neither the owner nor in the
/// chain of owners, has a lower priority than the blocked thread, and runs
/// while no thread of the chain does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Culprit {
    /// The thread.
    pub thread: ContextId,
    /// The event at which it first did so; `None` if that was before the known
    /// part of the trace.
    pub event: Option<EventIndex>,
}

/// A thread is blocked on a mutex whose owner had a lower priority at that
/// time, until the thread continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inversion {
    /// The mutex.
    pub resource: ResourceId,
    /// The blocked thread.
    pub blocked: ContextId,
    /// Its effective priority at the call (0 is the highest).
    pub blocked_priority: u16,
    /// The owners during the wait: first the one at the start, then those that
    /// the mutex was handed over to.
    pub owners: Vec<ContextId>,
    /// The first owner's effective priority at the call.
    pub owner_priority: u16,
    /// The thread that the first owner waited for, and so on.
    pub chain: Vec<ContextId>,
    /// The call. `None` if it was before the start of the trace or the end of a
    /// gap.
    pub get: Option<EventIndex>,
    /// The suspension. `None` as above.
    pub first: Option<EventIndex>,
    /// The resumption. `None` if it was not recorded.
    pub last: Option<EventIndex>,
    /// The time of the suspension, or the first known time.
    pub start: Ticks,
    /// The time of the resumption, or the last known time.
    pub end: Ticks,
    /// How it ended.
    pub ending: LockEnding,
    /// The threads that prolonged it; if there are any, it is unbounded.
    pub culprits: Vec<Culprit>,
    /// Whether culprits were not tracked, because too many threads were blocked
    /// at once.
    pub unwatched: bool,
}

impl Inversion {
    /// Whether a thread that has nothing to do with the mutex prolonged it.
    /// `None` if unknown.
    pub fn unbounded(&self) -> Option<bool> {
        let found = !self.culprits.is_empty();
        (found || !self.unwatched).then_some(found)
    }
}

/// A wait for a mutex that began before the known part of the trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnseenWait {
    pub(super) resource: ResourceId,
    pub(super) blocked: ContextId,
    /// The thread that has just released the mutex.
    pub(super) owner: ContextId,
    /// The start of the known part of the trace.
    pub(super) since: u64,
}

/// Maximum number of inversions that are watched at the same time; more would
/// let the cost of an event grow with the number of threads.
const MAX_WATCHED: usize = 64;
/// Maximum number of threads to search for the culprits of an inversion that is
/// only known when it ends.
const MAX_SEARCHED_THREADS: usize = 1024;
/// Maximum number of culprits in the list of an inversion.
const MAX_CULPRITS: usize = 16;
/// Maximum number of owners, and of links of a chain of owners, in the lists of
/// an inversion.
const MAX_CHAIN_LEN: usize = 16;

/// Tracks inversions.
#[derive(Debug, Clone, Default)]
pub(super) struct InversionTracker {
    pub(super) all: Vec<Inversion>,
    /// The open ones.
    open: Vec<usize>,
}

impl InversionTracker {
    /// `blocked` is suspended on a mutex.
    pub(super) fn begin(
        &mut self,
        blocked: ContextId,
        threads: &mut [ThreadTracker],
        locks: &MutexTracker,
        now: EventTime,
    ) {
        let Some(thread) = threads.get_mut(blocked.index()) else {
            return;
        };
        let Some(impending) = thread.impending_inversion.take() else {
            return;
        };
        let index = self.all.len();
        thread.inversion = Some(index);
        let blocked_priority = thread.priority.unwrap_or_default();
        self.all.push(Inversion {
            resource: impending.resource,
            blocked,
            blocked_priority,
            owners: vec![impending.owner],
            owner_priority: impending.owner_priority,
            chain: chain(impending.owner, threads, locks).collect(),
            get: Some(impending.event),
            first: Some(now.event),
            last: None,
            start: Ticks(now.time),
            end: Ticks(now.time),
            ending: LockEnding::Lost,
            culprits: Vec::new(),
            unwatched: self.open.len() >= MAX_WATCHED,
        });
        if self.open.len() < MAX_WATCHED {
            self.open.push(index);
        }
        if impending.inherits
            && let Some(owner) = threads.get_mut(impending.owner.index())
        {
            owner.priority = Some(blocked_priority);
        }
    }

    /// Whether any inversion needs the running contexts.
    #[inline]
    pub(super) fn is_watching(&self) -> bool {
        !self.open.is_empty()
    }

    /// The cores have run these contexts since `event`.
    pub(super) fn record_running(
        &mut self,
        cores: &(impl Iterator<Item = ContextId> + Clone),
        threads: &[ThreadTracker],
        locks: &MutexTracker,
        event: EventIndex,
    ) {
        for index in &self.open {
            let Some(inversion) = self.all.get_mut(*index) else {
                continue;
            };
            let owner = locks.owner(inversion.resource);
            let owner = owner.or(inversion.owners.last().copied());
            let in_chain = |context: ContextId| {
                owner.is_some_and(|owner| {
                    owner == context || chain(owner, threads, locks).any(|link| link == context)
                })
            };
            if cores.clone().any(in_chain) {
                continue;
            }
            let priority_of = |context: ContextId| threads.get(context.index())?.priority;
            // A call may have changed it since.
            let blocked_priority = priority_of(inversion.blocked);
            let blocked_priority = blocked_priority.unwrap_or(inversion.blocked_priority);
            for context in cores.clone() {
                let priority = priority_of(context);
                let known = |culprit: &Culprit| culprit.thread == context;
                if context > Contexts::IDLE
                    && priority.is_some_and(|priority| priority > blocked_priority)
                    && inversion.culprits.len() < MAX_CULPRITS
                    && !inversion.culprits.iter().any(known)
                {
                    inversion.culprits.push(Culprit {
                        thread: context,
                        event: Some(event),
                    });
                }
            }
        }
    }

    /// A mutex is handed over to another thread while others wait for it.
    pub(super) fn hand_over(&mut self, resource: ResourceId, owner: ContextId) {
        for index in &self.open {
            if let Some(inversion) = self.all.get_mut(*index)
                && inversion.resource == resource
                && inversion.blocked != owner
                && inversion.owners.len() < MAX_CHAIN_LEN
                && inversion.owners.last() != Some(&owner)
            {
                inversion.owners.push(owner);
            }
        }
    }

    /// A thread that waited for a mutex continues, or its state becomes
    /// unknown.
    pub(super) fn end(&mut self, thread: &mut ThreadTracker, ending: LockEnding, now: EventTime) {
        let Some(index) = thread.inversion.take() else {
            return;
        };
        self.open.retain(|open| *open != index);
        if let Some(inversion) = self.all.get_mut(index) {
            inversion.end = Ticks(now.time);
            inversion.last = (ending != LockEnding::Lost).then_some(now.event);
            inversion.ending = ending;
        }
    }

    /// A thread continues that has waited since before the known part of the
    /// trace: the owner of the mutex shows whether that was an inversion.
    pub(super) fn begin_unseen(
        &mut self,
        wait: UnseenWait,
        threads: &[ThreadTracker],
        ran: &[ContextId],
        now: EventTime,
    ) {
        let UnseenWait {
            resource,
            blocked,
            owner,
            since,
        } = wait;
        let priority = |thread: ContextId| threads.get(thread.index())?.priority;
        let (Some(blocked_priority), Some(owner_priority)) = (priority(blocked), priority(owner))
        else {
            return;
        };
        if owner_priority <= blocked_priority {
            return;
        }
        let is_culprit = |id: &ContextId| {
            let lower = priority(*id).is_some_and(|own| own > blocked_priority);
            lower && *id != owner
        };
        let culprits = ran
            .iter()
            .take(MAX_SEARCHED_THREADS)
            .copied()
            .filter(is_culprit);
        let culprits = culprits.map(|thread| Culprit {
            thread,
            event: None,
        });
        self.all.push(Inversion {
            resource,
            blocked,
            blocked_priority,
            owners: vec![owner],
            owner_priority,
            chain: Vec::new(),
            get: None,
            first: None,
            last: Some(now.event),
            start: Ticks(since),
            end: Ticks(now.time),
            ending: LockEnding::Done,
            culprits: culprits.take(MAX_CULPRITS).collect(),
            unwatched: ran.len() > MAX_SEARCHED_THREADS,
        });
    }
}

/// The threads that a thread waits for, each for a mutex that the next owns.
fn chain<'a>(
    owner: ContextId,
    threads: &'a [ThreadTracker],
    locks: &'a MutexTracker,
) -> impl Iterator<Item = ContextId> + 'a {
    let next = move |thread: &ContextId| {
        let thread = threads.get(thread.index())?;
        match thread.state() {
            ThreadState::Waiting {
                wait_reason: WaitReason::Mutex,
                resource: Some(resource),
            } => locks.owner(resource),
            _ => None,
        }
    };
    std::iter::successors(Some(owner), next)
        .skip(1)
        .take(MAX_CHAIN_LEN)
}

//! Waits for mutexes of owners with lower priority.

use super::core::CoreTracker;
use super::threads::ThreadTracker;
use super::{Address, InversionTruth};

/// An inversion in progress. Threads are numbered across all cores.
#[derive(Debug)]
struct OpenInversion {
    blocked: u16,
    /// The current owner of the mutex.
    owner: u16,
    truth: InversionTruth,
}

/// A wait for a mutex that is about to begin.
#[derive(Debug)]
struct Contention {
    thread: u16,
    mutex: u64,
    owner: u16,
    get_event: Option<u64>,
}

/// The inversions so far.
#[derive(Debug, Default)]
pub(super) struct InversionTracker {
    contentions: Vec<Contention>,
    open: Vec<OpenInversion>,
    /// Inversions that have ended.
    closed: Vec<InversionTruth>,
}

impl InversionTracker {
    /// A `MUTEX_GET` finds the mutex owned by another thread and will wait. The
    /// owner has not inherited the thread's priority yet.
    pub(super) fn contend(
        &mut self,
        (thread, mutex, owner): (u16, u64, u16),
        threads: &[ThreadTracker],
        get_event: Option<u64>,
    ) {
        let priority = |number: u16| threads.get(usize::from(number)).map(|it| it.priority);
        if priority(owner) > priority(thread) {
            self.contentions.push(Contention {
                thread,
                mutex,
                owner,
                get_event,
            });
        }
    }

    /// A thread is suspended, possibly on a mutex.
    pub(super) fn suspend(
        &mut self,
        thread: u16,
        threads: &[ThreadTracker],
        event: Option<u64>,
        now: u64,
    ) {
        let mut contentions = self.contentions.iter();
        let Some(index) = contentions.position(|it| it.thread == thread) else {
            return;
        };
        let contention = self.contentions.swap_remove(index);
        let address = |number: u16| {
            let thread = threads.get(usize::from(number));
            thread.map_or(Address(0), |thread| thread.truth.address)
        };
        self.open.push(OpenInversion {
            blocked: thread,
            owner: contention.owner,
            truth: InversionTruth {
                mutex: Address(contention.mutex),
                mutex_name: String::new(),
                blocked: address(thread),
                owner: address(contention.owner),
                get_event: contention.get_event,
                start_event: event,
                end_event: None,
                start_ticks: now,
                end_ticks: now,
                unbounded: false,
                unbounded_on_any_core: false,
            },
        });
    }

    /// A mutex is handed to a thread that waited for it.
    pub(super) fn hand_over(&mut self, mutex: u64, owner: u16) {
        for inversion in &mut self.open {
            if inversion.truth.mutex == Address(mutex) {
                inversion.owner = owner;
            }
        }
    }

    /// A thread becomes ready. An inversion that ended before the oldest event
    /// is dropped.
    pub(super) fn resume(&mut self, thread: u16, event: Option<u64>, now: u64) {
        let over = self.open.extract_if(.., |it| it.blocked == thread);
        for OpenInversion { mut truth, .. } in over {
            truth.end_event = event;
            truth.end_ticks = now;
            if event.is_some() {
                self.closed.push(truth);
            }
        }
    }

    /// Accounts for the time in which the cores ran their contexts.
    pub(super) fn pass_time(&mut self, cores: &[CoreTracker], threads: &[ThreadTracker]) {
        for inversion in &mut self.open {
            let Some(blocked) = threads.get(usize::from(inversion.blocked)) else {
                continue;
            };
            let owner = Some(inversion.owner);
            let mut executing = cores.iter().map(CoreTracker::running_thread);
            let owner_executes = executing.any(|thread| thread == owner);
            for (number, core) in cores.iter().enumerate() {
                let Some(executing) = core.running_thread() else {
                    continue;
                };
                let is_lower = threads
                    .get(usize::from(executing))
                    .is_some_and(|thread| thread.priority > blocked.priority);
                if is_lower && Some(executing) != owner {
                    inversion.truth.unbounded_on_any_core |= !owner_executes;
                    inversion.truth.unbounded |= number == usize::from(blocked.core);
                }
            }
        }
    }

    /// Ends the buffer: all inversions, by their start. `name` returns the name
    /// of a mutex.
    pub(super) fn finish(
        mut self,
        now: u64,
        name: impl Fn(Address) -> String,
    ) -> Vec<InversionTruth> {
        for OpenInversion { mut truth, .. } in self.open {
            truth.end_ticks = now;
            self.closed.push(truth);
        }
        for truth in &mut self.closed {
            truth.mutex_name = name(truth.mutex);
        }
        self.closed.sort_by_key(|it| (it.start_event, it.blocked));
        self.closed
    }
}

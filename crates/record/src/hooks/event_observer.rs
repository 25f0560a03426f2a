use super::KernelObserver;
use crate::port::{Clock, Mask};
use crate::threadx::{Thread, ThreadState, ThreadXRecorder, WordWidth};
use core::cell::UnsafeCell;

/// The user event that records a marker; its first field is the marker's number.
pub const MARKER: u32 = 4096;

/// As [`MARKER`], for the start of a marked section.
pub const MARKER_BEGIN: u32 = 4097;

/// As [`MARKER`], for the end of a marked section.
pub const MARKER_END: u32 = 4098;

/// Records the calls of a kernel's hooks as a ThreadX event trace.
///
/// Tasks become threads of the registry, identified by the kernel's task numbers, without
/// stacks. All have priority 0, because kernels disagree on which end is urgent. A task
/// that starts running is recorded as RUNNING. A task that stops running is suspended,
/// and resumed immediately if it was made ready in the meantime. Interrupts have number
/// 0, because the hooks do not identify them.
pub struct EventObserver<'a, M, C, W, N> {
    trace: &'a ThreadXRecorder<M, C, W>,
    mask: N,
    state: UnsafeCell<ObserverState>,
}

/// Maximum depth of executors that interrupt one another.
const MAX_NESTED_EXECUTORS: usize = 8;

struct ObserverState {
    /// Number of executors that have started and not ended.
    depth: usize,
    /// The running task of each executor.
    running: [Option<RunningTask>; MAX_NESTED_EXECUTORS],
    /// Whether an executor's poll has not run a task yet.
    poll_pending: [bool; MAX_NESTED_EXECUTORS],
}

#[derive(Clone, Copy)]
struct RunningTask {
    task: u32,
    pending_state: PendingState,
}

/// The state that the hooks reported for a running task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PendingState {
    Unchanged,
    Ready,
    Blocked,
}

// SAFETY: the state is accessed only while the mask is held, and the recorder may be
// shared.
unsafe impl<M, C, W, N: Mask + Sync> Sync for EventObserver<'_, M, C, W, N> where
    ThreadXRecorder<M, C, W>: Sync
{
}

impl<'a, M, C, W, N> EventObserver<'a, M, C, W, N> {
    /// Creates an observer that records into `trace`. `mask` protects the observer's own
    /// state.
    pub const fn new(trace: &'a ThreadXRecorder<M, C, W>, mask: N) -> Self {
        Self {
            trace,
            mask,
            state: UnsafeCell::new(ObserverState {
                depth: 0,
                running: [None; MAX_NESTED_EXECUTORS],
                poll_pending: [false; MAX_NESTED_EXECUTORS],
            }),
        }
    }
}

impl<M, C, W, N: Mask> EventObserver<'_, M, C, W, N> {
    fn with_state<T>(&self, update: impl FnOnce(&mut ObserverState) -> T) -> T {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `update` does not call
        // the observer.
        let result = update(unsafe { &mut *self.state.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }

    /// Sets the running task and returns the previous one.
    fn replace_running(&self, task: Option<u32>) -> Option<RunningTask> {
        let pending_state = PendingState::Unchanged;
        let now = task.map(|task| RunningTask {
            task,
            pending_state,
        });
        self.with_state(|state| {
            let depth = state.depth.saturating_sub(1);
            if let Some(polls) = state.poll_pending.get_mut(depth) {
                *polls = false;
            }
            core::mem::replace(state.running.get_mut(depth)?, now)
        })
    }

    /// Defers the reported state of a task until the task stops running. Returns `false`
    /// if the task is neither running nor interrupted by another executor.
    fn defer_state(&self, task: u32, pending_state: PendingState) -> bool {
        self.with_state(|state| {
            let mut running = state.running.iter_mut().flatten();
            match running.find(|running| running.task == task) {
                Some(running) => {
                    running.pending_state = pending_state;
                    true
                }
                None => false,
            }
        })
    }
}

impl<M: Mask, C: Clock, W: WordWidth, N: Mask> EventObserver<'_, M, C, W, N> {
    fn suspend(&self, task: u32, state: ThreadState) {
        // The next thread is recorded when it runs.
        let next = self.trace.suspend(task as usize, state);
        self.trace.complete_field(next, W::from(0));
    }

    fn resume(&self, task: u32) {
        // The field remains 0: the next thread is unknown.
        let _ = self.trace.resume(task as usize, ThreadState::SUSPENDED);
    }

    fn write_marker(&self, event: u32, number: u32) {
        let none = W::from(0);
        let info = [W::from(number), none, none, none];
        self.trace.user_event(event, info);
    }
}

/// Executors report no priorities that a ThreadX trace could use.
fn thread(task: u32) -> Thread {
    Thread::new(task as usize, 0)
}

impl<M: Mask, C: Clock, W: WordWidth, N: Mask> KernelObserver for EventObserver<'_, M, C, W, N> {
    fn task_new(&self, task: u32, name: Option<&'static str>) {
        if let Some(name) = name {
            let text = name.split('\0').next().unwrap_or_default();
            self.trace.register_thread(thread(task), text, 0, 0);
        }
    }

    fn task_terminated(&self, task: u32) {
        self.suspend(task, ThreadState::COMPLETED);
    }

    fn task_ready(&self, task: u32) {
        if !self.defer_state(task, PendingState::Ready) {
            self.resume(task);
        }
    }

    fn task_blocked(&self, task: u32) {
        if !self.defer_state(task, PendingState::Blocked) {
            self.suspend(task, ThreadState::SUSPENDED);
        }
    }

    fn task_exec_begin(&self, task: u32) {
        match self.replace_running(Some(task)) {
            Some(before)
                if before.pending_state == PendingState::Blocked && before.task != task =>
            {
                self.suspend(before.task, ThreadState::SUSPENDED);
            }
            _ => {}
        }
        self.trace.dispatch(thread(task));
    }

    fn task_exec_end(&self) {
        if let Some(RunningTask {
            task,
            pending_state,
        }) = self.replace_running(None)
        {
            self.suspend(task, ThreadState::SUSPENDED);
            self.trace.enter_idle();
            if pending_state == PendingState::Ready {
                self.resume(task);
            }
        }
    }

    fn poll_begin(&self, _executor: u32) {
        self.with_state(|state| {
            let begun = state.depth;
            state.depth = begun.saturating_add(1);
            if let Some(running) = state.running.get_mut(begun) {
                *running = None;
            }
            if let Some(polls) = state.poll_pending.get_mut(begun) {
                *polls = true;
            }
        });
    }

    fn poll_end(&self, _executor: u32) {
        let (was_empty, interrupted) = self.with_state(|state| {
            let ended = state.depth.saturating_sub(1);
            state.depth = ended;
            let was_empty = state.poll_pending.get(ended).copied().unwrap_or(false);
            let below = ended
                .checked_sub(1)
                .and_then(|below| state.running.get(below));
            (was_empty, below.copied().flatten())
        });
        match interrupted {
            // In the trace, this task is still running.
            Some(_) if was_empty => {}
            Some(RunningTask { task, .. }) => self.trace.dispatch(thread(task)),
            None => self.trace.enter_idle(),
        }
    }

    fn system_idle(&self) {
        self.trace.enter_idle();
    }

    fn isr_enter(&self) {
        self.trace.isr_enter(0);
    }

    fn isr_exit(&self) {
        self.trace.isr_exit(0);
    }

    fn marker(&self, number: u32) {
        self.write_marker(MARKER, number);
    }

    fn marker_begin(&self, number: u32) {
        self.write_marker(MARKER_BEGIN, number);
    }

    fn marker_end(&self, number: u32) {
        self.write_marker(MARKER_END, number);
    }
}

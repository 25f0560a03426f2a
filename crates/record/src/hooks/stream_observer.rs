use super::KernelObserver;
use crate::port::{self, Clock, Mask};
use crate::stream::{CompactStream, ThreadState};
use core::cell::UnsafeCell;

/// Writes the calls of a kernel's hooks to a compact stream.
///
/// | reported | recorded |
/// |---|---|
/// | a task is ready | ready, unless it runs |
/// | a task starts running | resume |
/// | it returns to the kernel | wait, unless it was made ready while it ran |
/// | an executor has run tasks, and the interrupted executor continues | resume with the interrupted task, if there is one |
/// | no executor runs, and no task is ready | idle |
/// | interrupts | begin and end of a handler: its exception number on Arm Cortex-M, else 0 |
/// | markers | markers with the value 0 |
///
/// The kernel's numbers identify tasks. A poll that runs no task leaves no entry, and an
/// idle core remains idle. What the executor does between two tasks counts for the task
/// before. A task that has ended waits as completed.
pub struct StreamObserver<'a, M, C, N, const NAMES: usize = 32> {
    stream: &'a CompactStream<M, C, NAMES>,
    mask: N,
    state: UnsafeCell<ObserverState>,
}

/// Maximum depth of executors that interrupt one another.
const MAX_NESTED_EXECUTORS: usize = 8;

struct ObserverState {
    /// Number of executors that have started and not ended.
    depth: usize,
    executors: [Executor; MAX_NESTED_EXECUTORS],
    /// Number of tasks that are ready and do not run. An executor that ends is polled again if
    /// one of its tasks is ready, and an executor in an interrupt may have woken tasks of
    /// others: the core is not idle then.
    ready: usize,
    is_idle: bool,
}

#[derive(Clone, Copy)]
struct Executor {
    running: Option<RunningTask>,
    /// Whether its poll has run a task.
    has_run: bool,
}

impl Executor {
    const NEW: Self = Self {
        running: None,
        has_run: false,
    };
}

#[derive(Clone, Copy)]
struct RunningTask {
    task: u32,
    /// Whether it was made ready since it runs.
    is_ready: bool,
    /// Whether its wait is recorded.
    is_waiting: bool,
    has_ended: bool,
}

impl ObserverState {
    /// The innermost executor; [`None`] if the nesting is too deep.
    fn innermost(&mut self) -> Option<&mut Executor> {
        self.executors.get_mut(self.depth.saturating_sub(1))
    }

    /// A task that runs, or that another executor has interrupted.
    fn running(&mut self, task: u32) -> Option<&mut RunningTask> {
        let mut running = self
            .executors
            .iter_mut()
            .take(self.depth.max(1))
            .filter_map(|executor| executor.running.as_mut());
        running.find(|running| running.task == task)
    }
}

// SAFETY: the state is accessed only while the mask is held, and the stream may be shared.
unsafe impl<M, C, N: Mask + Sync, const NAMES: usize> Sync for StreamObserver<'_, M, C, N, NAMES> where
    CompactStream<M, C, NAMES>: Sync
{
}

impl<'a, M, C, N, const NAMES: usize> StreamObserver<'a, M, C, N, NAMES> {
    /// Creates an observer that writes to `stream`. `mask` protects the observer's own
    /// state. It is held while the observer writes to the stream, which acquires its own
    /// mask inside.
    pub const fn new(stream: &'a CompactStream<M, C, NAMES>, mask: N) -> Self {
        Self {
            stream,
            mask,
            state: UnsafeCell::new(ObserverState {
                depth: 0,
                executors: [Executor::NEW; MAX_NESTED_EXECUTORS],
                ready: 0,
                is_idle: false,
            }),
        }
    }
}

impl<M: Mask, C: Clock, N: Mask, const NAMES: usize> StreamObserver<'_, M, C, N, NAMES> {
    fn record_idle(&self, state: &mut ObserverState) {
        if !core::mem::replace(&mut state.is_idle, true) {
            self.stream.idle();
        }
    }

    /// Changes the state and records the change without an interrupt in between.
    fn with_state(&self, act: impl FnOnce(&mut ObserverState)) {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `act` calls the stream,
        // but not the observer.
        act(unsafe { &mut *self.state.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
    }
}

impl<M: Mask, C: Clock, N: Mask, const NAMES: usize> KernelObserver
    for StreamObserver<'_, M, C, N, NAMES>
{
    fn task_new(&self, task: u32, name: Option<&'static str>) {
        if let Some(name) = name {
            // Without a free place, the host shows the number.
            let _ = self.stream.name(task, name);
        }
    }

    fn task_terminated(&self, task: u32) {
        self.with_state(|state| {
            if let Some(running) = state.running(task) {
                running.has_ended = true;
            }
        });
    }

    fn task_ready(&self, task: u32) {
        self.with_state(|state| {
            if let Some(running) = state.running(task) {
                running.is_ready = true;
                if !core::mem::replace(&mut running.is_waiting, false) {
                    return;
                }
            } else {
                state.ready = state.ready.saturating_add(1);
            }
            self.stream.ready(task);
        });
    }

    fn task_blocked(&self, task: u32) {
        self.with_state(|state| {
            let is_innermost = state.innermost().map_or(false, |executor| {
                executor
                    .running
                    .map_or(false, |running| running.task == task)
            });
            if let Some(running) = state.running(task) {
                running.is_ready = false;
                // The entry has no thread: the wait of an interrupted task is recorded at its
                // end.
                if is_innermost && !core::mem::replace(&mut running.is_waiting, true) {
                    self.stream.wait(ThreadState::READY);
                }
            }
        });
    }

    fn task_exec_begin(&self, task: u32) {
        self.with_state(|state| {
            state.is_idle = false;
            state.ready = state.ready.saturating_sub(1);
            if let Some(executor) = state.innermost() {
                executor.has_run = true;
                executor.running = Some(RunningTask {
                    task,
                    is_ready: false,
                    is_waiting: false,
                    has_ended: false,
                });
            }
            self.stream.resume(task);
        });
    }

    fn task_exec_end(&self) {
        self.with_state(|state| {
            let executor = state.innermost();
            match executor.and_then(|executor| executor.running.take()) {
                Some(running) if running.is_ready => {
                    state.ready = state.ready.saturating_add(1);
                }
                Some(running) if !running.is_waiting => {
                    self.stream.wait(if running.has_ended {
                        ThreadState::COMPLETED
                    } else {
                        ThreadState::READY
                    });
                }
                _ => {}
            }
        });
    }

    fn poll_begin(&self, _executor: u32) {
        self.with_state(|state| {
            state.depth = state.depth.saturating_add(1);
            if let Some(executor) = state.innermost() {
                *executor = Executor::NEW;
            }
        });
    }

    fn poll_end(&self, _executor: u32) {
        self.with_state(|state| {
            let has_run = state.innermost().map_or(false, |executor| executor.has_run);
            state.depth = state.depth.saturating_sub(1);
            if state.depth == 0 {
                if state.ready == 0 {
                    self.record_idle(state);
                }
            } else if has_run {
                let interrupted = state.innermost().and_then(|executor| executor.running);
                if let Some(interrupted) = interrupted {
                    self.stream.resume(interrupted.task);
                }
            }
        });
    }

    fn system_idle(&self) {
        self.with_state(|state| self.record_idle(state));
    }

    fn isr_enter(&self) {
        self.stream.isr_enter(port::active_handler());
    }

    fn isr_exit(&self) {
        self.stream.isr_exit(port::active_handler());
    }

    fn marker(&self, number: u32) {
        self.stream.marker(number, 0);
    }

    fn marker_begin(&self, number: u32) {
        self.stream.marker_begin(number, 0);
    }

    fn marker_end(&self, number: u32) {
        self.stream.marker_end(number, 0);
    }
}

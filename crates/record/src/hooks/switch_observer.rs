use super::KernelObserver;
use super::task_names::TaskNames;
use crate::Name;
use crate::cswitch::{EntryKind, MemoryRegion, SwitchRecorder};
use crate::port::Mask;
use core::cell::UnsafeCell;
use core::mem::size_of;

/// Writes the calls of a kernel's hooks to a context-switch log.
///
/// | reported | recorded |
/// |---|---|
/// | a task starts running | SYNC_RESUME with the task's name and number |
/// | it returns to the kernel | SYNC_RESUME with the name `scheduler` |
/// | an executor has run tasks, and the interrupted executor continues | ASYNC_RESUME with the interrupted task |
/// | no task is ready | SLEEP |
/// | then a task starts running | WAKE |
/// | interrupts | ISR_ENTER, ISR_EXIT, with address 0, because the hooks do not identify them |
/// | markers | MARKER_BEGIN, MARKER_END, MARKER with the name `marker` and the marker's number as value |
///
/// An executor's poll is recorded when its first task runs: WAKE if the core was idle,
/// and SYNC_RESUME with the name `scheduler` and the executor's number, then the task. A
/// poll that runs no task leaves no entry, and an idle core remains idle in the log.
///
/// The log has no entries for ready and blocked tasks. The observer
/// stores the names of up to `TASKS` tasks. To save them with a log, pass
/// [`SwitchObserver::name_memory`] as readable memory. All other tasks are named `task`.
pub struct SwitchObserver<'a, R, M, const TASKS: usize> {
    log: &'a R,
    mask: M,
    state: UnsafeCell<ObserverState<TASKS>>,
}

/// Maximum depth of executors that interrupt one another.
const MAX_NESTED_EXECUTORS: usize = 8;

const SCHEDULER: Name = crate::name!("scheduler");
const IDLE: Name = crate::name!("idle");
/// The name of all markers, because the hooks give them numbers.
const MARKER: Name = crate::name!("marker");

#[repr(C)]
struct ObserverState<const TASKS: usize> {
    // First, because `name_memory` starts at the beginning of the state.
    names: TaskNames<TASKS>,
    is_asleep: bool,
    /// Number of executors that have started and not ended.
    depth: usize,
    /// The running task of each executor.
    running: [RunningTask; MAX_NESTED_EXECUTORS],
}

/// The task, or the scheduler, that runs on behalf of an executor.
#[derive(Clone, Copy)]
struct RunningTask {
    address: usize,
    name: Name,
    /// Whether the executor's poll has started and is not in the log yet.
    poll_pending: bool,
}

impl RunningTask {
    const SCHEDULER: Self = Self {
        address: 0,
        name: SCHEDULER,
        poll_pending: false,
    };
}

impl<const TASKS: usize> ObserverState<TASKS> {
    /// The running task of the innermost executor; [`None`] if the nesting is too deep.
    fn innermost(&mut self) -> Option<&mut RunningTask> {
        self.running.get_mut(self.depth.saturating_sub(1))
    }
}

// SAFETY: the state is accessed only while the mask is held, and the log may be shared.
unsafe impl<R: Sync, M: Mask + Sync, const TASKS: usize> Sync for SwitchObserver<'_, R, M, TASKS> {}

impl<'a, R, M, const TASKS: usize> SwitchObserver<'a, R, M, TASKS> {
    /// Creates an observer that writes to `log`. `mask` protects the observer's own
    /// state. It is held while the observer writes to the log, which acquires its own
    /// mask inside.
    pub const fn new(log: &'a R, mask: M) -> Self {
        Self {
            log,
            mask,
            state: UnsafeCell::new(ObserverState {
                names: TaskNames::EMPTY,
                is_asleep: false,
                depth: 0,
                running: [RunningTask::SCHEDULER; MAX_NESTED_EXECUTORS],
            }),
        }
    }

    /// The memory of the names, for [`ReadableMemory`](crate::cswitch::ReadableMemory).
    pub fn name_memory(&self) -> MemoryRegion {
        let start: *const u8 = self.state.get().cast();
        MemoryRegion {
            start,
            end: start.wrapping_add(size_of::<TaskNames<TASKS>>()),
        }
    }
}

impl<R: SwitchRecorder, M: Mask, const TASKS: usize> SwitchObserver<'_, R, M, TASKS> {
    /// Records the running task, preceded by the start of its executor's poll if that is
    /// not in the log yet.
    fn record_running(&self, state: &mut ObserverState<TASKS>, address: usize, name: Name) {
        if core::mem::replace(&mut state.is_asleep, false) {
            self.log.wake(0, IDLE);
        }
        if let Some(running) = state.innermost() {
            if running.poll_pending {
                self.record_resume(EntryKind::SyncResume, *running);
            }
            *running = RunningTask {
                address,
                name,
                poll_pending: false,
            };
        }
        self.log.record(EntryKind::SyncResume as u32, address, name);
    }

    fn record_resume(&self, kind: EntryKind, running: RunningTask) {
        self.log.record(kind as u32, running.address, running.name);
    }

    fn record_marker(&self, kind: EntryKind, number: u32) {
        self.log.record(kind as u32, number as usize, MARKER);
    }

    fn record_sleep(&self, state: &mut ObserverState<TASKS>) {
        if !core::mem::replace(&mut state.is_asleep, true) {
            self.log.sleep(0, IDLE);
        }
    }

    /// Changes the state and records the change without an interrupt in between.
    fn with_state(&self, act: impl FnOnce(&mut ObserverState<TASKS>)) {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `act` calls the log,
        // but not the observer.
        act(unsafe { &mut *self.state.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
    }
}

impl<R: SwitchRecorder, M: Mask, const TASKS: usize> KernelObserver
    for SwitchObserver<'_, R, M, TASKS>
{
    fn task_new(&self, task: u32, name: Option<&'static str>) {
        if let Some(name) = name {
            self.with_state(|state| state.names.set(task, name));
        }
    }

    fn task_terminated(&self, _task: u32) {}

    fn task_ready(&self, _task: u32) {}

    fn task_blocked(&self, _task: u32) {}

    fn task_exec_begin(&self, task: u32) {
        self.with_state(|state| {
            let name = state.names.get(task);
            self.record_running(state, task as usize, name);
        });
    }

    fn task_exec_end(&self) {
        self.with_state(|state| self.record_running(state, 0, SCHEDULER));
    }

    fn poll_begin(&self, executor: u32) {
        self.with_state(|state| {
            state.depth = state.depth.saturating_add(1);
            if let Some(running) = state.innermost() {
                *running = RunningTask {
                    address: executor as usize,
                    name: SCHEDULER,
                    poll_pending: true,
                };
            }
        });
    }

    fn poll_end(&self, _executor: u32) {
        self.with_state(|state| {
            let is_empty = state
                .innermost()
                .map_or(false, |running| running.poll_pending);
            state.depth = state.depth.saturating_sub(1);
            if state.depth == 0 {
                self.record_sleep(state);
            } else if !is_empty {
                let interrupted = match state.innermost() {
                    Some(running) => {
                        running.poll_pending = false;
                        *running
                    }
                    None => RunningTask::SCHEDULER,
                };
                self.record_resume(EntryKind::AsyncResume, interrupted);
            }
        });
    }

    fn system_idle(&self) {
        self.with_state(|state| self.record_sleep(state));
    }

    fn isr_enter(&self) {
        self.log.record(EntryKind::IsrEnter as u32, 0, Name::ISR);
    }

    fn isr_exit(&self) {
        self.log.record(EntryKind::IsrExit as u32, 0, Name::ISR);
    }

    fn marker(&self, number: u32) {
        self.record_marker(EntryKind::MarkerInstant, number);
    }

    fn marker_begin(&self, number: u32) {
        self.record_marker(EntryKind::MarkerBegin, number);
    }

    fn marker_end(&self, number: u32) {
        self.record_marker(EntryKind::MarkerEnd, number);
    }
}

use super::Observer;
use super::names::Names;
use crate::Name;
use crate::cswitch::{EntryKind, Recorder, Region};
use crate::port::Mask;
use core::cell::UnsafeCell;
use core::mem::size_of;

/// Writes what a kernel's hooks tell into a context-switch log.
///
/// | told | recorded |
/// |---|---|
/// | a task gets the processor | SYNC_RESUME with the task's name and number |
/// | it gives it back | SYNC_RESUME with the name `scheduler` |
/// | an executor has interrupted another, and ends | ASYNC_RESUME with what was interrupted |
/// | nothing is left to do | SLEEP |
/// | then an executor begins or a task gets the processor | WAKE |
/// | interrupts | ISR_ENTER, ISR_EXIT, with address 0: the hooks do not say which |
///
/// The log has no entries for ready and blocked tasks and for markers. Names
/// lie in the observer itself, for up to `TASKS` tasks: to save them with a
/// log, its [`SwitchObserver::memory`] must be readable. The rest are called
/// `task`.
pub struct SwitchObserver<'a, R, M, const TASKS: usize> {
    log: &'a R,
    mask: M,
    state: UnsafeCell<State<TASKS>>,
}

/// Executors that can interrupt one another and are remembered.
const NESTED: usize = 8;

const SCHEDULER: Name = crate::name!("scheduler");
const IDLE: Name = crate::name!("idle");

#[repr(C)]
struct State<const TASKS: usize> {
    // First: the memory that is told begins with the names.
    names: Names<TASKS>,
    asleep: bool,
    /// Executors that have begun and not ended.
    depth: usize,
    /// Who has the processor, by executor.
    running: [(usize, Name); NESTED],
}

// SAFETY: the state is only used while the mask keeps others away, and the
// log may be shared.
unsafe impl<R: Sync, M: Mask + Sync, const TASKS: usize> Sync for SwitchObserver<'_, R, M, TASKS> {}

impl<'a, R, M, const TASKS: usize> SwitchObserver<'a, R, M, TASKS> {
    /// An observer that writes into that log. The mask is for the observer's
    /// own state.
    pub const fn new(log: &'a R, mask: M) -> Self {
        Self {
            log,
            mask,
            state: UnsafeCell::new(State {
                names: Names::NONE,
                asleep: false,
                depth: 0,
                running: [(0, SCHEDULER); NESTED],
            }),
        }
    }

    /// The memory of the names, for [`Readable`](crate::cswitch::Readable).
    pub fn memory(&self) -> Region {
        let start: *const u8 = self.state.get().cast();
        Region {
            start,
            end: start.wrapping_add(size_of::<Names<TASKS>>()),
        }
    }
}

impl<R: Recorder, M: Mask, const TASKS: usize> SwitchObserver<'_, R, M, TASKS> {
    /// Notes who has the processor now, and whether that ends a sleep.
    fn run(&self, of: impl FnOnce(&mut State<TASKS>) -> (usize, Name)) {
        let ((address, name), woken) = self.with(|state| {
            let now = of(state);
            if let Some(running) = state.running.get_mut(state.depth.saturating_sub(1)) {
                *running = now;
            }
            (now, core::mem::replace(&mut state.asleep, false))
        });
        if woken {
            self.log.wake(0, IDLE);
        }
        self.log.record(EntryKind::SyncResume as u32, address, name);
    }

    fn with<T>(&self, act: impl FnOnce(&mut State<TASKS>) -> T) -> T {
        let before = self.mask.acquire();
        // SAFETY: nobody else is in here while the mask holds, and `act` does
        // not call back.
        let result = act(unsafe { &mut *self.state.get() });
        // SAFETY: `before` is of the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }
}

impl<R: Recorder, M: Mask, const TASKS: usize> Observer for SwitchObserver<'_, R, M, TASKS> {
    fn task_new(&self, task: u32, name: Option<&'static str>) {
        if let Some(name) = name {
            self.with(|state| state.names.set(task, name));
        }
    }

    fn task_ended(&self, _task: u32) {}

    fn task_ready(&self, _task: u32) {}

    fn task_blocked(&self, _task: u32) {}

    fn task_runs(&self, task: u32) {
        self.run(|state| (task as usize, state.names.get(task)));
    }

    fn task_pauses(&self) {
        self.run(|_| (0, SCHEDULER));
    }

    fn executor_begins(&self, executor: u32) {
        self.run(|state| {
            state.depth = state.depth.saturating_add(1);
            (executor as usize, SCHEDULER)
        });
    }

    fn executor_ends(&self, _executor: u32) {
        let interrupted = self.with(|state| {
            state.depth = state.depth.saturating_sub(1);
            let below = state.depth.checked_sub(1)?;
            Some(state.running.get(below).copied().unwrap_or((0, SCHEDULER)))
        });
        match interrupted {
            Some((address, name)) => {
                self.log
                    .record(EntryKind::AsyncResume as u32, address, name);
            }
            None => self.idle(),
        }
    }

    fn idle(&self) {
        if !self.with(|state| core::mem::replace(&mut state.asleep, true)) {
            self.log.sleep(0, IDLE);
        }
    }

    fn isr_enter(&self) {
        self.log.record(EntryKind::IsrEnter as u32, 0, Name::ISR);
    }

    fn isr_exit(&self) {
        self.log.record(EntryKind::IsrExit as u32, 0, Name::ISR);
    }

    fn marker(&self, _number: u32) {}

    fn marker_begin(&self, _number: u32) {}

    fn marker_end(&self, _number: u32) {}
}

//! The tasks that occupy cores, and their written states.

use crate::perfetto::ftrace::PrevState;
use crate::perfetto::track_writer::{TrackId, TrackWriter};
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_analysis::timeline::{Label, StateChange, cores};
use rtoscope_trace::{ContextId, EventIndex};
use std::collections::HashMap;
use std::io::Write;

/// `GenericKernelTaskStateEvent.TaskStateEnum`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskState {
    /// Ready, without a core.
    Runnable = 2,
    /// Running.
    Running = 3,
    /// Blocked.
    Sleeping = 4,
    /// Unknown: Perfetto has no such state and calls this one "stopped".
    Unknown = 6,
    /// Ended.
    Ended = 8,
}

impl TaskState {
    /// The state of a task that a core switches away from. A thread that is ready
    /// then was preempted.
    fn prev_state(self) -> PrevState {
        match self {
            Self::Runnable | Self::Running => PrevState::Preempted,
            Self::Sleeping => PrevState::Sleeping,
            Self::Unknown => PrevState::Stopped,
            Self::Ended => PrevState::Dead,
        }
    }
}

/// The task of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CoreTask {
    /// Unknown.
    Unknown,
    /// Idle.
    Idle,
    /// A task, by number.
    Task(usize),
}

/// All tasks: first the contexts, then the others.
pub(super) struct Tasks {
    all: Vec<Task>,
    threads: usize,
    /// What is no thread; each core has its own.
    others: HashMap<(u8, CpuContext), usize>,
}

struct Task {
    /// `None` for a context other than a thread.
    track: Option<TrackId>,
    /// The state of a thread, whether or not it runs.
    state: ThreadState,
    /// The event that ended the thread's last wait.
    wake_event: Option<EventIndex>,
    /// Whether a thread had a core for zero time since its ready state was written.
    is_ready_again: bool,
    /// Whether the time of the dispatch is not recorded.
    hides_latency: bool,
    /// The last written state.
    written_state: Option<TaskState>,
    /// The time of the last kernel event about it. The engine does not keep the
    /// order of simultaneous events of different kinds or cores.
    written_at: Option<u64>,
    /// Whether the engine has a waker for the last ready state.
    has_waker: bool,
    /// The index of the core that runs it.
    core: Option<usize>,
}

impl Task {
    fn new(track: Option<TrackId>) -> Self {
        Self {
            track,
            state: ThreadState::Unknown,
            wake_event: None,
            is_ready_again: false,
            hides_latency: false,
            written_state: None,
            written_at: None,
            has_waker: false,
            core: None,
        }
    }
}

impl Tasks {
    pub(super) fn new(threads: &[Option<TrackId>]) -> Self {
        Self {
            all: threads.iter().copied().map(Task::new).collect(),
            threads: threads.len(),
            others: HashMap::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Changes the state of a thread.
    pub(super) fn enter_state(&mut self, change: &StateChange) {
        let now = change.interval;
        let Some(task) = self.all.get_mut(change.thread.index()) else {
            return;
        };
        let before = std::mem::replace(&mut task.state, now.state);
        match now.state {
            ThreadState::Ready => {
                if let Some(wake_up) = change.wake_up {
                    task.wake_event = Some(wake_up.cause());
                } else {
                    let ran = before == ThreadState::Running;
                    task.is_ready_again = ran;
                    if ran {
                        task.wake_event = None;
                    }
                }
            }
            ThreadState::Running => task.hides_latency = !now.start_known,
            ThreadState::Waiting { .. } | ThreadState::Unknown | ThreadState::Deleted => {
                task.wake_event = None;
            }
        }
    }

    /// Makes the state of a thread unknown.
    pub(super) fn forget(&mut self, thread: usize) {
        if let Some(task) = self.all.get_mut(thread) {
            task.state = ThreadState::Unknown;
            task.wake_event = None;
        }
    }

    /// The event that woke a thread, if it has not been written yet.
    pub(super) fn pending_wake(&self, thread: usize) -> Option<EventIndex> {
        self.all.get(thread)?.wake_event
    }

    /// Takes that event, which is written now.
    pub(super) fn take_wake(&mut self, thread: usize, time: u64) -> Option<EventIndex> {
        let task = self.all.get_mut(thread)?;
        let woken = task.wake_event.take()?;
        task.written_state = Some(TaskState::Runnable);
        task.written_at = Some(time);
        task.has_waker = true;
        Some(woken)
    }

    /// Drops that event: a thread that runs at once has not waited.
    pub(super) fn skip_wake(&mut self, thread: usize) {
        if let Some(task) = self.all.get_mut(thread) {
            task.wake_event = None;
        }
    }

    pub(super) fn track(&self, task: usize) -> Option<TrackId> {
        self.all.get(task)?.track
    }

    /// The context of a task, if it is a thread.
    pub(super) fn thread(&self, task: usize) -> Option<ContextId> {
        let number = u32::try_from(task).ok()?;
        (task < self.threads).then_some(ContextId(number))
    }

    /// The index of the core that runs it.
    pub(super) fn core(&self, task: usize) -> Option<usize> {
        self.all.get(task)?.core
    }

    /// What a core runs.
    pub(super) fn core_task<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        core: u8,
        runs: CpuContext,
    ) -> CoreTask {
        match runs {
            CpuContext::Unknown => CoreTask::Unknown,
            CpuContext::Idle => CoreTask::Idle,
            _ => CoreTask::Task(self.task(writer, core, runs)),
        }
    }

    /// The task of anything but idle on a core, also of its unknown context.
    pub(super) fn task<W: Write>(
        &mut self,
        writer: &mut TrackWriter<'_, W>,
        core: u8,
        context: CpuContext,
    ) -> usize {
        if let CpuContext::Thread(thread) = context {
            return thread.index();
        }
        let next = self.all.len();
        let task = *self.others.entry((core, context)).or_insert(next);
        if task == next {
            let mut name = match context {
                CpuContext::Kernel => "(kernel)".to_owned(),
                _ => Label::Cpu(context).text(writer.view),
            };
            if cores(writer.view).nth(1).is_some() {
                name.push_str(&format!(" on core {core}"));
            }
            let track = writer.thread(&name);
            self.all.push(Task::new(Some(track)));
        }
        task
    }

    /// The state to write for a thread without a core, if it is new.
    pub(super) fn resting_change(&mut self, thread: usize) -> Option<(TrackId, TaskState)> {
        let task = self.all.get_mut(thread)?;
        if task.core.is_some() || task.state == ThreadState::Unknown && task.written_state.is_none()
        {
            return None;
        }
        let state = resting_state(task.state);
        let is_ready_anew = std::mem::take(&mut task.is_ready_again);
        if task.written_state == Some(state) && !(is_ready_anew && state == TaskState::Runnable) {
            return None;
        }
        task.written_state = Some(state);
        task.has_waker &= state != TaskState::Runnable;
        Some((task.track?, state))
    }

    /// Prepares the dispatch of a thread. The engine takes the duration of its last
    /// ready state as its latency. If the latency is unknown, the thread must
    /// become ready again just before, without a waker: returns its track in this
    /// case.
    pub(super) fn hide_latency(&mut self, thread: usize, time: u64) -> Option<TrackId> {
        let task = self.all.get_mut(thread)?;
        let hides_latency = std::mem::take(&mut task.hides_latency);
        if hides_latency {
            task.wake_event = None;
        }
        let is_known = task.written_state == Some(TaskState::Runnable) || task.wake_event.is_some();
        let is_early = task.written_at.is_none_or(|at| at.saturating_add(1) < time);
        if !task.has_waker || !is_early || is_known && !hides_latency {
            return None;
        }
        task.written_state = Some(TaskState::Runnable);
        task.has_waker = false;
        task.track
    }

    /// Stops a task and returns its state after the switch. `moves` if it continues
    /// on another core.
    pub(super) fn stop(&mut self, number: usize, time: u64, moves: bool) -> PrevState {
        let is_thread = number < self.threads;
        let Some(task) = self.all.get_mut(number) else {
            return PrevState::Sleeping;
        };
        let state = match task.state {
            _ if !is_thread => TaskState::Sleeping,
            _ if moves => TaskState::Runnable,
            // It waited for zero time.
            _ if task.wake_event.is_some() => TaskState::Sleeping,
            state => resting_state(state),
        };
        if moves {
            task.wake_event = None;
        }
        task.core = None;
        task.is_ready_again = false;
        task.written_state = Some(state);
        task.written_at = Some(time);
        task.has_waker &= state != TaskState::Runnable;
        state.prev_state()
    }

    /// Starts a task on the core with this index.
    pub(super) fn start(&mut self, number: usize, core: usize) -> Option<TrackId> {
        let task = self.all.get_mut(number)?;
        task.core = Some(core);
        task.wake_event = None;
        task.written_state = Some(TaskState::Running);
        task.track
    }

    /// Makes the state of a task unknown; returns its track if it has no core and
    /// was written before, but not at this time.
    pub(super) fn end(&mut self, number: usize, time: u64) -> Option<TrackId> {
        let task = self.all.get_mut(number)?;
        if task.core.is_some() || task.written_at == Some(time) {
            return None;
        }
        task.written_state.take()?;
        task.track
    }

    /// Makes the state of a running task unknown.
    pub(super) fn end_running(&mut self, number: usize) -> PrevState {
        if let Some(task) = self.all.get_mut(number) {
            task.core = None;
            task.written_state = None;
        }
        PrevState::Stopped
    }
}

/// The state to write for a thread that does not run.
fn resting_state(state: ThreadState) -> TaskState {
    match state {
        ThreadState::Unknown => TaskState::Unknown,
        // It has a core, but an interrupt runs there.
        ThreadState::Ready | ThreadState::Running => TaskState::Runnable,
        state if state.has_ended() => TaskState::Ended,
        ThreadState::Waiting { .. } | ThreadState::Deleted => TaskState::Sleeping,
    }
}

//! What takes cores, and what was told of it.

use crate::perfetto::ftrace::PrevState;
use crate::perfetto::stage::{Stage, Track};
use rtoscope_analysis::schedule::{Executing, State, Stretch, Who};
use rtoscope_trace::{ContextId, Contexts, EventIndex};
use std::collections::HashMap;
use std::io::Write;

/// `GenericKernelTaskStateEvent.TaskStateEnum`, and what stands for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskState {
    /// Wants a core and has none.
    Runnable = 2,
    /// Executes.
    Running = 3,
    /// Waits.
    Sleeping = 4,
    /// Not known: Perfetto has no state for that and calls this one "stopped".
    Unknown = 6,
    /// Has ended.
    Ended = 8,
}

impl TaskState {
    /// The same of a task that a core switches from. A thread that is ready then
    /// has lost its core.
    fn prev_state(self) -> PrevState {
        match self {
            Self::Runnable | Self::Running => PrevState::Preempted,
            Self::Sleeping => PrevState::Sleeping,
            Self::Unknown => PrevState::Stopped,
            Self::Ended => PrevState::Dead,
        }
    }
}

/// What a core executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// The recording does not say.
    Unknown,
    /// Nothing.
    Idle,
    /// A task, by its number.
    Task(usize),
}

/// The tasks: first the contexts, then what else takes cores.
pub(super) struct Tasks {
    all: Vec<Task>,
    threads: usize,
    others: HashMap<(u8, Other), usize>,
}

/// What takes a core and is no thread; each core has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Other {
    Kernel,
    Initialize,
    /// An interrupt service routine, by its number.
    Routine(Option<u32>),
    /// What the recording does not say.
    Unknown,
}

struct Task {
    /// `None` for a context that is no thread.
    track: Option<Track>,
    /// What a thread does, whether or not it executes.
    state: State,
    /// The event that resumed a thread from the wait which it last left.
    woken: Option<EventIndex>,
    /// Whether a thread had a core for no time since it was told to be ready.
    is_ready_anew: bool,
    /// Whether it is not recorded since when a thread has its core.
    hides_latency: bool,
    /// What was told last.
    told: Option<TaskState>,
    /// When a kernel event told of it last. The engine does not keep the order of
    /// different kinds of events, or of cores, at one moment.
    told_at: Option<u64>,
    /// Whether the engine knows what woke it when it was ready last.
    has_waker: bool,
    /// The place of the core that executes it.
    core: Option<usize>,
    /// The priority that was told last.
    priority: Option<u16>,
}

impl Task {
    fn new(track: Option<Track>) -> Self {
        Self {
            track,
            state: State::Unknown,
            woken: None,
            is_ready_anew: false,
            hides_latency: false,
            told: None,
            told_at: None,
            has_waker: false,
            core: None,
            priority: None,
        }
    }
}

impl Tasks {
    pub(super) fn new(threads: &[Option<Track>]) -> Self {
        Self {
            all: threads.iter().copied().map(Task::new).collect(),
            threads: threads.len(),
            others: HashMap::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// What a thread does.
    pub(super) fn state(&self, thread: usize) -> State {
        self.all
            .get(thread)
            .map_or(State::Unknown, |task| task.state)
    }

    /// A thread does something else from now on.
    pub(super) fn enter_stretch(&mut self, thread: usize, before: Option<&Stretch>, now: &Stretch) {
        let Some(task) = self.all.get_mut(thread) else {
            return;
        };
        task.state = now.state;
        match now.state {
            State::Ready if before.is_some_and(|before| now.is_wake(before)) => {
                task.woken = Some(now.event);
            }
            State::Ready => {
                let ran = before.is_some_and(|before| before.state == State::Running);
                task.is_ready_anew = ran;
                if ran {
                    task.woken = None;
                }
            }
            State::Running => task.hides_latency = !now.seen,
            State::Waiting { .. } | State::Unknown => task.woken = None,
        }
    }

    /// Nothing more is known of a thread.
    pub(super) fn forget(&mut self, thread: usize) {
        if let Some(task) = self.all.get_mut(thread) {
            task.state = State::Unknown;
            task.woken = None;
        }
    }

    /// The event that woke a thread, if that was not told yet.
    pub(super) fn wake(&self, thread: usize) -> Option<EventIndex> {
        self.all.get(thread)?.woken
    }

    /// The same, which is told from now on.
    pub(super) fn take_wake(&mut self, thread: usize, time: u64) -> Option<EventIndex> {
        let task = self.all.get_mut(thread)?;
        let woken = task.woken.take()?;
        task.told = Some(TaskState::Runnable);
        task.told_at = Some(time);
        task.has_waker = true;
        Some(woken)
    }

    /// A thread that executes has waited for no time.
    pub(super) fn skip_wake(&mut self, thread: usize) {
        if let Some(task) = self.all.get_mut(thread) {
            task.woken = None;
        }
    }

    pub(super) fn track(&self, task: usize) -> Option<Track> {
        self.all.get(task)?.track
    }

    /// The context of a task, if it is a thread.
    pub(super) fn thread(&self, task: usize) -> Option<ContextId> {
        let number = u32::try_from(task).ok()?;
        (task < self.threads).then_some(ContextId(number))
    }

    /// The place of the core that executes a task.
    pub(super) fn core(&self, task: usize) -> Option<usize> {
        self.all.get(task)?.core
    }

    /// What a slice of a core executes.
    pub(super) fn runs<W: Write>(&mut self, stage: &mut Stage<'_, W>, core: u8, who: Who) -> Runs {
        let other = match who.executing() {
            Executing::Unknown => return Runs::Unknown,
            Executing::Idle => return Runs::Idle,
            Executing::Thread(context) => {
                let task = self.all.get(context.index());
                let known = task.is_some_and(|task| task.track.is_some());
                return if known {
                    Runs::Task(context.index())
                } else {
                    Runs::Unknown
                };
            }
            Executing::Isr(_) => Other::Routine(stage.view.isr_number(who.executing())),
            Executing::Kernel => Other::Kernel,
            Executing::Initialize => Other::Initialize,
        };
        Runs::Task(self.other(stage, core, other))
    }

    /// The task of an interrupt service routine on a core, or of the kernel if
    /// it is in none.
    pub(super) fn interrupt<W: Write>(
        &mut self,
        stage: &mut Stage<'_, W>,
        core: u8,
        routine: Option<Option<u32>>,
    ) -> usize {
        let other = routine.map_or(Other::Kernel, Other::Routine);
        self.other(stage, core, other)
    }

    /// The task of the initialisation.
    pub(super) fn initialize<W: Write>(&mut self, stage: &mut Stage<'_, W>, core: u8) -> usize {
        self.other(stage, core, Other::Initialize)
    }

    /// The task of which a core's recording does not say what it is.
    pub(super) fn unknown<W: Write>(&mut self, stage: &mut Stage<'_, W>, core: u8) -> usize {
        self.other(stage, core, Other::Unknown)
    }

    fn other<W: Write>(&mut self, stage: &mut Stage<'_, W>, core: u8, other: Other) -> usize {
        let next = self.all.len();
        let task = *self.others.entry((core, other)).or_insert(next);
        if task == next {
            let mut name = match other {
                Other::Kernel => "(kernel)".to_owned(),
                Other::Initialize => stage.view.trace.context_name(Contexts::INITIALIZE),
                Other::Routine(number) => stage.view.schedule.routine_name(number),
                Other::Unknown => "(unknown)".to_owned(),
            };
            if stage.view.schedule.cores.len() > 1 {
                name.push_str(&format!(" on core {core}"));
            }
            let track = stage.thread(&name);
            self.all.push(Task::new(Some(track)));
        }
        task
    }

    /// A thread that executes nowhere does something else; what is to be told
    /// of it, if that is new.
    pub(super) fn rest(&mut self, thread: usize) -> Option<(Track, TaskState)> {
        let task = self.all.get_mut(thread)?;
        if task.core.is_some() || task.state == State::Unknown && task.told.is_none() {
            return None;
        }
        let state = resting(task.state);
        let is_ready_anew = std::mem::take(&mut task.is_ready_anew);
        if task.told == Some(state) && !(is_ready_anew && state == TaskState::Runnable) {
            return None;
        }
        task.told = Some(state);
        task.has_waker &= state != TaskState::Runnable;
        Some((task.track?, state))
    }

    /// A thread begins to execute. The engine takes the time that it was ready
    /// last as its latency: where that is not known, it must be ready anew before,
    /// without a waker. Its track, if that is to be told.
    pub(super) fn hide_latency(&mut self, thread: usize, time: u64) -> Option<Track> {
        let task = self.all.get_mut(thread)?;
        let hides_latency = std::mem::take(&mut task.hides_latency);
        if hides_latency {
            task.woken = None;
        }
        let is_known = task.told == Some(TaskState::Runnable) || task.woken.is_some();
        let is_early = task.told_at.is_none_or(|at| at.saturating_add(1) < time);
        if !task.has_waker || !is_early || is_known && !hides_latency {
            return None;
        }
        task.told = Some(TaskState::Runnable);
        task.has_waker = false;
        task.track
    }

    /// A task stops; the state it is left in. `moves` if it goes on elsewhere.
    pub(super) fn leave(&mut self, number: usize, time: u64, moves: bool) -> PrevState {
        let is_thread = number < self.threads;
        let Some(task) = self.all.get_mut(number) else {
            return PrevState::Sleeping;
        };
        let state = match task.state {
            _ if !is_thread => TaskState::Sleeping,
            _ if moves => TaskState::Runnable,
            // It waited for no time.
            _ if task.woken.is_some() => TaskState::Sleeping,
            state => resting(state),
        };
        if moves {
            task.woken = None;
        }
        task.core = None;
        task.is_ready_anew = false;
        task.told = Some(state);
        task.told_at = Some(time);
        task.has_waker &= state != TaskState::Runnable;
        state.prev_state()
    }

    /// A task executes on the core of that place from now on.
    pub(super) fn enter(&mut self, number: usize, core: usize) -> Option<Track> {
        let task = self.all.get_mut(number)?;
        task.core = Some(core);
        task.woken = None;
        task.told = Some(TaskState::Running);
        task.track
    }

    /// The priority of a thread: what is told now, else what was told last, else
    /// as it was registered.
    pub(super) fn priority(
        &mut self,
        thread: usize,
        told: Option<u16>,
        registered: impl FnOnce() -> Option<u16>,
    ) -> Option<u16> {
        let task = self.all.get_mut(thread)?;
        task.priority = told.or(task.priority).or_else(registered);
        task.priority
    }

    /// Nothing more is known of a task; its track, if it executes nowhere and
    /// anything was told of it, but not just now.
    pub(super) fn end(&mut self, number: usize, time: u64) -> Option<Track> {
        let task = self.all.get_mut(number)?;
        if task.core.is_some() || task.told_at == Some(time) {
            return None;
        }
        task.told.take()?;
        task.track
    }

    /// The same of a task that executes.
    pub(super) fn end_running(&mut self, number: usize) -> PrevState {
        if let Some(task) = self.all.get_mut(number) {
            task.core = None;
            task.told = None;
        }
        PrevState::Stopped
    }
}

/// How a thread that does not execute is told.
fn resting(state: State) -> TaskState {
    match state {
        State::Unknown => TaskState::Unknown,
        // It has a core, but an interrupt executes there.
        State::Ready | State::Running => TaskState::Runnable,
        State::Waiting { wait, .. } if wait.is_end() => TaskState::Ended,
        State::Waiting { .. } => TaskState::Sleeping,
    }
}

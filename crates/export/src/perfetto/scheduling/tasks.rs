//! What takes cores, and what was told of it.

use crate::perfetto::stage::{Stage, Track};
use rtoscope_analysis::schedule::{Executing, State, Who};
use rtoscope_trace::{ContextId, Contexts};
use std::collections::HashMap;
use std::io::Write;

/// `GenericKernelTaskStateEvent.TaskStateEnum`, and what stands for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskState {
    /// Wants a core and has none, or an interrupt has it.
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
}

struct Task {
    /// `None` for a context that is no thread.
    track: Option<Track>,
    /// What a thread does, whether or not it executes.
    state: State,
    /// What was told last.
    told: Option<TaskState>,
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
            told: None,
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

    pub(super) fn set_state(&mut self, thread: usize, state: State) {
        if let Some(task) = self.all.get_mut(thread) {
            task.state = state;
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
        let next = self.all.len();
        let task = *self.others.entry((core, other)).or_insert(next);
        if task == next {
            let mut name = match other {
                Other::Kernel => "(kernel)".to_owned(),
                Other::Initialize => stage.view.trace.context_name(Contexts::INITIALIZE),
                Other::Routine(number) => stage.view.schedule.routine_name(number),
            };
            if stage.view.schedule.cores.len() > 1 {
                name.push_str(&format!(" on core {core}"));
            }
            let track = stage.thread(&name);
            self.all.push(Task::new(Some(track)));
        }
        Runs::Task(task)
    }

    /// A thread that executes nowhere does something else; what is to be told
    /// of it, if that is new.
    pub(super) fn rest(&mut self, thread: usize) -> Option<(Track, TaskState)> {
        let task = self.all.get_mut(thread)?;
        if task.core.is_some() || task.state == State::Unknown && task.told.is_none() {
            return None;
        }
        let state = resting(task.state);
        if task.told == Some(state) {
            return None;
        }
        task.told = Some(state);
        Some((task.track?, state))
    }

    /// A task stops; what is to be told of it.
    pub(super) fn leave(&mut self, number: usize) -> Option<(Track, TaskState)> {
        let is_thread = number < self.threads;
        let task = self.all.get_mut(number)?;
        let state = if is_thread {
            resting(task.state)
        } else {
            TaskState::Sleeping
        };
        task.core = None;
        task.told = Some(state);
        Some((task.track?, state))
    }

    /// A task executes on the core of that place from now on.
    pub(super) fn enter(&mut self, number: usize, core: usize) -> Option<Track> {
        let task = self.all.get_mut(number)?;
        task.core = Some(core);
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

    /// Nothing more is known of a task; its track, if anything was told.
    pub(super) fn end(&mut self, number: usize) -> Option<Track> {
        let task = self.all.get_mut(number)?;
        task.told.take()?;
        task.track
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

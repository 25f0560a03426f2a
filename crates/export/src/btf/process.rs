//! The states of tasks.

use rtoscope_analysis::View;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_trace::{ResourceId, Ticks, WaitReason};

/// The state of a task in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ProcessState {
    /// Nothing is written yet.
    #[default]
    Unknown,
    /// It is not active.
    Terminated,
    /// It is active and has not started.
    Active,
    Running,
    /// It is preempted, or released.
    Ready,
    Waiting,
}

/// A task in the output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Process {
    pub(super) state: ProcessState,
    /// Number of activations before the current one.
    pub(super) instance: u64,
    /// Its state in the trace, and since when.
    pub(super) thread_state: Option<ThreadState>,
    pub(super) since: Ticks,
    /// Whether it has had a core since its state is running.
    pub(super) has_run: bool,
}

impl ProcessState {
    /// The state of a thread without a core.
    pub(super) fn without_core(state: Option<ThreadState>) -> Self {
        match state {
            None | Some(ThreadState::Unknown) => Self::Unknown,
            // An interrupt runs, or the kernel.
            Some(ThreadState::Running | ThreadState::Ready) => Self::Ready,
            Some(state) if state.has_ended() => Self::Terminated,
            Some(_) => Self::Waiting,
        }
    }

    /// The events that lead to a state.
    pub(super) const fn events_to(self, to: Self) -> &'static [&'static str] {
        use ProcessState::{Active, Ready, Running, Terminated, Unknown, Waiting};
        match (self, to) {
            (Active | Ready, Ready | Active) => &[],
            (Running, Ready | Unknown) => &["preempt"],
            (_, Unknown) => &[],
            (Terminated, Ready | Active) => &["activate"],
            (Terminated, Running) => &["activate", "start"],
            (Active, Running) => &["start"],
            (Ready | Unknown, Running) => &["resume"],
            (Waiting, Running) => &["release", "resume"],
            (Waiting | Unknown, Ready | Active) => &["release"],
            (Running, Running | Active) | (Terminated, Terminated) => &[],
            (_, Terminated) => &["terminate"],
            (_, Waiting) => &["wait"],
        }
    }

    /// The state after these events.
    pub(super) const fn after_events_to(self, to: Self) -> Self {
        match (self, to) {
            (Self::Terminated | Self::Active, Self::Ready) => Self::Active,
            // The format has no such state: the one before lasts.
            (Self::Running, Self::Unknown) => Self::Ready,
            (before, Self::Unknown) => before,
            (_, to) => to,
        }
    }
}

/// Why a thread waits, or has ended.
pub(super) fn reason(view: &View<'_>, state: Option<ThreadState>) -> String {
    match state {
        Some(ThreadState::Waiting {
            wait_reason,
            resource: Some(resource),
        }) => format!("{} {}", wait_reason.name(), view.resource_name(resource)),
        Some(ThreadState::Waiting { wait_reason, .. }) => wait_reason.name().to_owned(),
        Some(ThreadState::Deleted) => "deleted".to_owned(),
        _ => String::new(),
    }
}

/// The mutex that a thread is blocked on.
pub(super) const fn blocking_mutex(state: ThreadState) -> Option<ResourceId> {
    match state {
        ThreadState::Waiting {
            wait_reason: WaitReason::Mutex,
            resource,
        } => resource,
        _ => None,
    }
}

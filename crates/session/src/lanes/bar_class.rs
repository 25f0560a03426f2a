//! Classes of bars, encoded in a byte.

use rtoscope_analysis::schedule::{RunningContext, ThreadState};
use rtoscope_trace::WaitReason;
use rtoscope_trace::text_log::LogLevel;

/// The class of a bar in a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BarClass(pub u8);

const FIRST_WAIT: u8 = 4;
const FIRST_STATE: u8 = 37;
/// Number of machine states with a class of their own.
const STATE_CLASSES: u8 = STATE_NAMES.len() as u8;
const STATE_NAMES: [&str; 12] = [
    "state-0", "state-1", "state-2", "state-3", "state-4", "state-5", "state-6", "state-7",
    "state-8", "state-9", "state-10", "state-11",
];

impl BarClass {
    /// The lane is inactive.
    pub const NOTHING: Self = Self(0);
    /// Unknown: not recorded in the trace.
    pub const UNKNOWN: Self = Self(1);
    /// A thread is ready and has no core.
    pub const READY: Self = Self(2);
    /// A thread has a core, or a routine is running.
    pub const RUNNING: Self = Self(3);
    /// A core runs a thread.
    pub const THREAD: Self = Self(20);
    /// A core runs an interrupt service routine that is not nested.
    pub const ISR: Self = Self(21);
    /// A core runs a nested interrupt service routine.
    pub const NESTED_ISR: Self = Self(22);
    /// A core is idle.
    pub const IDLE: Self = Self(23);
    /// A core initialises, before the scheduler starts.
    pub const INITIALIZE: Self = Self(24);
    /// A routine is interrupted by another.
    pub const INTERRUPTED: Self = Self(25);

    /// A core runs an interrupt, or the scheduler after it, outside any recorded
    /// routine.
    pub const KERNEL: Self = Self(26);
    /// A core has interrupts disabled.
    pub const INTERRUPTS_OFF: Self = Self(27);
    /// A span of a marker is open.
    pub const MARKER: Self = Self(28);
    /// An item waits for a stage of a pipeline.
    pub const QUEUED_ITEM: Self = Self(29);
    /// A stage of a pipeline works on an item.
    pub const ITEM: Self = Self(30);
    /// The same, and the item is late or will be dropped.
    pub const LATE_ITEM: Self = Self(31);

    /// An error is the last line of a text log.
    pub const LOG_ERROR: Self = Self(32);
    /// A warning is.
    pub const LOG_WARNING: Self = Self(33);
    /// An information is.
    pub const LOG_INFO: Self = Self(34);
    /// A line for debugging is.
    pub const LOG_DEBUG: Self = Self(35);
    /// A line without a level is.
    pub const LOG_LINE: Self = Self(36);

    /// Number of classes.
    pub const COUNT: usize = (FIRST_STATE + STATE_CLASSES) as usize;

    /// The class of a wait reason.
    pub const fn waiting(wait: WaitReason) -> Self {
        Self(FIRST_WAIT + wait as u8)
    }

    /// The class of a machine's state with this number.
    pub const fn state(number: u32) -> Self {
        Self(FIRST_STATE + (number % STATE_CLASSES as u32) as u8)
    }

    /// The class of a thread state.
    pub const fn for_thread_state(state: ThreadState) -> Self {
        match state {
            ThreadState::Unknown => Self::UNKNOWN,
            ThreadState::Ready => Self::READY,
            ThreadState::Running => Self::RUNNING,
            ThreadState::Waiting {
                wait_reason: wait, ..
            } => Self::waiting(wait),
        }
    }

    /// The class of a line of a text log.
    pub const fn for_log_level(level: Option<LogLevel>) -> Self {
        match level {
            Some(LogLevel::Error) => Self::LOG_ERROR,
            Some(LogLevel::Warning) => Self::LOG_WARNING,
            Some(LogLevel::Info) => Self::LOG_INFO,
            Some(LogLevel::Debug | LogLevel::Trace) => Self::LOG_DEBUG,
            None => Self::LOG_LINE,
        }
    }

    /// The class of what a core runs; `depth` is the nesting depth of a routine, 1 for
    /// the outermost.
    pub const fn for_core(executing: RunningContext, depth: u16) -> Self {
        match executing {
            RunningContext::Thread(_) => Self::THREAD,
            RunningContext::Isr(_) if depth > 1 => Self::NESTED_ISR,
            RunningContext::Isr(_) => Self::ISR,
            RunningContext::Kernel => Self::KERNEL,
            RunningContext::Idle => Self::IDLE,
            RunningContext::Initialize => Self::INITIALIZE,
            RunningContext::Unknown => Self::UNKNOWN,
        }
    }

    /// Whether something runs, a machine is in a known state, a span is open, or a stage
    /// works on an item.
    pub const fn is_busy(self) -> bool {
        let executes = matches!(
            self,
            Self::RUNNING
                | Self::THREAD
                | Self::ISR
                | Self::NESTED_ISR
                | Self::KERNEL
                | Self::INTERRUPTS_OFF
                | Self::MARKER
                | Self::ITEM
                | Self::LATE_ITEM
        );
        executes || self.0 >= FIRST_STATE
    }

    /// Whether it is an interrupt on a core.
    pub const fn is_isr(self) -> bool {
        matches!(self, Self::ISR | Self::NESTED_ISR | Self::KERNEL)
    }

    /// All classes and their names.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let waits = WaitReason::ALL.iter();
        let waits = waits.map(|wait| (Self::waiting(*wait), wait.name()));
        let states = (0..).map(Self::state).zip(STATE_NAMES);
        [
            (Self::NOTHING, "nothing"),
            (Self::UNKNOWN, "unknown"),
            (Self::READY, "ready"),
            (Self::RUNNING, "running"),
        ]
        .into_iter()
        .chain(waits)
        .chain([
            (Self::THREAD, "thread"),
            (Self::ISR, "isr"),
            (Self::NESTED_ISR, "nested-isr"),
            (Self::IDLE, "idle"),
            (Self::INITIALIZE, "initialize"),
            (Self::INTERRUPTED, "interrupted"),
            (Self::KERNEL, "kernel"),
            (Self::INTERRUPTS_OFF, "interrupts-off"),
            (Self::MARKER, "marker"),
            (Self::QUEUED_ITEM, "queued-item"),
            (Self::ITEM, "item"),
            (Self::LATE_ITEM, "late-item"),
            (Self::LOG_ERROR, "log-error"),
            (Self::LOG_WARNING, "log-warning"),
            (Self::LOG_INFO, "log-info"),
            (Self::LOG_DEBUG, "log-debug"),
            (Self::LOG_LINE, "log-line"),
        ])
        .chain(states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_codes_are_unique() {
        let mut codes: Vec<_> = BarClass::all().map(|(class, _)| class).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert!(
            codes
                .iter()
                .all(|class| usize::from(class.0) < BarClass::COUNT)
        );
    }
}

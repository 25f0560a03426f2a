//! Classes of bars, encoded in a byte.

use rtoscope_analysis::schedule::{RunningContext, ThreadState};
use rtoscope_trace::WaitReason;
use rtoscope_trace::text_log::LogLevel;

/// The class of a bar in a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BarClass(pub u8);

const FIRST_WAIT: u8 = 4;
const FIRST_STATE: u8 = 38;
/// Number of machine states with a class of their own.
const STATE_CLASSES: u8 = STATE_NAMES.len() as u8;
const STATE_NAMES: [&str; 12] = [
    "state-0", "state-1", "state-2", "state-3", "state-4", "state-5", "state-6", "state-7",
    "state-8", "state-9", "state-10", "state-11",
];

/// Defines the classes with a number of their own, and their names in the order of the numbers.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident = $number:literal $name:literal,)*) => {
        impl BarClass {
            $($(#[$doc])* pub const $class: Self = Self($number);)*
        }

        const NAMED: &[(BarClass, &str)] = &[$((BarClass::$class, $name)),*];
    };
}

classes! {
    /// The lane is inactive.
    NOTHING = 0 "nothing",
    /// Unknown: not recorded in the trace.
    UNKNOWN = 1 "unknown",
    /// A thread is ready and has no core.
    READY = 2 "ready",
    /// A thread or a routine is running.
    RUNNING = 3 "running",
    /// A core runs a thread.
    THREAD = 20 "thread",
    /// A core runs an interrupt service routine that is not nested.
    ISR = 21 "isr",
    /// A core runs a nested interrupt service routine.
    NESTED_ISR = 22 "nested-isr",
    /// A core is idle.
    IDLE = 23 "idle",
    /// A core initialises, before the scheduler starts.
    INITIALIZE = 24 "initialize",
    /// A thread or a routine has been running, and an interrupt has its core.
    INTERRUPTED = 25 "interrupted",
    /// A core runs an interrupt, or the scheduler after it, outside any recorded
    /// routine.
    KERNEL = 26 "kernel",
    /// A core has interrupts disabled.
    INTERRUPTS_OFF = 27 "interrupts-off",
    /// A span of a marker is open.
    MARKER = 28 "marker",
    /// An item waits for a stage of a pipeline.
    QUEUED_ITEM = 29 "queued-item",
    /// A stage of a pipeline works on an item.
    ITEM = 30 "item",
    /// The same, and the item is late or will be dropped.
    LATE_ITEM = 31 "late-item",
    /// An error is the last line of a text log.
    LOG_ERROR = 32 "log-error",
    /// A warning is.
    LOG_WARNING = 33 "log-warning",
    /// An information is.
    LOG_INFO = 34 "log-info",
    /// A line for debugging is.
    LOG_DEBUG = 35 "log-debug",
    /// A line without a level is.
    LOG_LINE = 36 "log-line",
    /// A span of a marker never ends, and a later one has begun.
    ENDLESS_MARKER = 37 "endless-marker",
}

impl BarClass {
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
            ThreadState::Deleted => Self::NOTHING,
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
        let before_waits = |(class, _): &&(Self, _)| class.0 < FIRST_WAIT;
        let first = NAMED.iter().take_while(before_waits);
        let others = NAMED.iter().skip_while(before_waits);
        first
            .copied()
            .chain(waits)
            .chain(others.copied())
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

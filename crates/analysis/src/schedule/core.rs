//! What is known of a core at the present event.

use super::{CoreSlices, InterruptsOffSection, IsrActivationId, Running, SwitchCause};
use crate::event_time::EventTime;
use rtoscope_trace::ContextId;

/// A core. Its present event is the last one that it recorded.
#[derive(Debug, Clone)]
pub(super) struct CoreState {
    pub(super) slices: CoreSlices,
    /// Its last event, or since then the moment at which another core suspended
    /// its thread: who executed before that is settled.
    pub(super) settled_at: EventTime,
    /// The context it executes apart from interrupts, as far as is known.
    pub(super) base: ContextId,
    /// The last thread it executed.
    pub(super) last_thread: ContextId,
    /// Who the kernel said will execute next; [`ContextId::UNKNOWN`] if `base`
    /// goes on.
    pub(super) next: ContextId,
    /// Why.
    pub(super) next_cause: SwitchCause,
    /// Who the kernel announced before `base` went on with preemption disabled:
    /// that it gives way to this thread is known already.
    pub(super) deferred: Option<(ContextId, SwitchCause)>,
    /// The thread whose time slice is over, until it is seen to go on or another
    /// of its priority to execute instead.
    pub(super) sliced_thread: Option<(ContextId, EventTime)>,
    /// Whether its thread has called to sleep and its suspension was not yet seen.
    pub(super) sleeps: bool,
    /// Whether its last event changed the priority of its thread.
    pub(super) lowered: bool,
    /// Whether with its last event its thread let others go first, and the
    /// record does not say which.
    pub(super) yielded: bool,
    /// Whether its last event was an interrupt's.
    pub(super) interrupted: bool,
    /// The interrupt service routines that have begun and not ended.
    pub(super) nesting: Vec<IsrActivationId>,
    /// Whether a routine may have begun before anything is known, and go on
    /// below those that are known of.
    pub(super) outer: bool,
    /// Whether anything was recorded since anything is known.
    pub(super) begun: bool,
    /// The routine without records of its entry and exit whose events may go on.
    pub(super) inferred_isr: Option<InferredIsr>,
    /// Whether an interrupt has the core, or the scheduler behind it, apart from
    /// the routines that are known of. Only in traces that tell switches.
    pub(super) in_kernel: bool,
    /// The time in which it takes no interrupts and that goes on; its end is
    /// the last event that found it so.
    pub(super) interrupts_off: Option<InterruptsOffSection>,
    /// Whether nothing is open: as long as events of `base` follow, it executes.
    pub(super) steady: bool,
}

/// An interrupt service routine without records of its entry and exit.
#[derive(Debug, Clone, Copy)]
pub(super) struct InferredIsr {
    pub(super) activation: IsrActivationId,
    pub(super) interrupted: ContextId,
    /// Whether it has ended a time slice: the next to do so is another.
    pub(super) sliced: bool,
}

impl CoreState {
    pub(super) fn new(number: u8) -> Self {
        Self {
            slices: CoreSlices::new(number),
            settled_at: EventTime::START,
            base: ContextId::UNKNOWN,
            last_thread: ContextId::UNKNOWN,
            next: ContextId::UNKNOWN,
            next_cause: SwitchCause::Unknown,
            deferred: None,
            sliced_thread: None,
            sleeps: false,
            lowered: false,
            yielded: false,
            interrupted: false,
            nesting: Vec::new(),
            outer: false,
            begun: false,
            inferred_isr: None,
            in_kernel: false,
            interrupts_off: None,
            steady: false,
        }
    }

    /// What it executes apart from the routines that are known of.
    pub(super) fn base_running(&self) -> Running {
        if self.in_kernel {
            Running::KERNEL
        } else if self.outer {
            Running::UNKNOWN
        } else {
            Running::context(self.base)
        }
    }

    /// `next` will execute once the present event is over.
    pub(super) fn announce(&mut self, next: ContextId, cause: SwitchCause) {
        self.next = if next == self.base {
            ContextId::UNKNOWN
        } else {
            next
        };
        self.next_cause = cause;
        self.steady = false;
    }
}

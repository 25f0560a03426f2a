//! The state of a core at its current event.

use super::{CoreSlices, InterruptsOffSection, IsrActivationId, Running, StrayExits, SwitchCause};
use crate::event_time::EventTime;
use rtoscope_trace::ContextId;
use std::collections::BTreeMap;

/// A core. Its current event is the last one that it recorded.
#[derive(Debug, Clone)]
pub(super) struct CoreState {
    pub(super) slices: CoreSlices,
    /// Its last event, or the later time at which another core suspended its
    /// thread: the running context before that is settled.
    pub(super) settled_at: EventTime,
    /// The context it runs apart from interrupts, as far as known.
    pub(super) base: ContextId,
    /// The last thread it ran.
    pub(super) last_thread: ContextId,
    /// The context that the kernel announced; [`ContextId::UNKNOWN`] if `base`
    /// continues.
    pub(super) next: ContextId,
    /// The cause of that switch.
    pub(super) next_cause: SwitchCause,
    /// The context that the kernel announced before `base` continued with
    /// preemption disabled: the preemption by this thread was already counted.
    pub(super) deferred: Option<(ContextId, SwitchCause)>,
    /// The thread whose time slice has expired, until it continues or another
    /// thread of its priority runs.
    pub(super) sliced_thread: Option<(ContextId, EventTime)>,
    /// Whether its thread has called to sleep without a recorded suspension
    /// yet.
    pub(super) sleeps: bool,
    /// Whether its last event changed the priority of its thread.
    pub(super) lowered: bool,
    /// Whether its thread let others run first with its last event, and the
    /// record does not name the next.
    pub(super) yielded: bool,
    /// Whether its last event was that of an interrupt.
    pub(super) interrupted: bool,
    /// The active interrupt service routines.
    pub(super) nesting: Vec<IsrActivationId>,
    /// The ISR without a recorded exit that an active ISR, or one that has just ended,
    /// may have interrupted.
    pub(super) interrupted_isr: Option<IsrActivationId>,
    /// Whether an ISR from before the known part of the trace may continue
    /// below the known ones.
    pub(super) outer: bool,
    /// Whether the core has recorded anything in the known part of the trace.
    pub(super) begun: bool,
    /// Whether a thread or idle has run there, so that no unknown ISR is active.
    pub(super) has_run: bool,
    /// The ISRs by number: those that were entered, and those that exited without entry.
    pub(super) isrs: BTreeMap<u32, StrayExits>,
    /// Whether any exit had the number of an active ISR.
    pub(super) has_matching_exits: bool,
    /// The ISR without entry and exit whose events may continue.
    pub(super) inferred_isr: Option<InferredIsr>,
    /// Whether the core is in an interrupt or the scheduler, outside the known
    /// ISRs. Only in traces with explicit switches.
    pub(super) in_kernel: bool,
    /// The open interrupts-off section; its end is the last event that found
    /// interrupts off.
    pub(super) interrupts_off: Option<InterruptsOffSection>,
    /// Whether nothing is open, so that `base` runs as long as events of `base`
    /// follow. This lets most events skip the full decision.
    pub(super) steady: bool,
}

/// An interrupt service routine without records of its entry and exit.
#[derive(Debug, Clone, Copy)]
pub(super) struct InferredIsr {
    pub(super) activation: IsrActivationId,
    pub(super) interrupted: ContextId,
    /// Whether it has ended a time slice: the next ISR to do so is another one.
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
            interrupted_isr: None,
            outer: false,
            begun: false,
            has_run: false,
            isrs: BTreeMap::new(),
            has_matching_exits: false,
            inferred_isr: None,
            in_kernel: false,
            interrupts_off: None,
            steady: false,
        }
    }

    /// The context that it runs apart from the known ISRs.
    pub(super) fn base_running(&self) -> Running {
        if self.in_kernel {
            Running::KERNEL
        } else if self.outer {
            Running::UNKNOWN
        } else {
            Running::context(self.base)
        }
    }

    /// `next` will run after the current event.
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

//! Interrupt service routines that begin, continue and end.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::core::InferredIsr;
use crate::schedule::{IsrActivation, IsrActivationId, Running, StrayExits};
use rtoscope_trace::{ContextId, SchedEvent, Ticks};

/// Maximum nesting depth in the search for the entry of an exit. Processors
/// nest far less; an unlimited search would let the cost of an event grow with
/// the trace.
const MAX_SEARCHED_NESTING: usize = 64;

impl ScheduleBuilder {
    /// Whether the event continues an ISR without entry and exit; then that ISR
    /// has run since the previous event.
    pub(super) fn continues_inferred_isr(
        &mut self,
        core_index: usize,
        evidence: ContextId,
        sched_event: SchedEvent,
    ) -> bool {
        let core = &mut self.cores[core_index];
        let Some(inferred) = &mut core.inferred_isr else {
            return false;
        };
        let is_slice = matches!(sched_event, SchedEvent::TimeSlice { .. });
        if evidence != inferred.interrupted
            || matches!(sched_event, SchedEvent::IsrEnter { .. })
            || is_slice && inferred.sliced
        {
            return false;
        }
        inferred.sliced |= is_slice;
        let id = inferred.activation;
        // If it had ended, the thread that it announced would have run.
        let certain = core.next != ContextId::UNKNOWN;
        let running = if certain {
            Running::isr(id)
        } else {
            Running::UNKNOWN
        };
        core.slices.push(core.settled_at, running);
        self.activations.update(id.index(), |activation| {
            activation.end = Ticks(self.now.time);
            activation.last = self.now.event;
        });
        true
    }

    /// Follows ISRs whose exit is never recorded up to the next event of a core. Returns
    /// whether such an ISR may have ended since its last record. A record of the
    /// interrupt, other than an entry or exit, shows that it has not, unless there are
    /// interrupts that record no entry.
    pub(super) fn follow_exitless_isr(
        &mut self,
        core_index: usize,
        is_interrupt: bool,
        sched_event: SchedEvent,
    ) -> bool {
        if self.exitless_isrs.is_empty() {
            return false;
        }
        let enters = matches!(sched_event, SchedEvent::IsrEnter { .. });
        let exits = matches!(sched_event, SchedEvent::IsrExit { .. });
        let continues = is_interrupt && !enters && !exits && !self.has_inferred_isrs;
        let core = &mut self.cores[core_index];
        let interrupted = core.interrupted_isr.take();
        let settled = core.settled_at;
        let innermost = core.nesting.last().copied();
        let is_nested = core.nesting.len() > 1;
        let is_exitless = innermost.is_some_and(|id| self.is_exitless(id));
        match (innermost, interrupted) {
            // If it is nested, the record may be that of the outer one.
            (Some(_), _) if is_exitless && continues => is_nested,
            (Some(id), _) if is_exitless => {
                let core = &mut self.cores[core_index];
                if is_interrupt {
                    core.nesting.pop();
                    core.interrupted_isr = enters.then_some(id);
                    self.end_activation(core_index, id, settled, false);
                }
                true
            }
            // It was the other ISR that has ended.
            (None, Some(id)) if continues => {
                let core = &mut self.cores[core_index];
                core.nesting.push(id);
                core.slices.push(settled, Running::UNKNOWN);
                core.slices.push(self.now, Running::isr(id));
                false
            }
            (None, Some(_)) => true,
            // The other ISR has not ended yet.
            (Some(_), _) => {
                self.cores[core_index].interrupted_isr = interrupted;
                false
            }
            (None, None) => false,
        }
    }

    /// Whether the exit of an ISR is never recorded.
    pub(super) fn is_exitless(&self, id: IsrActivationId) -> bool {
        let activation = self.activations.get(id.index());
        let number = activation.and_then(|activation| activation.number);
        number.is_some_and(|number| self.exitless_isrs.contains(&number))
    }

    /// Begins an ISR without a recorded entry.
    pub(super) fn infer_isr(
        &mut self,
        core_index: usize,
        evidence: ContextId,
        sched_event: SchedEvent,
    ) {
        self.has_inferred_isrs = true;
        let activation = self.activate(core_index, None, evidence);
        self.cores[core_index].inferred_isr = Some(InferredIsr {
            activation,
            interrupted: evidence,
            sliced: matches!(sched_event, SchedEvent::TimeSlice { .. }),
        });
    }

    pub(super) fn activate(
        &mut self,
        core_index: usize,
        number: Option<u32>,
        interrupted: ContextId,
    ) -> IsrActivationId {
        let core = &self.cores[core_index];
        let id = IsrActivationId(self.activations.len() as u32);
        self.activations.push(IsrActivation {
            number,
            core: core.slices.core,
            depth: u16::try_from(core.nesting.len() + 1).unwrap_or(u16::MAX),
            interrupted,
            first: self.now.event,
            last: self.now.event,
            entered: number.is_some(),
            exited: false,
            start: Ticks(self.now.time),
            end: Ticks(self.now.time),
            nested: Ticks(0),
        });
        id
    }

    /// All active ISRs of a core had ended by its last event.
    pub(super) fn leave_interrupts(&mut self, core_index: usize) {
        let core = &mut self.cores[core_index];
        if core.nesting.is_empty() && core.inferred_isr.is_none() {
            return;
        }
        core.inferred_isr = None;
        let settled = core.settled_at;
        core.slices.push(settled, core.base_running());
        while let Some(id) = self.cores[core_index].nesting.pop() {
            self.end_activation(core_index, id, settled, false);
        }
    }

    pub(super) fn end_activation(
        &mut self,
        core_index: usize,
        id: IsrActivationId,
        end: EventTime,
        exited: bool,
    ) {
        let took = self.activations.update(id.index(), |activation| {
            activation.end = Ticks(end.time);
            activation.last = end.event;
            activation.exited = exited;
            activation.duration()
        });
        if let (Some(took), Some(outer)) = (took, self.cores[core_index].nesting.last()) {
            self.activations
                .update(outer.index(), |outer| outer.nested.0 += took.0);
        }
    }

    pub(super) fn enter_isr(&mut self, core_index: usize, number: u32) {
        let interrupted = self.cores[core_index].base;
        self.cores[core_index]
            .isrs
            .entry(number)
            .or_insert_with(|| StrayExits::of(number))
            .is_entered = true;
        let id = self.activate(core_index, Some(number), interrupted);
        let now = self.now;
        let core = &mut self.cores[core_index];
        core.nesting.push(id);
        core.slices.push(now, Running::isr(id));
        core.steady = false;
    }

    /// Whether an ISR that is not active exits although it records its entries, so that the
    /// exit ends nothing. Counts exits without an entry.
    pub(super) fn is_stray_exit(&mut self, core_index: usize, number: u32) -> bool {
        let core = &mut self.cores[core_index];
        let is_outermost = core.nesting.is_empty();
        if !core.has_run {
            return false;
        }
        let exits = core.isrs.entry(number);
        let exits = exits.or_insert_with(|| StrayExits::of(number));
        let is_wrong = !is_outermost && self.is_explicit && core.has_matching_exits;
        let is_stray = exits.is_entered || is_wrong;
        if is_stray || is_outermost {
            exits.count += 1;
            exits.first.get_or_insert(self.now.event);
        }
        is_stray
    }

    /// Whether an ISR without entry was active before the current event. Forgets one that
    /// this event alone would show.
    fn has_inferred_before(&mut self, core_index: usize) -> bool {
        let core = &mut self.cores[core_index];
        let Some(inferred) = core.inferred_isr else {
            return false;
        };
        let now = self.now.event;
        if self.activations.last().is_none_or(|it| it.first != now) {
            return true;
        }
        self.activations.pop();
        debug_assert_eq!(inferred.activation.index(), self.activations.len());
        core.inferred_isr = None;
        false
    }

    pub(super) fn exit_isr(&mut self, core_index: usize, number: u32) {
        let now = self.now;
        let numbers = |id: &IsrActivationId| self.activations.get(id.index())?.number;
        let nesting = &self.cores[core_index].nesting;
        let deep = nesting.len().saturating_sub(MAX_SEARCHED_NESTING);
        let innermost = nesting.get(deep..).unwrap_or_default();
        // The innermost ISR with that number. If the number matches none and is that of no
        // other ISR, the innermost ISR ends, because applications often pass a wrong number
        // to the exit.
        let found = innermost.iter().rposition(|id| numbers(id) == Some(number));
        let found = found.map(|at| deep + at);
        let remain = found.unwrap_or(nesting.len().saturating_sub(1));
        let unentered = nesting.is_empty();
        match found {
            Some(_) => self.cores[core_index].has_matching_exits = true,
            None if self.is_stray_exit(core_index, number)
                && !self.has_inferred_before(core_index) =>
            {
                return;
            }
            None => {}
        }
        while self.cores[core_index].nesting.len() > remain {
            let exits = self.cores[core_index].nesting.len() == remain + 1;
            if let Some(id) = self.cores[core_index].nesting.pop() {
                self.end_activation(core_index, id, now, exits);
            }
        }
        if unentered {
            // Its entry was not recorded; `settle` has inferred it.
            if let Some(inferred) = self.cores[core_index].inferred_isr.take() {
                self.activations
                    .update(inferred.activation.index(), |activation| {
                        activation.number = Some(number);
                        activation.exited = true;
                    });
            }
        }
        let core = &mut self.cores[core_index];
        let running = match core.nesting.last() {
            Some(outer) => Running::isr(*outer),
            None => core.base_running(),
        };
        core.slices.push(now, running);
        core.steady = false;
    }
}

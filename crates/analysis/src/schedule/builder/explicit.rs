//! Traces with explicit switches: an event names the running context from there
//! on.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::{Dispatch, InterruptsOffEnding, Running, SwitchCause};
use rtoscope_trace::{ContextId, Contexts, EventHeader, SchedEvent, Ticks};

impl ScheduleBuilder {
    /// Applies an event of a trace with explicit switches. `returns` is whether
    /// interrupt returns are recorded.
    pub(super) fn push_explicit(
        &mut self,
        event: &EventHeader,
        sched_event: SchedEvent,
        returns: bool,
    ) {
        let core_index = self.core_index(event.core);
        self.now = EventTime {
            time: event.time.0,
            event: event.index,
        };
        match sched_event {
            SchedEvent::Switch { to } => self.explicit_switch(core_index, to),
            SchedEvent::Return { to } => self.explicit_return(core_index, to),
            SchedEvent::IsrEnter { number } => self.enter_isr(core_index, number),
            SchedEvent::IsrExit { number } => self.explicit_isr_exit(core_index, number, returns),
            SchedEvent::InterruptsDisabled {
                already_disabled: already,
            } => self.disable_interrupts(core_index, event.context, already),
            SchedEvent::InterruptsRestored => {
                self.end_interrupts_off(core_index, InterruptsOffEnding::Restored, true);
            }
            _ => {}
        }
        self.cores[core_index].settled_at = self.now;
    }

    fn explicit_switch(&mut self, core_index: usize, to: ContextId) {
        self.end_interrupts_off_by_switch(core_index);
        self.abandon_isrs(core_index);
        if to == Contexts::INTERRUPT {
            self.leave_idle(core_index);
            return;
        }
        if to.is_thread() {
            self.resumptions.push(self.now.event);
        }
        let from = self.set_base(core_index, to);
        if from == to || !to.is_thread() {
            return;
        }
        let core = &mut self.cores[core_index];
        let last_thread = std::mem::replace(&mut core.last_thread, to);
        self.dispatches.push(Dispatch {
            time: Ticks(self.now.time),
            event: self.now.event,
            thread: to,
            previous: from,
            last_thread,
            core: core.slices.core,
            cause: match from {
                Contexts::IDLE => SwitchCause::Idle,
                Contexts::INITIALIZE => SwitchCause::Start,
                // Why a thread gave way is not recorded.
                _ => SwitchCause::Unknown,
            },
        });
    }

    /// An interrupt takes the core, usually from idle. The interrupted context
    /// may continue later.
    fn leave_idle(&mut self, core_index: usize) {
        if self.cores[core_index].base == ContextId::UNKNOWN {
            self.cores[core_index].base = Contexts::IDLE;
        }
        self.enter_kernel(core_index);
    }

    /// The core enters the kernel's part of an interrupt.
    fn enter_kernel(&mut self, core_index: usize) {
        let now = self.now;
        let core = &mut self.cores[core_index];
        core.in_kernel = true;
        core.slices.push(now, core.base_running());
    }

    fn explicit_return(&mut self, core_index: usize, to: ContextId) {
        self.end_interrupts_off_by_switch(core_index);
        self.abandon_isrs(core_index);
        let to = match to {
            ContextId::UNKNOWN => self.cores[core_index].base,
            to => to,
        };
        self.set_base(core_index, to);
        if to.is_thread() {
            self.cores[core_index].last_thread = to;
        }
    }

    fn explicit_isr_exit(&mut self, core_index: usize, number: u32, returns: bool) {
        let (now, core) = (self.now, &mut self.cores[core_index]);
        let entered = !core.nesting.is_empty();
        if !entered {
            // It has run for an unknown part of the time since the last event.
            core.slices.push(core.settled_at, Running::UNKNOWN);
            let id = self.activate(core_index, Some(number), ContextId::UNKNOWN);
            if let Some(activation) = self.activations.get_mut(id.index()) {
                activation.entered = false;
            }
            self.end_activation(core_index, id, now, true);
        }
        if entered {
            self.exit_isr(core_index, number);
        }
        let core = &mut self.cores[core_index];
        if core.nesting.is_empty() {
            core.in_kernel |= returns;
            core.slices.push(now, core.base_running());
        }
    }

    /// All active ISRs without a recorded exit had ended by now, at an unknown
    /// time.
    fn abandon_isrs(&mut self, core_index: usize) {
        let core = &mut self.cores[core_index];
        let settled = core.settled_at;
        if !core.nesting.is_empty() {
            core.slices.push(settled, Running::UNKNOWN);
        }
        while let Some(id) = self.cores[core_index].nesting.pop() {
            self.end_activation(core_index, id, settled, false);
        }
    }

    /// From now on the core runs `to`. Returns the previous context.
    fn set_base(&mut self, core_index: usize, to: ContextId) -> ContextId {
        let now = self.now;
        let core = &mut self.cores[core_index];
        let from = std::mem::replace(&mut core.base, to);
        core.in_kernel = false;
        core.slices.push(now, core.base_running());
        if from != to {
            self.leave_core(from, now);
            self.take_core(core_index, to, now, true);
        }
        from
    }
}

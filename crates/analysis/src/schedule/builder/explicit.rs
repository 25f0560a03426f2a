//! Traces with explicit switches: an event names the running context from there
//! on.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::{Dispatch, InterruptsOffEnding, Running, SwitchCause};
use rtoscope_trace::{ContextId, Contexts, EventHeader, SchedEvent, Ticks};

impl ScheduleBuilder {
    /// Applies an event of a trace with explicit switches. `returns` is whether
    /// interrupt returns are recorded.
    pub(super) fn push_explicit(&mut self, event: &EventHeader, act: SchedEvent, returns: bool) {
        let place = self.core_index(event.core);
        self.now = EventTime {
            time: event.time.0,
            event: event.index,
        };
        match act {
            SchedEvent::Switch { to } => self.explicit_switch(place, to),
            SchedEvent::Return { to } => self.explicit_return(place, to),
            SchedEvent::IsrEnter { number } => self.enter_isr(place, number),
            SchedEvent::IsrExit { number } => self.explicit_isr_exit(place, number, returns),
            SchedEvent::InterruptsDisabled {
                already_disabled: already,
            } => self.disable_interrupts(place, event.context, already),
            SchedEvent::InterruptsRestored => {
                self.end_interrupts_off(place, InterruptsOffEnding::Restored, true)
            }
            _ => {}
        }
        self.cores[place].settled_at = self.now;
    }

    fn explicit_switch(&mut self, place: usize, to: ContextId) {
        self.end_interrupts_off_by_switch(place);
        self.abandon_isrs(place);
        if to == Contexts::INTERRUPT {
            self.leave_idle(place);
            return;
        }
        if to.is_thread() {
            self.resumptions.push(self.now.event);
        }
        let from = self.set_base(place, to);
        if from == to || !to.is_thread() {
            return;
        }
        let core = &mut self.cores[place];
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
    fn leave_idle(&mut self, place: usize) {
        if self.cores[place].base == ContextId::UNKNOWN {
            self.cores[place].base = Contexts::IDLE;
        }
        self.enter_kernel(place);
    }

    /// The core enters the kernel's part of an interrupt.
    fn enter_kernel(&mut self, place: usize) {
        let now = self.now;
        let core = &mut self.cores[place];
        core.in_kernel = true;
        core.slices.push(now, core.base_running());
    }

    fn explicit_return(&mut self, place: usize, to: ContextId) {
        self.end_interrupts_off_by_switch(place);
        self.abandon_isrs(place);
        let to = match to {
            ContextId::UNKNOWN => self.cores[place].base,
            to => to,
        };
        self.set_base(place, to);
        if to.is_thread() {
            self.cores[place].last_thread = to;
        }
    }

    fn explicit_isr_exit(&mut self, place: usize, number: u32, returns: bool) {
        let (now, core) = (self.now, &mut self.cores[place]);
        let entered = !core.nesting.is_empty();
        if !entered {
            // It has run for an unknown part of the time since the last event.
            core.slices.push(core.settled_at, Running::UNKNOWN);
            let id = self.activate(place, Some(number), ContextId::UNKNOWN);
            if let Some(activation) = self.activations.get_mut(id.index()) {
                activation.entered = false;
            }
            self.end_activation(place, id, now, true);
        }
        if entered {
            self.exit_isr(place, number);
        }
        let core = &mut self.cores[place];
        if core.nesting.is_empty() {
            core.in_kernel |= returns;
            core.slices.push(now, core.base_running());
        }
    }

    /// All active ISRs without a recorded exit had ended by now, at an unknown
    /// time.
    fn abandon_isrs(&mut self, place: usize) {
        let core = &mut self.cores[place];
        let settled = core.settled_at;
        if !core.nesting.is_empty() {
            core.slices.push(settled, Running::UNKNOWN);
        }
        while let Some(id) = self.cores[place].nesting.pop() {
            self.end_activation(place, id, settled, false);
        }
    }

    /// From now on the core runs `to`. Returns the previous context.
    fn set_base(&mut self, place: usize, to: ContextId) -> ContextId {
        let now = self.now;
        let core = &mut self.cores[place];
        let from = std::mem::replace(&mut core.base, to);
        core.in_kernel = false;
        core.slices.push(now, core.base_running());
        if from != to {
            self.leave_core(from, now);
            self.take_core(place, to, now, true);
        }
        from
    }
}

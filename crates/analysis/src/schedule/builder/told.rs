//! Recordings that tell every switch: an event says who executes from it on.

use super::Builder;
use crate::moment::Moment;
use crate::schedule::{Cause, Dispatch, Unmasking, Who};
use rtoscope_trace::{Act, ContextId, Contexts, Presence, Ticks};

impl Builder {
    /// Takes an event of a trace that tells its switches. `returns` says
    /// whether it tells as well where interrupts return.
    pub(super) fn hear(&mut self, event: &Presence, act: Act, returns: bool) {
        let place = self.place(event.core);
        self.now = Moment {
            time: event.time.0,
            event: event.index,
        };
        match act {
            Act::Switch { to } => self.hear_switch(place, to),
            Act::Return { to } => self.hear_return(place, to),
            Act::IsrEnter { number } => self.enter_isr(place, number),
            Act::IsrExit { number } => self.hear_exit(place, number, returns),
            Act::InterruptsDisabled { already } => self.mask(place, event.context, already),
            Act::InterruptsRestored => self.end_masked(place, Unmasking::Restored, true),
            _ => {}
        }
        self.cores[place].settled = self.now;
    }

    fn hear_switch(&mut self, place: usize, to: ContextId) {
        self.unmask_unseen(place);
        self.abandon_routines(place);
        if to == Contexts::INTERRUPT {
            self.leave_idle(place);
            return;
        }
        if to.is_thread() {
            self.resumptions.push(self.now.event);
        }
        let from = self.go_to(place, to);
        if from == to || !to.is_thread() {
            return;
        }
        let core = &mut self.cores[place];
        let last_thread = std::mem::replace(&mut core.last_thread, to);
        self.dispatches.push(Dispatch {
            time: Ticks(self.now.time),
            event: self.now.event,
            thread: to,
            before: from,
            last_thread,
            core: core.slices.core,
            cause: match from {
                Contexts::IDLE => Cause::Idle,
                Contexts::INITIALIZE => Cause::Start,
                // Why a thread gave way is not told.
                _ => Cause::Unknown,
            },
        });
    }

    /// An interrupt takes the core, from idle as a rule. What it interrupted
    /// may go on later.
    fn leave_idle(&mut self, place: usize) {
        if self.cores[place].base == ContextId::UNKNOWN {
            self.cores[place].base = Contexts::IDLE;
        }
        self.serve(place);
    }

    /// The kernel's part of an interrupt begins.
    fn serve(&mut self, place: usize) {
        let now = self.now;
        let core = &mut self.cores[place];
        core.serving = true;
        core.slices.run(now, core.below());
    }

    fn hear_return(&mut self, place: usize, to: ContextId) {
        self.unmask_unseen(place);
        self.abandon_routines(place);
        let to = match to {
            ContextId::UNKNOWN => self.cores[place].base,
            to => to,
        };
        self.go_to(place, to);
        if to.is_thread() {
            self.cores[place].last_thread = to;
        }
    }

    fn hear_exit(&mut self, place: usize, number: u32, returns: bool) {
        let (now, core) = (self.now, &mut self.cores[place]);
        let entered = !core.nesting.is_empty();
        if !entered {
            // It has executed for an unknown part of the time since the last event.
            core.slices.run(core.settled, Who::UNKNOWN);
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
            core.serving |= returns;
            core.slices.run(now, core.below());
        }
    }

    /// Whatever routines have begun and were not told to end had ended by now;
    /// when is not known.
    fn abandon_routines(&mut self, place: usize) {
        let core = &mut self.cores[place];
        let settled = core.settled;
        if !core.nesting.is_empty() {
            core.slices.run(settled, Who::UNKNOWN);
        }
        while let Some(id) = self.cores[place].nesting.pop() {
            self.end_activation(place, id, settled, false);
        }
    }

    /// From now on the core executes `to`. Returns whom it executed before.
    fn go_to(&mut self, place: usize, to: ContextId) -> ContextId {
        let now = self.now;
        let core = &mut self.cores[place];
        let from = std::mem::replace(&mut core.base, to);
        core.serving = false;
        core.slices.run(now, core.below());
        if from != to {
            self.leave_core(from, now);
            self.take_core(place, to, now, true);
        }
        from
    }
}

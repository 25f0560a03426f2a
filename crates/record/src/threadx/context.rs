use super::control::TraceControl;
use super::stack::stack_pointer;
use super::{EventGroups, ISR_ENTER, ISR_EXIT, InfoField, ThreadXRecorder, WordWidth};
use crate::port::{Clock, Mask};
use core::cell::Cell;
use rtoscope_wire::threadx::{CONTEXT_INITIALIZE, PRIORITY_VALID};

/// A thread in events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// Address of its control block, or any other number that is unique to the thread and
    /// not 0, 0xFFFFFFFF or 0xF0F0F0F0.
    pub address: usize,
    /// Its current priority, including an inherited one; 0 is the highest.
    pub priority: u16,
    /// The preemption threshold: only threads of a higher priority preempt it. Equal to
    /// the priority if there is no threshold.
    pub threshold: u16,
}

impl Thread {
    /// A thread without a preemption threshold.
    pub const fn new(address: usize, priority: u16) -> Self {
        Self {
            address,
            priority,
            threshold: priority,
        }
    }

    /// The priority word of its events.
    fn priority_word(self) -> u32 {
        PRIORITY_VALID | u32::from(self.threshold) << 16 | u32::from(self.priority)
    }
}

/// The running context: the equivalent of ThreadX's `_tx_thread_system_state` and
/// `_tx_thread_current_ptr`, as words ready to be written to events.
pub(super) struct RunningContext<W> {
    /// Number of nested interrupts.
    depth: Cell<u32>,
    /// The system state outside interrupts: `TX_INITIALIZE_IN_PROGRESS` before the
    /// scheduler starts, then 0. Interrupts count up from it.
    base_state: Cell<u32>,
    /// Context and priority word in interrupts. During initialisation, interrupts use its
    /// context.
    in_interrupt: Cell<[W; 2]>,
    /// Context and priority word outside interrupts.
    in_thread: Cell<[W; 2]>,
}

impl<W: WordWidth> RunningContext<W> {
    pub(super) const fn new() -> Self {
        Self {
            depth: Cell::new(0),
            base_state: Cell::new(CONTEXT_INITIALIZE),
            in_interrupt: Cell::new([W::INITIALIZE, W::ZERO]),
            in_thread: Cell::new([W::INITIALIZE, W::ZERO]),
        }
    }
}

impl<W: WordWidth> TraceControl<W> {
    /// Sets the thread, or 0 for none, that runs after all interrupts.
    fn set_thread(&self, thread: W, outside: [W; 2]) {
        let runs = &self.running;
        let inside = [W::INTERRUPT, thread];
        runs.in_interrupt.set(inside);
        runs.in_thread.set(outside);
        if runs.base_state.replace(0) != 0 {
            runs.depth.set(0);
        }
        self.set_context(if runs.depth.get() == 0 {
            outside
        } else {
            inside
        });
    }

    /// Returns the new nesting depth.
    #[inline(always)]
    fn enter_interrupt(&self) -> u32 {
        let before = self.running.depth.get();
        let depth = before.wrapping_add(1);
        self.running.depth.set(depth);
        if before == 0 {
            self.set_context(self.running.in_interrupt.get());
        }
        depth
    }

    #[inline(always)]
    fn leave_interrupt(&self, depth: u32) {
        // An interrupt that was not entered is not left either.
        if depth == 0 {
            return;
        }
        self.running.depth.set(depth.wrapping_sub(1));
        if depth == 1 {
            self.set_context(self.running.in_thread.get());
        }
    }

    #[inline(always)]
    fn set_context(&self, [context, priority]: [W; 2]) {
        self.context.set(context);
        self.priority.set(priority);
    }
}

/// The running context of events. Call these methods whether or not the recorder is
/// enabled, so that the context is known when it is enabled.
impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// A thread starts running, or the running thread's priority changes. Inside an
    /// interrupt, the thread runs after the interrupt. The first call ends the
    /// initialisation.
    pub fn enter_thread(&self, thread: Thread) {
        let address = W::from_address(thread.address);
        if address == W::ZERO {
            return self.enter_idle();
        }
        let outside = [address, W::from(thread.priority_word())];
        self.with_control(|control| control.set_thread(address, outside));
    }

    /// No thread runs from now on. Until the next thread runs, events are recorded as
    /// those of an interrupt, which is where they come from in ThreadX.
    pub fn enter_idle(&self) {
        self.with_control(|control| control.set_thread(W::ZERO, [W::INTERRUPT, W::ZERO]));
    }

    /// An interrupt handler begins. This records no event, but later events belong to the
    /// interrupt until [`ThreadXRecorder::leave_interrupt`]. Calls nest.
    pub fn enter_interrupt(&self) {
        self.with_control(|control| {
            control.enter_interrupt();
        });
    }

    /// The interrupt handler ends.
    pub fn leave_interrupt(&self) {
        self.with_control(|control| control.leave_interrupt(control.running.depth.get()));
    }

    /// An interrupt handler begins: [`ThreadXRecorder::enter_interrupt`] and the event
    /// ISR_ENTER (`tx_trace_isr_enter_insert`), with a number that the application
    /// assigns to the interrupt.
    #[inline(never)]
    pub fn isr_enter(&self, number: u32) {
        self.with_control(|control| {
            let depth = control.enter_interrupt();
            self.write_isr_event(control, ISR_ENTER, number, depth);
        });
    }

    /// The interrupt handler ends: the event ISR_EXIT (`tx_trace_isr_exit_insert`) and
    /// [`ThreadXRecorder::leave_interrupt`].
    #[inline(never)]
    pub fn isr_exit(&self, number: u32) {
        self.with_control(|control| {
            let depth = control.running.depth.get();
            self.write_isr_event(control, ISR_EXIT, number, depth);
            control.leave_interrupt(depth);
        });
    }

    #[inline(always)]
    fn write_isr_event(&self, control: &TraceControl<W>, id: u32, number: u32, depth: u32) {
        if control.records(EventGroups::INTERNAL) {
            let state = control.running.base_state.get().wrapping_add(depth);
            let preempt_disable = W::ZERO;
            let info = [
                stack_pointer().word(),
                number.word(),
                state.word(),
                preempt_disable,
            ];
            control.write_event(self.timestamp(), id, info);
        }
    }
}

//! Slices of the cores.

use super::{Address, IsrActivationTruth, SliceTruth, TrueContext};

/// A core with its slices so far.
#[derive(Debug)]
pub(super) struct CoreTracker {
    number: u8,
    /// The running or interrupted context: never a handler.
    base_context: TrueContext,
    /// The thread on the core, numbered across all cores.
    thread: Option<u16>,
    /// Active handlers, the outermost first.
    handlers: Vec<IsrActivationTruth>,
    slices: Vec<SliceTruth>,
    /// The start of the current slice.
    slice_start: u64,
}

impl CoreTracker {
    /// A core that waits for the initialisation.
    pub(super) fn new(number: u8) -> Self {
        Self {
            number,
            base_context: TrueContext::Initialize,
            thread: None,
            handlers: Vec::new(),
            slices: Vec::new(),
            slice_start: 0,
        }
    }

    /// The running context.
    fn running_context(&self) -> TrueContext {
        self.handlers.last().map_or(self.base_context, |handler| {
            TrueContext::Isr(handler.number)
        })
    }

    /// The running thread; `None` while a handler runs.
    pub(super) fn running_thread(&self) -> Option<u16> {
        self.thread.filter(|_| self.handlers.is_empty())
    }

    /// The thread on the core, interrupted or not.
    pub(super) fn thread(&self) -> Option<u16> {
        self.thread
    }

    /// The control block of that thread.
    pub(super) fn thread_address(&self) -> Option<Address> {
        match self.base_context {
            TrueContext::Thread(address) => Some(address),
            _ => None,
        }
    }

    /// Switches to another thread or to idle. Returns the previous context.
    pub(super) fn switch(
        &mut self,
        next: Option<(u16, Address)>,
        now: u64,
    ) -> (Option<u16>, TrueContext) {
        self.end_slice(now);
        let holder = next.map_or(TrueContext::Idle, |(_, address)| {
            TrueContext::Thread(address)
        });
        (
            std::mem::replace(&mut self.thread, next.map(|(number, _)| number)),
            std::mem::replace(&mut self.base_context, holder),
        )
    }

    /// Ends the current slice. Precedes every change of the running context.
    fn end_slice(&mut self, now: u64) {
        let context = self.running_context();
        let start_ticks = std::mem::replace(&mut self.slice_start, now);
        if start_ticks == now {
            return;
        }
        match self.slices.last_mut() {
            // The context in between ran for no time.
            Some(last) if last.context == context => last.end_ticks = now,
            _ => self.slices.push(SliceTruth {
                core: self.number,
                start_ticks,
                end_ticks: now,
                context,
            }),
        }
    }

    /// A handler starts with an event.
    pub(super) fn enter(&mut self, number: Option<u64>, event: Option<u64>, now: u64) {
        self.end_slice(now);
        self.handlers.push(IsrActivationTruth {
            core: self.number,
            number,
            enter_event: event,
            exit_event: None,
            start_ticks: now,
            end_ticks: now,
            depth: (self.handlers.len() + 1) as u8,
            inferred: number.is_none(),
        });
    }

    /// The innermost handler ends with an event.
    pub(super) fn exit(&mut self, event: Option<u64>, now: u64) -> Option<IsrActivationTruth> {
        self.end_slice(now);
        self.handlers.pop().map(|handler| IsrActivationTruth {
            exit_event: event,
            end_ticks: now,
            ..handler
        })
    }

    /// Ends the buffer: the slices and the activations.
    pub(super) fn finish(mut self, now: u64) -> (Vec<SliceTruth>, Vec<IsrActivationTruth>) {
        self.end_slice(now);
        for handler in &mut self.handlers {
            handler.end_ticks = now;
        }
        (self.slices, self.handlers)
    }
}

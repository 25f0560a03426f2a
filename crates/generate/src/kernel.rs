//! A core and its scheduler.

use crate::event::{Dispatch, Event, id};
use crate::facts::{FactLog, KernelFact};
use crate::interrupts::Interrupts;
use crate::neighbours::OtherCore;
use crate::objects::{ObjectSet, Pool};
use crate::pipeline::Pipeline;
use crate::ready::ReadyThreads;
use crate::thread::{Thread, ThreadIndex, ThreadState};
use crate::timing::Timing;
use crate::truth::DispatchCause;
use fastrand::Rng;
use rtoscope_wire::threadx::CONTEXT_INITIALIZE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One core with the threads that are pinned to it. Unless cores share objects,
/// each can be simulated separately.
///
/// Invariant: while the scheduler runs, `running` is the first ready thread
/// after each [`Kernel::advance`].
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    pub(crate) now: u64,
    pub(crate) timing: Timing,
    pub(crate) random: Rng,
    pub(crate) threads: Vec<Thread>,
    pub(crate) sets: Vec<ObjectSet>,
    pub(crate) block_pool: Pool,
    pub(crate) byte_pool: Pool,
    pub(crate) pipeline: Option<Box<Pipeline>>,
    pub(crate) ready: ReadyThreads,
    /// The thread on the core, interrupted or not; `None` is idle.
    pub(crate) running: Option<ThreadIndex>,
    /// Threads by the timer interrupt that ends their wait, unless it ends
    /// earlier.
    pub(crate) sleepers: BinaryHeap<Reverse<(u64, ThreadIndex)>>,
    pub(crate) interrupts: Interrupts,
    /// Whether the timer's handler logs neither entry nor exit.
    pub(crate) has_bare_ticks: bool,
    /// Whether some waits for objects have a timeout.
    pub(crate) has_timeouts: bool,
    /// Whether equal priorities share the core by time slices.
    pub(crate) has_time_slices: bool,
    /// Whether the last threads are controllers.
    pub(crate) has_controllers: bool,
    /// The context word of logged events.
    pub(crate) context: u64,
    /// The priority word of logged events.
    pub(crate) priority: u64,
    /// Records facts for the ground truth, if requested.
    pub(crate) fact_log: Option<Box<FactLog>>,
    /// The core's number in bits 24 to 31.
    core_bits: u32,
    /// Lowest address of the stack of initialisation and interrupts.
    system_stack: u64,
    logged: Vec<Event>,
    taken: usize,
}

/// Size of the stack of initialisation and interrupts in bytes.
pub(crate) const SYSTEM_STACK_BYTES: u64 = 1024;

impl Kernel {
    pub(crate) fn new(core: u8, timing: Timing, seed: u64, system_stack: u64) -> Self {
        Self {
            now: 0,
            timing,
            random: Rng::with_seed(seed),
            threads: Vec::new(),
            sets: Vec::new(),
            block_pool: Pool::new(0, 0, 0),
            byte_pool: Pool::new(0, 0, 0),
            pipeline: None,
            ready: ReadyThreads::new(),
            running: None,
            sleepers: BinaryHeap::new(),
            interrupts: Interrupts::default(),
            has_bare_ticks: false,
            has_timeouts: false,
            has_time_slices: false,
            has_controllers: false,
            context: u64::from(CONTEXT_INITIALIZE),
            priority: 0,
            fact_log: None,
            core_bits: u32::from(core) << 24,
            system_stack,
            logged: Vec::new(),
            taken: 0,
        }
    }

    /// The time of the next event; runs on until there is one.
    #[inline]
    pub(crate) fn peek_time(&mut self) -> u64 {
        loop {
            if let Some(event) = self.logged.get(self.taken) {
                return event.time;
            }
            self.logged.clear();
            self.taken = 0;
            self.advance(0, None);
        }
    }

    /// The next event; runs on until there is one.
    #[inline]
    pub(crate) fn next_event(&mut self) -> Event {
        loop {
            if let Some(event) = self.take_event() {
                return event;
            }
            self.logged.clear();
            self.taken = 0;
            self.advance(0, None);
        }
    }

    /// Advances to the next interrupt or the running thread's next call, but at
    /// least to `earliest`, and performs it.
    #[inline]
    fn advance(&mut self, earliest: u64, neighbour: OtherCore<'_>) {
        let interrupt = self.next_interrupt().max(earliest);
        let Some(index) = self.running else {
            return self.interrupt(interrupt, neighbour);
        };
        let thread = &mut self.threads[index.slot()];
        let call = (self.now + thread.work).max(earliest);
        if interrupt < call {
            thread.work = call - interrupt;
            self.interrupt(interrupt, neighbour);
        } else {
            self.now = call;
            thread.work = self.timing.work(&mut self.random);
            self.run_script_step(index, neighbour);
        }
    }

    /// The time of the core's next action, unless another core changes it.
    pub(crate) fn next_action(&self) -> u64 {
        let interrupt = self.next_interrupt();
        self.running.map_or(interrupt, |index| {
            interrupt.min(self.now + self.threads[index.slot()].work)
        })
    }

    /// Performs that action, not before `earliest`.
    pub(crate) fn run_next_action(&mut self, earliest: u64, neighbour: OtherCore<'_>) {
        self.logged.clear();
        self.taken = 0;
        self.advance(earliest, neighbour);
    }

    /// Whether there are events to take.
    pub(crate) fn has_events(&self) -> bool {
        self.taken < self.logged.len()
    }

    /// Takes the next logged event.
    #[inline]
    pub(crate) fn take_event(&mut self) -> Option<Event> {
        let event = self.logged.get(self.taken)?;
        self.taken += 1;
        Some(*event)
    }

    /// Logs an event in the current context. Time advances a little, so that
    /// the events of a core are strictly ordered.
    #[inline]
    pub(crate) fn log(&mut self, event: u32, info: [u64; 4]) {
        self.logged.push(Event {
            time: self.now,
            context: self.context,
            priority: self.priority,
            info,
            id: self.core_bits | event,
            dispatch: Dispatch::None,
        });
        self.now += self.timing.call(&mut self.random);
    }

    /// Records that the core switches after the last logged event.
    pub(crate) fn note_dispatch(&mut self, dispatch: Dispatch) {
        if let Some(event) = self.logged.last_mut() {
            event.dispatch = dispatch;
        }
    }

    /// Records a fact caused by the last logged event.
    #[inline]
    pub(crate) fn record_fact(&mut self, fact: KernelFact) {
        if let Some(witness) = &mut self.fact_log {
            witness.record(self.logged.len(), fact);
        }
    }

    /// The number of logged events, including those taken.
    pub(crate) fn logged_events(&self) -> usize {
        self.logged.len()
    }

    /// Records a fact caused by the event that was logged after `before`
    /// others.
    pub(crate) fn record_fact_at(&mut self, before: usize, fact: KernelFact) {
        if let Some(witness) = &mut self.fact_log {
            witness.record_at(before + 1, fact);
        }
    }

    /// Moves the facts about the events taken so far to `facts`.
    pub(crate) fn take_facts(&mut self, facts: &mut Vec<KernelFact>) {
        if let Some(witness) = &mut self.fact_log {
            witness.take(self.taken, facts);
        }
    }

    /// The core's number.
    #[inline]
    pub(crate) fn core(&self) -> u8 {
        (self.core_bits >> 24) as u8
    }

    /// The number of a thread across all cores.
    #[inline]
    pub(crate) fn number(&self, index: ThreadIndex) -> u16 {
        self.threads[index.slot()].number
    }

    /// The address of a local variable in the current context.
    #[inline]
    pub(crate) fn stack_pointer(&mut self) -> u64 {
        let (start, bytes) = match self.running {
            Some(index) if !self.interrupts.is_active() => {
                let thread = &self.threads[index.slot()];
                (thread.stack_start, thread.role.stack_bytes)
            }
            _ => (self.system_stack, SYSTEM_STACK_BYTES),
        };
        // Calls come from few places, each with its depth; the deepest use two thirds of a stack.
        let depth = u64::from(self.random.u32(1..8)) * 12 * bytes / 128;
        start + bytes - depth / 8 * 8
    }

    /// The address of a thread, 0 if there is none.
    #[inline]
    pub(crate) fn pointer(&self, index: Option<ThreadIndex>) -> u64 {
        index.map_or(0, |index| self.threads[index.slot()].pointer)
    }

    /// The address of the thread that should run, 0 if the core should be idle
    /// (`_tx_thread_execute_ptr`).
    #[inline]
    pub(crate) fn execute_pointer(&self) -> u64 {
        self.pointer(self.ready.first())
    }

    /// Makes a waiting thread ready, unless its suspension was delayed until
    /// now. Returns its new state.
    #[inline]
    pub(crate) fn make_ready(&mut self, index: ThreadIndex) -> ThreadState {
        let thread = &mut self.threads[index.slot()];
        thread.deadline = 0;
        if std::mem::take(&mut thread.delayed_suspend) {
            thread.state = ThreadState::Suspended;
        } else {
            thread.state = ThreadState::Ready;
            self.ready.push(&mut self.threads, index);
        }
        self.threads[index.slot()].state
    }

    /// Ends the wait or the suspension of a thread. The core does not switch to
    /// it before [`Kernel::reschedule`].
    pub(crate) fn resume(&mut self, index: ThreadIndex) {
        let previous = self.threads[index.slot()].state;
        let state = self.make_ready(index);
        let pointer = self.pointer(Some(index));
        let stack = self.stack_pointer();
        let next = self.execute_pointer();
        self.log(id::THREAD_RESUME, [pointer, previous.word(), stack, next]);
        let thread = self.number(index);
        if state == ThreadState::Ready {
            self.record_fact(KernelFact::Ready(thread));
            return;
        }
        self.record_fact(KernelFact::State {
            thread,
            state,
            object: 0,
        });
        let is_set = false;
        self.record_fact(KernelFact::DelayedSuspend { thread, is_set });
    }

    /// Suspends the running thread, optionally on an object, and switches to
    /// the next. The thread can be inserted into the list of the object's
    /// waiters only afterwards: it leaves the ready list here.
    pub(crate) fn suspend(&mut self, state: ThreadState, object: u64) {
        if let Some(index) = self.running {
            self.suspend_ready(index, state, object);
        }
        self.reschedule(DispatchCause::Suspension);
    }

    /// Suspends a ready thread without a switch.
    pub(crate) fn suspend_ready(&mut self, index: ThreadIndex, state: ThreadState, object: u64) {
        let pointer = self.pointer(Some(index));
        let stack = self.stack_pointer();
        self.ready.remove(&mut self.threads, index);
        self.threads[index.slot()].state = state;
        let next = self.execute_pointer();
        self.log(id::THREAD_SUSPEND, [pointer, state.word(), stack, next]);
        self.record_fact(KernelFact::State {
            thread: self.number(index),
            state,
            object,
        });
    }

    /// Switches to the thread that should run; `cause` is the reason why it may
    /// have changed.
    #[inline]
    pub(crate) fn reschedule(&mut self, cause: DispatchCause) {
        if self.ready.first() == self.running {
            return;
        }
        let next = self.switch().map(|index| self.number(index));
        self.record_fact(KernelFact::Switch {
            core: self.core(),
            next,
            cause,
        });
        if let Some(number) = next {
            self.note_dispatch(Dispatch::Thread(number));
        }
    }

    /// Switches to the thread that should run, which differs from the current
    /// one, or to idle.
    #[inline]
    pub(crate) fn switch(&mut self) -> Option<ThreadIndex> {
        self.running = self.ready.first();
        match self.running {
            Some(index) => {
                let thread = &mut self.threads[index.slot()];
                thread.slice = thread.role.slice;
            }
            None => self.fall_asleep(),
        }
        self.enter_thread_context();
        self.running
    }

    /// Makes the running thread the context of the following events.
    #[inline]
    pub(crate) fn enter_thread_context(&mut self) {
        if let Some(index) = self.running {
            let thread = &self.threads[index.slot()];
            self.context = thread.pointer;
            self.priority = thread.priority_word();
        }
    }
}

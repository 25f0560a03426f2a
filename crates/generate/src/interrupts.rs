//! Timer and device interrupts.

use crate::event::id;
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::neighbours::OtherCore;
use crate::truth::DispatchCause;
use rtoscope_wire::threadx::CONTEXT_INTERRUPT;
use std::cmp::Reverse;

/// The id of the timer interrupt, as in the Linux port of ThreadX.
const TIMER: u64 = 0;
/// The id of the first device's interrupt (the first external one of a Cortex-M).
const FIRST_DEVICE: u64 = 16;
/// Devices with their own interrupt.
const DEVICES: u64 = 48;
/// One in this many device interrupts is interrupted by another.
const ONE_NESTED_IN: u32 = 6;
/// The timer stops during one in this many idle periods.
const ONE_TICKLESS_IN: u32 = 4;
/// Twice the mean number of timer interrupts between two device interrupts of a
/// core.
const DEVICE_TICKS: u64 = 8;

/// The interrupts of a core with a number of object sets: their numbers, and
/// names for their handlers.
pub(crate) fn handlers(sets: usize) -> impl Iterator<Item = (u64, String)> {
    let devices = (sets as u64).min(DEVICES);
    let first = (0..devices).map(|device| (FIRST_DEVICE + device, format!("device_{device}_isr")));
    let nested = (0..devices).map(|device| {
        let number = FIRST_DEVICE + DEVICES + device;
        (number, format!("urgent_{device}_isr"))
    });
    std::iter::once((TIMER, "tick_isr".to_owned()))
        .chain(first)
        .chain(nested)
}

/// The interrupt schedule of a core.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupts {
    /// Active handlers (`_tx_thread_system_state`).
    nesting: u64,
    /// Elapsed timer periods, including those in which the timer was stopped.
    ticks: u64,
    /// The end of the last period.
    last_tick: u64,
    /// Periods until the next timer interrupt.
    skip: u64,
    /// Whether the timer is stopped during this idle period.
    is_tickless: bool,
    next_device: u64,
    /// The time of the next item of the pipeline.
    pub(crate) next_item: u64,
}

impl Interrupts {
    /// Elapsed timer periods.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Whether a handler is active.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.nesting > 0
    }
}

impl Kernel {
    /// Starts timer and devices.
    pub(crate) fn start_interrupts(&mut self) {
        // Cores tick at different times.
        self.interrupts.last_tick = self.now - self.random.u64(0..self.timing.tick).min(self.now);
        self.interrupts.skip = 1;
        self.plan_device();
        self.interrupts.next_item = self.start_pipeline();
    }

    /// The time of the next interrupt: now if it is already due.
    #[inline]
    pub(crate) fn next_interrupt(&self) -> u64 {
        self.next_timer()
            .min(self.interrupts.next_device)
            .min(self.interrupts.next_item)
            .max(self.now)
    }

    #[inline]
    fn next_timer(&self) -> u64 {
        self.interrupts.last_tick + self.interrupts.skip * self.timing.tick
    }

    /// Takes the next interrupt at time `at`, and switches according to its
    /// handlers.
    pub(crate) fn interrupt(&mut self, at: u64, neighbour: OtherCore<'_>) {
        self.now = at;
        let Interrupts {
            next_device,
            next_item,
            ..
        } = self.interrupts;
        let cause = if next_item < next_device.min(self.next_timer()) {
            self.source_interrupt();
            DispatchCause::PreemptionInterrupt
        } else if next_device <= self.next_timer() {
            self.device_interrupt(neighbour);
            self.plan_device();
            DispatchCause::PreemptionInterrupt
        } else if self.timer_interrupt() {
            DispatchCause::TimeSlice
        } else {
            DispatchCause::PreemptionInterrupt
        };
        self.enter_thread_context();
        self.reschedule(cause);
        self.plan_timer();
    }

    /// The core becomes idle: decides whether the timer continues.
    pub(crate) fn fall_asleep(&mut self) {
        self.interrupts.is_tickless = self.random.u32(0..ONE_TICKLESS_IN) == 0;
        self.plan_timer();
    }

    fn plan_timer(&mut self) {
        let interrupts = &mut self.interrupts;
        interrupts.skip = 1;
        if self.running.is_none() && interrupts.is_tickless {
            let longest = self.timing.max_skip;
            interrupts.skip = self.sleepers.peek().map_or(longest, |Reverse((end, _))| {
                end.saturating_sub(interrupts.ticks).clamp(1, longest)
            });
        }
    }

    /// Devices interrupt less often while many threads are ready, as with
    /// interrupt moderation.
    fn plan_device(&mut self) {
        let spread = DEVICE_TICKS * self.timing.tick * (1 + u64::from(self.ready.len()) / 4);
        let mut gap = self.timing.tick / 4 + self.random.u64(0..spread);
        if self.has_bare_ticks {
            // The timer does not always log something in between.
            gap = gap.min(self.timing.max_gap);
        }
        self.interrupts.next_device = self.now + gap;
    }

    /// Returns whether the running thread's time slice ended.
    fn timer_interrupt(&mut self) -> bool {
        let due = self.next_timer();
        let before = self.logged_events();
        if self.has_bare_ticks {
            self.enter_unlogged();
        } else {
            self.enter(TIMER);
        }
        self.interrupts.ticks += self.interrupts.skip;
        self.interrupts.skip = 1;
        self.interrupts.last_tick = due;
        self.end_waits();
        let is_over = self.time_slice();
        if self.has_bare_ticks {
            self.exit_unlogged(before);
        } else {
            self.exit(TIMER);
        }
        // A handler longer than a period misses interrupts; threads get half a
        // period before the next one.
        let latest = self.now.saturating_sub(self.timing.tick / 2);
        if self.interrupts.last_tick + self.timing.tick <= self.now {
            self.interrupts.last_tick = latest;
        }
        is_over
    }

    /// Returns whether the core switches to another thread.
    fn time_slice(&mut self) -> bool {
        let Some(index) = self.running.filter(|_| self.has_time_slices) else {
            return false;
        };
        let thread = &mut self.threads[index.slot()];
        if thread.slice == 0 {
            return false;
        }
        thread.slice -= 1;
        let is_over = thread.slice == 0;
        if is_over {
            thread.slice = thread.role.slice;
        }
        let priority = thread.priority;
        let has_rival = self.ready.len_at(priority) > 1 && self.ready.first() == Some(index);
        if is_over && has_rival {
            self.ready.rotate(&mut self.threads);
            let next = self.execute_pointer();
            let nesting = self.interrupts.nesting;
            let stack = self.stack_pointer();
            self.log(id::TIME_SLICE, [next, nesting, 0, stack]);
        }
        is_over && has_rival
    }

    fn device_interrupt(&mut self, neighbour: OtherCore<'_>) {
        self.count_standing_timer();
        let set = self.random.usize(0..self.sets.len());
        let device = set as u64 % DEVICES;
        self.enter(FIRST_DEVICE + device);
        if self.random.u32(0..ONE_NESTED_IN) == 0 {
            let other = self.random.usize(0..self.sets.len());
            // An interrupt does not interrupt itself.
            let nested = FIRST_DEVICE + DEVICES + other as u64 % DEVICES;
            self.enter(nested);
            if self.random.bool() {
                self.put_semaphore(|sets| &mut sets[other].device);
            }
            self.exit(nested);
        }
        // Devices can be shared by cores.
        let neighbour = neighbour.filter(|_| self.random.bool());
        self.put_semaphore_for(neighbour, set, |set| &mut set.device);
        self.exit(FIRST_DEVICE + device);
    }

    /// Counts the periods in which the timer was stopped when a device ends an
    /// idle period early.
    pub(crate) fn count_standing_timer(&mut self) {
        let interrupts = &mut self.interrupts;
        if interrupts.skip > 1 {
            let passed = (self.now.saturating_sub(interrupts.last_tick) / self.timing.tick)
                .min(interrupts.skip - 1);
            interrupts.ticks += passed;
            interrupts.last_tick += passed * self.timing.tick;
            interrupts.skip = 1;
        }
    }

    /// A handler starts without logging its entry.
    fn enter_unlogged(&mut self) {
        self.interrupts.nesting += 1;
        self.context = u64::from(CONTEXT_INTERRUPT);
        self.priority = self.pointer(self.running);
    }

    /// A handler ends without logging its exit. The events that it logged after
    /// the first `before` events are all that a trace shows of it.
    fn exit_unlogged(&mut self, before: usize) {
        self.interrupts.nesting -= 1;
        if self.logged_events() > before {
            let core = self.core();
            self.record_fact_at(before, KernelFact::Enter { core, number: None });
            self.record_fact(KernelFact::Exit { core });
        }
    }

    pub(crate) fn enter(&mut self, number: u64) {
        self.enter_unlogged();
        let stack = self.stack_pointer();
        let nesting = self.interrupts.nesting;
        self.log(id::ISR_ENTER, [stack, number, nesting, 0]);
        self.record_fact(KernelFact::Enter {
            core: self.core(),
            number: Some(number),
        });
    }

    pub(crate) fn exit(&mut self, number: u64) {
        let stack = self.stack_pointer();
        let nesting = self.interrupts.nesting;
        self.log(id::ISR_EXIT, [stack, number, nesting, 0]);
        self.record_fact(KernelFact::Exit { core: self.core() });
        self.interrupts.nesting -= 1;
    }
}

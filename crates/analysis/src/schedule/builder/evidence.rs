//! Which context ran between two events of a core.
//!
//! The evidence, strongest first: the context of the later event; the thread
//! that an interrupt's record names as interrupted; the thread that the kernel
//! announced in the records of suspensions and resumptions. A switch is placed
//! at the last event of the previous context, unless the next thread became
//! ready only later: no record exists in between, and a thread cannot run
//! before it is ready.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::{Running, ThreadState};
use rtoscope_trace::{ContextId, Contexts, SchedEvent, WaitReason};

impl ScheduleBuilder {
    /// Decides which context ran on a core since its last event.
    pub(super) fn settle(
        &mut self,
        core_index: usize,
        is_interrupt: bool,
        evidence: ContextId,
        sched_event: SchedEvent,
    ) {
        let may_have_ended = self.follow_exitless_isr(core_index, is_interrupt, sched_event);
        let since = self.cores[core_index].settled_at;
        self.settle_context(core_index, is_interrupt, evidence, sched_event);
        if may_have_ended {
            // The time of its end is not known.
            let core = &self.cores[core_index];
            let running = match core.nesting.as_slice() {
                // The record may be that of the outer one.
                [.., _, inner] if self.is_exitless(*inner) => Running::UNKNOWN,
                [.., inner] => Running::isr(*inner),
                [] => core.base_running(),
            };
            let core = &mut self.cores[core_index];
            core.slices.forget(since, self.now, running);
        }
    }

    fn settle_context(
        &mut self,
        core_index: usize,
        is_interrupt: bool,
        evidence: ContextId,
        sched_event: SchedEvent,
    ) {
        let core = &mut self.cores[core_index];
        if is_interrupt {
            if !core.nesting.is_empty() {
                // Below an active ISR the base cannot change: the record can only
                // reveal a base that was unknown so far.
                if core.base == ContextId::UNKNOWN && evidence != ContextId::UNKNOWN {
                    let settled = core.settled_at;
                    self.wake_unseen(evidence, settled);
                    self.switch(core_index, evidence, settled);
                }
                return;
            }
            if self.continues_inferred_isr(core_index, evidence, sched_event) {
                return;
            }
        }
        self.leave_interrupts(core_index);
        if !is_interrupt {
            self.cores[core_index].outer = false;
        }
        self.infer_sleep(core_index, is_interrupt, evidence, sched_event);
        // The record says idle although a thread is ready: this is no evidence
        // of idle, and the announcement decides.
        if is_interrupt && evidence == Contexts::IDLE && self.interrupts_scheduler(core_index) {
            self.resolve(core_index, is_interrupt, ContextId::UNKNOWN);
        } else {
            self.resolve(core_index, is_interrupt, evidence);
        }
        if is_interrupt && !matches!(sched_event, SchedEvent::IsrEnter { .. }) {
            self.infer_isr(core_index, evidence, sched_event);
        }
        let is_running = self.is_running(self.cores[core_index].base);
        let core = &mut self.cores[core_index];
        if !is_interrupt
            && core
                .sliced_thread
                .is_some_and(|(thread, _)| thread == core.base)
        {
            core.sliced_thread = None;
        }
        core.steady = !is_interrupt && core.next == ContextId::UNKNOWN && is_running;
    }

    /// A thread that called to sleep was suspended, whether or not that was
    /// recorded: the context of this event shows it.
    pub(super) fn infer_sleep(
        &mut self,
        core_index: usize,
        is_interrupt: bool,
        evidence: ContextId,
        sched_event: SchedEvent,
    ) {
        let core = &mut self.cores[core_index];
        let base = core.base;
        let recorded = matches!(sched_event, SchedEvent::Suspend { thread, .. } if thread == base);
        if !core.sleeps || evidence == base && (is_interrupt || recorded) {
            core.sleeps &= !recorded;
            return;
        }
        core.sleeps = false;
        let at = core.settled_at;
        if let Some(thread) = self.threads.get_mut(base.index())
            && thread.state() == ThreadState::Running
        {
            let state = ThreadState::Waiting {
                wait_reason: WaitReason::Sleep,
                resource: None,
            };
            thread.enter(at, state, false);
            self.records_states = true;
            self.count_unrecorded(at.event);
        }
    }

    /// Whether an interrupt without an interrupted thread came while the
    /// scheduler switched from one thread to another: a single core is not idle
    /// while a thread is ready.
    fn interrupts_scheduler(&mut self, core_index: usize) -> bool {
        let core = &self.cores[core_index];
        let (base, lowered, settled) = (core.base, core.lowered, core.settled_at);
        if self.cores.len() > 1 {
            return false;
        }
        if core.next.is_thread() {
            return self.is_ready(core.next);
        }
        if !base.is_thread() || !self.is_running(base) {
            return false;
        }
        // Its thread has left the core and was not suspended.
        let ready = self
            .known_threads
            .iter()
            .take(MAX_SEARCHED_THREADS)
            .filter_map(|id| {
                let thread = self.threads.get(id.index())?;
                let priority = thread
                    .priority
                    .filter(|_| thread.state() == ThreadState::Ready)?;
                Some((priority, thread.since(), *id))
            });
        let first = ready.min_by_key(|(priority, since, _)| (*priority, since.event));
        let goes_first = |priority: u16| lowered || self.priority(base) > Some(priority);
        let Some((_, since, id)) = first.filter(|(priority, ..)| goes_first(*priority)) else {
            return false;
        };
        self.switch(core_index, id, settled.max(since));
        true
    }

    /// Decides which context a core switched to at its last event, by the
    /// evidence of its current event.
    pub(super) fn resolve(&mut self, core_index: usize, is_interrupt: bool, evidence: ContextId) {
        let core = &self.cores[core_index];
        let (base, announced, settled) = (core.base, core.next, core.settled_at);
        if evidence == ContextId::UNKNOWN {
            self.continue_announced(core_index);
            return;
        }
        if evidence == base {
            self.continue_base(core_index, is_interrupt);
        } else if base == ContextId::UNKNOWN {
            // The start of that state is not known.
            self.wake_unseen(evidence, self.now);
            self.switch(core_index, evidence, self.now);
        } else if evidence <= Contexts::IDLE {
            self.switch(core_index, evidence, settled);
        } else {
            let idle = announced == Contexts::IDLE || base == Contexts::IDLE;
            let mut from = self.earliest_dispatch(evidence, settled, idle);
            // The thread was not ready yet at the last event: in between the
            // core ran the announced context, or one that another core made
            // ready.
            if from.time > settled.time {
                if announced == evidence {
                    self.cores[core_index].next = ContextId::UNKNOWN;
                }
                from = from.max(self.continue_announced(core_index));
                self.mark_uncertain(core_index, from, evidence);
            }
            self.wake_unseen(evidence, from);
            self.switch(core_index, evidence, from);
        }
        if !is_interrupt || evidence == announced {
            let core = &mut self.cores[core_index];
            // The announced thread has not run yet. It preempts `base` once
            // `base` enables preemption again; this preemption is already
            // counted.
            if evidence == base && core.next.is_thread() {
                core.deferred = Some((core.next, core.next_cause));
            }
            core.next = ContextId::UNKNOWN;
        }
    }

    /// The earliest time at which a core whose last event was at `settled`,
    /// `idle` or not, can have dispatched a thread.
    pub(super) fn earliest_dispatch(
        &self,
        thread: ContextId,
        settled: EventTime,
        idle: bool,
    ) -> EventTime {
        let Some(thread) = self.threads.get(thread.index()) else {
            return settled;
        };
        match thread.state() {
            ThreadState::Ready => settled.max(thread.since()),
            ThreadState::Running => {
                let elsewhere = thread
                    .core
                    .and_then(|core_index| self.cores.get(core_index));
                elsewhere.map_or(settled, |core| settled.max(core.settled_at))
            }
            // Its resumption was not recorded.
            ThreadState::Waiting { .. } if idle => self.now,
            ThreadState::Waiting { .. } => settled.max(thread.since()),
            ThreadState::Unknown | ThreadState::Deleted => settled.max(thread.since()),
        }
    }

    /// A thread runs whose resumption was not recorded.
    pub(super) fn wake_unseen(&mut self, thread: ContextId, at: EventTime) {
        if let Some(thread) = self.threads.get_mut(thread.index())
            && !thread.is_runnable()
        {
            thread.enter(at, ThreadState::Ready, false);
            self.count_unrecorded(at.event);
        }
    }

    /// The core switches to the announced thread; to an unknown context if its
    /// own thread is suspended and none was announced. Returns the time of the
    /// switch.
    pub(super) fn continue_announced(&mut self, core_index: usize) -> EventTime {
        let core = &mut self.cores[core_index];
        let (base, settled) = (core.base, core.settled_at);
        let announced = std::mem::replace(&mut core.next, ContextId::UNKNOWN);
        let is_thread = announced.is_thread();
        let yielded = std::mem::take(&mut core.yielded);
        if is_thread && !self.is_ready(announced) || announced == ContextId::UNKNOWN {
            // Another core has suspended its thread since, or the thread let
            // others run first.
            if !self.is_running(base) || yielded && base.is_thread() {
                self.switch(core_index, ContextId::UNKNOWN, settled);
            }
            return settled;
        }
        let from = if is_thread {
            self.earliest_dispatch(announced, settled, false)
        } else {
            settled
        };
        if from.time > settled.time && !self.is_running(base) {
            self.switch(core_index, ContextId::UNKNOWN, settled);
        }
        self.cores[core_index].next = announced;
        self.switch(core_index, announced, from);
        self.cores[core_index].next = ContextId::UNKNOWN;
        from
    }

    /// The core runs its base context still, or again.
    pub(super) fn continue_base(&mut self, core_index: usize, is_interrupt: bool) {
        let core = &self.cores[core_index];
        let (base, settled) = (core.base, core.settled_at);
        let Some(thread) = self.threads.get(base.index()) else {
            return;
        };
        let back = match thread.state() {
            ThreadState::Ready if base > Contexts::IDLE => thread.since(),
            ThreadState::Waiting { .. } if !is_interrupt => self.now,
            // Inside an interrupt the switch is still to come.
            _ => return,
        };
        if back.time > settled.time {
            // It was suspended and runs again: another context ran in between.
            let core = &mut self.cores[core_index];
            if core.next == ContextId::UNKNOWN {
                core.next = Contexts::IDLE;
            }
            let back = back.max(self.continue_announced(core_index));
            self.mark_uncertain(core_index, back, base);
            self.wake_unseen(base, back);
            self.switch(core_index, base, back);
            return;
        }
        // It was resumed before the core switched to another context.
        let at = settled.max(back);
        self.wake_unseen(base, at);
        if let Some(thread) = self.threads.get_mut(base.index()) {
            thread.enter(at, ThreadState::Running, true);
        }
    }
}

/// Maximum number of threads to search for the one that the scheduler switches
/// to.
const MAX_SEARCHED_THREADS: usize = 1024;

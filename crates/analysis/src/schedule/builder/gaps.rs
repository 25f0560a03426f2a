//! Where the trace has no evidence: gaps, cores without records while another
//! core acts, and the end.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::thread::ThreadTracker;
use crate::schedule::{InterruptsOffEnding, LockEnding, Running, ThreadState};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Gap, Trace};

/// The gaps of a trace in the order in which they begin: each with the event
/// after the last one before it, and its core. During a gap of one core, others
/// may have recorded events.
pub(super) fn gaps(trace: &Trace) -> Vec<(usize, Option<u8>)> {
    let begins = |gap: &Gap| {
        trace
            .last_event_before(gap)
            .map_or(0, |last| last.index() + 1)
    };
    let gaps = trace.gaps.iter().map(|gap| (begins(gap), gap.core));
    let mut gaps: Vec<_> = gaps.collect();
    gaps.sort_by_key(|(begins, _)| *begins);
    gaps
}

impl ScheduleBuilder {
    /// Everything between the last event and the next, at `end`, is unknown.
    pub(super) fn gap(&mut self, end: u64) {
        let now = self.now;
        for core_index in 0..self.cores.len() {
            self.forget_core(core_index);
        }
        for id in std::mem::take(&mut self.known_threads) {
            let thread = self.threads.get(id.index());
            match thread.map(ThreadTracker::state) {
                Some(ThreadState::Deleted) => self.known_threads.push(id),
                _ => self.forget_thread(id),
            }
        }
        for id in std::mem::take(&mut self.run_threads) {
            if let Some(thread) = self.threads.get_mut(id.index()) {
                thread.ran = false;
            }
        }
        self.locks.forget(now);
        self.transfers.forget(now.event);
        self.since = EventTime {
            time: end,
            event: EventIndex(now.event.0 + 1),
        };
    }

    /// The running context of a core between its last event and its next is
    /// unknown, and so is its thread until a core is known to run it. Other
    /// cores have recorded what threads do there.
    pub(super) fn gap_on(&mut self, core: u8) {
        let core_index = self.core_index(core);
        let thread = self.cores[core_index].base;
        self.forget_core(core_index);
        if thread.is_thread() {
            self.forget_thread(thread);
        }
    }

    fn forget_core(&mut self, core_index: usize) {
        self.leave_interrupts(core_index);
        self.end_interrupts_off(core_index, InterruptsOffEnding::Lost, false);
        let core = &mut self.cores[core_index];
        core.slices.push(core.settled_at, Running::UNKNOWN);
        core.in_kernel = false;
        core.base = ContextId::UNKNOWN;
        core.next = ContextId::UNKNOWN;
        core.last_thread = ContextId::UNKNOWN;
        core.begun = false;
        core.has_run = false;
        core.sleeps = false;
        core.yielded = false;
        core.deferred = None;
        core.steady = false;
    }

    fn forget_thread(&mut self, id: ContextId) {
        if let Some(thread) = self.threads.get_mut(id.index()) {
            self.inversions.end(thread, LockEnding::Lost, self.now);
            thread.core = None;
            thread.requested = None;
            thread.impending_inversion = None;
            thread.enter(self.now, ThreadState::Unknown, false);
        }
    }

    /// Until `until` a core recorded nothing. If another core has made a thread
    /// ready in the meantime, other than `next`, this core may have switched to
    /// it.
    pub(super) fn mark_uncertain(&mut self, core_index: usize, until: EventTime, next: ContextId) {
        if self.cores.len() < 2 {
            return;
        }
        let core = &self.cores[core_index];
        let own_priority = self.priority(core.base);
        let idle = core.base == Contexts::IDLE;
        let (settled, lowered) = (core.settled_at, core.lowered);
        let may_go = |(at, id): &&(EventTime, ContextId)| {
            let thread = self.threads.get(id.index());
            let waits = thread.is_some_and(|thread| {
                let first = idle || thread.priority < own_priority;
                first && thread.state() == ThreadState::Ready && thread.since() == *at
            });
            waits && *id != next && at.time < until.time
        };
        let since = self.recent_resumptions.iter().rev();
        let since = since.take_while(|(at, _)| at.time > settled.time);
        let called = since.filter(may_go).last().map(|(at, _)| *at);
        // If its thread's priority has just changed, it may have switched at
        // once.
        let from = if lowered { Some(settled) } else { called };
        if let Some(from) = from.filter(|from| from.time < until.time) {
            // Not before the switch to the context that runs by now.
            let last = self.cores[core_index].slices.slices.last();
            let from = last.map_or(from, |last| {
                from.max(EventTime {
                    time: last.start.0,
                    event: last.event,
                })
            });
            self.switch(core_index, ContextId::UNKNOWN, from);
        }
    }

    /// Ends the trace: closes what is still open.
    pub(super) fn end_core(&mut self, core_index: usize) {
        let end = self.now;
        if self.cores[core_index].nesting.is_empty() {
            let in_isr = self.cores[core_index].inferred_isr.is_some();
            self.leave_interrupts(core_index);
            let went = self.continue_announced(core_index);
            if in_isr && self.cores[core_index].settled_at.time < end.time {
                // It may continue without a record.
                self.switch(core_index, ContextId::UNKNOWN, went);
            }
            self.mark_uncertain(core_index, end, ContextId::UNKNOWN);
        }
        while let Some(id) = self.cores[core_index].nesting.pop() {
            self.end_activation(core_index, id, end, false);
        }
        self.end_interrupts_off(core_index, InterruptsOffEnding::Open, true);
    }
}

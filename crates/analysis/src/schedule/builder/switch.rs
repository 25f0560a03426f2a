//! Cores that switch contexts, and threads that give way.

use super::ScheduleBuilder;
use crate::event_time::EventTime;
use crate::schedule::{Dispatch, Preemption, Running, SwitchCause, ThreadState};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};

impl ScheduleBuilder {
    /// The core runs `to` from `at` on.
    pub(super) fn switch(&mut self, core_index: usize, to: ContextId, at: EventTime) {
        let core = &mut self.cores[core_index];
        let from = core.base;
        if from == to {
            return;
        }
        self.update_inversions(at.event);
        let core = &mut self.cores[core_index];
        let (cause, interrupted, number) = (core.next_cause, core.interrupted, core.slices.core);
        let yielded = core.yielded;
        let deferred = core.deferred.take().filter(|(next, _)| *next == to);
        let cause = deferred.map_or(cause, |(_, cause)| cause);
        let announced = core.next == to || deferred.is_some();
        core.base = to;
        let last_thread = core.last_thread;
        // Inside an ISR the slice stays that of the ISR; the new base begins its
        // slice when the outermost ISR ends.
        if core.nesting.is_empty() {
            core.slices.push(at, core.base_running());
        }
        let left = self.leave_core(from, at);
        // An announced switch is no contradiction, whatever the last known
        // priorities are.
        if left == ThreadState::Ready && !announced {
            self.mark_ready_uncertain(from, to, at);
        }
        let start_known = from != ContextId::UNKNOWN;
        let came = self.take_core(core_index, to, at, start_known);
        if to.is_thread() {
            let cause = match (from, left) {
                (Contexts::IDLE, _) => SwitchCause::Idle,
                (Contexts::INITIALIZE, _) => SwitchCause::Start,
                (ContextId::UNKNOWN, _) => SwitchCause::Unknown,
                (_, ThreadState::Waiting { .. }) => SwitchCause::Suspension,
                _ if announced => cause,
                _ if yielded => SwitchCause::Yield,
                _ if interrupted => SwitchCause::Interrupt,
                _ => SwitchCause::Solicited,
            };
            // Announced preemptions were counted at the announcement, as the
            // kernel counts them.
            if !announced && matches!(cause, SwitchCause::Solicited | SwitchCause::Interrupt) {
                self.record_preemption(core_index, at, from, to, cause);
            }
            // At the start it may have been running before.
            if from != ContextId::UNKNOWN || came == ThreadState::Ready {
                self.dispatches.push(Dispatch {
                    time: Ticks(at.time),
                    event: at.event,
                    thread: to,
                    previous: from,
                    last_thread,
                    core: number,
                    cause,
                });
            }
            self.cores[core_index].last_thread = to;
            self.take_turn(core_index, to);
        }
        self.watch_inversions_from(at);
    }

    /// The running contexts, or the waits, change at that event: reports the
    /// contexts that ran until then to the inversions. Changes within the same
    /// event took no time and are merged, so that a context that ran for 0
    /// ticks does not become a culprit.
    pub(super) fn update_inversions(&mut self, until: EventIndex) {
        if let Some(since) = self.watched_since.take_if(|since| since.event < until) {
            let cores = self.cores.iter().map(|core| core.base);
            self.inversions
                .record_running(&cores, &self.threads, &self.locks, since.event);
        }
    }

    /// From that time on, the running contexts are relevant to the inversions.
    pub(super) fn watch_inversions_from(&mut self, at: EventTime) {
        if self.inversions.is_watching() {
            self.watched_since = Some(at);
        }
    }

    /// A ready thread does not give way to a thread of lower priority or to
    /// idle: its suspension was not recorded. With several cores it may move to
    /// another one.
    pub(super) fn mark_ready_uncertain(&mut self, from: ContextId, to: ContextId, at: EventTime) {
        let first = match (self.priority(from), self.priority(to)) {
            _ if to == Contexts::IDLE => true,
            (Some(own_priority), Some(other)) => own_priority < other,
            _ => false,
        };
        if first
            && self.cores.len() == 1
            && let Some(thread) = self.threads.get_mut(from.index())
        {
            thread.correct(ThreadState::Unknown, self.since);
            self.count_unrecorded(at.event);
        }
    }

    /// Returns the new state of the thread.
    pub(super) fn leave_core(&mut self, from: ContextId, at: EventTime) -> ThreadState {
        let sees_states = self.records_states;
        let Some(thread) = self.threads.get_mut(from.index()) else {
            return ThreadState::Unknown;
        };
        thread.core = None;
        if thread.state() == ThreadState::Running {
            let state = if sees_states {
                ThreadState::Ready
            } else {
                ThreadState::Unknown
            };
            thread.enter(at, state, true);
        }
        thread.state()
    }

    /// Returns the previous state of the thread.
    pub(super) fn take_core(
        &mut self,
        core_index: usize,
        to: ContextId,
        at: EventTime,
        start_known: bool,
    ) -> ThreadState {
        if to <= Contexts::IDLE {
            return ThreadState::Unknown;
        }
        let Some(thread) = self.threads.get_mut(to.index()) else {
            return ThreadState::Unknown;
        };
        if !thread.ran {
            thread.ran = true;
            self.run_threads.push(to);
        }
        let before = thread.state();
        let elsewhere = thread.core.replace(core_index);
        if before == ThreadState::Unknown {
            self.known_threads.push(to);
            let from_start = thread.since().time <= self.since.time;
            let is_first = self.is_explicit && thread.is_unseen();
            if self.records_states && from_start && at.time > self.since.time && !is_first {
                // Otherwise its resumption would have been recorded.
                thread.correct(ThreadState::Ready, self.since);
            }
        }
        if before != ThreadState::Running {
            thread.enter(at, ThreadState::Running, start_known);
        }
        if let Some(core) = elsewhere.and_then(|core_index| self.cores.get_mut(core_index)) {
            // It left that core without a record.
            core.base = ContextId::UNKNOWN;
            core.steady = false;
            if core.nesting.is_empty() {
                core.slices.push(core.settled_at, Running::UNKNOWN);
            }
        }
        before
    }

    pub(super) fn announce(&mut self, core_index: usize, next: ContextId, cause: SwitchCause) {
        let core = &mut self.cores[core_index];
        if next != ContextId::UNKNOWN && next != core.next {
            core.announce(next, cause);
        }
    }

    pub(super) fn announce_resumed(
        &mut self,
        core_index: usize,
        context: ContextId,
        thread: ContextId,
        next: ContextId,
    ) {
        let interrupt = context == Contexts::INTERRUPT;
        if context == Contexts::INITIALIZE || next == ContextId::UNKNOWN {
            return;
        }
        let core = &self.cores[core_index];
        // The kernel compares with the thread that it had chosen so far, which
        // may not have run yet.
        let expected = match core.next {
            ContextId::UNKNOWN => core.base,
            next => next,
        };
        let cause = if interrupt {
            SwitchCause::Interrupt
        } else {
            SwitchCause::Solicited
        };
        if next == thread && next != expected && self.is_ready(expected) {
            self.record_preemption(core_index, self.now, expected, thread, cause);
        }
        self.announce(core_index, next, cause);
    }

    pub(super) fn record_preemption(
        &mut self,
        core_index: usize,
        at: EventTime,
        thread: ContextId,
        to: ContextId,
        cause: SwitchCause,
    ) {
        self.preemptions.push(Preemption {
            time: Ticks(at.time),
            event: at.event,
            thread,
            to,
            core: self.cores[core_index].slices.core,
            cause,
        });
    }

    pub(super) fn time_slice(&mut self, core_index: usize, next: ContextId) {
        // On several cores a time-slice record is no evidence of a slice of
        // this core.
        let none = self.cores.len() > 1 && next == self.cores[core_index].base;
        let core = &mut self.cores[core_index];
        if core.base.is_thread() && !none {
            core.sliced_thread = Some((core.base, self.now));
        }
        self.announce(core_index, next, SwitchCause::TimeSlice);
    }

    /// A thread is dispatched: if its priority is that of the thread whose time
    /// slice has expired, that thread has given way to it.
    pub(super) fn take_turn(&mut self, core_index: usize, to: ContextId) {
        let Some((sliced, at)) = self.cores[core_index].sliced_thread else {
            return;
        };
        if sliced == to || !self.is_ready(sliced) {
            self.cores[core_index].sliced_thread = None;
        } else if self.priority(sliced) == self.priority(to) {
            self.cores[core_index].sliced_thread = None;
            self.record_preemption(core_index, at, sliced, to, SwitchCause::TimeSlice);
        }
    }

    pub(super) fn relinquish(&mut self, core_index: usize, context: ContextId, next: ContextId) {
        let to = if next == ContextId::UNKNOWN {
            context
        } else {
            next
        };
        self.record_preemption(core_index, self.now, context, to, SwitchCause::Yield);
        self.announce(core_index, next, SwitchCause::Yield);
    }
}

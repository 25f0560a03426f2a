//! Cores that go from one context to another, and threads that give way.

use super::Builder;
use crate::moment::Moment;
use crate::schedule::{Cause, Dispatch, Displacement, State, Who};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};

impl Builder {
    /// The core executes `to` from `at` on.
    pub(super) fn switch(&mut self, place: usize, to: ContextId, at: Moment) {
        let core = &mut self.cores[place];
        let from = core.base;
        if from == to {
            return;
        }
        self.watch(at.event);
        let core = &mut self.cores[place];
        let (cause, interrupted, number) = (core.cause, core.interrupted, core.slices.core);
        let yielded = core.yielded;
        let deferred = core.deferred.take().filter(|(next, _)| *next == to);
        let cause = deferred.map_or(cause, |(_, cause)| cause);
        let announced = core.next == to || deferred.is_some();
        core.base = to;
        let last_thread = core.last_thread;
        if core.nesting.is_empty() {
            core.slices.run(at, core.below());
        }
        let left = self.leave_core(from, at);
        if left == State::Ready && !announced {
            self.doubt_ready(from, to, at);
        }
        let seen = from != ContextId::UNKNOWN;
        let came = self.take_core(place, to, at, seen);
        if to.is_thread() {
            let cause = match (from, left) {
                (Contexts::IDLE, _) => Cause::Idle,
                (Contexts::INITIALIZE, _) => Cause::Start,
                (ContextId::UNKNOWN, _) => Cause::Unknown,
                (_, State::Waiting { .. }) => Cause::Suspension,
                _ if announced => cause,
                _ if yielded => Cause::Yield,
                _ if interrupted => Cause::Interrupt,
                _ => Cause::Solicited,
            };
            if !announced && matches!(cause, Cause::Solicited | Cause::Interrupt) {
                self.displace(place, at, from, to, cause);
            }
            // At the start it may have executed all along.
            if from != ContextId::UNKNOWN || came == State::Ready {
                self.dispatches.push(Dispatch {
                    time: Ticks(at.time),
                    event: at.event,
                    thread: to,
                    before: from,
                    last_thread,
                    core: number,
                    cause,
                });
            }
            self.cores[place].last_thread = to;
            self.take_turn(place, to);
        }
        self.watch_from(at);
    }

    /// Who executes, or waits for whom, changes at that moment: tells the
    /// inversions who executed until then. What changes again at the same event
    /// did not last.
    pub(super) fn watch(&mut self, until: EventIndex) {
        if let Some(since) = self.watched.take_if(|since| since.event < until) {
            let cores = self.cores.iter().map(|core| core.base);
            self.inversions
                .executing(&cores, &self.threads, &self.locks, since.event);
        }
    }

    /// From that moment on, who executes is of interest to the inversions.
    pub(super) fn watch_from(&mut self, at: Moment) {
        if self.inversions.is_watching() {
            self.watched = Some(at);
        }
    }

    /// A ready thread does not give way to one of lower priority, nor to idle:
    /// its suspension was not recorded. With several cores it may go to another.
    pub(super) fn doubt_ready(&mut self, from: ContextId, to: ContextId, at: Moment) {
        let first = match (self.priority(from), self.priority(to)) {
            _ if to == Contexts::IDLE => true,
            (Some(own), Some(other)) => own < other,
            _ => false,
        };
        if first
            && self.cores.len() == 1
            && let Some(thread) = self.threads.get_mut(from.index())
        {
            thread.correct(State::Unknown, self.since);
            self.miss(at.event);
        }
    }

    /// Returns what became of the thread.
    pub(super) fn leave_core(&mut self, from: ContextId, at: Moment) -> State {
        let sees_states = self.sees_states;
        let Some(thread) = self.threads.get_mut(from.index()) else {
            return State::Unknown;
        };
        thread.core = None;
        if thread.state() == State::Running {
            let state = if sees_states {
                State::Ready
            } else {
                State::Unknown
            };
            thread.enter(at, state, true);
        }
        thread.state()
    }

    /// Returns what the thread was before.
    pub(super) fn take_core(
        &mut self,
        place: usize,
        to: ContextId,
        at: Moment,
        seen: bool,
    ) -> State {
        if to <= Contexts::IDLE {
            return State::Unknown;
        }
        let Some(thread) = self.threads.get_mut(to.index()) else {
            return State::Unknown;
        };
        if !thread.ran {
            thread.ran = true;
            self.ran.push(to);
        }
        let before = thread.state();
        let elsewhere = thread.core.replace(place);
        if before == State::Unknown {
            self.known.push(to);
            let from_start = thread.since().time <= self.since.time;
            if self.sees_states && from_start && at.time > self.since.time {
                // Else its resumption would have been recorded.
                thread.correct(State::Ready, self.since);
            }
        }
        if before != State::Running {
            thread.enter(at, State::Running, seen);
        }
        if let Some(core) = elsewhere.and_then(|place| self.cores.get_mut(place)) {
            // It left that core unseen.
            core.base = ContextId::UNKNOWN;
            core.quiet = false;
            if core.nesting.is_empty() {
                core.slices.run(core.settled, Who::UNKNOWN);
            }
        }
        before
    }

    pub(super) fn announce(&mut self, place: usize, next: ContextId, cause: Cause) {
        let core = &mut self.cores[place];
        if next != ContextId::UNKNOWN && next != core.next {
            core.announce(next, cause);
        }
    }

    pub(super) fn announce_resumed(
        &mut self,
        place: usize,
        context: ContextId,
        thread: ContextId,
        next: ContextId,
    ) {
        let interrupt = context == Contexts::INTERRUPT;
        if context == Contexts::INITIALIZE || next == ContextId::UNKNOWN {
            return;
        }
        let core = &self.cores[place];
        let expected = match core.next {
            ContextId::UNKNOWN => core.base,
            next => next,
        };
        let cause = if interrupt {
            Cause::Interrupt
        } else {
            Cause::Solicited
        };
        if next == thread && next != expected && self.is_ready(expected) {
            self.displace(place, self.now, expected, thread, cause);
        }
        self.announce(place, next, cause);
    }

    pub(super) fn displace(
        &mut self,
        place: usize,
        at: Moment,
        thread: ContextId,
        to: ContextId,
        cause: Cause,
    ) {
        self.displacements.push(Displacement {
            time: Ticks(at.time),
            event: at.event,
            thread,
            to,
            core: self.cores[place].slices.core,
            cause,
        });
    }

    pub(super) fn time_slice(&mut self, place: usize, next: ContextId) {
        // On several cores a record is no evidence of a slice of this core.
        let none = self.cores.len() > 1 && next == self.cores[place].base;
        let core = &mut self.cores[place];
        if core.base.is_thread() && !none {
            core.sliced = Some((core.base, self.now));
        }
        self.announce(place, next, Cause::TimeSlice);
    }

    /// A thread is given a core: if it has the priority of a thread whose time
    /// slice was over, it was its turn.
    pub(super) fn take_turn(&mut self, place: usize, to: ContextId) {
        let Some((sliced, at)) = self.cores[place].sliced else {
            return;
        };
        if sliced == to || !self.is_ready(sliced) {
            self.cores[place].sliced = None;
        } else if self.priority(sliced) == self.priority(to) {
            self.cores[place].sliced = None;
            self.displace(place, at, sliced, to, Cause::TimeSlice);
        }
    }

    pub(super) fn relinquish(&mut self, place: usize, context: ContextId, next: ContextId) {
        let to = if next == ContextId::UNKNOWN {
            context
        } else {
            next
        };
        self.displace(place, self.now, context, to, Cause::Yield);
        self.announce(place, next, Cause::Yield);
    }
}

//! Who executed between two events of a core.
//!
//! Evidence, by weight: the context of the later event; the thread that an
//! interrupt's record says it interrupted; what the kernel announced in the
//! records of suspensions and resumptions. A switch happens at the last event of
//! the context that executed before, unless the thread became ready only later.

use super::Builder;
use crate::moment::Moment;
use crate::schedule::State;
use rtoscope_trace::{Act, ContextId, Contexts, Wait};

impl Builder {
    /// Decides who executed on a core since its last event.
    pub(super) fn settle(
        &mut self,
        place: usize,
        is_interrupt: bool,
        evidence: ContextId,
        act: Act,
    ) {
        let core = &mut self.cores[place];
        if is_interrupt {
            if !core.nesting.is_empty() {
                if core.base == ContextId::UNKNOWN && evidence != ContextId::UNKNOWN {
                    let settled = core.settled;
                    self.wake_unseen(evidence, settled);
                    self.switch(place, evidence, settled);
                }
                return;
            }
            if self.goes_on(place, evidence, act) {
                return;
            }
        }
        self.leave_interrupts(place);
        if !is_interrupt {
            self.cores[place].outer = false;
        }
        self.fall_asleep(place, is_interrupt, evidence, act);
        if is_interrupt && evidence == Contexts::IDLE && self.hits_scheduler(place) {
            self.resolve(place, is_interrupt, ContextId::UNKNOWN);
        } else {
            self.resolve(place, is_interrupt, evidence);
        }
        if is_interrupt && !matches!(act, Act::IsrEnter { .. }) {
            self.infer(place, evidence, act);
        }
        let is_running = self.is_running(self.cores[place].base);
        let core = &mut self.cores[place];
        if !is_interrupt && core.sliced.is_some_and(|(thread, _)| thread == core.base) {
            core.sliced = None;
        }
        core.quiet = !is_interrupt && core.next == ContextId::UNKNOWN && is_running;
    }

    /// A thread that called to sleep was suspended, whether or not that was
    /// recorded: what executes now says so.
    pub(super) fn fall_asleep(
        &mut self,
        place: usize,
        is_interrupt: bool,
        evidence: ContextId,
        act: Act,
    ) {
        let core = &mut self.cores[place];
        let base = core.base;
        let recorded = matches!(act, Act::Suspend { thread, .. } if thread == base);
        if !core.sleeps || evidence == base && (is_interrupt || recorded) {
            core.sleeps &= !recorded;
            return;
        }
        core.sleeps = false;
        let at = core.settled;
        if let Some(thread) = self.threads.get_mut(base.index())
            && thread.state() == State::Running
        {
            let state = State::Waiting {
                wait: Wait::Sleep,
                resource: None,
            };
            thread.enter(at, state, false);
            self.sees_states = true;
            self.miss(at.event);
        }
    }

    /// Whether an interrupt that has interrupted no thread came while the
    /// scheduler went from one thread to another: a single core is not idle as
    /// long as a thread is ready.
    fn hits_scheduler(&mut self, place: usize) -> bool {
        let core = &self.cores[place];
        let (base, lowered, settled) = (core.base, core.lowered, core.settled);
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
        let ready = self.known.iter().take(MAX_SEARCHED).filter_map(|id| {
            let thread = self.threads.get(id.index())?;
            let priority = thread.priority.filter(|_| thread.state() == State::Ready)?;
            Some((priority, thread.since(), *id))
        });
        let first = ready.min_by_key(|(priority, since, _)| (*priority, since.event));
        let goes_first = |priority: u16| lowered || self.priority(base) > Some(priority);
        let Some((_, since, id)) = first.filter(|(priority, ..)| goes_first(*priority)) else {
            return false;
        };
        self.switch(place, id, settled.max(since));
        true
    }

    /// Decides to whom a core went at its last event, by what its present
    /// event says.
    pub(super) fn resolve(&mut self, place: usize, is_interrupt: bool, evidence: ContextId) {
        let core = &self.cores[place];
        let (base, announced, settled) = (core.base, core.next, core.settled);
        if evidence == ContextId::UNKNOWN {
            self.go_on(place);
            return;
        }
        if evidence == base {
            self.stay(place, is_interrupt);
        } else if base == ContextId::UNKNOWN {
            // Nothing says since when.
            self.wake_unseen(evidence, self.now);
            self.switch(place, evidence, self.now);
        } else if evidence <= Contexts::IDLE {
            self.switch(place, evidence, settled);
        } else {
            let idle = announced == Contexts::IDLE || base == Contexts::IDLE;
            let mut from = self.earliest(evidence, settled, idle);
            if from.time > settled.time {
                if announced == evidence {
                    self.cores[place].next = ContextId::UNKNOWN;
                }
                from = from.max(self.go_on(place));
                self.doubt(place, from, evidence);
            }
            self.wake_unseen(evidence, from);
            self.switch(place, evidence, from);
        }
        if !is_interrupt || evidence == announced {
            let core = &mut self.cores[place];
            if evidence == base && core.next.is_thread() {
                core.deferred = Some((core.next, core.cause));
            }
            core.next = ContextId::UNKNOWN;
        }
    }

    /// The first moment at which a thread can have been given a core that was
    /// last seen at `settled`, `idle` or not.
    pub(super) fn earliest(&self, thread: ContextId, settled: Moment, idle: bool) -> Moment {
        let Some(thread) = self.threads.get(thread.index()) else {
            return settled;
        };
        match thread.state() {
            State::Ready => settled.max(thread.since()),
            State::Running => {
                let elsewhere = thread.core.and_then(|place| self.cores.get(place));
                elsewhere.map_or(settled, |core| settled.max(core.settled))
            }
            // Its resumption was not recorded.
            State::Waiting { .. } if idle => self.now,
            State::Waiting { .. } => settled.max(thread.since()),
            State::Unknown => settled.max(thread.since()),
        }
    }

    /// A thread executes that was never seen to be resumed.
    pub(super) fn wake_unseen(&mut self, thread: ContextId, at: Moment) {
        if let Some(thread) = self.threads.get_mut(thread.index())
            && !thread.is_runnable()
        {
            thread.enter(at, State::Ready, false);
            self.miss(at.event);
        }
    }

    /// The core goes to whoever the kernel announced; nobody knows to whom if
    /// its thread is suspended and none was announced. Returns when it went.
    pub(super) fn go_on(&mut self, place: usize) -> Moment {
        let core = &mut self.cores[place];
        let (base, settled) = (core.base, core.settled);
        let announced = std::mem::replace(&mut core.next, ContextId::UNKNOWN);
        let is_thread = announced.is_thread();
        let yielded = std::mem::take(&mut core.yielded);
        if is_thread && !self.is_ready(announced) || announced == ContextId::UNKNOWN {
            // Another core has suspended it since, or it let another go first.
            if !self.is_running(base) || yielded && base.is_thread() {
                self.switch(place, ContextId::UNKNOWN, settled);
            }
            return settled;
        }
        let from = if is_thread {
            self.earliest(announced, settled, false)
        } else {
            settled
        };
        if from.time > settled.time && !self.is_running(base) {
            self.switch(place, ContextId::UNKNOWN, settled);
        }
        self.cores[place].next = announced;
        self.switch(place, announced, from);
        self.cores[place].next = ContextId::UNKNOWN;
        from
    }

    /// The core executes its base still, or again.
    pub(super) fn stay(&mut self, place: usize, is_interrupt: bool) {
        let core = &self.cores[place];
        let (base, settled) = (core.base, core.settled);
        let Some(thread) = self.threads.get(base.index()) else {
            return;
        };
        let back = match thread.state() {
            State::Ready if base > Contexts::IDLE => thread.since(),
            State::Waiting { .. } if !is_interrupt => self.now,
            // In the interrupt the switch has yet to come.
            _ => return,
        };
        if back.time > settled.time {
            // It was suspended and is back: something else executed meanwhile.
            let core = &mut self.cores[place];
            if core.next == ContextId::UNKNOWN {
                core.next = Contexts::IDLE;
            }
            let back = back.max(self.go_on(place));
            self.doubt(place, back, base);
            self.wake_unseen(base, back);
            self.switch(place, base, back);
            return;
        }
        // It was resumed before it was switched out.
        let at = settled.max(back);
        self.wake_unseen(base, at);
        if let Some(thread) = self.threads.get_mut(base.index()) {
            thread.enter(at, State::Running, true);
        }
    }
}

/// Threads among which the one is looked for that the scheduler goes to.
const MAX_SEARCHED: usize = 1024;

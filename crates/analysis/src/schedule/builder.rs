//! The pass that makes a schedule.
//!
//! Evidence of who executes, by weight: the context of the next event on the
//! core; the thread that an interrupt's record says it interrupted; what the
//! kernel announced in the records of suspensions and resumptions. A switch
//! happens at the last event of the context that executed before, unless the
//! thread became ready only later.

use super::core::{Core, Inferred};
use super::inversion::Inversions;
use super::lock::{Locks, Moment};
use super::thread::{Impending, ThreadNow};
use super::transfer::Transfers;
use super::{
    Activation, ActivationId, Cause, Dispatch, Displacement, Ending, PriorityChange, Schedule,
    State, Who,
};
use rtoscope_trace::{
    Act, ContextId, Contexts, Event, EventIndex, Interpret, Resource, ResourceId, Ticks, Trace,
    Wait,
};

/// Makes a schedule from events as they come: given in pieces they give the
/// same as given at once.
#[derive(Debug, Clone)]
pub struct Builder {
    /// Events that were taken.
    fed: usize,
    /// Gaps of the trace that were passed.
    gaps: usize,
    cores: Vec<Core>,
    /// The place of each core by its number, plus one; 0 if it has recorded nothing.
    places: [u16; 256],
    threads: Vec<ThreadNow>,
    /// Threads whose state is known.
    known: Vec<ContextId>,
    locks: Locks,
    inversions: Inversions,
    transfers: Transfers,
    dispatches: Vec<Dispatch>,
    displacements: Vec<Displacement>,
    activations: Vec<Activation>,
    priority_changes: Vec<PriorityChange>,
    /// When what is known began: at the start, or behind the last gap.
    since: Moment,
    /// Whether any thread was seen to suspend or resume: if the records of that
    /// are left out, a thread that does not execute may do anything.
    sees_states: bool,
    now: Moment,
    /// Times that the scheduler's record of something is missing.
    unrecorded: u64,
    first_unrecorded: Option<EventIndex>,
    /// Resumptions, where there are several cores.
    resumed: Vec<(Moment, ContextId)>,
    /// Since when nothing has changed that is of interest to the inversions.
    watched: Option<Moment>,
}

impl Builder {
    /// For a trace of which no events were taken yet.
    pub fn new(trace: &Trace) -> Self {
        let mut builder = Self {
            fed: 0,
            gaps: 0,
            cores: Vec::new(),
            places: [0; 256],
            threads: Vec::new(),
            known: Vec::new(),
            locks: Locks::default(),
            inversions: Inversions::default(),
            transfers: Transfers::default(),
            dispatches: Vec::new(),
            displacements: Vec::new(),
            activations: Vec::new(),
            priority_changes: Vec::new(),
            since: Moment::START,
            sees_states: false,
            now: Moment::START,
            unrecorded: 0,
            first_unrecorded: None,
            resumed: Vec::new(),
            watched: None,
        };
        for core in &trace.cores {
            builder.place(*core);
        }
        builder.meet(trace);
        builder.make_room(trace.events.len());
        builder
    }

    /// Makes room for what so many events are likely to give, which is faster
    /// than to grow. Pages of it that are never written cost nothing.
    fn make_room(&mut self, events: usize) {
        let per_thread = events / self.threads.len().max(1);
        // Where there is no such room, it grows when needed.
        let _ = self.dispatches.try_reserve(events / 8);
        let _ = self.displacements.try_reserve(events / 16);
        let _ = self.activations.try_reserve(events / 8);
        let _ = self.transfers.all.try_reserve(events / 12);
        let _ = self.locks.holds.try_reserve(events / 16);
        for core in &mut self.cores {
            let _ = core.slices.all.try_reserve(events / 2);
        }
        for thread in &mut self.threads {
            let _ = thread.stretches.try_reserve(per_thread);
        }
    }

    /// Takes the events of the trace up to `until`, which is their number.
    pub fn feed(&mut self, trace: &Trace, interpreter: &mut impl Interpret, until: usize) {
        let until = until.min(trace.events.len());
        let mut acts = Vec::new();
        while self.fed < until {
            let end = until.min(self.fed + Act::BATCH);
            acts.clear();
            let events = self.fed..end;
            trace
                .events
                .visit(events, |event| acts.push(interpreter.act(&event)));
            self.take(trace, &acts);
        }
    }

    /// Takes the next events of the trace, of which the acts are given.
    pub fn take(&mut self, trace: &Trace, mut acts: &[Act]) {
        self.meet(trace);
        while !acts.is_empty() && self.fed < trace.events.len() {
            let next_gap = trace.gaps.get(self.gaps).map(|gap| gap.before.index());
            if next_gap.is_some_and(|gap| gap <= self.fed) {
                self.gaps += 1;
                let end = trace.events.time.get(self.fed).copied();
                self.gap(end.unwrap_or(self.now.time));
                continue;
            }
            let until_gap = next_gap.map_or(acts.len(), |gap| gap - self.fed);
            let (now, later) = acts.split_at(until_gap.min(acts.len()));
            let events = self.fed..self.fed + now.len();
            let mut act = now.iter();
            trace.events.visit(events, |event| {
                self.step(&event, act.next().copied().unwrap_or(Act::None));
            });
            self.fed += now.len();
            acts = later;
        }
    }

    /// The schedule of the events that were taken.
    pub fn finish(mut self, resources: &[Resource]) -> Schedule {
        let end = self.now.time;
        for place in 0..self.cores.len() {
            self.end_core(place);
        }
        self.locks.forget(self.now);
        for thread in &mut self.threads {
            self.inversions.lose(thread, self.now);
        }
        let mut cores: Vec<_> = self.cores.into_iter().map(|core| core.slices).collect();
        cores.sort_by_key(|slices| slices.core);
        Schedule {
            span: Ticks(end),
            cores,
            threads: self
                .threads
                .into_iter()
                .map(|thread| thread.stretches)
                .collect(),
            dispatches: self.dispatches,
            displacements: self.displacements,
            activations: self.activations,
            priority_changes: self.priority_changes,
            holds: self.locks.holds,
            inversions: self.inversions.all,
            transfers: self.transfers.all,
            unrecorded: self.unrecorded,
            first_unrecorded: self.first_unrecorded,
            resources: resources.to_vec(),
        }
    }

    /// Gets to know the contexts that the trace has by now.
    fn meet(&mut self, trace: &Trace) {
        for context in trace.contexts.iter().skip(self.threads.len()) {
            let object = context.object.and_then(|id| trace.objects.get(id));
            let mut thread = ThreadNow::new(object.and_then(|object| object.priority));
            if context.id > Contexts::IDLE {
                thread.enter(Moment::START, State::Unknown, false);
            }
            self.threads.push(thread);
        }
    }

    #[inline]
    fn place(&mut self, core: u8) -> usize {
        match self.places[usize::from(core)] {
            0 => self.new_core(core),
            place => usize::from(place) - 1,
        }
    }

    #[cold]
    fn new_core(&mut self, core: u8) -> usize {
        self.cores.push(Core::new(core));
        self.places[usize::from(core)] = self.cores.len() as u16;
        self.cores.len() - 1
    }

    #[inline]
    fn step(&mut self, event: &Event, act: Act) {
        let place = self.place(event.core);
        self.now = Moment {
            time: event.time.0,
            event: event.index,
        };
        let context = event.context;
        let is_interrupt = context == Contexts::INTERRUPT;
        let evidence = event.interrupted().unwrap_or(context);
        let core = &mut self.cores[place];
        if !core.begun {
            core.begun = true;
            core.outer = is_interrupt;
        }
        if is_interrupt || !core.quiet || core.base != evidence {
            self.settle(place, is_interrupt, evidence, act);
        }
        self.watch(event.index);
        if let Some(priority) = event.priority()
            && let Some(thread) = self.threads.get_mut(context.index())
        {
            let changes = thread.priority.replace(priority) != Some(priority);
            if changes && self.inversions.is_watching() {
                self.watched = Some(self.now);
            }
            if !matches!(act, Act::Reprioritise { .. } | Act::Suspend { .. }) {
                thread.asked = None;
                thread.impending = None;
            }
        }
        if act != Act::None {
            self.act(place, context, act);
        }
        let core = &mut self.cores[place];
        core.settled = self.now;
        core.interrupted = is_interrupt;
    }

    /// Decides who executed on a core since its last event.
    fn settle(&mut self, place: usize, is_interrupt: bool, evidence: ContextId, act: Act) {
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
        self.resolve(place, is_interrupt, evidence);
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

    fn is_running(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context <= Contexts::IDLE || thread.is_some_and(|thread| thread.state() == State::Running)
    }

    /// A thread that called to sleep was suspended, whether or not that was
    /// recorded: what executes now says so.
    fn fall_asleep(&mut self, place: usize, is_interrupt: bool, evidence: ContextId, act: Act) {
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

    /// The scheduler's record of something at that event is missing.
    fn miss(&mut self, event: EventIndex) {
        self.unrecorded += 1;
        self.first_unrecorded.get_or_insert(event);
    }

    /// Whether the event is one more of a routine without entry and exit; then
    /// the routine has executed since the one before.
    fn goes_on(&mut self, place: usize, evidence: ContextId, act: Act) -> bool {
        let core = &mut self.cores[place];
        let Some(inferred) = &mut core.inferred else {
            return false;
        };
        let is_slice = matches!(act, Act::TimeSlice { .. });
        if evidence != inferred.interrupted
            || matches!(act, Act::IsrEnter { .. })
            || is_slice && inferred.sliced
        {
            return false;
        }
        inferred.sliced |= is_slice;
        let id = inferred.activation;
        // Had it ended, whom it announced would have executed.
        let certain = core.next != ContextId::UNKNOWN;
        let who = if certain { Who::isr(id) } else { Who::UNKNOWN };
        core.slices.run(core.settled, who);
        if let Some(activation) = self.activations.get_mut(id.index()) {
            activation.end = Ticks(self.now.time);
            activation.last = self.now.event;
        }
        true
    }

    /// A routine without a record of its entry begins, as far as is known.
    fn infer(&mut self, place: usize, evidence: ContextId, act: Act) {
        let activation = self.activate(place, None, evidence);
        self.cores[place].inferred = Some(Inferred {
            activation,
            interrupted: evidence,
            sliced: matches!(act, Act::TimeSlice { .. }),
        });
    }

    fn activate(
        &mut self,
        place: usize,
        number: Option<u32>,
        interrupted: ContextId,
    ) -> ActivationId {
        let core = &self.cores[place];
        let id = ActivationId(self.activations.len() as u32);
        self.activations.push(Activation {
            number,
            core: core.slices.core,
            depth: u16::try_from(core.nesting.len() + 1).unwrap_or(u16::MAX),
            interrupted,
            first: self.now.event,
            last: self.now.event,
            entered: number.is_some(),
            exited: false,
            start: Ticks(self.now.time),
            end: Ticks(self.now.time),
            nested: Ticks(0),
        });
        id
    }

    /// Whatever routines have begun on a core had ended by its last event.
    fn leave_interrupts(&mut self, place: usize) {
        let core = &mut self.cores[place];
        if core.nesting.is_empty() && core.inferred.is_none() {
            return;
        }
        core.inferred = None;
        let settled = core.settled;
        core.slices.run(settled, core.below());
        while let Some(id) = self.cores[place].nesting.pop() {
            self.end_activation(place, id, settled, false);
        }
    }

    fn end_activation(&mut self, place: usize, id: ActivationId, end: Moment, exited: bool) {
        let Some(activation) = self.activations.get_mut(id.index()) else {
            return;
        };
        activation.end = Ticks(end.time);
        activation.last = end.event;
        activation.exited = exited;
        let took = activation.duration();
        let outer = self.cores[place].nesting.last();
        if let Some(outer) = outer.and_then(|outer| self.activations.get_mut(outer.index())) {
            outer.nested.0 += took.0;
        }
    }

    /// Decides to whom a core went at its last event, by what its present
    /// event says.
    fn resolve(&mut self, place: usize, is_interrupt: bool, evidence: ContextId) {
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
            self.cores[place].next = ContextId::UNKNOWN;
        }
    }

    /// The first moment at which a thread can have been given a core that was
    /// last seen at `settled`, `idle` or not.
    fn earliest(&self, thread: ContextId, settled: Moment, idle: bool) -> Moment {
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
            State::Unknown => settled,
        }
    }

    /// A thread executes that was never seen to be resumed.
    fn wake_unseen(&mut self, thread: ContextId, at: Moment) {
        if let Some(thread) = self.threads.get_mut(thread.index())
            && !thread.is_runnable()
        {
            thread.enter(at, State::Ready, false);
            self.miss(at.event);
        }
    }

    /// The core goes to whoever the kernel announced; nobody knows to whom if
    /// its thread is suspended and none was announced. Returns when it went.
    fn go_on(&mut self, place: usize) -> Moment {
        let core = &mut self.cores[place];
        let (base, settled) = (core.base, core.settled);
        let announced = std::mem::replace(&mut core.next, ContextId::UNKNOWN);
        let is_thread = announced > Contexts::IDLE && announced != ContextId::UNKNOWN;
        if is_thread && !self.is_ready(announced) || announced == ContextId::UNKNOWN {
            // Another core has suspended it since.
            if !self.is_running(base) {
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
    fn stay(&mut self, place: usize, is_interrupt: bool) {
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

    /// The core executes `to` from `at` on.
    fn switch(&mut self, place: usize, to: ContextId, at: Moment) {
        let core = &mut self.cores[place];
        let from = core.base;
        if from == to {
            return;
        }
        self.watch(at.event);
        let core = &mut self.cores[place];
        let (cause, interrupted, number) = (core.cause, core.interrupted, core.slices.core);
        let announced = core.next == to;
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
        if to > Contexts::IDLE && to != ContextId::UNKNOWN {
            let cause = match (from, left) {
                (Contexts::IDLE, _) => Cause::Idle,
                (Contexts::INITIALIZE, _) => Cause::Start,
                (ContextId::UNKNOWN, _) => Cause::Unknown,
                (_, State::Waiting { .. }) => Cause::Suspension,
                _ if announced => cause,
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
    fn watch(&mut self, until: EventIndex) {
        if let Some(since) = self.watched.take_if(|since| since.event < until) {
            let cores = self.cores.iter().map(|core| core.base);
            self.inversions
                .executing(&cores, &self.threads, &self.locks, since.event);
        }
    }

    /// From that moment on, who executes is of interest to the inversions.
    fn watch_from(&mut self, at: Moment) {
        if self.inversions.is_watching() {
            self.watched = Some(at);
        }
    }

    /// A ready thread does not give way to one of lower priority: its suspension
    /// was not recorded. With several cores it may go to another.
    fn doubt_ready(&mut self, from: ContextId, to: ContextId, at: Moment) {
        let priority = |id: ContextId| self.threads.get(id.index())?.priority;
        let (Some(own), Some(other)) = (priority(from), priority(to)) else {
            return;
        };
        if own < other
            && self.cores.len() == 1
            && let Some(thread) = self.threads.get_mut(from.index())
        {
            thread.correct(State::Unknown, self.since);
            self.miss(at.event);
        }
    }

    /// Returns what became of the thread.
    fn leave_core(&mut self, from: ContextId, at: Moment) -> State {
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
    fn take_core(&mut self, place: usize, to: ContextId, at: Moment, seen: bool) -> State {
        if to <= Contexts::IDLE {
            return State::Unknown;
        }
        let Some(thread) = self.threads.get_mut(to.index()) else {
            return State::Unknown;
        };
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

    fn act(&mut self, place: usize, context: ContextId, act: Act) {
        match act {
            Act::None => {}
            Act::Resume { thread, wait, next } => {
                self.resume(thread, wait, context == Contexts::INTERRUPT);
                self.announce_resumed(place, context, thread, next);
            }
            Act::Suspend { thread, wait, next } => self.suspend(place, context, thread, wait, next),
            Act::Create { thread, priority } => self.create(thread, priority),
            Act::Priority { thread, priority } => {
                if let Some(thread) = self.threads.get_mut(thread.index()) {
                    thread.priority = Some(priority);
                }
            }
            // Whom it goes to is said by the mutex, to what priority by the thread's next event.
            Act::Reprioritise { thread, done } => self.reprioritise(thread, done),
            Act::Sleep => {
                let core = &mut self.cores[place];
                core.sleeps = context == core.base;
                core.quiet = false;
            }
            Act::Yield { next } => self.relinquish(place, context, next),
            Act::TimeSlice { next } => self.time_slice(place, next),
            Act::IsrEnter { number } => self.enter_isr(place, number),
            Act::IsrExit { number } => self.exit_isr(place, number),
            Act::Acquire {
                resource,
                owner,
                waits,
                inherits,
            } => {
                self.acquire(context, resource, owner, waits, inherits);
            }
            Act::Release {
                resource,
                owner,
                last,
            } => self.locks.release(resource, context, owner, last, self.now),
            Act::Use {
                resource,
                flow,
                level,
                waits,
            } => {
                self.transfers.call(resource, flow, level, self.now.event);
                if waits && let Some(thread) = self.threads.get_mut(context.index()) {
                    thread.asked = Some(resource);
                }
            }
        }
    }

    fn announce(&mut self, place: usize, next: ContextId, cause: Cause) {
        let core = &mut self.cores[place];
        if next != ContextId::UNKNOWN && next != core.next {
            core.announce(next, cause);
        }
    }

    fn announce_resumed(
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

    fn is_ready(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context > Contexts::IDLE && thread.is_some_and(ThreadNow::is_runnable)
    }

    fn displace(
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

    fn time_slice(&mut self, place: usize, next: ContextId) {
        let core = &mut self.cores[place];
        if core.base > Contexts::IDLE && core.base != ContextId::UNKNOWN {
            core.sliced = Some((core.base, self.now));
        }
        self.announce(place, next, Cause::TimeSlice);
    }

    /// A thread is given a core: if it has the priority of a thread whose time
    /// slice was over, it was its turn.
    fn take_turn(&mut self, place: usize, to: ContextId) {
        let Some((sliced, at)) = self.cores[place].sliced else {
            return;
        };
        let priority = |id: ContextId| {
            self.threads
                .get(id.index())
                .and_then(|thread| thread.priority)
        };
        if sliced == to || !self.is_ready(sliced) {
            self.cores[place].sliced = None;
        } else if priority(sliced) == priority(to) {
            self.cores[place].sliced = None;
            self.displace(place, at, sliced, to, Cause::TimeSlice);
        }
    }

    fn relinquish(&mut self, place: usize, context: ContextId, next: ContextId) {
        let to = if next == ContextId::UNKNOWN {
            context
        } else {
            next
        };
        self.displace(place, self.now, context, to, Cause::Yield);
        self.announce(place, next, Cause::Yield);
    }

    fn resume(&mut self, id: ContextId, wait: Wait, interrupt: bool) {
        self.sees_states = true;
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        let state = thread.state();
        if id <= Contexts::IDLE || matches!(state, State::Ready | State::Running) {
            return;
        }
        let mut resource = thread.waits_for();
        let since = thread.since().time.max(self.since.time);
        if state == State::Unknown {
            self.known.push(id);
        }
        if resource.is_none() && wait == Wait::Mutex {
            resource = self.locks.released();
        }
        if state == State::Unknown || resource.is_some() {
            thread.correct(State::Waiting { wait, resource }, self.since);
        }
        if state == State::Unknown
            && wait == Wait::Mutex
            && let Some(resource) = resource
        {
            self.found_inversion(resource, id, since);
        }
        self.granted(id, wait, resource);
        if let Some(thread) = self.threads.get_mut(id.index()) {
            thread.enter_by(now, State::Ready, true, interrupt);
            if self.cores.len() > 1 {
                self.resumed.push((now, id));
            }
            if let Some(core) = thread.core.and_then(|place| self.cores.get_mut(place)) {
                core.quiet = false;
            }
        }
    }

    /// A thread that waited for an object goes on.
    fn granted(&mut self, id: ContextId, wait: Wait, resource: Option<ResourceId>) {
        let Some(resource) = resource else { return };
        if wait != Wait::Mutex {
            self.transfers.resume(resource, self.now.event);
            return;
        }
        let ending = if self.locks.resume(resource, id, self.now) {
            self.inversions.hand_over(resource, id);
            Ending::Done
        } else {
            Ending::GaveUp
        };
        if let Some(thread) = self.threads.get_mut(id.index()) {
            self.inversions.end(thread, ending, self.now);
        }
        // The one that gave it back may execute on, and owns it no longer.
        self.watch_from(self.now);
    }

    /// The wait that ends began before anything is known.
    fn found_inversion(&mut self, resource: ResourceId, id: ContextId, since: u64) {
        let hold = self.locks.holds.iter().rev();
        let mut of_resource = hold
            .take(MOST_RECENT)
            .filter(|hold| hold.resource == resource);
        if let Some(owner) = of_resource.next().map(|hold| hold.owner) {
            let (threads, now) = (&self.threads, self.now);
            self.inversions
                .found(resource, id, owner, threads, since, now);
        }
    }

    fn suspend(
        &mut self,
        place: usize,
        context: ContextId,
        id: ContextId,
        wait: Wait,
        next: ContextId,
    ) {
        self.sees_states = true;
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        if id <= Contexts::IDLE {
            return;
        }
        if thread.state() == State::Unknown {
            self.known.push(id);
            thread.correct(State::Ready, self.since);
        }
        let asked = thread
            .asked
            .take()
            .filter(|_| wait.class().is_some() && id == context);
        if !thread.is_runnable() {
            // Suspended while it waits, or terminated.
            self.inversions.end(thread, Ending::GaveUp, now);
        }
        let resource = asked;
        thread.enter(now, State::Waiting { wait, resource }, true);
        let on = thread.core;
        if wait == Wait::Mutex && thread.impending.is_some() {
            self.inversions
                .begin(id, &mut self.threads, &self.locks, now);
        }
        match on {
            Some(here) if here == place => {
                let core = &mut self.cores[place];
                core.next = next;
                core.cause = Cause::Suspension;
                core.quiet = false;
            }
            Some(elsewhere) => {
                // Another core has to look for something else to do.
                let core = &mut self.cores[elsewhere];
                core.settled = core.settled.max(now);
                core.quiet = false;
            }
            None => {}
        }
        self.watch_from(now);
    }

    /// A thread comes into being, maybe where another was.
    fn create(&mut self, id: ContextId, priority: u16) {
        let now = self.now;
        let Some(thread) = self.threads.get_mut(id.index()) else {
            return;
        };
        if id <= Contexts::IDLE || thread.core.is_some() {
            return;
        }
        if thread.state() == State::Unknown {
            self.known.push(id);
        }
        thread.priority = Some(priority);
        let state = State::Waiting {
            wait: Wait::Suspended,
            resource: None,
        };
        thread.enter(now, state, false);
    }

    fn reprioritise(&mut self, thread: ContextId, done: bool) {
        if done {
            self.priority_changes.push(PriorityChange {
                time: Ticks(self.now.time),
                event: self.now.event,
                thread,
            });
        }
    }

    fn acquire(
        &mut self,
        context: ContextId,
        resource: ResourceId,
        owner: ContextId,
        waits: bool,
        inherits: bool,
    ) {
        self.locks.acquire(resource, context, owner, self.now);
        let priority = |id: ContextId| self.threads.get(id.index())?.priority;
        let inverted = match (priority(context), priority(owner)) {
            (Some(own), Some(owner_priority)) if own < owner_priority => Some(owner_priority),
            _ => None,
        };
        if context <= Contexts::IDLE || owner == context || !waits {
            return;
        }
        let event = self.now.event;
        if let Some(thread) = self.threads.get_mut(context.index()) {
            thread.asked = Some(resource);
            thread.impending = inverted.map(|owner_priority| Impending {
                resource,
                owner,
                owner_priority,
                inherits,
                event,
            });
        }
    }

    fn enter_isr(&mut self, place: usize, number: u32) {
        let interrupted = self.cores[place].base;
        let id = self.activate(place, Some(number), interrupted);
        let now = self.now;
        let core = &mut self.cores[place];
        core.nesting.push(id);
        core.slices.run(now, Who::isr(id));
        core.quiet = false;
    }

    fn exit_isr(&mut self, place: usize, number: u32) {
        let now = self.now;
        let numbers = |id: &ActivationId| self.activations.get(id.index())?.number;
        let nesting = &self.cores[place].nesting;
        // The innermost of that number; of another number it is the innermost
        // that ends, because applications number exits carelessly.
        let found = nesting.iter().rposition(|id| numbers(id) == Some(number));
        let remain = found.unwrap_or(nesting.len().saturating_sub(1));
        let unentered = nesting.is_empty();
        while self.cores[place].nesting.len() > remain {
            let exits = self.cores[place].nesting.len() == remain + 1;
            if let Some(id) = self.cores[place].nesting.pop() {
                self.end_activation(place, id, now, exits);
            }
        }
        if unentered {
            // Its entry was not recorded; `settle` has inferred it.
            if let Some(inferred) = self.cores[place].inferred.take()
                && let Some(activation) = self.activations.get_mut(inferred.activation.index())
            {
                activation.number = Some(number);
                activation.exited = true;
            }
        }
        let core = &mut self.cores[place];
        let who = match core.nesting.last() {
            Some(outer) => Who::isr(*outer),
            None => core.below(),
        };
        core.slices.run(now, who);
        core.quiet = false;
    }

    /// Nothing is known of what happened from the last event to the next, at `end`.
    fn gap(&mut self, end: u64) {
        let now = self.now;
        for place in 0..self.cores.len() {
            self.leave_interrupts(place);
            let core = &mut self.cores[place];
            core.slices.run(core.settled, Who::UNKNOWN);
            core.base = ContextId::UNKNOWN;
            core.next = ContextId::UNKNOWN;
            core.last_thread = ContextId::UNKNOWN;
            core.begun = false;
            core.sleeps = false;
            core.quiet = false;
        }
        for id in std::mem::take(&mut self.known) {
            if let Some(thread) = self.threads.get_mut(id.index()) {
                self.inversions.lose(thread, now);
                thread.core = None;
                thread.asked = None;
                thread.impending = None;
                thread.enter(now, State::Unknown, false);
            }
        }
        self.locks.forget(now);
        self.transfers.forget();
        self.since = Moment {
            time: end,
            event: EventIndex(now.event.0 + 1),
        };
    }

    /// Until `until` a core recorded nothing. If another core has made a thread
    /// ready meanwhile, other than `next`, this one may have gone to it.
    fn doubt(&mut self, place: usize, until: Moment, next: ContextId) {
        if self.cores.len() < 2 {
            return;
        }
        let core = &self.cores[place];
        let own = self.threads.get(core.base.index());
        let own = own.and_then(|thread| thread.priority);
        let idle = core.base == Contexts::IDLE;
        let settled = core.settled;
        let may_go = |(at, id): &&(Moment, ContextId)| {
            let thread = self.threads.get(id.index());
            let waits = thread.is_some_and(|thread| {
                let first = idle || thread.priority < own;
                first && thread.state() == State::Ready && thread.since() == *at
            });
            waits && *id != next && at.time < until.time
        };
        let since = self.resumed.iter().rev();
        let since = since.take_while(|(at, _)| at.time > settled.time);
        if let Some((from, _)) = since.filter(may_go).last().copied() {
            self.switch(place, ContextId::UNKNOWN, from);
        }
    }

    /// The trace ends: decides what is left open.
    fn end_core(&mut self, place: usize) {
        let end = self.now;
        if self.cores[place].nesting.is_empty() {
            let in_isr = self.cores[place].inferred.is_some();
            self.leave_interrupts(place);
            self.go_on(place);
            if in_isr && self.cores[place].settled.time < end.time {
                // It may go on without a record.
                let settled = self.cores[place].settled;
                self.switch(place, ContextId::UNKNOWN, settled);
            }
            self.doubt(place, end, ContextId::UNKNOWN);
        }
        while let Some(id) = self.cores[place].nesting.pop() {
            self.end_activation(place, id, end, false);
        }
        self.cores[place].slices.finish(Ticks(end.time));
    }
}

/// How many holds back the owner is looked for that has just given a mutex to
/// a thread: its hold is among the last.
const MOST_RECENT: usize = 32;

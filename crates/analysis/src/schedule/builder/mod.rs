//! The pass that makes a schedule: event by event it first decides who executed
//! since the core's last event, then takes note of what the event means.

mod evidence;
mod interrupts;
mod lifecycle;
mod limits;
mod masks;
mod priorities;
mod switch;
mod threads;
mod told;

use super::contradiction;
use super::core::Core;
use super::inversion::Inversions;
use super::lock::Locks;
use super::thread::ThreadNow;
use super::transfer::Transfers;
use super::{Activation, Dispatch, Displacement, Ending, Masked, PriorityChange, Schedule, State};
use crate::moment::Moment;
use rtoscope_trace::{
    Act, ContextId, Contexts, EventIndex, Interpret, Presence, Resource, Routine, Telling, Ticks,
    Trace,
};

/// Makes a schedule from events as they come: given in pieces they give the
/// same as given at once.
#[derive(Debug, Clone)]
pub struct Builder {
    /// Events that were taken.
    fed: usize,
    /// The gaps that are still to come, in the order in which they begin: each
    /// with the first event that does not count as before it, and its core.
    gaps: std::vec::IntoIter<(usize, Option<u8>)>,
    cores: Vec<Core>,
    /// The place of each core by its number, plus one; 0 if it has recorded nothing.
    places: [u16; 256],
    threads: Vec<ThreadNow>,
    /// Threads whose state is known.
    known: Vec<ContextId>,
    /// Threads that are known to have executed, in the order in which they first did.
    ran: Vec<ContextId>,
    locks: Locks,
    inversions: Inversions,
    transfers: Transfers,
    dispatches: Vec<Dispatch>,
    displacements: Vec<Displacement>,
    activations: Vec<Activation>,
    resumptions: Vec<EventIndex>,
    priority_changes: Vec<PriorityChange>,
    masked: Vec<Masked>,
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
            gaps: limits::gaps(trace).into_iter(),
            cores: Vec::new(),
            places: [0; 256],
            threads: Vec::new(),
            known: Vec::new(),
            ran: Vec::new(),
            locks: Locks::default(),
            inversions: Inversions::default(),
            transfers: Transfers::default(),
            dispatches: Vec::new(),
            displacements: Vec::new(),
            activations: Vec::new(),
            resumptions: Vec::new(),
            priority_changes: Vec::new(),
            masked: Vec::new(),
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
            let next_gap = self.gaps.as_slice().first().copied();
            if let Some((_, core)) = next_gap.filter(|(at, _)| *at <= self.fed) {
                self.gaps.next();
                let end = trace.events.time.get(self.fed).copied();
                match core {
                    Some(core) => self.gap_on(core),
                    None => self.gap(end.unwrap_or(self.now.time)),
                }
                continue;
            }
            let until_gap = next_gap.map_or(acts.len(), |(at, _)| at - self.fed);
            let (now, later) = acts.split_at(until_gap.min(acts.len()));
            let events = self.fed..self.fed + now.len();
            let mut act = now.iter();
            let mut act = move || act.next().copied().unwrap_or(Act::None);
            match trace.telling {
                Telling::Contexts => trace.events.visit_presences(events, |event| {
                    self.step(&event, act());
                }),
                Telling::Switches { returns } => trace.events.visit_presences(events, |event| {
                    self.hear(&event, act(), returns);
                }),
            }
            self.fed += now.len();
            acts = later;
        }
    }

    /// The schedule of the events that were taken; `resources` and `routines`
    /// are the interpreter's.
    pub fn finish(mut self, resources: &[Resource], routines: &[Routine]) -> Schedule {
        let end = self.now.time;
        for place in 0..self.cores.len() {
            self.end_core(place);
        }
        for core in &mut self.cores {
            core.slices.finish(Ticks(end));
        }
        self.locks.forget(self.now);
        for thread in &mut self.threads {
            self.inversions.end(thread, Ending::Lost, self.now);
        }
        let mut cores: Vec<_> = self.cores.into_iter().map(|core| core.slices).collect();
        cores.sort_by_key(|slices| slices.core);
        let threads = self.threads.into_iter();
        let mut threads: Vec<_> = threads.map(|thread| thread.stretches).collect();
        let contradictions = contradiction::resolve(&cores, &mut threads, &mut self.locks.holds);
        Schedule {
            span: Ticks(end),
            cores,
            threads,
            dispatches: self.dispatches,
            displacements: self.displacements,
            activations: self.activations,
            resumptions: self.resumptions,
            priority_changes: self.priority_changes,
            routines: routines.to_vec(),
            masked: self.masked,
            holds: self.locks.holds,
            inversions: self.inversions.all,
            transfers: self.transfers.all,
            unrecorded: self.unrecorded,
            first_unrecorded: self.first_unrecorded,
            contradictions,
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
    fn step(&mut self, event: &Presence, act: Act) {
        let place = self.place(event.core);
        self.now = Moment {
            time: event.time.0,
            event: event.index,
        };
        let context = event.context;
        let is_interrupt = context == Contexts::INTERRUPT;
        let evidence = match event.interrupted() {
            // An interrupt is no thread that can be interrupted.
            Some(Contexts::INTERRUPT) => ContextId::UNKNOWN,
            Some(interrupted) => interrupted,
            None => context,
        };
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
        // With one core its thread goes on if the record names no other.
        let yielded = matches!(act, Act::Yield { next } if next == ContextId::UNKNOWN);
        let yielded = yielded && self.cores.len() > 1;
        let core = &mut self.cores[place];
        core.yielded = yielded;
        core.lowered = matches!(act, Act::Reprioritise { thread, .. } if thread == core.base);
        core.settled = self.now;
        core.interrupted = is_interrupt;
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
            Act::Terminate { thread, wait } => self.terminate(place, context, thread, wait),
            Act::Reset { thread } => self.reset(thread),
            Act::Delete { thread } => self.delete(thread),
            Act::DelayedSuspend { thread, pending } => self.delay_suspension(thread, pending),
            Act::Priority {
                thread,
                priority,
                effective,
            } => self.change_priority(thread, priority, effective),
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
            // Told only in traces that tell nothing else.
            Act::Switch { .. }
            | Act::Return { .. }
            | Act::InterruptsDisabled { .. }
            | Act::InterruptsRestored => {}
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
            } => self.release(context, resource, owner, last),
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

    fn is_running(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context <= Contexts::IDLE || thread.is_some_and(|thread| thread.state() == State::Running)
    }

    fn is_ready(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context > Contexts::IDLE && thread.is_some_and(ThreadNow::is_runnable)
    }

    /// A thread's effective priority as last seen.
    fn priority(&self, context: ContextId) -> Option<u16> {
        self.threads.get(context.index())?.priority
    }

    /// The scheduler's record of something at that event is missing.
    fn miss(&mut self, event: EventIndex) {
        self.unrecorded += 1;
        self.first_unrecorded.get_or_insert(event);
    }
}

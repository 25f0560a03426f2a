//! The pass that builds a schedule. For each event it first decides which
//! context ran since the core's last event, and only then applies the event:
//! its effects hold from the event on, while the time before it is decided by
//! the evidence that it adds.

mod evidence;
mod explicit;
mod gaps;
mod interrupts;
mod interrupts_off;
mod lifecycle;
mod priorities;
mod switch;
mod threads;

use super::contradiction;
use super::core::CoreState;
use super::inversion::InversionTracker;
use super::lock::{MutexTracker, Ownership};
use super::thread::ThreadTracker;
use super::transfer::TransferTracker;
use super::{
    Dispatch, InterruptsOffSection, IsrActivation, LockEnding, Preemption, PriorityChange,
    Resumption, Schedule, ThreadState,
};
use crate::PackedVec;
use crate::event_time::EventTime;
use crate::rendezvous::Waiter;
use rtoscope_trace::{
    ContextId, Contexts, EventHeader, EventIndex, Interpret, IsrFunction, LevelEffect, Resource,
    SchedEvent, SwitchModel, Ticks, Trace,
};

/// Builds a schedule from events as they arrive. The result does not depend on
/// how the events are divided into batches.
#[derive(Debug, Clone)]
pub struct ScheduleBuilder {
    /// Number of applied events.
    events_taken: usize,
    /// The gaps of the trace, in the order in which they begin: each with the
    /// first event after its beginning, and its core.
    gaps: Vec<(usize, Option<u8>)>,
    /// Number of passed gaps.
    gaps_passed: usize,
    cores: Vec<CoreState>,
    /// Index plus one of each core by its number; 0 if it has recorded nothing.
    /// A table, as every event looks its core up.
    core_indices: [u16; 256],
    threads: Vec<ThreadTracker>,
    /// Threads with a known state.
    known_threads: Vec<ContextId>,
    /// Threads that are known to have run, in the order of their first slice.
    run_threads: Vec<ContextId>,
    locks: MutexTracker,
    inversions: InversionTracker,
    transfers: TransferTracker,
    dispatches: PackedVec<Dispatch>,
    preemptions: PackedVec<Preemption>,
    activations: PackedVec<IsrActivation>,
    resumptions: PackedVec<Resumption>,
    priority_changes: Vec<PriorityChange>,
    interrupts_off: PackedVec<InterruptsOffSection>,
    /// The start of what is known: the start of the trace, or the end of the
    /// last gap.
    since: EventTime,
    /// Whether any suspension or resumption was recorded: without such records
    /// the state of a thread that does not run is unknown.
    records_states: bool,
    /// Whether a switch ends the active handlers.
    ends_handlers: bool,
    now: EventTime,
    /// Number of missing scheduler records.
    unrecorded: u64,
    first_unrecorded: Option<EventIndex>,
    /// Resumptions, if there are several cores.
    recent_resumptions: Vec<(EventTime, ContextId)>,
    /// The time since which nothing relevant to the inversions has changed.
    /// Inversions are updated only when something changes, not at every event.
    watched_since: Option<EventTime>,
    /// The numbers of the ISRs whose exit is never recorded.
    exitless_isrs: Vec<u32>,
    /// Whether any ISR without entry and exit was found.
    has_inferred_isrs: bool,
    /// Whether switches are explicit: then the first entry about a thread says nothing
    /// about the time before it.
    is_explicit: bool,
}

impl ScheduleBuilder {
    /// Creates a builder for a trace whose events are still to be applied.
    pub fn new(trace: &Trace) -> Self {
        let mut builder = Self {
            events_taken: 0,
            gaps: Vec::new(),
            gaps_passed: 0,
            cores: Vec::new(),
            core_indices: [0; 256],
            threads: Vec::new(),
            known_threads: Vec::new(),
            run_threads: Vec::new(),
            locks: MutexTracker::default(),
            inversions: InversionTracker::default(),
            transfers: TransferTracker::default(),
            dispatches: PackedVec::new(),
            preemptions: PackedVec::new(),
            activations: PackedVec::new(),
            resumptions: PackedVec::new(),
            priority_changes: Vec::new(),
            interrupts_off: PackedVec::new(),
            since: EventTime::START,
            records_states: false,
            ends_handlers: false,
            now: EventTime::START,
            unrecorded: 0,
            first_unrecorded: None,
            recent_resumptions: Vec::new(),
            watched_since: None,
            exitless_isrs: Vec::new(),
            has_inferred_isrs: false,
            is_explicit: trace.switch_model != SwitchModel::Inferred,
        };
        for core in &trace.cores {
            builder.core_index(*core);
        }
        builder.add_contexts(trace);
        builder
    }

    /// Applies the events of the trace before number `until`.
    pub fn push_events(&mut self, trace: &Trace, interpreter: &mut impl Interpret, until: usize) {
        let until = until.min(trace.events.len());
        self.set_trace(trace);
        self.set_exitless_isrs(interpreter.exitless_isrs());
        let mut batch = Vec::new();
        while self.events_taken < until {
            let end = until.min(self.events_taken + SchedEvent::BATCH_LEN);
            batch.clear();
            trace.events.visit(self.events_taken..end, |event| {
                batch.push((event.header(), interpreter.sched_event(trace, &event)));
            });
            self.push_sched_events(trace.switch_model, &batch);
        }
    }

    /// Sets the trace of the next events: the one of the events before, or one
    /// that [continues](Trace::continues) it, and so has the same first gaps.
    pub(crate) fn set_trace(&mut self, trace: &Trace) {
        self.gaps = gaps::gaps(trace);
    }

    /// Sets the numbers of the ISRs whose exit is never recorded.
    pub(crate) fn set_exitless_isrs(&mut self, numbers: &[u32]) {
        self.exitless_isrs.clear();
        self.exitless_isrs.extend_from_slice(numbers);
    }

    /// Applies the next events of the trace that is set.
    pub(crate) fn push_sched_events(
        &mut self,
        model: SwitchModel,
        mut batch: &[(EventHeader, SchedEvent)],
    ) {
        while let Some((first, _)) = batch.first() {
            let next_gap = self.gaps.get(self.gaps_passed).copied();
            if let Some((_, core)) = next_gap.filter(|(at, _)| *at <= self.events_taken) {
                self.gaps_passed += 1;
                match core {
                    Some(core) => self.gap_on(core),
                    None => self.gap(first.time.0),
                }
                continue;
            }
            let until_gap = next_gap.map_or(batch.len(), |(at, _)| at - self.events_taken);
            let (now, later) = batch.split_at(until_gap.min(batch.len()));
            match model {
                SwitchModel::Inferred => {
                    for (event, sched_event) in now {
                        self.push_event(event, *sched_event);
                    }
                }
                SwitchModel::Explicit {
                    records_returns,
                    ends_handlers,
                    records_states,
                } => {
                    self.ends_handlers = ends_handlers;
                    for (event, sched_event) in now {
                        if records_states {
                            self.push_explicit_state(event, *sched_event);
                        }
                        self.push_explicit(event, *sched_event, records_returns);
                    }
                }
            }
            self.events_taken += now.len();
            batch = later;
        }
    }

    /// Finishes the schedule; `resources` and `isr_functions` are the
    /// interpreter's.
    pub fn finish(mut self, resources: &[Resource], isr_functions: &[IsrFunction]) -> Schedule {
        let end = self.now.time;
        for core_index in 0..self.cores.len() {
            self.end_core(core_index);
        }
        for core in &mut self.cores {
            core.slices.finish(Ticks(end));
        }
        self.locks.forget(self.now);
        for thread in &mut self.threads {
            self.inversions.end(thread, LockEnding::Lost, self.now);
        }
        self.transfers.finish(self.now.event);
        let isrs = self.cores.iter().flat_map(|core| core.isrs.values());
        let stray_exits = isrs.filter(|it| it.count > 0).copied().collect();
        let mut cores: Vec<_> = self.cores.into_iter().map(|core| core.slices).collect();
        cores.sort_by_key(|slices| slices.core);
        let threads = self.threads.into_iter();
        let mut threads: Vec<_> = threads.map(|thread| thread.intervals).collect();
        let mut contradictions =
            contradiction::resolve_contradictions(&cores, &mut threads, &mut self.locks.holds);
        contradictions.extend(self.locks.contradicted);
        Schedule {
            span: Ticks(end),
            cores,
            threads,
            dispatches: self.dispatches,
            preemptions: self.preemptions,
            activations: self.activations,
            stray_exits,
            resumptions: self.resumptions,
            priority_changes: self.priority_changes,
            isr_functions: isr_functions.to_vec(),
            interrupts_off: self.interrupts_off,
            mutex_holds: self.locks.holds,
            inversions: self.inversions.all,
            transfers: self.transfers.all,
            untaken_puts: self.transfers.untaken,
            unrecorded: self.unrecorded,
            first_unrecorded: self.first_unrecorded,
            contradictions,
            resources: resources.to_vec(),
        }
    }

    /// Adds the contexts of the trace.
    fn add_contexts(&mut self, trace: &Trace) {
        for context in &trace.contexts {
            let object = context.object.and_then(|id| trace.objects.get(id));
            let mut thread = ThreadTracker::new(object.and_then(|object| object.priority));
            if context.id > Contexts::IDLE {
                thread.enter(EventTime::START, ThreadState::Unknown, false);
            }
            self.threads.push(thread);
        }
    }

    #[inline]
    fn core_index(&mut self, core: u8) -> usize {
        match self.core_indices[usize::from(core)] {
            0 => self.new_core(core),
            core_index => usize::from(core_index) - 1,
        }
    }

    #[cold]
    fn new_core(&mut self, core: u8) -> usize {
        self.cores.push(CoreState::new(core));
        self.core_indices[usize::from(core)] = self.cores.len() as u16;
        self.cores.len() - 1
    }

    #[inline]
    fn push_event(&mut self, event: &EventHeader, sched_event: SchedEvent) {
        let core_index = self.core_index(event.core);
        self.now = EventTime {
            time: event.time.0,
            event: event.index,
        };
        let context = event.context;
        let is_interrupt = context == Contexts::INTERRUPT;
        let evidence = match event.interrupted() {
            // An interrupt does not count as an interrupted thread.
            Some(Contexts::INTERRUPT) => ContextId::UNKNOWN,
            Some(interrupted) => interrupted,
            None => context,
        };
        let core = &mut self.cores[core_index];
        if !core.begun {
            core.begun = true;
            core.outer = is_interrupt;
        }
        // Handlers during the initialisation have its context.
        core.has_run |= !is_interrupt && context != Contexts::INITIALIZE;
        // The fast path of most events: nothing is open, and the context that
        // the core already runs logs another event.
        if is_interrupt || !core.steady || core.base != evidence {
            self.settle(core_index, is_interrupt, evidence, sched_event);
        }
        self.update_inversions(event.index);
        if let Some(priority) = event.priority()
            && let Some(thread) = self.threads.get_mut(context.index())
        {
            // A changed priority can make a running thread a culprit, or no
            // longer one.
            let changes = thread.priority.replace(priority) != Some(priority);
            if changes && self.inversions.is_watching() {
                self.watched_since = Some(self.now);
            }
            // Another event of the thread shows that its last call has
            // returned. Only the suspension in that call, and the change of
            // priority before the suspension, belong to the call.
            if !matches!(
                sched_event,
                SchedEvent::Reprioritise { .. } | SchedEvent::Suspend { .. }
            ) {
                thread.requested = None;
                thread.impending_inversion = None;
            }
        }
        if sched_event != SchedEvent::None {
            self.apply(core_index, context, sched_event);
        }
        // On a single core the thread continues if the record names no other.
        // On several, the announced thread may run elsewhere.
        let yielded =
            matches!(sched_event, SchedEvent::Yield { next } if next == ContextId::UNKNOWN);
        let yielded = yielded && self.cores.len() > 1;
        let core = &mut self.cores[core_index];
        core.yielded = yielded;
        core.lowered =
            matches!(sched_event, SchedEvent::Reprioritise { thread, .. } if thread == core.base);
        core.settled_at = self.now;
        core.interrupted = is_interrupt;
    }

    fn apply(&mut self, core_index: usize, context: ContextId, sched_event: SchedEvent) {
        match sched_event {
            SchedEvent::None => {}
            SchedEvent::Resume {
                thread,
                wait_reason: wait,
                next,
            } => {
                self.resume(thread, wait, context == Contexts::INTERRUPT);
                self.announce_resumed(core_index, context, thread, next);
            }
            SchedEvent::Suspend {
                thread,
                wait_reason: wait,
                next,
            } => self.suspend(core_index, context, thread, wait, next),
            SchedEvent::Create { thread, priority } => self.create(thread, priority),
            SchedEvent::Terminate {
                thread,
                wait_reason: wait,
            } => self.terminate(core_index, context, thread, wait),
            SchedEvent::Reset { thread } => self.reset(thread),
            SchedEvent::Delete { thread } => self.delete(thread),
            SchedEvent::DelayedSuspend {
                thread,
                requested: pending,
            } => self.delay_suspension(thread, pending),
            SchedEvent::Priority {
                thread,
                priority,
                effective,
            } => self.change_priority(thread, priority, effective),
            // The mutex identifies the heir, and the thread's next event its
            // new priority.
            SchedEvent::Reprioritise { thread, done } => self.reprioritise(thread, done),
            SchedEvent::Sleep => {
                let core = &mut self.cores[core_index];
                core.sleeps = context == core.base;
                core.steady = false;
            }
            SchedEvent::Yield { next } => self.relinquish(core_index, context, next),
            SchedEvent::TimeSlice { next } => self.time_slice(core_index, next),
            SchedEvent::IsrEnter { number } => self.enter_isr(core_index, number),
            SchedEvent::IsrExit { number } => self.exit_isr(core_index, number),
            // These occur only in traces with explicit switches.
            SchedEvent::Switch { .. }
            | SchedEvent::Stop { .. }
            | SchedEvent::Return { .. }
            | SchedEvent::InterruptsDisabled { .. }
            | SchedEvent::InterruptsRestored => {}
            SchedEvent::CreateMutex { resource } => self.locks.create(resource, self.now),
            SchedEvent::Acquire {
                resource,
                owner,
                count,
                waits,
                inherits,
            } => {
                let before = Ownership::recorded(owner, count);
                self.acquire(context, resource, before, waits, inherits);
            }
            SchedEvent::Release {
                resource,
                owner,
                count,
            } => self.release(context, resource, Ownership::recorded(owner, count)),
            SchedEvent::Use {
                resource,
                effect,
                level,
                waits,
            } => {
                match effect {
                    LevelEffect::Offer | LevelEffect::Accept => {
                        let caller = Waiter {
                            context,
                            event: self.now.event,
                            offers: effect == LevelEffect::Offer,
                        };
                        self.transfers.call_rendezvous(resource, caller, waits);
                    }
                    _ => {
                        self.transfers.record_call(
                            resource,
                            effect,
                            level,
                            context,
                            self.now.event,
                        );
                    }
                }
                if waits && let Some(thread) = self.threads.get_mut(context.index()) {
                    thread.requested = Some(resource);
                }
            }
        }
    }

    fn is_running(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context <= Contexts::IDLE
            || thread.is_some_and(|thread| thread.state() == ThreadState::Running)
    }

    fn is_ready(&self, context: ContextId) -> bool {
        let thread = self.threads.get(context.index());
        context > Contexts::IDLE && thread.is_some_and(ThreadTracker::is_runnable)
    }

    /// A thread's last known effective priority.
    fn priority(&self, context: ContextId) -> Option<u16> {
        self.threads.get(context.index())?.priority
    }

    /// Counts a missing scheduler record at that event.
    fn count_unrecorded(&mut self, event: EventIndex) {
        self.unrecorded += 1;
        self.first_unrecorded.get_or_insert(event);
    }
}

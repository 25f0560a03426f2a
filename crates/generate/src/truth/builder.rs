//! Builds the ground truth from a simulation.

use super::core::CoreTracker;
use super::inversions::InversionTracker;
use super::objects::ObjectTracker;
use super::pipelines::PipelineTracker;
use super::states::ThreadStateTruth;
use super::threads::{ThreadActivity, ThreadTracker};
use super::{
    Address, DispatchCause, DispatchTruth, EventTimeTruth, IsrActivationTruth, IsrTruth,
    PerformanceTotals, ThreadTruth, ThreadXTruth, TrueContext,
};
use crate::board::SimulatedSystem;
use crate::creation::Creation;
use crate::event::Event;
use crate::facts::KernelFact;
use crate::ring::PROGRESS_EVENTS;
use crate::simulation::Simulation;
use crate::{GenerateError, ThreadXOptions, ThreadXSummary, write};
use std::collections::BTreeMap;
use std::io::Write;

/// Writes a buffer like [`write`](fn@write) and returns its ground truth.
///
/// The simulation runs once more for this. The ground truth grows with the
/// number of events, and is held in memory.
pub fn write_with_truth(
    options: &ThreadXOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(ThreadXSummary, ThreadXTruth), GenerateError> {
    let half = options.events / 2;
    let summary = write(options, output, &mut |events| progress(events / 2))?;
    let truth = truth(options, &mut |events| progress(half + events / 2));
    progress(options.events);
    Ok((summary, truth))
}

/// The ground truth for options that have been checked.
fn truth(options: &ThreadXOptions, progress: &mut dyn FnMut(u64)) -> ThreadXTruth {
    let board = SimulatedSystem::new(options);
    let mut follower = TruthBuilder::new(options, &board);
    let mut simulation = Simulation::with_facts(board.kernels, &board.creations, options);
    let mut facts = Vec::new();
    for number in 0..options.events {
        let event = simulation.next_with_facts(&mut facts);
        follower.event(number, &event, &facts);
        if number.is_multiple_of(PROGRESS_EVENTS) {
            progress(number);
        }
    }
    follower.finish(&board.creations)
}

/// Before the oldest event in the buffer, `now` stays 0 and `event` `None`: no
/// time is accounted for, only states are tracked.
struct TruthBuilder {
    cores: Vec<CoreTracker>,
    threads: Vec<ThreadTracker>,
    inversions: InversionTracker,
    objects: ObjectTracker,
    pipeline: Option<PipelineTracker>,
    dispatches: Vec<DispatchTruth>,
    activations: Vec<IsrActivationTruth>,
    /// Events that were overwritten.
    overwritten: u64,
    /// The time of the oldest event, on the clock that never wraps.
    origin: u64,
    /// The number of the current event in the buffer.
    event: Option<u64>,
    /// The time of the current event in ticks.
    now: u64,
    /// The threads on the cores before the oldest event.
    threads_at_start: Vec<Option<Address>>,
}

impl TruthBuilder {
    fn new(options: &ThreadXOptions, board: &SimulatedSystem) -> Self {
        let threads = board.creations.iter().filter_map(|creation| {
            let (core, _) = creation.thread?;
            let truth = ThreadTruth {
                name: creation.name.clone(),
                address: Address(creation.pointer),
                priority: creation.reserved[1],
                dispatches: 0,
                suspensions: 0,
                resumptions: 0,
                preemptions_solicited: 0,
                preemptions_interrupt: 0,
                time_slices: 0,
                relinquishes: 0,
                running_ticks: 0,
                interrupted_ticks: 0,
                ready_ticks: 0,
                suspended_ticks: 0,
                states: Vec::new(),
            };
            Some(ThreadTracker::new(truth, core))
        });
        Self {
            cores: (0..options.cores).map(CoreTracker::new).collect(),
            threads: threads.collect(),
            inversions: InversionTracker::default(),
            objects: ObjectTracker::default(),
            pipeline: board.kernels.iter().find_map(|kernel| {
                let pipeline = kernel.pipeline.as_deref()?;
                Some(PipelineTracker::new(pipeline, options.threads))
            }),
            dispatches: Vec::new(),
            activations: Vec::new(),
            overwritten: options.events.saturating_sub(options.slots()),
            origin: 0,
            event: None,
            now: 0,
            threads_at_start: Vec::new(),
        }
    }

    /// Adds an event of the simulation and the facts it causes.
    fn event(&mut self, number: u64, event: &Event, facts: &[KernelFact]) {
        self.event = number.checked_sub(self.overwritten);
        match self.event {
            None => {}
            Some(0) => {
                self.origin = event.time;
                self.threads_at_start =
                    self.cores.iter().map(CoreTracker::thread_address).collect();
            }
            Some(_) => {
                let now = event.time - self.origin;
                if now > self.now {
                    self.inversions.pass_time(&self.cores, &self.threads);
                }
                self.now = now;
            }
        }
        for fact in facts {
            self.fact(*fact);
        }
    }

    fn fact(&mut self, fact: KernelFact) {
        let (event, now) = (self.event, self.now);
        let counted = u64::from(event.is_some());
        match fact {
            KernelFact::Created(thread) => {
                if let Some(thread) = self.thread(thread) {
                    thread.stop(ThreadStateTruth::Suspended, 0, event, now);
                }
            }
            KernelFact::Ready(number) => {
                self.inversions.resume(number, event, now);
                if let Some(thread) = self.thread(number) {
                    thread.change(ThreadActivity::Ready, now);
                    thread.states.enter(ThreadStateTruth::Ready, 0, event, now);
                    thread.truth.resumptions += counted;
                }
            }
            KernelFact::State {
                thread: number,
                state,
                object,
            } => {
                let state = ThreadStateTruth::from_kernel(state);
                let Some(thread) = self.thread(number) else {
                    return;
                };
                if thread.stop(state, object, event, now) {
                    thread.truth.suspensions += counted;
                    self.inversions.suspend(number, &self.threads, event, now);
                } else {
                    // Its wait has ended, but it is not ready.
                    self.inversions.resume(number, event, now);
                }
            }
            KernelFact::DelayedSuspend { thread, is_set } => {
                if let Some(thread) = self.thread(thread) {
                    thread.states.delay_suspend(is_set, event, now);
                }
            }
            KernelFact::Relinquished(number) => {
                if let Some(thread) = self.thread(number) {
                    thread.truth.relinquishes += counted;
                }
            }
            KernelFact::Switch { core, next, cause } => self.switch(core, next, cause),
            KernelFact::Enter { core, number } => self.enter(core, number),
            KernelFact::Exit { core } => self.exit(core),
            KernelFact::Contends {
                thread,
                mutex,
                owner,
            } => {
                let contention = (thread, mutex, owner);
                self.inversions.contend(contention, &self.threads, event);
            }
            KernelFact::Priority { thread, priority } => {
                if let Some(thread) = self.thread(thread) {
                    thread.priority = priority;
                }
            }
            KernelFact::Owns { thread, mutex } => {
                self.inversions.hand_over(mutex, thread);
                self.objects.change(mutex, 1, Some(thread));
            }
            KernelFact::Mutex {
                mutex,
                owner,
                count,
            } => self.objects.change(mutex, count, owner),
            KernelFact::Level(object, level) => self.objects.change(object, level, None),
            KernelFact::Item { item, stage, step } => {
                let at = self.event_time();
                if let Some(pipeline) = &mut self.pipeline {
                    pipeline.step((item, stage, step), &self.threads, at, now);
                }
            }
        }
    }

    /// The current event, if it is in the buffer.
    fn event_time(&self) -> Option<EventTimeTruth> {
        let ticks = self.now;
        self.event.map(|event| EventTimeTruth { event, ticks })
    }

    fn thread(&mut self, number: u16) -> Option<&mut ThreadTracker> {
        self.threads.get_mut(usize::from(number))
    }

    fn switch(&mut self, number: u8, next: Option<u16>, cause: DispatchCause) {
        let (event, now) = (self.event, self.now);
        let Some(core) = self.cores.get_mut(usize::from(number)) else {
            return;
        };
        let next = next.and_then(|next| {
            let thread = self.threads.get_mut(usize::from(next))?;
            thread.change(ThreadActivity::Running, now);
            thread
                .states
                .enter(ThreadStateTruth::Running, 0, event, now);
            Some((next, thread.truth.address))
        });
        let (before, from) = core.switch(next, now);
        let at = self.event_time();
        if let (Some(pipeline), Some((next, _))) = (&mut self.pipeline, next) {
            pipeline.switch(next, at);
        }
        if let Some(before) = before.and_then(|before| self.thread(before)) {
            before.leave_core(event, now);
        }
        let (Some(event), Some((_, thread))) = (event, next) else {
            return;
        };
        let cause = match from {
            TrueContext::Initialize => DispatchCause::Start,
            TrueContext::Idle => DispatchCause::FromIdle,
            TrueContext::Thread(_) | TrueContext::Isr(_) => cause,
        };
        self.dispatches.push(DispatchTruth {
            event,
            ticks: now,
            core: number,
            thread,
            previous: from,
            cause,
        });
    }

    fn enter(&mut self, core: u8, number: Option<u64>) {
        let (event, now) = (self.event, self.now);
        let Some(core) = self.cores.get_mut(usize::from(core)) else {
            return;
        };
        core.enter(number, event, now);
        let held = core.thread();
        if let Some(thread) = held.and_then(|held| self.thread(held)) {
            thread.change(ThreadActivity::Interrupted, now);
        }
    }

    fn exit(&mut self, core: u8) {
        let (event, now) = (self.event, self.now);
        let Some(core) = self.cores.get_mut(usize::from(core)) else {
            return;
        };
        let activation = core.exit(event, now);
        if event.is_some() {
            self.activations.extend(activation);
        }
        let going_on = core.running_thread();
        if let Some(thread) = going_on.and_then(|number| self.thread(number)) {
            thread.change(ThreadActivity::Running, now);
        }
    }

    /// Ends the buffer with the current event.
    fn finish(mut self, creations: &[Creation]) -> ThreadXTruth {
        let now = self.now;
        let cores = self.cores.len() as u8;
        let mut slices = Vec::new();
        for core in self.cores {
            let (of_core, under_way) = core.finish(now);
            slices.extend(of_core);
            self.activations.extend(under_way);
        }
        self.activations
            .sort_by_key(|it| (it.enter_event, it.core, it.depth));
        let threads = self.threads.into_iter();
        let threads: Vec<_> = threads.map(|thread| thread.finish(now)).collect();
        let names: BTreeMap<u64, &String> = creations
            .iter()
            .map(|creation| (creation.pointer, &creation.name))
            .collect();
        let name = |object: Address| names.get(&object.0).copied().cloned().unwrap_or_default();
        let inversions = self.inversions.finish(now, name);
        let address = |number| threads.get(usize::from(number)).map(|it| it.address);
        let objects = self.objects.finish(name, address);
        let pipeline = self.pipeline.map(|it| it.finish(&threads, name));
        let mut truth = ThreadXTruth {
            events: self.event.map_or(0, |last| last + 1),
            cores,
            span_ticks: now,
            performance: PerformanceTotals::default(),
            threads,
            isrs: Vec::new(),
            slices,
            dispatches: self.dispatches,
            activations: self.activations,
            inversions,
            objects,
            pipelines: pipeline.into_iter().collect(),
        };
        truth.isrs = isrs(&truth);
        count_dispatches(&mut truth);
        truth.performance = PerformanceTotals::from_lists(&truth, &self.threads_at_start);
        truth
    }
}

fn isrs(truth: &ThreadXTruth) -> Vec<IsrTruth> {
    let mut isrs = BTreeMap::new();
    for activation in &truth.activations {
        let number = activation.number;
        let isr = isrs.entry(number).or_insert(IsrTruth {
            number,
            activations: 0,
            nested: 0,
            self_ticks: 0,
        });
        isr.activations += 1;
        isr.nested += u64::from(activation.depth > 1);
    }
    for slice in &truth.slices {
        if let TrueContext::Isr(number) = slice.context
            && let Some(isr) = isrs.get_mut(&number)
        {
            isr.self_ticks += slice.end_ticks - slice.start_ticks;
        }
    }
    isrs.into_values().collect()
}

/// Counts dispatches for the thread that starts to run and for the one that it
/// replaces.
fn count_dispatches(truth: &mut ThreadXTruth) {
    let threads = truth.threads.iter().enumerate();
    let indexes: BTreeMap<Address, usize> = threads.map(|(at, it)| (it.address, at)).collect();
    let index_of = |address| indexes.get(&address).copied();
    for dispatch in &truth.dispatches {
        if let Some(at) = index_of(dispatch.thread) {
            truth.threads[at].dispatches += 1;
        }
        let TrueContext::Thread(from) = dispatch.previous else {
            continue;
        };
        let Some(at) = index_of(from) else {
            continue;
        };
        let replaced = &mut truth.threads[at];
        match dispatch.cause {
            DispatchCause::PreemptionSolicited => replaced.preemptions_solicited += 1,
            DispatchCause::PreemptionInterrupt => replaced.preemptions_interrupt += 1,
            DispatchCause::TimeSlice => replaced.time_slices += 1,
            DispatchCause::Relinquish
            | DispatchCause::Suspension
            | DispatchCause::FromIdle
            | DispatchCause::Start => {}
        }
    }
}

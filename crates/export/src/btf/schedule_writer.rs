//! Writes what cores and threads do.

use super::entity_names::{EntityNames, plain_name};
use super::line_writer::{Entity, LineWriter};
use super::mutex_edges::{MutexEdge, mutex_edges};
use super::process::{Process, ProcessState, blocking_mutex, reason};
use rtoscope_analysis::View;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::{IsrActivationId, ThreadState};
use rtoscope_analysis::timeline::{Change, StateChange, cores, logged_by};
use rtoscope_trace::{ContextId, EventIndex, ResourceId, Ticks};
use std::collections::HashMap;
use std::io::{self, Write};
use std::iter::Peekable;
use std::rc::Rc;
use std::vec;

/// The types of targets.
const TASK: &str = "T";
const ISR: &str = "I";
const CORE: &str = "C";
const SEMAPHORE: &str = "SEM";

/// An activation of an ISR, or the kernel's part of an interrupt.
#[derive(Debug, Clone)]
struct Activation {
    /// `None` for the kernel's part.
    id: Option<IsrActivationId>,
    name: Rc<str>,
    instance: u64,
    is_started: bool,
    is_ended: bool,
}

/// What a core runs.
#[derive(Debug, Clone, Default)]
enum OnCore {
    Task(ContextId),
    Isr(Activation),
    #[default]
    Nothing,
}

#[derive(Debug, Clone, Default)]
struct Core {
    name: Rc<str>,
    runs: OnCore,
    /// The active ISRs that do not run, the innermost last.
    nesting: Vec<Activation>,
    /// `None` before it is known.
    is_idle: Option<bool>,
}

/// The users of a mutex.
#[derive(Debug, Clone, Copy, Default)]
struct MutexUsers {
    owners: u64,
    waiting: u64,
}

/// Writes the changes, one after the other.
pub(super) struct ScheduleWriter<'a, W: Write> {
    view: View<'a>,
    lines: LineWriter<W>,
    names: EntityNames<'a>,
    cores: Vec<Core>,
    processes: Vec<Process>,
    /// Number of activations of each ISR.
    activations: HashMap<Rc<str>, u64>,
    mutexes: HashMap<ResourceId, MutexUsers>,
    edges: Peekable<vec::IntoIter<MutexEdge>>,
}

impl<'a, W: Write> ScheduleWriter<'a, W> {
    pub(super) fn new(view: &View<'a>, lines: LineWriter<W>) -> Self {
        let names = EntityNames::new(view);
        let cores = cores(view).enumerate().map(|(place, _)| Core {
            name: names.core(place),
            ..Core::default()
        });
        Self {
            view: *view,
            lines,
            cores: cores.collect(),
            names,
            processes: vec![Process::default(); view.trace.contexts.len()],
            activations: HashMap::new(),
            mutexes: HashMap::new(),
            edges: mutex_edges(view).into_iter().peekable(),
        }
    }

    pub(super) fn apply(&mut self, time: Ticks, change: &Change) -> io::Result<()> {
        // Of the same time, those up to the event of the change, if it is known.
        let event = match change {
            Change::State(change) => change.interval.event,
            _ => EventIndex(0),
        };
        let is_before = |edge: &MutexEdge| (edge.time, edge.event) <= (time, event);
        while let Some(edge) = self.edges.next_if(is_before) {
            self.use_mutex(&edge)?;
        }
        match change {
            Change::State(change) => self.enter_state(time, change),
            Change::Interrupt {
                id,
                routine,
                is_start,
            } => {
                let place = cores(&self.view).position(|core| core == routine.core);
                match (place, is_start) {
                    (None, _) => Ok(()),
                    (Some(place), true) => {
                        let name = self.names.isr(CpuContext::Isr(routine.number));
                        let activation = self.activate(Some(*id), name);
                        if let Some(core) = self.cores.get_mut(place) {
                            core.nesting.push(activation);
                        }
                        Ok(())
                    }
                    (Some(place), false) => self.end_isr(time, place, *id),
                }
            }
            Change::Core { place, runs, .. } => self.switch(time, *place, *runs),
            Change::Priority(_) => Ok(()),
        }
    }

    /// Threads that are dispatched at the very end run in no slice.
    pub(super) fn dispatch_at_end(
        &mut self,
        end: Ticks,
        dispatches: &[(usize, ContextId)],
    ) -> io::Result<()> {
        for (place, thread) in dispatches {
            self.leave(end, *place)?;
            self.dispatch(end, *place, *thread)?;
        }
        Ok(())
    }

    /// The last events are those of the cores: a reader takes the last time as the end.
    pub(super) fn finish(mut self, end: Ticks) -> io::Result<()> {
        while let Some(edge) = self.edges.next() {
            self.use_mutex(&edge)?;
        }
        for place in 0..self.cores.len() {
            let core = self.cores.get_mut(place);
            if let Some(is_idle) = core.and_then(|core| core.is_idle.take()) {
                self.set_idle(end, place, is_idle)?;
            }
        }
        self.lines.flush()
    }

    fn process(&mut self, thread: ContextId) -> Process {
        self.processes
            .get(thread.index())
            .copied()
            .unwrap_or_default()
    }

    fn set_process(&mut self, thread: ContextId, process: Process) {
        if let Some(known) = self.processes.get_mut(thread.index()) {
            *known = process;
        }
    }

    /// The core that runs a thread.
    fn place_of(&self, thread: ContextId) -> Option<usize> {
        let runs = |core: &Core| matches!(core.runs, OnCore::Task(runs) if runs == thread);
        self.cores.iter().position(runs)
    }

    fn enter_state(&mut self, time: Ticks, change: &StateChange) -> io::Result<()> {
        let (thread, state) = (change.thread, change.interval.state);
        let wake_up = change.wake_up.map(|wake_up| wake_up.cause());
        let place = wake_up.and_then(|event| {
            let (_, core) = logged_by(&self.view, event);
            cores(&self.view).position(|other| other == core)
        });
        let process = self.process(thread);
        let was_running = process.thread_state == Some(ThreadState::Running);
        let ran = was_running && process.since == time && !process.has_run;
        self.set_process(
            thread,
            Process {
                thread_state: Some(state),
                since: time,
                has_run: false,
                ..process
            },
        );
        if self.place_of(thread).is_some() {
            // It leaves the core with the slice.
            if state == ThreadState::Running {
                self.mark_run(thread);
            }
            return self.request_mutex(time, thread, state);
        }
        let place = place.unwrap_or(0);
        if ran && self.cores.len() == 1 && self.make_free(time, 0)? {
            // It ran for no time, in no slice.
            self.lead(time, 0, thread, ProcessState::Running)?;
        }
        self.request_mutex(time, thread, state)?;
        self.lead(time, place, thread, ProcessState::without_core(Some(state)))
    }

    /// Lets a task that does not run any more leave its core; returns whether the core is free.
    fn make_free(&mut self, time: Ticks, place: usize) -> io::Result<bool> {
        let runs = self.cores.get(place).map(|core| &core.runs);
        match runs {
            Some(OnCore::Task(task)) => {
                let state = self.processes.get(task.index());
                let state = state.and_then(|process| process.thread_state);
                if state == Some(ThreadState::Running) {
                    return Ok(false);
                }
                self.leave(time, place)?;
                Ok(true)
            }
            Some(OnCore::Nothing) => Ok(true),
            Some(OnCore::Isr(_)) | None => Ok(false),
        }
    }

    fn mark_run(&mut self, thread: ContextId) {
        if let Some(process) = self.processes.get_mut(thread.index()) {
            process.has_run = true;
        }
    }

    /// Writes the events that lead a task to a state.
    fn lead(
        &mut self,
        time: Ticks,
        place: usize,
        thread: ContextId,
        to: ProcessState,
    ) -> io::Result<()> {
        let mut process = self.process(thread);
        let (name, core) = (self.names.task(thread), self.names.core(place));
        let events = process.state.events_to(to);
        let was_idle = !events.is_empty() && self.leave_idle(time, place)?;
        for event in events {
            let stimulus = match *event {
                "activate" => {
                    process.instance += u64::from(process.state != ProcessState::Unknown);
                    format!("STI_{name}")
                }
                _ => String::new(),
            };
            let source = match stimulus.as_str() {
                "" => Entity::single(&core),
                stimulus => Entity::single(stimulus),
            };
            let note = match *event {
                "wait" | "terminate" => plain_name(&reason(&self.view, process.thread_state)),
                _ => String::new(),
            };
            let target = Entity {
                name: &name,
                instance: process.instance,
            };
            self.lines
                .event(time, source, (TASK, target), event, &note)?;
        }
        process.state = process.state.after_events_to(to);
        self.set_process(thread, process);
        self.return_to_idle(time, place, was_idle)
    }

    /// Events of tasks and ISRs need a core that executes; returns whether it was idle.
    fn leave_idle(&mut self, time: Ticks, place: usize) -> io::Result<bool> {
        let core = self.cores.get(place);
        let was_idle = core.is_some_and(|core| core.is_idle == Some(true));
        if was_idle {
            self.set_idle(time, place, false)?;
        }
        Ok(was_idle)
    }

    fn return_to_idle(&mut self, time: Ticks, place: usize, was_idle: bool) -> io::Result<()> {
        match was_idle {
            true => self.set_idle(time, place, true),
            false => Ok(()),
        }
    }

    /// A core runs something else.
    fn switch(&mut self, time: Ticks, place: usize, runs: CpuContext) -> io::Result<()> {
        self.leave(time, place)?;
        // There is no event for unknown; it ends idle.
        let was_idle = self.cores.get(place).and_then(|core| core.is_idle);
        if runs != CpuContext::Unknown || was_idle == Some(true) {
            self.set_idle(time, place, runs == CpuContext::Idle)?;
        }
        match runs {
            CpuContext::Thread(thread) => self.dispatch(time, place, thread),
            CpuContext::Isr(_) => self.run_isr(time, place),
            CpuContext::Kernel => {
                let name = self.names.isr(CpuContext::Kernel);
                let kernel = self.activate(None, name);
                if let Some(core) = self.cores.get_mut(place) {
                    core.nesting.push(kernel);
                }
                self.run_isr(time, place)
            }
            CpuContext::Idle | CpuContext::Initialize | CpuContext::Unknown => Ok(()),
        }
    }

    fn set_idle(&mut self, time: Ticks, place: usize, is_idle: bool) -> io::Result<()> {
        let Some(core) = self.cores.get_mut(place) else {
            return Ok(());
        };
        if core.is_idle == Some(is_idle) {
            return Ok(());
        }
        core.is_idle = Some(is_idle);
        let target = Entity::single(&core.name);
        let event = if is_idle { "idle" } else { "execute" };
        self.lines.event(time, target, (CORE, target), event, "")
    }

    /// What a core runs leaves it.
    fn leave(&mut self, time: Ticks, place: usize) -> io::Result<()> {
        let Some(core) = self.cores.get_mut(place) else {
            return Ok(());
        };
        match std::mem::take(&mut core.runs) {
            OnCore::Nothing => Ok(()),
            OnCore::Task(thread) => {
                let state = self.process(thread).thread_state;
                self.lead(time, place, thread, ProcessState::without_core(state))
            }
            OnCore::Isr(isr) if isr.is_ended || isr.id.is_none() => {
                self.isr_event(time, place, &isr, "terminate")
            }
            OnCore::Isr(isr) => {
                self.isr_event(time, place, &isr, "preempt")?;
                if let Some(core) = self.cores.get_mut(place) {
                    // The interrupting one is the innermost already.
                    let inner = core.nesting.pop();
                    core.nesting.push(isr);
                    core.nesting.extend(inner);
                }
                Ok(())
            }
        }
    }

    fn dispatch(&mut self, time: Ticks, place: usize, thread: ContextId) -> io::Result<()> {
        if let Some(other) = self.place_of(thread) {
            // The slice of the core that it leaves has the same time, and may come later.
            self.leave(time, other)?;
        }
        self.lead(time, place, thread, ProcessState::Running)?;
        self.mark_run(thread);
        if let Some(core) = self.cores.get_mut(place) {
            core.runs = OnCore::Task(thread);
        }
        Ok(())
    }

    fn activate(&mut self, id: Option<IsrActivationId>, name: Rc<str>) -> Activation {
        let count = self.activations.entry(Rc::clone(&name)).or_default();
        let instance = *count;
        *count += 1;
        Activation {
            id,
            name,
            instance,
            is_started: false,
            is_ended: false,
        }
    }

    /// The innermost ISR runs.
    fn run_isr(&mut self, time: Ticks, place: usize) -> io::Result<()> {
        let core = self.cores.get_mut(place);
        let Some(mut isr) = core.and_then(|core| core.nesting.pop()) else {
            return Ok(());
        };
        self.start_isr(time, place, &mut isr)?;
        if let Some(core) = self.cores.get_mut(place) {
            core.runs = OnCore::Isr(isr);
        }
        Ok(())
    }

    fn start_isr(&mut self, time: Ticks, place: usize, isr: &mut Activation) -> io::Result<()> {
        if std::mem::replace(&mut isr.is_started, true) {
            return self.isr_event(time, place, isr, "resume");
        }
        let stimulus = format!("STI_{}", isr.name);
        let target = Entity {
            name: &isr.name,
            instance: isr.instance,
        };
        let source = Entity::single(&stimulus);
        self.lines
            .event(time, source, (ISR, target), "activate", "")?;
        self.isr_event(time, place, isr, "start")
    }

    fn isr_event(
        &mut self,
        time: Ticks,
        place: usize,
        isr: &Activation,
        event: &str,
    ) -> io::Result<()> {
        let core = self.names.core(place);
        let target = Entity {
            name: &isr.name,
            instance: isr.instance,
        };
        self.lines
            .event(time, Entity::single(&core), (ISR, target), event, "")
    }

    /// An ISR ends. If it runs, it leaves the core with the slice.
    fn end_isr(&mut self, time: Ticks, place: usize, id: IsrActivationId) -> io::Result<()> {
        let Some(core) = self.cores.get_mut(place) else {
            return Ok(());
        };
        if let OnCore::Isr(isr) = &mut core.runs
            && isr.id == Some(id)
        {
            isr.is_ended = true;
            return Ok(());
        }
        let Some(at) = core.nesting.iter().rposition(|isr| isr.id == Some(id)) else {
            return Ok(());
        };
        let mut isr = core.nesting.remove(at);
        if isr.is_started {
            return self.isr_event(time, place, &isr, "terminate");
        }
        // It took no time, so that no slice is its.
        let interrupted = std::mem::take(&mut core.runs);
        match &interrupted {
            OnCore::Task(task) => self.lead(time, place, *task, ProcessState::Ready)?,
            OnCore::Isr(outer) => self.isr_event(time, place, outer, "preempt")?,
            OnCore::Nothing => {}
        }
        let was_idle = self.leave_idle(time, place)?;
        self.start_isr(time, place, &mut isr)?;
        self.isr_event(time, place, &isr, "terminate")?;
        self.return_to_idle(time, place, was_idle)?;
        match &interrupted {
            OnCore::Task(task) => self.lead(time, place, *task, ProcessState::Running)?,
            OnCore::Isr(outer) => self.isr_event(time, place, outer, "resume")?,
            OnCore::Nothing => {}
        }
        if let Some(core) = self.cores.get_mut(place) {
            core.runs = interrupted;
        }
        Ok(())
    }

    /// A thread that is about to wait for a mutex requests it.
    fn request_mutex(
        &mut self,
        time: Ticks,
        thread: ContextId,
        state: ThreadState,
    ) -> io::Result<()> {
        let Some(mutex) = blocking_mutex(state) else {
            return Ok(());
        };
        let users = self.mutexes.entry(mutex).or_default();
        users.waiting += 1;
        let (count, was_alone) = (users.owners + users.waiting, users.waiting == 1);
        self.process_uses(time, mutex, thread, &["requestsemaphore", "waiting"], count)?;
        match was_alone {
            true => self.mutex_changes(time, mutex, &["overfull"], count),
            false => Ok(()),
        }
    }

    /// A thread acquires or releases a mutex.
    fn use_mutex(&mut self, edge: &MutexEdge) -> io::Result<()> {
        let MutexEdge {
            time,
            mutex,
            owner: thread,
            ..
        } = *edge;
        let is_blocked = |state: ThreadState| blocking_mutex(state) == Some(mutex);
        let waited = self.process(thread).thread_state.is_some_and(is_blocked);
        let users = self.mutexes.entry(mutex).or_default();
        let before = *users;
        if edge.is_acquired {
            users.owners += 1;
            users.waiting -= u64::from(waited && users.waiting > 0);
        } else {
            users.owners = users.owners.saturating_sub(1);
        }
        let users = *users;
        let count = users.owners + users.waiting;
        let events: &[&str] = match (edge.is_acquired, waited) {
            (true, true) => &["assigned"],
            (true, false) => &["requestsemaphore", "assigned"],
            (false, _) => &["released"],
        };
        self.process_uses(time, mutex, thread, events, count)?;
        let changes: &[&str] = match (edge.is_acquired, before.waiting, users.waiting) {
            (true, 0, _) => &["lock"],
            (true, _, 0) => &["full"],
            (false, 0, _) => &["unlock"],
            _ => &[],
        };
        self.mutex_changes(time, mutex, changes, count)
    }

    /// A task does something with a mutex; `count` tasks use it then, or wait for it.
    fn process_uses(
        &mut self,
        time: Ticks,
        mutex: ResourceId,
        thread: ContextId,
        events: &[&str],
        count: u64,
    ) -> io::Result<()> {
        let (task, instance) = (self.names.task(thread), self.process(thread).instance);
        let mutex = self.names.mutex(mutex);
        let source = Entity {
            name: &task,
            instance,
        };
        let target = (SEMAPHORE, Entity::single(&mutex));
        let note = count.to_string();
        events
            .iter()
            .try_for_each(|event| self.lines.event(time, source, target, event, &note))
    }

    /// The state of a mutex changes.
    fn mutex_changes(
        &mut self,
        time: Ticks,
        mutex: ResourceId,
        events: &[&str],
        count: u64,
    ) -> io::Result<()> {
        let mutex = self.names.mutex(mutex);
        let mutex = Entity::single(&mutex);
        let note = count.to_string();
        events.iter().try_for_each(|event| {
            self.lines
                .event(time, mutex, (SEMAPHORE, mutex), event, &note)
        })
    }
}

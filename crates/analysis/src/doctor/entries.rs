//! One pass over the scheduler events of a trace, in the order in which the target
//! recorded them.

use super::Occurrences;
use rtoscope_trace::{
    ContextId, Contexts, Event, EventIndex, Interpret, SchedEvent, SwitchModel, Ticks, Trace,
};
use std::collections::{BTreeMap, HashMap};

/// Counts of scheduler events, and what contradicts in their order.
#[derive(Debug, Default)]
pub(super) struct EntryScan {
    /// Threads resumed by an explicit switch.
    pub(super) switches: u64,
    /// Switches to idle.
    pub(super) sleeps: u64,
    /// Interrupts that end idle.
    pub(super) wakes: u64,
    /// Threads that become ready.
    pub(super) readies: u64,
    /// Threads that stop being ready.
    pub(super) waits: u64,
    /// Entries of handlers.
    pub(super) handlers: u64,
    /// Exits of handlers without an entry.
    pub(super) unentered: Occurrences,
    /// Returns to another context than the interrupted one.
    pub(super) other_returns: Occurrences,
    /// Switches to a thread that waits.
    pub(super) ran_unready: Occurrences,
    /// Switches to idle from a thread that becomes ready again before it runs: it waits.
    pub(super) idle_unwaited: Occurrences,
    /// Switches to idle during which a ready thread becomes ready again: it did not stay
    /// ready.
    pub(super) idle_while_ready: Occurrences,
    /// Waits on an idle core.
    pub(super) waits_in_idle: Occurrences,
    /// Times after a wait in which no thread can have run, although no idle is recorded.
    pub(super) unrecorded_idle: Occurrences,
    /// How threads start that a handler made ready on an idle core, by handler.
    pub(super) starts: BTreeMap<u32, HandlerStarts>,
}

/// How threads start that a handler made ready on an idle core.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HandlerStarts {
    /// The switch follows the exit.
    pub(super) direct: u64,
    /// Another handler follows the exit: only then the thread starts.
    pub(super) late: Occurrences,
    /// Ticks from these exits to the other handler.
    pub(super) delay: u64,
    /// Ticks of the handler itself, in these cases.
    pub(super) handler: u64,
    /// The other handler, if it is always the same.
    pub(super) next_handler: Option<u32>,
    /// Whether several others follow.
    pub(super) several: bool,
}

/// What is known about a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownState {
    Running,
    Ready(ReadyThread),
    Waiting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReadyThread {
    since: EventIndex,
    /// Whether it waited before.
    waited: bool,
    /// Whether it gave its core to idle. A thread of idle's priority can do so and stay
    /// ready.
    gave_to_idle: bool,
    /// The first switch of the only core to idle since then.
    idle: Option<EventIndex>,
}

/// A handler on an idle core.
#[derive(Debug, Clone, Copy)]
struct IdleHandler {
    number: u32,
    entered: Ticks,
    readied: bool,
    /// Its exit, until the next event of the core.
    exited: Option<(Ticks, EventIndex)>,
}

#[derive(Debug, Default)]
struct Core {
    /// The context outside handlers, if known.
    base: Option<ContextId>,
    /// Whether a thread or idle has run since the start or the last gap, so that no
    /// handler of an earlier time is active.
    settled: bool,
    nesting: Vec<u32>,
    idle_handler: Option<IdleHandler>,
    /// A return to another context than the interrupted one, until the next switch.
    other_return: Option<(EventIndex, ContextId)>,
    /// The last wait, until the next switch.
    wait: Option<EventIndex>,
}

struct Scanner {
    scan: EntryScan,
    cores: HashMap<u8, Core>,
    threads: HashMap<ContextId, KnownState>,
    is_single_core: bool,
}

impl EntryScan {
    /// Scans a trace.
    pub(super) fn new(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let mut scanner = Scanner {
            scan: Self::default(),
            cores: HashMap::new(),
            threads: HashMap::new(),
            is_single_core: trace.cores.len() <= 1,
        };
        let is_explicit = matches!(trace.switch_model, SwitchModel::Explicit { .. });
        let mut gaps = trace.gaps.iter().peekable();
        trace.events.visit(0..trace.events.len(), |event| {
            while gaps.next_if(|gap| gap.next_event <= event.index).is_some() {
                scanner.cores.clear();
                scanner.threads.clear();
            }
            let sched_event = interpreter.sched_event(trace, &event);
            scanner.count(sched_event);
            if is_explicit {
                scanner.push_explicit(&event, sched_event);
            } else {
                scanner.push_inferred(&event, sched_event);
            }
        });
        scanner.scan
    }
}

impl Scanner {
    fn count(&mut self, sched_event: SchedEvent) {
        let scan = &mut self.scan;
        match sched_event {
            SchedEvent::Switch {
                to: Contexts::IDLE, ..
            } => scan.sleeps += 1,
            SchedEvent::Switch {
                to: Contexts::INTERRUPT,
                ..
            } => scan.wakes += 1,
            SchedEvent::Switch { .. } => scan.switches += 1,
            SchedEvent::Resume { .. } => scan.readies += 1,
            SchedEvent::Suspend { .. } => scan.waits += 1,
            SchedEvent::IsrEnter { .. } => scan.handlers += 1,
            _ => {}
        }
    }

    fn push_inferred(&mut self, event: &Event, sched_event: SchedEvent) {
        let core = self.cores.entry(event.core).or_default();
        // Handlers during the initialisation have its context.
        if !matches!(event.context, Contexts::INTERRUPT | Contexts::INITIALIZE) {
            core.settled = true;
            core.nesting.clear();
        }
        match sched_event {
            SchedEvent::IsrEnter { number } => core.nesting.push(number),
            SchedEvent::IsrExit { .. } => self.exit(event),
            _ => {}
        }
    }

    /// The exit of a handler: of the innermost, whatever its number.
    fn exit(&mut self, event: &Event) {
        let core = self.cores.entry(event.core).or_default();
        if core.nesting.pop().is_none() && core.settled {
            self.scan.unentered.push(event.index);
        }
    }

    fn push_explicit(&mut self, event: &Event, sched_event: SchedEvent) {
        match sched_event {
            SchedEvent::Switch {
                to: Contexts::INTERRUPT,
                ..
            } => {
                let core = self.cores.entry(event.core).or_default();
                core.idle_handler = None;
            }
            SchedEvent::Switch { to, .. } => self.switch(event, to),
            SchedEvent::Return { to } => self.return_to(event, to),
            SchedEvent::Resume { thread, .. } => self.ready(event, thread),
            SchedEvent::Suspend { thread, .. } => self.wait(event, thread),
            SchedEvent::IsrEnter { number } => self.enter_handler(event, number),
            SchedEvent::IsrExit { .. } => self.exit_handler(event),
            _ => {}
        }
    }

    fn switch(&mut self, event: &Event, to: ContextId) {
        let core = self.cores.entry(event.core).or_default();
        core.settled = true;
        core.nesting.clear();
        let before = core.base.replace(to);
        let wait = core.wait.take();
        // A return can come between the scheduler's decision and the entry of its switch.
        if let Some((event, _)) = core.other_return.take().filter(|(_, by)| *by != to) {
            self.scan.other_returns.push(event);
        }
        let idle_handler = core.idle_handler.take();
        let running = before.and_then(|before| self.threads.get(&before).copied());
        if to.is_thread() {
            match self.threads.insert(to, KnownState::Running) {
                Some(KnownState::Waiting) => self.scan.ran_unready.push(event.index),
                Some(KnownState::Ready(ready)) if ready.waited && self.is_single_core => {
                    if let Some(wait) = wait.filter(|wait| *wait < ready.since) {
                        self.scan.unrecorded_idle.push(wait);
                    }
                }
                _ => {}
            }
            if let Some(handler) = idle_handler
                && handler.readied
                && handler.exited.is_some()
            {
                self.scan.starts.entry(handler.number).or_default().direct += 1;
            }
        }
        if let Some(before) = before.filter(|before| *before != to)
            && running == Some(KnownState::Running)
        {
            let ready = ReadyThread {
                since: event.index,
                waited: false,
                gave_to_idle: to == Contexts::IDLE,
                idle: None,
            };
            self.threads.insert(before, KnownState::Ready(ready));
        }
        if to == Contexts::IDLE && self.is_single_core {
            for thread in self.threads.values_mut() {
                if let KnownState::Ready(ready) = thread {
                    ready.idle.get_or_insert(event.index);
                }
            }
        }
    }

    fn return_to(&mut self, event: &Event, to: ContextId) {
        let core = self.cores.entry(event.core).or_default();
        core.settled = true;
        core.nesting.clear();
        core.idle_handler = None;
        if !to.is_thread() {
            return;
        }
        if core.base.replace(to).is_some_and(|base| base != to) {
            core.other_return.get_or_insert((event.index, to));
            self.threads.clear();
        }
    }

    fn ready(&mut self, event: &Event, thread: ContextId) {
        let core = self.cores.entry(event.core).or_default();
        if let Some(handler) = &mut core.idle_handler
            && handler.exited.is_none()
        {
            handler.readied = true;
        }
        let waited = match self.threads.get(&thread) {
            Some(KnownState::Running) => return,
            Some(KnownState::Ready(ReadyThread { idle: None, .. })) => return,
            Some(KnownState::Ready(ReadyThread {
                gave_to_idle,
                idle: Some(idle),
                ..
            })) => {
                match gave_to_idle {
                    true => self.scan.idle_unwaited.push(*idle),
                    false => self.scan.idle_while_ready.push(*idle),
                }
                true
            }
            Some(KnownState::Waiting) => true,
            None => false,
        };
        let ready = ReadyThread {
            since: event.index,
            waited,
            gave_to_idle: false,
            idle: None,
        };
        self.threads.insert(thread, KnownState::Ready(ready));
    }

    fn wait(&mut self, event: &Event, thread: ContextId) {
        let core = self.cores.entry(event.core).or_default();
        if thread == ContextId::UNKNOWN {
            if core.base == Some(Contexts::IDLE) {
                self.scan.waits_in_idle.push(event.index);
            }
            return;
        }
        if core.base == Some(thread) {
            core.wait = Some(event.index);
        }
        self.threads.insert(thread, KnownState::Waiting);
    }

    fn enter_handler(&mut self, event: &Event, number: u32) {
        let core = self.cores.entry(event.core).or_default();
        let is_outermost = core.nesting.is_empty();
        core.nesting.push(number);
        if !is_outermost {
            return;
        }
        if let Some(handler) = core.idle_handler
            && handler.readied
            && let Some((exited, at)) = handler.exited
        {
            let starts = self.scan.starts.entry(handler.number).or_default();
            starts.late.push(at);
            starts.delay += event.time.0.saturating_sub(exited.0);
            starts.handler += exited.0.saturating_sub(handler.entered.0);
            let next = *starts.next_handler.get_or_insert(number);
            starts.several |= next != number;
        }
        core.idle_handler = (core.base == Some(Contexts::IDLE)).then_some(IdleHandler {
            number,
            entered: event.time,
            readied: false,
            exited: None,
        });
    }

    fn exit_handler(&mut self, event: &Event) {
        self.exit(event);
        let core = self.cores.entry(event.core).or_default();
        if core.nesting.is_empty()
            && let Some(handler) = &mut core.idle_handler
        {
            handler.exited = Some((event.time, event.index));
        }
    }
}

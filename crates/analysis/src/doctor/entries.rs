//! One pass over the scheduler events of a trace, in the order in which the target
//! recorded them.

use super::Occurrences;
use super::starts::HandlerStarts;
use rtoscope_trace::{
    ContextId, Contexts, Event, EventIndex, Interpret, SchedEvent, SwitchModel, Ticks, Trace,
    WaitReason,
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
    /// Threads that become ready on an idle core although no handler is active there.
    pub(super) readied_by_idle: BTreeMap<ContextId, Occurrences>,
    /// How threads start that handlers make ready.
    pub(super) starts: HandlerStarts,
}

/// What is known about a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownState {
    Running,
    Ready(ReadyThread),
    Waiting(WaitReason),
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

#[derive(Debug, Default)]
struct Core {
    /// The context outside handlers, if known.
    base: Option<ContextId>,
    /// Whether an interrupt has ended idle, up to the next switch.
    is_woken: bool,
    nesting: Vec<u32>,
    /// When the outermost handler was entered.
    entered: Ticks,
    /// When the last handler since the switch to idle exited.
    idle_exit: Option<Ticks>,
    /// A return to another context than the interrupted one, until the next switch.
    other_return: Option<(EventIndex, ContextId)>,
    /// The last wait, until the next switch.
    wait: Option<(Ticks, EventIndex)>,
}

struct Scanner {
    scan: EntryScan,
    cores: HashMap<u8, Core>,
    threads: HashMap<ContextId, KnownState>,
    is_single_core: bool,
    /// The duration of the longest handler.
    longest_handler: u64,
}

impl EntryScan {
    /// Scans a trace.
    pub(super) fn new(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let mut scanner = Scanner {
            scan: Self::default(),
            cores: HashMap::new(),
            threads: HashMap::new(),
            is_single_core: trace.cores.len() <= 1,
            longest_handler: 0,
        };
        let is_explicit = matches!(trace.switch_model, SwitchModel::Explicit { .. });
        let mut gaps = trace.gaps.iter().peekable();
        trace.events.visit(0..trace.events.len(), |event| {
            while gaps.next_if(|gap| gap.next_event <= event.index).is_some() {
                scanner.cores.clear();
                scanner.threads.clear();
                scanner.scan.starts.forget();
            }
            let sched_event = interpreter.sched_event(trace, &event);
            scanner.count(sched_event);
            if is_explicit {
                scanner.push_explicit(&event, sched_event);
            }
        });
        scanner.scan
    }
}

/// Whether much more time passes than any handler has taken.
fn is_long(since: Ticks, now: Ticks, longest_handler: u64) -> bool {
    now.0.saturating_sub(since.0) / 16 > longest_handler
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

    fn push_explicit(&mut self, event: &Event, sched_event: SchedEvent) {
        match sched_event {
            SchedEvent::Switch {
                to: Contexts::INTERRUPT,
                ..
            } => {
                let core = self.cores.entry(event.core).or_default();
                core.is_woken = true;
                self.scan.starts.forget();
            }
            SchedEvent::Switch { to, .. } => self.switch(event, to),
            SchedEvent::Return { to } => self.return_to(event, to),
            SchedEvent::Resume { thread, .. } => self.ready(event, thread),
            SchedEvent::Suspend {
                thread,
                wait_reason,
                ..
            } => self.wait(event, thread, wait_reason),
            SchedEvent::IsrEnter { number } => self.enter_handler(event, number),
            SchedEvent::IsrExit { number } => self.exit_handler(event, number),
            _ => {}
        }
    }

    fn switch(&mut self, event: &Event, to: ContextId) {
        let core = self.cores.entry(event.core).or_default();
        core.nesting.clear();
        (core.is_woken, core.idle_exit) = (false, None);
        let before = core.base.replace(to);
        let wait = core.wait.take();
        if self.is_single_core {
            self.scan.starts.switch(event.time, to, wait.is_some());
        }
        // A return can come between the scheduler's decision and the entry of its switch.
        if let Some((event, _)) = core.other_return.take().filter(|(_, by)| *by != to) {
            self.scan.other_returns.push(event);
        }
        let running = before.and_then(|before| self.threads.get(&before).copied());
        if to.is_thread() {
            match self.threads.insert(to, KnownState::Running) {
                Some(KnownState::Waiting(_)) => self.scan.ran_unready.push(event.index),
                Some(KnownState::Ready(ready)) if ready.waited && self.is_single_core => {
                    // An interrupt can come between the wait and the scheduler.
                    let mut others = self.threads.values();
                    let is_busy = others.any(|it| matches!(it, KnownState::Ready(_)));
                    if let Some((time, wait)) = wait
                        && wait < ready.since
                        && is_long(time, event.time, self.longest_handler)
                        && !is_busy
                    {
                        self.scan.unrecorded_idle.push(wait);
                    }
                }
                _ => {}
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
        core.nesting.clear();
        self.scan.starts.forget();
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
        if core.base == Some(Contexts::IDLE) && core.nesting.is_empty() && !core.is_woken {
            // Idle itself makes threads ready after a sleep without ticks, at once after the
            // handler that ends the sleep.
            let is_late = |exit| is_long(exit, event.time, self.longest_handler);
            if core.idle_exit.is_none_or(is_late) {
                self.scan
                    .readied_by_idle
                    .entry(thread)
                    .or_default()
                    .push(event.index);
            }
        }
        if self.is_single_core {
            let handler = core.nesting.last().copied();
            let before = self.threads.get(&thread);
            let slept = before == Some(&KnownState::Waiting(WaitReason::Sleep));
            self.scan.starts.ready(thread, core.base, handler, slept);
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
            Some(KnownState::Waiting(_)) => true,
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

    fn wait(&mut self, event: &Event, thread: ContextId, reason: WaitReason) {
        let core = self.cores.entry(event.core).or_default();
        if thread == ContextId::UNKNOWN {
            if core.base == Some(Contexts::IDLE) {
                self.scan.waits_in_idle.push(event.index);
            }
            return;
        }
        if core.base == Some(thread) {
            core.wait = Some((event.time, event.index));
        }
        self.threads.insert(thread, KnownState::Waiting(reason));
    }

    fn enter_handler(&mut self, event: &Event, number: u32) {
        let core = self.cores.entry(event.core).or_default();
        let is_outermost = core.nesting.is_empty();
        core.nesting.push(number);
        if is_outermost {
            core.entered = event.time;
            self.scan.starts.enter(event.time);
        }
    }

    fn exit_handler(&mut self, event: &Event, number: u32) {
        let core = self.cores.entry(event.core).or_default();
        // The exit of a handler that is not active ends none.
        let Some(at) = core.nesting.iter().rposition(|active| *active == number) else {
            return;
        };
        core.nesting.truncate(at);
        if at > 0 {
            return;
        }
        let took = event.time.0.saturating_sub(core.entered.0);
        self.longest_handler = self.longest_handler.max(took);
        core.idle_exit = Some(event.time);
        self.scan.starts.exit(number, event, took);
    }
}

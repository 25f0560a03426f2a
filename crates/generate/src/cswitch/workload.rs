//! The workload: entries before they are recorded.

use super::CswitchOptions;
use super::core::{CoreLog, EntryPayload};
use super::firmware::{self, Firmware};
use super::markers::MarkerPlan;
use super::pipeline::ItemMarkers;
use crate::board::SimulatedSystem;
use crate::event::Event;
use crate::facts::KernelFact;
use crate::simulation::Simulation;
use crate::truth::DispatchCause;
use fastrand::Rng;
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::threadx::CONTEXT_INITIALIZE;
use std::collections::VecDeque;

/// An entry to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedEntry {
    pub(super) core: u8,
    /// The time, on a clock that never wraps.
    pub(super) time: u64,
    /// The kind; the end of a critical section restores a state, whichever it
    /// is.
    pub(super) kind: EntryKind,
    /// Whether interrupts were already disabled, or stay disabled.
    pub(super) flagged: bool,
    pub(super) address: u64,
    /// The address of a name; 0 is none.
    pub(super) name: u64,
    /// The running context after the entry.
    pub(super) running: CoreContext,
}

impl PlannedEntry {
    /// The expected type, by the article's name. The article goes by the new
    /// state: restoring a disabled state counts as disabling again.
    pub(super) fn type_name(&self) -> String {
        let (kind, previously) = match (self.kind, self.flagged) {
            (EntryKind::InterruptsRestored, true) => (EntryKind::InterruptsDisabled, true),
            (EntryKind::InterruptsRestored, false) => (self.kind, true),
            (kind, flagged) => (kind, flagged),
        };
        let flag = if previously {
            "+PREVIOUSLY_DISABLED"
        } else {
            ""
        };
        format!("{}{flag}", kind.name())
    }
}

/// The context that a core runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CoreContext {
    Idle,
    /// Interrupt entry or exit, or the scheduler after it.
    Kernel,
    /// A thread, numbered across all cores.
    Thread(u16),
    /// A handler by its interrupt.
    Handler(u64),
}

/// An endless sequence of entries. Those of each core are ordered by time, at
/// distinct times.
///
/// With counters of 16 bits or more, two events of a core are at least 20 ticks
/// apart. The entries for one event take less.
#[derive(Debug)]
pub(super) struct CswitchWorkload {
    pub(super) firmware: Firmware,
    simulation: Simulation,
    facts: Vec<KernelFact>,
    cores: Vec<CoreLog>,
    /// Threads that an interrupt preempted.
    interrupted: Vec<bool>,
    queued: VecDeque<PlannedEntry>,
    random: Rng,
    /// By core; empty without markers.
    markers: Vec<MarkerPlan>,
    /// The markers of a pipeline's items, on the only core.
    item_markers: Option<ItemMarkers>,
    /// The markers of items at the current event.
    item_entries: Vec<EntryPayload>,
}

/// Ticks between two entries of one event.
const ENTRY_GAP_TICKS: std::ops::Range<u64> = 1..4;
/// One in this many critical sections disables interrupts twice.
const ONE_NESTED_IN: u32 = 8;
/// One in this many is long.
const ONE_LONG_IN: u32 = 40;
/// The duration of a long one in ticks, unless something else happens.
const LONG_TICKS: std::ops::Range<u64> = 20..1500;

impl CswitchWorkload {
    /// The options have been checked.
    pub(super) fn new(options: &CswitchOptions) -> Self {
        let kernel = options.kernel();
        let board = SimulatedSystem::new(&kernel);
        let firmware = Firmware::new(&board, options.pipeline_stages);
        Self {
            interrupted: vec![false; firmware.threads.len()],
            firmware,
            simulation: Simulation::with_facts(board.kernels, &board.creations, &kernel),
            facts: Vec::new(),
            cores: (0..options.cores).map(CoreLog::new).collect(),
            queued: VecDeque::new(),
            random: Rng::with_seed(options.seed.rotate_left(32)),
            markers: (0..options.cores)
                .filter(|_| options.markers)
                .map(|core| MarkerPlan::new(options.seed, core))
                .collect(),
            item_markers: (options.pipeline_stages > 0)
                .then(|| ItemMarkers::new(options.threads, options.pipeline_stages)),
            item_entries: Vec::new(),
        }
    }

    /// The next entry of any core.
    pub(super) fn next_entry(&mut self) -> PlannedEntry {
        loop {
            if let Some(step) = self.queued.pop_front() {
                return step;
            }
            self.follow();
        }
    }

    /// Creates the entries of an event and its consequences.
    fn follow(&mut self) {
        let event = self.simulation.next_with_facts(&mut self.facts);
        let facts = std::mem::take(&mut self.facts);
        let core = (event.id >> 24) as usize;
        self.restore(core, event.time);
        self.mark_items(core, event.time, &facts);
        self.critical_section(core, &event, &facts);
        for fact in &facts {
            match *fact {
                KernelFact::Enter { core, number } => {
                    self.enter(core.into(), event.time, number.unwrap_or_default());
                }
                KernelFact::Exit { core } => self.exit(core.into(), event.time),
                KernelFact::Switch { core, next, cause } => {
                    self.switch(core.into(), event.time, next, cause);
                }
                _ => {}
            }
        }
        self.facts = facts;
        if self.cores.get(core).is_some_and(|core| core.in_kernel) {
            self.resume_interrupted(core, event.time);
        }
        self.mark_service(core, event.time);
        self.mark(core, event.time);
    }

    /// The running context marks the items that it makes or has served.
    fn mark_items(&mut self, core: usize, time: u64, facts: &[KernelFact]) {
        let Some(items) = &mut self.item_markers else {
            return;
        };
        let mut entries = std::mem::take(&mut self.item_entries);
        items.before_call(facts, &self.firmware, &mut entries);
        items.take(facts);
        for entry in entries.drain(..) {
            self.put(core, time, entry);
        }
        self.item_entries = entries;
    }

    /// The running thread marks the item that it begins to serve.
    fn mark_service(&mut self, core: usize, time: u64) {
        let log = self.cores.get(core).filter(|log| log.can_mark());
        if let Some(CoreContext::Thread(thread)) = log.map(CoreLog::running)
            && let Some(items) = &mut self.item_markers
            && let Some(entry) = items.begin(thread, &self.firmware)
        {
            self.put(core, time, entry);
        }
    }

    /// A running thread may mark a point of interest.
    fn mark(&mut self, core: usize, time: u64) {
        let can_mark = self.cores.get(core).is_some_and(CoreLog::can_mark);
        if let Some(plan) = self.markers.get_mut(core).filter(|_| can_mark)
            && let Some(entry) = plan.next_entry(&self.firmware)
        {
            self.put(core, time, entry);
        }
    }

    /// Queues an entry of a core.
    fn put(&mut self, core: usize, time: u64, payload: EntryPayload) {
        let apart = self.random.u64(ENTRY_GAP_TICKS);
        if let Some(core) = self.cores.get_mut(core) {
            self.queued.push_back(core.entry(time, apart, payload));
        }
    }

    /// Restores interrupts before something happens on a core.
    fn restore(&mut self, core: usize, time: u64) {
        if let Some(core) = self.cores.get_mut(core) {
            self.queued.extend(core.take_restore_before(time));
        }
    }

    fn enter(&mut self, core: usize, time: u64, number: u64) {
        let Some(state) = self.cores.get_mut(core) else {
            return;
        };
        if state.is_idle() {
            state.in_kernel = true;
            self.put(
                core,
                time,
                EntryPayload::new(EntryKind::Wake, firmware::WAKES, 0),
            );
        }
        if let Some(state) = self.cores.get_mut(core) {
            state.in_kernel = false;
            state.handlers.push(number);
        }
        let payload = self.handler_payload(EntryKind::IsrEnter, number);
        self.put(core, time, payload);
    }

    fn exit(&mut self, core: usize, time: u64) {
        let Some(state) = self.cores.get_mut(core) else {
            return;
        };
        let number = state.handlers.pop().unwrap_or_default();
        state.in_kernel = state.handlers.is_empty();
        let payload = self.handler_payload(EntryKind::IsrExit, number);
        self.put(core, time, payload);
    }

    fn handler_payload(&self, kind: EntryKind, number: u64) -> EntryPayload {
        EntryPayload::new(kind, firmware::handler(number), self.firmware.isr.address)
    }

    fn switch(&mut self, core: usize, time: u64, next: Option<u16>, cause: DispatchCause) {
        self.restore(core, time);
        let Some(state) = self.cores.get_mut(core) else {
            return;
        };
        let before = state.thread;
        if let Some(before) = before
            && let Some(interrupted) = self.interrupted.get_mut(usize::from(before))
        {
            *interrupted = matches!(
                cause,
                DispatchCause::PreemptionInterrupt | DispatchCause::TimeSlice
            );
        }
        // Another core wakes it from idle; at the start it has not been idle
        // yet.
        if state.is_idle() && cause != DispatchCause::Start {
            state.in_kernel = true;
            self.put(
                core,
                time,
                EntryPayload::new(EntryKind::Wake, firmware::WAKES, 0),
            );
        }
        if let Some(state) = self.cores.get_mut(core) {
            state.in_kernel = false;
            state.thread = next;
        }
        let payload = match next {
            None => EntryPayload::new(EntryKind::Sleep, firmware::SLEEPS, 0),
            Some(next) => {
                let interrupted = self.interrupted.get(usize::from(next)).copied();
                let kind = match interrupted {
                    Some(true) => EntryKind::AsyncResume,
                    _ => EntryKind::SyncResume,
                };
                self.thread_payload(kind, next)
            }
        };
        self.put(core, time, payload);
    }

    fn thread_payload(&mut self, kind: EntryKind, thread: u16) -> EntryPayload {
        let address = self.firmware.code_address(thread, self.random.u32(..));
        EntryPayload::new(kind, address, self.firmware.name(thread))
    }

    /// The outermost handler has ended, and the core does not switch.
    fn resume_interrupted(&mut self, core: usize, time: u64) {
        let Some(state) = self.cores.get_mut(core) else {
            return;
        };
        state.in_kernel = false;
        let payload = match state.thread {
            None => EntryPayload::new(EntryKind::Sleep, firmware::SLEEPS, 0),
            Some(thread) => self.thread_payload(EntryKind::IsrReturn, thread),
        };
        self.put(core, time, payload);
    }

    /// A service disables interrupts briefly, and occasionally for long.
    fn critical_section(&mut self, core: usize, event: &Event, facts: &[KernelFact]) {
        let section = firmware::critical_section(event.id & 0x00FF_FFFF);
        let initializes = event.context == u64::from(CONTEXT_INITIALIZE);
        let (Some((disables, restores)), false) = (section, initializes) else {
            return;
        };
        let Some(state) = self.cores.get(core) else {
            return;
        };
        let (name, in_thread) = match (state.handlers.is_empty(), state.thread) {
            (true, Some(thread)) => (self.firmware.name(thread), true),
            _ => (self.firmware.isr.address, false),
        };
        let time = event.time;
        let disable = EntryPayload::new(EntryKind::InterruptsDisabled, disables, name);
        let restore = EntryPayload::new(EntryKind::InterruptsRestored, restores, name);
        self.put(core, time, disable);
        if self.random.u32(0..ONE_NESTED_IN) == 0 {
            self.put(core, time, disable.with_flag());
            self.put(core, time, restore.with_flag());
        }
        let goes_on = !facts
            .iter()
            .any(|fact| matches!(fact, KernelFact::Switch { .. }));
        if in_thread && goes_on && self.random.u32(0..ONE_LONG_IN) == 0 {
            let end = time + self.random.u64(LONG_TICKS);
            if let Some(state) = self.cores.get_mut(core) {
                state.restore_at(end, restores, name);
            }
        } else {
            self.put(core, time, restore);
        }
    }
}

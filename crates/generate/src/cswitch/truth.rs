//! The ground truth of a log.

use super::firmware::{self, Firmware};
use super::markers::{MarkerPairs, MarkerTruth};
use super::pipeline::{MarkedPipeline, MarkedPipelineTruth};
use super::workload::{CoreContext, PlannedEntry};
use super::write::KeptEntries;
use crate::Address;
use rtoscope_wire::cswitch::EntryKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The ground truth of a log, from the simulated kernel.
///
/// It covers the entries that were written. Each core starts at its oldest
/// entry; what it does at its newest entry lasts until the newest entry of all
/// cores, where time ends. Times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CswitchTruth {
    /// Entries of all cores.
    pub entries: u64,
    /// Cores of the target.
    pub cores: u8,
    /// From the oldest to the newest entry of all cores.
    pub span_ticks: u64,
    /// Entries by type, as named in the article, with `+PREVIOUSLY_DISABLED`
    /// for the flag.
    pub kinds: BTreeMap<String, u64>,
    /// Time in which nothing ran.
    pub idle: IdleTruth,
    /// Time between idle, handlers and threads.
    pub kernel_ticks: u64,
    /// Dispatches of threads.
    pub dispatches: u64,
    /// Dispatches of another thread than the previous one on the core, ignoring
    /// idle in between.
    pub context_switches: u64,
    /// Interrupts-off sections.
    pub interrupts_off: InterruptsOffTruth,
    /// Points of interest, without those of a pipeline.
    pub markers: MarkerTruth,
    /// The pipeline, if there is one.
    pub pipelines: Vec<MarkedPipelineTruth>,
    /// The threads in the order of their creation.
    pub threads: Vec<CswitchThreadTruth>,
    /// The handlers that ran, by address.
    pub handlers: Vec<HandlerTruth>,
    /// The logs, by core.
    pub logs: Vec<LogTruth>,
}

/// Time in which nothing ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct IdleTruth {
    /// Total time.
    pub ticks: u64,
    /// Number of idle periods.
    pub periods: u64,
}

/// Time with interrupts disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct InterruptsOffTruth {
    /// Number of interrupts-off sections.
    pub count: u64,
    /// Entries within sections that disable interrupts again: two for each
    /// nested critical section.
    pub nested: u64,
    /// Total time.
    pub ticks: u64,
    /// Duration of the longest section that ended.
    pub max_ticks: u64,
    /// Cores on which interrupts are disabled at the end.
    pub open: u64,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CswitchThreadTruth {
    /// The name.
    pub name: String,
    /// The address of the name.
    pub address: Address,
    /// Number of dispatches.
    pub dispatches: u64,
    /// The times of the dispatches, since the oldest entry.
    pub dispatched_at: Vec<u64>,
    /// CPU time, without interrupts.
    pub cpu_ticks: u64,
}

/// The handler of an interrupt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandlerTruth {
    /// The name of its function.
    pub name: String,
    /// The address of its function.
    pub address: Address,
    /// Number of activations.
    pub activations: u64,
    /// Number of activations that interrupted another handler.
    pub nested: u64,
    /// CPU time, without handlers that interrupted it.
    pub self_ticks: u64,
    /// The longest time from entry to exit.
    pub max_ticks: u64,
}

/// The log of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LogTruth {
    /// The core's number.
    pub core: u8,
    /// Entries that were written.
    pub entries: u64,
    /// Entries that were overwritten.
    pub overwritten: u64,
    /// Entries that were lost because the buffer was full.
    pub lost: u64,
    /// Idle time since the start of the recording, whether or not entries show
    /// it.
    pub idle_ticks: u64,
}

/// Builds the ground truth as entries are recorded.
pub(super) struct CswitchTruthBuilder {
    truth: CswitchTruth,
    cores: Vec<CoreLogTracker>,
    handlers: BTreeMap<u64, HandlerTruth>,
    pipeline: Option<MarkedPipeline>,
    oldest: Option<u64>,
    newest: u64,
    /// The time of the last entry, kept or not.
    last: u64,
}

/// The state of a core.
#[derive(Debug, Default)]
struct CoreLogTracker {
    /// The numbers of the entries that are kept.
    kept: std::ops::Range<u64>,
    /// Entries so far.
    recorded: u64,
    /// The running context and its start; `None` before the first kept entry.
    running: Option<(CoreContext, u64)>,
    last_thread: Option<u64>,
    /// The starts of active handlers; `None` if before that entry.
    handler_starts: Vec<Option<u64>>,
    /// The start of the interrupts-off section, if its entry is kept.
    off: Option<u64>,
    markers: MarkerPairs,
    /// Idle time, and the start of the current idle period, whatever is kept.
    idle: u64,
    asleep: Option<u64>,
}

impl CoreLogTracker {
    /// Sums up idle time, as the recorder should.
    fn sleep(&mut self, step: &PlannedEntry) {
        match step.kind {
            EntryKind::Sleep => self.asleep = Some(step.time),
            EntryKind::Wake => {
                let since = self.asleep.take();
                self.idle += since.map_or(0, |since| step.time - since);
            }
            _ => {}
        }
    }
}

impl CswitchTruthBuilder {
    /// Creates the builder for a recording with these kept entries.
    pub(super) fn new(kept: &[KeptEntries], firmware: &Firmware) -> Self {
        let log = |kept: &KeptEntries| LogTruth {
            core: kept.core,
            entries: kept.next - kept.first,
            overwritten: kept.first,
            lost: kept.lost,
            idle_ticks: 0,
        };
        let core = |kept: &KeptEntries| CoreLogTracker {
            kept: kept.first..kept.next,
            ..CoreLogTracker::default()
        };
        let thread = |text: &firmware::PlacedString| CswitchThreadTruth {
            name: text.text.clone(),
            address: Address(text.address),
            dispatches: 0,
            dispatched_at: Vec::new(),
            cpu_ticks: 0,
        };
        let handler = |function: &firmware::Function| {
            let truth = HandlerTruth {
                name: function.name.clone(),
                address: Address(function.address),
                activations: 0,
                nested: 0,
                self_ticks: 0,
                max_ticks: 0,
            };
            (function.address, truth)
        };
        Self {
            truth: CswitchTruth {
                entries: kept.iter().map(|kept| kept.next - kept.first).sum(),
                cores: kept.len() as u8,
                span_ticks: 0,
                kinds: BTreeMap::new(),
                idle: IdleTruth::default(),
                kernel_ticks: 0,
                dispatches: 0,
                context_switches: 0,
                interrupts_off: InterruptsOffTruth::default(),
                markers: MarkerTruth::default(),
                pipelines: Vec::new(),
                threads: firmware.threads.iter().map(thread).collect(),
                handlers: Vec::new(),
                logs: kept.iter().map(log).collect(),
            },
            cores: kept.iter().map(core).collect(),
            handlers: firmware.functions.iter().map(handler).collect(),
            pipeline: MarkedPipeline::of(firmware),
            oldest: None,
            newest: 0,
            last: 0,
        }
    }

    /// Adds the next entry.
    pub(super) fn add_entry(&mut self, step: &PlannedEntry) {
        let Some(core) = self.cores.get_mut(usize::from(step.core)) else {
            return;
        };
        let number = core.recorded;
        core.recorded += 1;
        core.sleep(step);
        self.last = self.last.max(step.time);
        if number >= core.kept.end {
            return;
        }
        let kept = number >= core.kept.start;
        let ended = core.running.filter(|_| kept);
        if kept {
            core.running = Some((step.running, step.time));
            self.oldest = Some(
                self.oldest
                    .map_or(step.time, |oldest| oldest.min(step.time)),
            );
            self.newest = self.newest.max(step.time);
            let kind = step.type_name();
            *self.truth.kinds.entry(kind).or_default() += 1;
            let pipeline = &mut self.pipeline;
            if !pipeline.as_mut().is_some_and(|it| it.add(step)) {
                core.markers.add(step, &mut self.truth.markers);
            }
        }
        match step.kind {
            EntryKind::SyncResume | EntryKind::AsyncResume => {
                let before = core.last_thread.replace(step.name);
                if kept {
                    let other = before.is_some_and(|before| before != step.name);
                    self.truth.dispatches += 1;
                    self.truth.context_switches += u64::from(other);
                    if let CoreContext::Thread(thread) = step.running
                        && let Some(thread) = self.truth.threads.get_mut(usize::from(thread))
                    {
                        thread.dispatches += 1;
                        thread.dispatched_at.push(step.time);
                    }
                }
            }
            EntryKind::IsrEnter => {
                core.handler_starts.push(Some(step.time).filter(|_| kept));
                if let Some(handler) = self.handlers.get_mut(&step.address).filter(|_| kept) {
                    handler.activations += 1;
                    handler.nested += u64::from(core.handler_starts.len() > 1);
                }
            }
            EntryKind::IsrExit => {
                if let Some(handler_starts) = core.handler_starts.pop().flatten()
                    && let Some(handler) = self.handlers.get_mut(&step.address)
                {
                    handler.max_ticks = handler.max_ticks.max(step.time - handler_starts);
                }
            }
            EntryKind::InterruptsDisabled | EntryKind::InterruptsRestored if !kept => {}
            EntryKind::InterruptsDisabled | EntryKind::InterruptsRestored if step.flagged => {
                self.truth.interrupts_off.nested += u64::from(core.off.is_some());
            }
            EntryKind::InterruptsDisabled => {
                self.truth.interrupts_off.count += 1;
                core.off = Some(step.time);
            }
            EntryKind::InterruptsRestored => {
                if let Some(since) = core.off.take() {
                    let off = &mut self.truth.interrupts_off;
                    off.ticks += step.time - since;
                    off.max_ticks = off.max_ticks.max(step.time - since);
                }
            }
            _ => {}
        }
        if let Some((executes, since)) = ended {
            self.add_time(executes, step.time - since, step.kind);
        }
    }

    /// Adds CPU time up to an entry of a kind.
    fn add_time(&mut self, executes: CoreContext, ticks: u64, next: EntryKind) {
        match executes {
            CoreContext::Idle => {
                self.truth.idle.ticks += ticks;
                // Only these kinds end it.
                let ends = matches!(
                    next,
                    EntryKind::Wake | EntryKind::SyncResume | EntryKind::AsyncResume
                );
                self.truth.idle.periods += u64::from(ends && ticks > 0);
            }
            CoreContext::Kernel => self.truth.kernel_ticks += ticks,
            CoreContext::Thread(thread) => {
                if let Some(thread) = self.truth.threads.get_mut(usize::from(thread)) {
                    thread.cpu_ticks += ticks;
                }
            }
            CoreContext::Handler(number) => {
                if let Some(handler) = self.handlers.get_mut(&firmware::handler(number)) {
                    handler.self_ticks += ticks;
                }
            }
        }
    }

    /// Ends the recording.
    pub(super) fn finish(mut self) -> CswitchTruth {
        let end = self.newest;
        for (core, index) in std::mem::take(&mut self.cores).into_iter().zip(0..) {
            if let Some(log) = self.truth.logs.get_mut::<usize>(index) {
                let asleep = core.asleep.map_or(0, |since| self.last - since);
                log.idle_ticks = core.idle + asleep;
            }
            self.truth.markers.open += core.markers.open();
            if let Some(since) = core.off {
                self.truth.interrupts_off.ticks += end - since;
                self.truth.interrupts_off.open += 1;
            }
            if let Some((executes, since)) = core.running {
                self.add_time(executes, end - since, EntryKind::Wake);
            }
        }
        let oldest = self.oldest.unwrap_or(end);
        self.truth.span_ticks = end - oldest;
        let pipeline = self.pipeline.map(|it| it.finish(oldest));
        self.truth.pipelines = pipeline.into_iter().collect();
        let threads = self.truth.threads.iter_mut();
        for time in threads.flat_map(|thread| &mut thread.dispatched_at) {
            *time -= oldest;
        }
        let handler_starts =
            |handler: &HandlerTruth| handler.activations > 0 || handler.self_ticks > 0;
        self.truth.handlers = self.handlers.into_values().filter(handler_starts).collect();
        self.truth
    }
}

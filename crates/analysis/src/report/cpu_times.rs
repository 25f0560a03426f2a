//! CPU times of the contexts.

use super::Scope;
use crate::schedule::{CoreSlices, Running, RunningContext, Schedule};
use foldhash::HashMap;
use rtoscope_trace::{ContextId, Contexts};
use std::collections::BTreeMap;

/// CPU times on each core, in a window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuTimes(Vec<CoreCpuTimes>);

/// CPU times on a core, in ticks. They add up to the length of the window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoreCpuTimes {
    /// The core's number.
    pub core: u8,
    /// Each thread that ran.
    pub threads: HashMap<ContextId, u64>,
    /// Interrupt service routines, by their number.
    pub isrs: BTreeMap<Option<u32>, u64>,
    /// Interrupts and the scheduler, outside these ISRs.
    pub kernel: u64,
    /// Idle time.
    pub idle: u64,
    /// Code that runs before the scheduler.
    pub initialize: u64,
    /// Time with an unknown running context.
    pub unknown: u64,
}

/// What CPU time is attributed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CpuContext {
    /// A thread.
    Thread(ContextId),
    /// Interrupt service routines with this number, or all without a number.
    Isr(Option<u32>),
    /// Interrupts and the scheduler, outside these ISRs.
    Kernel,
    /// No thread was ready.
    Idle,
    /// Code that runs before the scheduler.
    Initialize,
    /// The running context is unknown.
    Unknown,
}

impl CpuContext {
    /// The context that the time of a slice is attributed to.
    #[inline]
    pub(crate) fn of(schedule: &Schedule, running: Running) -> Self {
        match running.running_context() {
            RunningContext::Thread(id) if id.index() < schedule.threads.len() => Self::Thread(id),
            RunningContext::Isr(id) => Self::Isr(schedule.isr_number(id)),
            RunningContext::Kernel => Self::Kernel,
            RunningContext::Idle => Self::Idle,
            RunningContext::Initialize => Self::Initialize,
            RunningContext::Thread(_) | RunningContext::Unknown => Self::Unknown,
        }
    }
}

impl CpuTimes {
    /// The CPU times in the scope's window, of all cores and threads.
    pub fn from_schedule(schedule: &Schedule, scope: &Scope) -> Self {
        let mut sums = vec![0; schedule.threads.len()];
        let cores = schedule.cores.iter();
        let cpu_times = cores.map(|slices| core(schedule, scope, slices, &mut sums));
        Self(cpu_times.collect())
    }

    /// The cores, by their number.
    pub fn iter(&self) -> std::slice::Iter<'_, CoreCpuTimes> {
        self.0.iter()
    }

    /// CPU time of a thread on all cores.
    pub fn thread(&self, id: ContextId) -> u64 {
        let cores = self.0.iter();
        let cpu_times = cores.filter_map(|core| core.threads.get(&id));
        cpu_times.sum()
    }

    /// CPU time of each of the first `count` contexts on all cores, by its
    /// number: interrupts, initialisation, idle, threads.
    pub fn contexts(&self, count: usize) -> Vec<u64> {
        let mut running = vec![0; count];
        for core in self.iter() {
            let fixed = [
                (Contexts::INTERRUPT, core.interrupts()),
                (Contexts::INITIALIZE, core.initialize),
                (Contexts::IDLE, core.idle),
            ];
            let threads = core.threads.iter().map(|(thread, ticks)| (*thread, *ticks));
            for (context, ticks) in threads.chain(fixed) {
                if let Some(running) = running.get_mut(context.index()) {
                    *running += ticks;
                }
            }
        }
        running
    }
}

/// `sums` are 0 for each context, before and after.
fn core(schedule: &Schedule, scope: &Scope, slices: &CoreSlices, sums: &mut [u64]) -> CoreCpuTimes {
    let mut cpu_times = CoreCpuTimes {
        core: slices.core,
        ..CoreCpuTimes::default()
    };
    let mut running = Vec::new();
    // Slices of the same interrupt often follow each other.
    let mut isr = (None, 0);
    for (slice, part) in slices.within(scope.window(schedule.span)) {
        let ticks = part.end - part.start;
        match CpuContext::of(schedule, slice.running) {
            CpuContext::Thread(id) => {
                if let Some(sum) = sums.get_mut(id.index()) {
                    if *sum == 0 {
                        running.push(id);
                    }
                    *sum += ticks;
                }
            }
            CpuContext::Isr(number) => {
                if number != isr.0 {
                    cpu_times.add_isr(isr);
                    isr = (number, 0);
                }
                isr.1 += ticks;
            }
            CpuContext::Kernel => cpu_times.kernel += ticks,
            CpuContext::Idle => cpu_times.idle += ticks,
            CpuContext::Initialize => cpu_times.initialize += ticks,
            CpuContext::Unknown => cpu_times.unknown += ticks,
        }
    }
    cpu_times.add_isr(isr);
    let sum = |id: ContextId| Some((id, std::mem::take(sums.get_mut(id.index())?)));
    cpu_times.threads = running.into_iter().filter_map(sum).collect();
    cpu_times
}

impl CoreCpuTimes {
    /// CPU time of threads and interrupts, in ticks.
    pub fn busy(&self) -> u64 {
        self.threads.values().sum::<u64>() + self.interrupts()
    }

    /// CPU time of interrupts, inside and outside ISRs, in ticks.
    pub fn interrupts(&self) -> u64 {
        self.isrs.values().sum::<u64>() + self.kernel
    }

    /// CPU time of a thread, in ticks.
    pub fn thread(&self, id: ContextId) -> u64 {
        self.threads.get(&id).copied().unwrap_or_default()
    }

    fn add_isr(&mut self, (number, ticks): (Option<u32>, u64)) {
        if ticks > 0 {
            *self.isrs.entry(number).or_default() += ticks;
        }
    }
}

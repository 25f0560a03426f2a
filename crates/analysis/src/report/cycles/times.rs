//! What each cycle consists of.

use crate::PackedVec;
use crate::packed_vec::{Columns, Pack, columns};
use crate::report::baseline::Baseline;
use crate::report::periods::Activation;
use crate::report::{CpuContext, View};
use foldhash::{HashMap, HashMapExt as _};
use std::collections::BTreeMap;
use std::ops::Range;

/// The times of all cycles of an anchor.
#[derive(Debug, Default)]
pub(super) struct CycleTimes {
    /// The starts of the cycles, and the end of the last one. Ascending.
    pub(super) bounds: Vec<u64>,
    /// Whether all times of a cycle are known.
    pub(super) is_known: Vec<bool>,
    /// The times of each thread, handler and the kernel, in the order of the cycles in which
    /// it ran.
    pub(super) contexts: BTreeMap<CpuContext, PackedVec<ContextTimes>>,
    /// The interrupts-off times, in the order of the cycles that have some.
    pub(super) interrupts_off: Vec<InterruptsOffTime>,
    /// How often a context ran first after another, in the same cycle; after `None`, first of
    /// all. In the order of the contexts.
    pub(super) successions: Vec<(Succession, u64)>,
}

/// A context, and the one that ran before it in the same cycle.
type Succession = (Option<CpuContext>, CpuContext);

/// The times of a context in a cycle.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContextTimes {
    pub(super) cycle: usize,
    pub(super) cpu: u64,
    /// When it first ran.
    pub(super) first: u64,
    /// When it last ran.
    pub(super) last: u64,
}

/// The time of a cycle with interrupts off.
#[derive(Debug, Clone, Copy)]
pub(super) struct InterruptsOffTime {
    pub(super) cycle: usize,
    pub(super) ticks: u64,
    /// The longest part of a section, and the section.
    pub(super) longest: (u64, u32),
}

impl Pack for ContextTimes {
    const COLUMNS: usize = 4;

    fn pack(&self) -> Columns {
        let span = self.last.saturating_sub(self.first);
        columns([self.cycle as u64, self.first, span, self.cpu])
    }

    fn unpack([cycle, first, span, cpu, ..]: Columns) -> Self {
        Self {
            cycle: cycle as usize,
            cpu,
            first,
            last: first.saturating_add(span),
        }
    }
}

impl ContextTimes {
    /// Ticks in which it did not run after its start and before its end.
    pub(super) fn off_core(&self) -> u64 {
        (self.last - self.first).saturating_sub(self.cpu)
    }
}

impl CycleTimes {
    /// The times of the cycles that begin with activations.
    pub(super) fn of(view: &View<'_>, activations: impl Iterator<Item = Activation>) -> Self {
        let mut times = Self::default();
        let mut latest = 0;
        let mut core = None;
        for activation in activations {
            latest = activation.start.0.max(latest);
            times.bounds.push(latest);
            if core.is_some() {
                times.is_known.push(activation.period.is_some());
            }
            core.get_or_insert(activation.core);
        }
        let mut contexts = HashMap::new();
        let mut successions = HashMap::new();
        let cores = view.schedule.cores.iter();
        for slices in cores.filter(|slices| view.includes_core(slices.core)) {
            let is_anchored = Some(slices.core) == core;
            let mut order = Order::default();
            let mut cycle = 0;
            for (slice, part) in slices.within(times.whole()) {
                let context = CpuContext::of(view.schedule, slice.running);
                let mut at = part.start;
                while at < part.end && cycle < times.is_known.len() {
                    let Some(end) = times.bounds.get(cycle + 1).copied() else {
                        break;
                    };
                    if at >= end {
                        cycle += 1;
                        continue;
                    }
                    let until = part.end.min(end);
                    let is_first = times.add(&mut contexts, context, cycle, at..until);
                    if is_first && is_anchored {
                        order.push(context, cycle, &mut successions);
                    }
                    at = until;
                }
            }
        }
        let contexts = contexts.into_iter();
        let contexts = contexts.map(|(context, all)| (context, merge_cores(all)));
        times.contexts = contexts.collect();
        times.successions = successions.into_iter().collect();
        times.successions.sort_unstable();
        times.add_interrupts_off(view);
        times
    }

    /// The time of all cycles.
    fn whole(&self) -> Range<u64> {
        let first = self.bounds.first().copied().unwrap_or_default();
        first..self.bounds.last().copied().unwrap_or_default()
    }

    /// Number of cycles.
    pub(super) fn len(&self) -> usize {
        self.is_known.len()
    }

    /// Number of cycles whose times are known.
    pub(super) fn known(&self) -> usize {
        self.is_known.iter().filter(|known| **known).count()
    }

    /// The time of a cycle.
    pub(super) fn window(&self, cycle: usize) -> Range<u64> {
        let bound = |index: usize| self.bounds.get(index).copied().unwrap_or_default();
        bound(cycle)..bound(cycle + 1)
    }

    pub(super) fn is_known(&self, cycle: usize) -> bool {
        self.is_known.get(cycle).copied().unwrap_or(false)
    }

    /// What is usual in the cycles with known times, of values with the number of their cycle;
    /// in cycles without a value it is 0.
    pub(super) fn baseline(&self, all: impl Iterator<Item = (usize, u64)>) -> Baseline {
        let known = all.filter(|(cycle, _)| self.is_known(*cycle));
        let mut values: Vec<_> = known.map(|(_, ticks)| ticks).collect();
        Baseline::of(&mut values, self.known())
    }

    /// How much the CPU times of contexts vary, in ticks.
    pub(super) fn spread(&self) -> u64 {
        let contexts = self.contexts.values();
        let cpu_times = contexts.map(|all| all.iter().map(|it| (it.cycle, it.cpu)));
        let spreads = cpu_times.map(|all| self.baseline(all).spread);
        spreads.fold(0, u64::saturating_add)
    }

    /// Adds time of a context; whether it is the first of the cycle on the core.
    fn add(
        &mut self,
        contexts: &mut HashMap<CpuContext, PackedVec<ContextTimes>>,
        context: CpuContext,
        cycle: usize,
        part: Range<u64>,
    ) -> bool {
        match context {
            CpuContext::Unknown => {
                if let Some(is_known) = self.is_known.get_mut(cycle) {
                    *is_known = false;
                }
                return false;
            }
            CpuContext::Idle | CpuContext::Initialize => return false,
            CpuContext::Thread(_) | CpuContext::Isr(_) | CpuContext::Kernel => {}
        }
        let all = contexts.entry(context).or_default();
        let ticks = part.end - part.start;
        match all.last_mut() {
            Some(last) if last.cycle == cycle => {
                last.cpu += ticks;
                last.last = part.end;
                false
            }
            _ => {
                all.push(ContextTimes {
                    cycle,
                    cpu: ticks,
                    first: part.start,
                    last: part.end,
                });
                true
            }
        }
    }

    fn add_interrupts_off(&mut self, view: &View<'_>) {
        let whole = self.whole();
        let mut all = Vec::new();
        let sections = view.schedule.interrupts_off.iter().zip(0..);
        for (section, index) in sections.filter(|(it, _)| view.includes_core(it.core)) {
            let part = section.start.0.max(whole.start)..section.end.0.min(whole.end);
            let first = self.bounds.partition_point(|bound| *bound <= part.start);
            for cycle in first.saturating_sub(1)..self.len() {
                let window = self.window(cycle);
                if window.start >= part.end {
                    break;
                }
                let (start, end) = (part.start.max(window.start), part.end.min(window.end));
                let ticks = end.saturating_sub(start);
                if ticks > 0 {
                    all.push(InterruptsOffTime {
                        cycle,
                        ticks,
                        longest: (ticks, index),
                    });
                }
            }
        }
        all.sort_by_key(|it| it.cycle);
        all.dedup_by(|other, kept| {
            let is_same = other.cycle == kept.cycle;
            if is_same {
                kept.ticks += other.ticks;
                if other.longest.0 > kept.longest.0 {
                    kept.longest = other.longest;
                }
            }
            is_same
        });
        self.interrupts_off = all;
    }
}

/// The last context that ran first in a cycle.
#[derive(Debug, Default)]
struct Order {
    last: Option<(usize, CpuContext)>,
}

impl Order {
    fn push(
        &mut self,
        context: CpuContext,
        cycle: usize,
        successions: &mut HashMap<Succession, u64>,
    ) {
        if context == CpuContext::Kernel {
            return;
        }
        let before = self.last.replace((cycle, context));
        let before = before.filter(|(of, _)| *of == cycle).map(|(_, it)| it);
        *successions.entry((before, context)).or_default() += 1;
    }
}

/// Brings the times of all cores into the order of the cycles.
fn merge_cores(all: PackedVec<ContextTimes>) -> PackedVec<ContextTimes> {
    if all.iter().is_sorted_by(|one, next| one.cycle < next.cycle) {
        return all;
    }
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by_key(|it| it.cycle);
    all.dedup_by(|other, kept| {
        let is_same = other.cycle == kept.cycle;
        if is_same {
            kept.cpu += other.cpu;
            kept.first = kept.first.min(other.first);
            kept.last = kept.last.max(other.last);
        }
        is_same
    });
    all.into_iter().collect()
}

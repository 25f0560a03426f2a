//! Which cycles differ from the median one, and by what.

use super::times::{ContextTimes, CycleTimes, InterruptsOffTime};
use super::{CycleContextRow, CycleRow, context_name};
use crate::PackedVec;
use crate::report::View;
use crate::report::baseline::Baseline;
use crate::report::cpu_times::CpuContext;
use crate::report::deadlines::describe_cause;
use crate::report::periods::Activation;
use crate::schedule::DelayCause;
use rtoscope_trace::{EventIndex, Ticks, parallel};
use std::collections::BTreeMap;

/// Minimum number of cycles for a comparison.
const MIN_CYCLES: usize = 16;
/// A time stands out if it exceeds the median by at least this share of the median length of
/// a cycle, in percent.
const MIN_EXCESS_PERCENT: u64 = 3;
/// A context usually runs if it does in at least this share of the cycles, in percent.
const MIN_PRESENCE_PERCENT: usize = 90;
/// The name of interrupts-off time in place of a context's.
const INTERRUPTS_OFF: &str = "(interrupts off)";

/// What rose in a cycle.
#[derive(Debug, Clone, Copy)]
enum Subject {
    CpuTime(CpuContext),
    /// With the longest section.
    InterruptsOff(u32),
    OffCore(CpuContext),
}

/// What is usual of a context.
struct UsualContext {
    cpu: Baseline,
    off_core: Baseline,
    /// From the start of the cycle until it last ran.
    end: Baseline,
    /// From when it last ran in a cycle until it first ran in the next.
    pause: Baseline,
    is_present: bool,
}

/// A time that stands out.
#[derive(Debug, Clone, Copy)]
struct Rise {
    subject: Subject,
    ticks: u64,
    usual: u64,
    excess: u64,
}

/// What differs in a cycle.
#[derive(Debug, Clone, Copy)]
enum Difference {
    /// CPU time of what is in every cycle, or interrupts-off time.
    Rise(Rise),
    /// CPU time of what usually does not run, and whether it is periodic itself: it counts if
    /// the cycle was disturbed.
    RareRise(Rise, bool),
    OffCore(Rise),
    DidNotRun(CpuContext),
}

/// What differs in all cycles.
struct Differences {
    /// With the numbers of their cycles.
    all: Vec<(usize, Difference)>,
    /// By how much a context that usually runs ended late in each cycle.
    delays: Vec<u64>,
}

/// The cycles that differ, in order of time. They begin with the activations.
pub(super) fn outliers(
    view: &View<'_>,
    times: &CycleTimes,
    activations: &PackedVec<Activation>,
) -> Vec<CycleRow> {
    if times.known() < MIN_CYCLES {
        return Vec::new();
    }
    let length = |cycle| {
        let window = times.window(cycle);
        (cycle, window.end - window.start)
    };
    let lengths = times.baseline((0..times.len()).map(length));
    let floor = lengths.median.saturating_mul(MIN_EXCESS_PERCENT) / 100;
    let comparison = Comparison {
        times,
        floor,
        period: lengths.median,
    };
    let is_in_scope = |context: &CpuContext| match context {
        CpuContext::Thread(thread) => view.includes_thread(*thread),
        _ => true,
    };
    let contexts = times.contexts.iter();
    let contexts = contexts.filter(|(context, _)| is_in_scope(context));
    let usual = parallel::map(contexts.collect(), |(context, all)| {
        (*context, comparison.usual(all))
    });
    let usual: BTreeMap<_, _> = usual.into_iter().collect();
    let mut differences = Differences {
        all: Vec::new(),
        delays: vec![0; times.len()],
    };
    for (context, all) in &times.contexts {
        if let Some(usual) = usual.get(context) {
            comparison.compare(*context, all, usual, &mut differences);
        }
    }
    comparison.compare_interrupts_off(&mut differences);
    let Differences { mut all, delays } = differences;
    // In each cycle, they remain in the order of the contexts.
    all.sort_by_key(|(cycle, _)| *cycle);
    let cycles = all.chunk_by(|(one, _), (next, _)| one == next);
    let rows = cycles.filter_map(|found| {
        let cycle = found.first()?.0;
        let delay = delays.get(cycle).copied().unwrap_or_default();
        let found = found.iter().map(|(_, difference)| *difference);
        let did_not_run = found.clone().filter_map(|it| match it {
            Difference::DidNotRun(context) => Some(context),
            _ => None,
        });
        let did_not_run: Vec<_> = did_not_run.collect();
        let usual_rises = found.clone().filter_map(|it| match it {
            Difference::Rise(rise) => Some(rise),
            _ => None,
        });
        let rare_rises = found.clone().filter_map(|it| match it {
            Difference::RareRise(rise, is_periodic) => {
                let is_delayed = !is_periodic && delay >= rise.excess / 2;
                (is_delayed || !did_not_run.is_empty()).then_some(rise)
            }
            _ => None,
        });
        let off_core = found.rev().filter_map(|it| match it {
            Difference::OffCore(rise) => Some(rise),
            _ => None,
        });
        let rise = largest(view, usual_rises.chain(rare_rises));
        let rise = rise.or_else(|| off_core.max_by_key(|rise| rise.excess));
        let is_outlier = rise.is_some() || !did_not_run.is_empty();
        let start = (cycle, activations.get(cycle)?.event);
        is_outlier.then(|| row(view, times, &usual, start, rise, &did_not_run))
    });
    rows.collect()
}

/// The largest rise. The CPU time of a thread that turns interrupts off rises with the
/// interrupts-off time: only the rest counts.
fn largest(view: &View<'_>, rises: impl Iterator<Item = Rise> + Clone) -> Option<Rise> {
    let off = rises.clone().find_map(|rise| match rise.subject {
        Subject::InterruptsOff(section) => {
            let section = view.schedule.interrupts_off.get(section as usize)?;
            Some((CpuContext::Thread(section.context), rise.excess))
        }
        _ => None,
    });
    let rest = |rise: &Rise| match (rise.subject, off) {
        (Subject::CpuTime(context), Some((owner, off))) if context == owner => {
            rise.excess.saturating_sub(off)
        }
        _ => rise.excess,
    };
    rises.max_by_key(rest)
}

/// Compares the cycles of a recording.
struct Comparison<'t> {
    times: &'t CycleTimes,
    /// The least excess that stands out.
    floor: u64,
    /// The median length of a cycle.
    period: u64,
}

impl Comparison<'_> {
    fn usual(&self, all: &PackedVec<ContextTimes>) -> UsualContext {
        let times = self.times;
        let baseline = |ticks: &dyn Fn(&ContextTimes) -> u64| {
            times.baseline(all.iter().map(|it| (it.cycle, ticks(&it))))
        };
        let known = all.iter().filter(|it| times.is_known(it.cycle)).count();
        let pairs = all.with_next(0).filter_map(|(one, next)| {
            let next = next.filter(|next| one.cycle + 1 == next.cycle)?;
            Some(next.first.saturating_sub(one.last))
        });
        UsualContext {
            cpu: baseline(&|it| it.cpu),
            off_core: baseline(&ContextTimes::off_core),
            end: baseline(&|it| it.last.saturating_sub(times.window(it.cycle).start)),
            pause: Baseline::of(&mut pairs.collect::<Vec<_>>(), 0),
            is_present: known * 100 >= times.known() * MIN_PRESENCE_PERCENT,
        }
    }

    /// Adds what differs in a context.
    fn compare(
        &self,
        context: CpuContext,
        all: &PackedVec<ContextTimes>,
        usual: &UsualContext,
        differences: &mut Differences,
    ) {
        let times = self.times;
        let is_periodic = recurs_regularly(all);
        let mut last = None;
        for it in all {
            let before = last.replace(it);
            if let Some(before) = before.filter(|_| usual.is_present) {
                self.find_missing(context, [before, it], usual, &mut differences.all);
            }
            if !times.is_known(it.cycle) {
                continue;
            }
            let window = times.window(it.cycle);
            let length = window.end - window.start;
            // A longer cycle has room for more of the usual.
            let usual_cpu = match length > self.period {
                true => scale(usual.cpu.median, length, self.period),
                false => usual.cpu.median,
            };
            // What the cycle before did not get done.
            let arrears = before.filter(|before| before.cycle + 1 == it.cycle);
            let arrears = arrears.map_or(0, |before| usual.cpu.median.saturating_sub(before.cpu));
            let more = (usual_cpu - usual.cpu.median).saturating_add(arrears);
            let cpu = usual.cpu.excess(it.cpu.saturating_sub(more), self.floor);
            let cpu = cpu.filter(|_| !self.runs_twice(&it));
            let off_core = usual.off_core.excess(it.off_core(), self.floor);
            let off_core = off_core.filter(|_| !self.runs_twice(&it));
            let end = it.last - window.start;
            let is_late = usual.is_present && end >= usual.end.high;
            if let Some(delay) = differences.delays.get_mut(it.cycle).filter(|_| is_late) {
                *delay = end.saturating_sub(usual.end.median).max(*delay);
            }
            let mut add = |difference| differences.all.push((it.cycle, difference));
            if let Some(excess) = cpu {
                let rise = Rise {
                    subject: Subject::CpuTime(context),
                    ticks: it.cpu,
                    usual: usual.cpu.median,
                    excess,
                };
                add(match usual.is_present {
                    true => Difference::Rise(rise),
                    false => Difference::RareRise(rise, is_periodic),
                });
            }
            // Otherwise it usually waits between two runs of a cycle.
            let runs_once = usual.off_core.median <= usual.cpu.median;
            let is_thread = usual.is_present && matches!(context, CpuContext::Thread(_));
            if let Some(excess) = off_core.filter(|_| is_thread && runs_once) {
                add(Difference::OffCore(Rise {
                    subject: Subject::OffCore(context),
                    ticks: it.off_core(),
                    usual: usual.off_core.median,
                    excess,
                }));
            }
        }
    }

    /// Adds the cycles between two of a context in which it should have run: it paused for
    /// half a cycle longer than usual. What is not in step with the cycles misses some.
    fn find_missing(
        &self,
        context: CpuContext,
        [before, after]: [ContextTimes; 2],
        usual: &UsualContext,
        differences: &mut Vec<(usize, Difference)>,
    ) {
        // The scheduler runs when it has something to do.
        let is_due = matches!(context, CpuContext::Thread(_) | CpuContext::Isr(_));
        let pause = after.first.saturating_sub(before.last);
        if !is_due || pause < usual.pause.median.saturating_add(self.period / 2) {
            return;
        }
        let missing = before.cycle + 1..after.cycle;
        let missing = missing.filter(|cycle| self.times.is_known(*cycle));
        differences.extend(missing.map(|cycle| (cycle, Difference::DidNotRun(context))));
    }

    /// Whether a context runs at the start and at the end of a cycle: it is not in step with
    /// the cycles.
    fn runs_twice(&self, it: &ContextTimes) -> bool {
        let span = it.last - it.first;
        span >= self.period / 4 * 3 && it.off_core() >= span / 2 && it.cpu < self.period / 4
    }

    fn compare_interrupts_off(&self, differences: &mut Differences) {
        let all = &self.times.interrupts_off;
        let times = all.iter().map(|it| (it.cycle, it.ticks));
        let usual = self.times.baseline(times);
        let known = all.iter().filter(|it| self.times.is_known(it.cycle));
        for InterruptsOffTime {
            cycle,
            ticks,
            longest: (_, section),
        } in known
        {
            if let Some(excess) = usual.excess(*ticks, self.floor) {
                let rise = Rise {
                    subject: Subject::InterruptsOff(*section),
                    ticks: *ticks,
                    usual: usual.median,
                    excess,
                };
                differences.all.push((*cycle, Difference::Rise(rise)));
            }
        }
    }
}

/// Whether a context that does not run in each cycle runs in every Nth one.
fn recurs_regularly(all: &PackedVec<ContextTimes>) -> bool {
    let (mut min, mut max) = (usize::MAX, 0);
    for (one, next) in all.with_next(0) {
        if let Some(next) = next {
            let distance = next.cycle - one.cycle;
            (min, max) = (min.min(distance), max.max(distance));
        }
    }
    all.len() > 3 && max - min <= 1
}

/// `ticks` of a cycle of `period` in a cycle of `length`.
fn scale(ticks: u64, length: u64, period: u64) -> u64 {
    let scaled = u128::from(ticks) * u128::from(length) / u128::from(period.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

fn row(
    view: &View<'_>,
    times: &CycleTimes,
    usual: &BTreeMap<CpuContext, UsualContext>,
    (cycle, event): (usize, EventIndex),
    rise: Option<Rise>,
    did_not_run: &[CpuContext],
) -> CycleRow {
    let window = times.window(cycle);
    let did_not_run: Vec<_> = did_not_run
        .iter()
        .map(|it| context_name(view, *it))
        .collect();
    let mut cause = rise.map_or(String::new(), |rise| sentence(view, rise));
    if !did_not_run.is_empty() {
        let separator = if cause.is_empty() { "" } else { "; " };
        cause.push_str(&format!(
            "{separator}{} did not run",
            did_not_run.join(", ")
        ));
    }
    let in_cycle = |all: &PackedVec<ContextTimes>| {
        let found = all.get(all.partition_point(|it| it.cycle < cycle));
        found.filter(|it| it.cycle == cycle)
    };
    let contexts = times.contexts.iter().filter_map(|(context, all)| {
        let usual = usual.get(context)?;
        let found = in_cycle(all);
        let is_thread = matches!(context, CpuContext::Thread(_));
        (found.is_some() || usual.is_present).then(|| CycleContextRow {
            context: context_name(view, *context),
            cpu: found.map_or(0, |it| it.cpu),
            usual_cpu: usual.cpu.median,
            off_core: found.filter(|_| is_thread).map(|it| it.off_core()),
            usual_off_core: is_thread.then_some(usual.off_core.median),
        })
    });
    CycleRow {
        cycle: cycle as u64,
        event: event.0,
        start: window.start,
        length: window.end - window.start,
        context: rise.map(|rise| match rise.subject {
            Subject::CpuTime(context) | Subject::OffCore(context) => context_name(view, context),
            Subject::InterruptsOff(_) => INTERRUPTS_OFF.to_owned(),
        }),
        measure: rise.map(|rise| match rise.subject {
            Subject::CpuTime(_) => "cpu-time",
            Subject::InterruptsOff(_) => "interrupts-off",
            Subject::OffCore(_) => "off-core",
        }),
        measured: rise.map(|rise| rise.ticks),
        usual: rise.map(|rise| rise.usual),
        excess: rise.map(|rise| rise.excess),
        did_not_run,
        cause,
        contexts: contexts.collect(),
    }
}

/// A rise as a sentence.
fn sentence(view: &View<'_>, rise: Rise) -> String {
    let excess = view.duration(Ticks(rise.excess));
    match rise.subject {
        Subject::CpuTime(context) => {
            format!("{} ran {excess} longer", context_name(view, context))
        }
        Subject::InterruptsOff(section) => {
            let off = describe_cause(view, DelayCause::InterruptsOff(section));
            format!("{off}: {excess} longer")
        }
        Subject::OffCore(context) => {
            format!(
                "{} was off the core {excess} longer",
                context_name(view, context)
            )
        }
    }
}

//! Cores that are never idle, and interrupts that take too much or do not end.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::{CoreCpuTimes, View};
use crate::schedule::ThreadState;
use rtoscope_trace::Ticks;
use rtoscope_trace::diagnostic::pluralise;

/// Interrupts with a larger share of the time, in percent, are a finding.
const MAX_INTERRUPT_PERCENT: f64 = 50.0;

pub(super) fn load(view: &View<'_>, all: &mut Vec<Finding>) {
    let idle = Ticks(view.sum_over_cores(|core| core.idle));
    let unknown = Ticks(view.sum_over_cores(|core| core.unknown));
    let isr = Ticks(view.sum_over_cores(CoreCpuTimes::interrupts));
    let percent = |ticks| view.percent_of_cores(ticks);
    // Without any suspension the trace cannot show that a core was idle.
    let intervals = view.schedule.threads.iter().flatten();
    let mut waits =
        intervals.filter(|it| matches!(it.state, ThreadState::Waiting { .. }) && it.start_known);
    if percent(idle).is_some_and(|idle| idle < 0.5)
        && percent(unknown) < Some(10.0)
        && waits.next().is_some()
    {
        let message = "the processor was never idle: its load is 100 %".to_owned();
        all.push(Finding::new(
            FindingSeverity::Warning,
            FindingCategory::FullLoad,
            None,
            message,
        ));
    }
    if let Some(share) = percent(isr).filter(|share| *share > MAX_INTERRUPT_PERCENT) {
        let message = format!("interrupts take {share:.1} % of the time");
        all.push(Finding::new(
            FindingSeverity::Warning,
            FindingCategory::InterruptLoad,
            None,
            message,
        ));
    }
    let activations = view.schedule.activations.iter();
    let mut unfinished = activations.filter(|activation| {
        activation.entered && !activation.exited && view.contains(activation.start)
    });
    if let Some(first) = unfinished.next() {
        // A number alone does not help a reader.
        let name = match view.schedule.isr_function(first.number) {
            Some(routine) => format!(", the first of them {routine}"),
            None => String::new(),
        };
        let count = 1 + unfinished.count() as u64;
        let message = format!(
            "{} without a recorded exit{name}",
            pluralise(
                count,
                "interrupt service routine",
                "interrupt service routines"
            )
        );
        let event = Some(first.first);
        all.push(Finding::new(
            FindingSeverity::Note,
            FindingCategory::UnfinishedIsr,
            event,
            message,
        ));
    }
}

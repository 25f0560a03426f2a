//! Threads that did not run, or had to wait long for a core.

use super::names::names;
use super::unknown_time::UnknownTime;
use super::{Finding, FindingCategory, FindingSeverity};
use crate::report::View;
use crate::report::threads::with_ends;
use crate::schedule::ThreadState;
use rtoscope_trace::Ticks;
use rtoscope_trace::diagnostic::pluralise;

/// A thread that is continuously ready for a larger share of the time, in
/// percent, is starved.
const MAX_READY_PERCENT: f64 = 25.0;

/// Threads that did not run, or had to wait long for a core.
pub(super) fn starvation(view: &View<'_>, all: &mut Vec<Finding>) {
    let (mut waiting, mut ready, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    let unknown = UnknownTime::of(view);
    for thread in view.threads() {
        let deleted = thread.object.and_then(|id| view.trace.objects.get(id));
        if deleted.is_some_and(|object| object.deleted) {
            continue;
        }
        let intervals = view.thread_states(thread.id);
        let mut longest = (Ticks(0), None);
        let (mut ran, mut waits) = (false, false);
        for (interval, end) in with_ends(intervals, view.schedule.span) {
            let part = view.clip(interval.start, end);
            let in_window = part > Ticks(0) || view.contains(interval.start);
            match interval.state {
                ThreadState::Running => ran |= in_window,
                ThreadState::Waiting { .. } => waits |= in_window,
                ThreadState::Ready if part > longest.0 => {
                    // A core with an unknown running context may have run it.
                    let doubtful = unknown.between(interval.start.0, end.0);
                    let part = Ticks(part.0.saturating_sub(doubtful));
                    if part > longest.0 {
                        longest = (part, Some((interval.event, [interval.start, end])));
                    }
                }
                ThreadState::Ready | ThreadState::Unknown | ThreadState::Deleted => {}
            }
        }
        let name = view.trace.context_name(thread.id);
        let share = view.percent(longest.0).unwrap_or_default();
        if share > MAX_READY_PERCENT {
            let ran = if ran { "" } else { " and never ran" };
            let message = format!(
                "{name} was ready for {} ({share:.1} % of the time) without a core{ran}",
                view.duration(longest.0)
            );
            let (event, interval) = longest.1.unzip();
            let severity = FindingSeverity::Warning;
            let finding = Finding::new(severity, FindingCategory::Starvation, event, message);
            all.push(finding.lasting(interval).with_badness(longest.0.0 as f64));
        } else if !ran && waits {
            waiting.push(thread.id);
        } else if !ran && longest.1.is_some() {
            ready.push(thread.id);
        } else if !ran {
            unseen.push(thread.id);
        }
    }
    for (threads, why) in [
        (waiting, "suspended all the time"),
        (ready, "ready, without a core"),
        (unseen, "no event shows its state"),
    ] {
        if !threads.is_empty() {
            let count = threads.len() as u64;
            let message = format!(
                "{} never ran ({why}): {}",
                pluralise(count, "thread", "threads"),
                names(view, threads.iter())
            );
            all.push(Finding::new(
                FindingSeverity::Note,
                FindingCategory::NeverRan,
                None,
                message,
            ));
        }
    }
}

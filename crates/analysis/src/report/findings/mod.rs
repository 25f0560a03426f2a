//! Findings: what needs attention first.

mod active_objects;
mod cycles;
mod deadlines;
mod interrupts_off;
mod reset;
mod unknown_time;

pub use reset::final_reset;

use super::threads::with_ends;
use super::{CoreCpuTimes, View, stacks};
use crate::levels::LevelExtreme;
use crate::schedule::{Inversion, ThreadState};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, DiagnosticKind, EventIndex, ObjectClass, ResourceId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use unknown_time::UnknownTime;

/// The title of the list of findings.
pub const FINDINGS_TITLE: &str = "Findings";

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FindingSeverity {
    /// Something went wrong.
    Critical,
    /// Something may go wrong.
    Warning,
    /// Worth knowing.
    Note,
}

impl FindingSeverity {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The category of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCategory {
    /// Priority inversions prolonged by threads that have nothing to do with
    /// the mutex.
    UnboundedInversion,
    /// Priority inversions prolonged only by the owner.
    BoundedInversion,
    /// A stack pointer was outside its thread's stack.
    StackOverflow,
    /// A stack is more than 80 % full.
    StackUse,
    /// No stack pointer is inside its thread's stack.
    StackUnknown,
    /// A thread was ready for long and got no core.
    Starvation,
    /// A thread never ran.
    NeverRan,
    /// The cores were never idle.
    FullLoad,
    /// Interrupts take more than half of the time.
    InterruptLoad,
    /// A queue or pool was exhausted.
    Exhausted,
    /// Interrupt service routines ended without a recorded exit.
    UnfinishedIsr,
    /// Interrupts were off for much longer than usual.
    InterruptsOff,
    /// The trace is too short for reliable figures.
    TooShort,
    /// The clock does not measure time, or not all of it.
    NoTime,
    /// Events are missing.
    Loss,
    /// The scheduler's records are incomplete.
    Filtered,
    /// An assertion of the target failed.
    FailedAssertion,
    /// A state machine is defective.
    BrokenMachine,
    /// An active object had no transition for an event.
    Unhandled,
    /// Activations missed a declared deadline.
    MissedDeadline,
    /// A cycle differs from the median one.
    UnusualCycle,
    /// A fault or a reset ended the recording.
    Reset,
}

/// Something that needs attention.
///
/// Findings are in order: the most severe first, of equal severity by category, and of one
/// category the worst first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Its severity.
    pub severity: FindingSeverity,
    /// Its category.
    pub category: FindingCategory,
    /// A sentence that describes it.
    pub message: String,
    /// The event where to look.
    pub event: Option<u32>,
    /// When it began; `None` if it is not an interval.
    pub start: Option<u64>,
    /// When it ended.
    pub end: Option<u64>,
    /// How bad it is among the findings of its category.
    #[serde(skip)]
    badness: f64,
}

impl Finding {
    fn new(
        severity: FindingSeverity,
        category: FindingCategory,
        event: Option<EventIndex>,
        message: String,
    ) -> Self {
        Self {
            severity,
            category,
            message,
            event: event.map(|event| event.0),
            start: None,
            end: None,
            badness: 0.0,
        }
    }

    /// Says how bad it is among the findings of its category, as a number that grows.
    fn with_badness(self, badness: f64) -> Self {
        Self { badness, ..self }
    }

    /// Adds the interval that it describes: the longer, the worse.
    fn lasting(self, interval: Option<[Ticks; 2]>) -> Self {
        let length = interval.map(|[start, end]| end.0.saturating_sub(start.0));
        Self {
            badness: length.map_or(self.badness, |length| length as f64),
            start: interval.map(|[start, _]| start.0),
            end: interval.map(|[_, end]| end.0),
            ..self
        }
    }
}

/// A stack with a higher usage, in percent, is a finding.
pub(super) const MAX_STACK_PERCENT: f64 = 80.0;
/// A thread that is continuously ready for a larger share of the time, in
/// percent, is starved.
const MAX_READY_PERCENT: f64 = 25.0;
/// Interrupts with a larger share of the time, in percent, are a finding.
const MAX_INTERRUPT_PERCENT: f64 = 50.0;
/// A trace with fewer events is too short.
const MIN_EVENTS: u64 = 100;
/// Maximum number of findings of one category and severity.
const MAX_PER_CATEGORY: u64 = 8;
/// Maximum number of names in a sentence.
const MAX_NAMES: usize = 6;

/// The findings, the most severe first; of equal severity category by category, of one
/// category the worst first.
pub fn findings(view: &View<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    reset::reset(view, &mut all);
    loss(view, &mut all);
    filtered(view, &mut all);
    inversions(view, &mut all);
    stack_use(view, &mut all);
    starvation(view, &mut all);
    exhausted(view, &mut all);
    active_objects::active_objects(view, &mut all);
    interrupts_off::interrupts_off(view, &mut all);
    deadlines::deadlines_missed(view, &mut all);
    cycles::unusual_cycles(view, &mut all);
    load(view, &mut all);
    extent(view, &mut all);
    limit_per_category(sorted(all))
}

/// Sorts findings. Categories keep the order in which they come first.
fn sorted(mut all: Vec<Finding>) -> Vec<Finding> {
    let mut first = BTreeMap::new();
    for (finding, at) in all.iter().zip(0_usize..) {
        first.entry(finding.category).or_insert(at);
    }
    let place = |it: &Finding| (it.severity, first.get(&it.category).copied());
    all.sort_by(|one, other| {
        let by_place = place(one).cmp(&place(other));
        by_place.then(other.badness.total_cmp(&one.badness))
    });
    all
}

/// Keeps the first findings of each category and counts the others.
fn limit_per_category(all: Vec<Finding>) -> Vec<Finding> {
    let mut counts: BTreeMap<(FindingSeverity, FindingCategory), u64> = BTreeMap::new();
    let mut few = Vec::new();
    for finding in all {
        let count = counts
            .entry((finding.severity, finding.category))
            .or_default();
        *count += 1;
        if *count <= MAX_PER_CATEGORY {
            few.push(finding);
        }
    }
    for ((severity, category), count) in counts {
        let Some(more) = count.checked_sub(MAX_PER_CATEGORY).filter(|more| *more > 0) else {
            continue;
        };
        let message = format!("and {more} more of this kind");
        let last = few
            .iter()
            .rposition(|it: &Finding| (it.severity, it.category) == (severity, category));
        let at = last.map_or(few.len(), |last| last + 1);
        few.insert(at, Finding::new(severity, category, None, message));
    }
    few
}

fn push(
    all: &mut Vec<Finding>,
    severity: FindingSeverity,
    category: FindingCategory,
    event: Option<EventIndex>,
    message: String,
) {
    all.push(Finding::new(severity, category, event, message));
}

/// The inversions of one thread on one mutex.
#[derive(Default)]
struct InversionGroup<'a> {
    count: u64,
    worst: Option<&'a Inversion>,
    culprits: BTreeSet<ContextId>,
}

fn inversions(view: &View<'_>, all: &mut Vec<Finding>) {
    let mut cases: BTreeMap<(bool, ResourceId, ContextId), InversionGroup<'_>> = BTreeMap::new();
    for inversion in &view.schedule.inversions {
        if !view.contains(inversion.start) || !view.includes_thread(inversion.blocked) {
            continue;
        }
        let unbounded = inversion.unbounded() == Some(true);
        let key = (!unbounded, inversion.resource, inversion.blocked);
        let case = cases.entry(key).or_default();
        case.count += 1;
        let took = |inversion: &Inversion| inversion.end.0 - inversion.start.0;
        if case.worst.is_none_or(|worst| took(worst) < took(inversion)) {
            case.worst = Some(inversion);
        }
        let culprits = inversion.culprits.iter().map(|culprit| culprit.thread);
        case.culprits.extend(culprits);
    }
    for ((bounded, resource, blocked), case) in cases {
        let Some(worst) = case.worst else { continue };
        let owner = worst.owners.first().copied().unwrap_or(ContextId::UNKNOWN);
        let took = Ticks(worst.end.0 - worst.start.0);
        let longest = match view.trace.clock.measures_time() {
            true => format!(", longest {}", view.duration(took)),
            false => String::new(),
        };
        let mut message = format!(
            "{} (priority {}) was blocked on mutex {} of {} (priority {}): {}{longest}",
            view.trace.context_name(blocked),
            worst.blocked_priority,
            view.resource_name(resource),
            view.trace.context_name(owner),
            worst.owner_priority,
            pluralise(case.count, "priority inversion", "priority inversions"),
        );
        let severity = if bounded {
            FindingSeverity::Note
        } else {
            message.push_str(&format!(
                ", unbounded: prolonged by {}",
                names(view, case.culprits.iter())
            ));
            FindingSeverity::Critical
        };
        let category = if bounded {
            FindingCategory::BoundedInversion
        } else {
            FindingCategory::UnboundedInversion
        };
        let finding = Finding::new(severity, category, worst.first.or(worst.last), message);
        all.push(finding.lasting(Some([worst.start, worst.end])));
    }
}

fn names<'a>(view: &View<'_>, threads: impl ExactSizeIterator<Item = &'a ContextId>) -> String {
    let count = threads.len();
    let shown = threads.take(MAX_NAMES);
    let shown: Vec<_> = shown.map(|id| view.trace.context_name(*id)).collect();
    let mut names = shown.join(", ");
    if let Some(more) = count.checked_sub(MAX_NAMES).filter(|more| *more > 0) {
        names.push_str(&format!(" and {more} more"));
    }
    names
}

fn stack_use(view: &View<'_>, all: &mut Vec<Finding>) {
    let rows = stacks::stacks(view);
    let outside: u64 = rows.iter().map(|row| row.stack.outside).sum();
    let inside = rows.iter().any(|row| row.stack.min_free.is_some());
    if outside > 0 && !inside {
        let message = "no stack pointer is inside its thread's stack, as on a simulator: stack \
                       usage is unknown";
        let message = message.to_owned();
        push(
            all,
            FindingSeverity::Note,
            FindingCategory::StackUnknown,
            None,
            message,
        );
        return;
    }
    for row in rows {
        let stack = &row.stack;
        if stack.outside > 0 {
            let events = pluralise(stack.outside, "event", "events");
            let message = format!(
                "{}: the stack pointer of {events} is outside its stack of {} bytes",
                row.thread, stack.stack_bytes
            );
            let (severity, category) = (FindingSeverity::Critical, FindingCategory::StackOverflow);
            let finding = Finding::new(severity, category, None, message);
            all.push(finding.with_badness(stack.outside as f64));
        }
        if let (Some(percent), Some(free)) = (stack.used_percent, stack.min_free)
            && percent > MAX_STACK_PERCENT
        {
            let message = format!(
                "{}: {percent:.1} % of its stack used, {free} of {} bytes were free",
                row.thread, stack.stack_bytes
            );
            let event = stack.event.map(EventIndex);
            let (severity, category) = (FindingSeverity::Warning, FindingCategory::StackUse);
            all.push(Finding::new(severity, category, event, message).with_badness(percent));
        }
    }
}

/// Threads that did not run, or had to wait long for a core.
fn starvation(view: &View<'_>, all: &mut Vec<Finding>) {
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
                ThreadState::Ready | ThreadState::Unknown => {}
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
            push(
                all,
                FindingSeverity::Note,
                FindingCategory::NeverRan,
                None,
                message,
            );
        }
    }
}

/// Queues that were full, pools that were empty.
fn exhausted(view: &View<'_>, all: &mut Vec<Finding>) {
    for usage in view.levels {
        let (what, extreme, unserved_calls) = match usage.class {
            ObjectClass::Queue => {
                // A queue without storage is always full and always empty.
                let capacity = usage.capacity.filter(|capacity| *capacity > 0);
                let full = |extreme: &LevelExtreme| Some(u64::from(extreme.level)) == capacity;
                let extreme = usage.level.maximum().filter(full);
                ("was full", extreme, usage.unserved_puts)
            }
            ObjectClass::BlockPool => {
                let empty = |extreme: &LevelExtreme| extreme.level == 0;
                let extreme = usage.level.minimum().filter(empty);
                ("had no free block", extreme, usage.unserved_takes)
            }
            _ => continue,
        };
        let Some(extreme) = extreme else { continue };
        let name = view.resource_name(usage.resource);
        let calls = pluralise(
            unserved_calls,
            "call was not served immediately",
            "calls were not served immediately",
        );
        let message = format!("{} {name} {what}; {calls}", usage.class);
        let event = Some(extreme.event);
        let (severity, category) = (FindingSeverity::Warning, FindingCategory::Exhausted);
        let finding = Finding::new(severity, category, event, message);
        all.push(finding.with_badness(unserved_calls as f64));
    }
}

fn load(view: &View<'_>, all: &mut Vec<Finding>) {
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
        push(
            all,
            FindingSeverity::Warning,
            FindingCategory::FullLoad,
            None,
            message,
        );
    }
    if let Some(share) = percent(isr).filter(|share| *share > MAX_INTERRUPT_PERCENT) {
        let message = format!("interrupts take {share:.1} % of the time");
        push(
            all,
            FindingSeverity::Warning,
            FindingCategory::InterruptLoad,
            None,
            message,
        );
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
        push(
            all,
            FindingSeverity::Note,
            FindingCategory::UnfinishedIsr,
            event,
            message,
        );
    }
}

fn loss(view: &View<'_>, all: &mut Vec<Finding>) {
    let gaps: Vec<_> = view
        .trace
        .gaps
        .iter()
        .filter(|gap| !gap.is_restart)
        .collect();
    let Some(first) = gaps.first() else {
        return;
    };
    let missing: Option<u64> = gaps.iter().map(|gap| gap.missing).sum();
    let events = match missing {
        Some(missing) => pluralise(missing, "event is", "events are"),
        None => "events are".to_owned(),
    };
    let gap = view.trace.gap_bounds(first);
    let gaps = pluralise(gaps.len() as u64, "gap", "gaps");
    let message = format!("{events} missing in {gaps}: what happened there is unknown");
    let (severity, category) = (FindingSeverity::Warning, FindingCategory::Loss);
    let finding = Finding::new(severity, category, Some(first.next_event), message);
    all.push(finding.lasting(Some(gap)));
}

fn filtered(view: &View<'_>, all: &mut Vec<Finding>) {
    let schedule = view.schedule;
    if schedule.unrecorded == 0 {
        return;
    }
    let times = pluralise(schedule.unrecorded, "time", "times");
    let message = format!(
        "{times} a thread ran or stopped without a record of the scheduler, as with an event \
         filter on the target: states and counts are incomplete"
    );
    let event = schedule.first_unrecorded;
    push(
        all,
        FindingSeverity::Warning,
        FindingCategory::Filtered,
        event,
        message,
    );
}

fn extent(view: &View<'_>, all: &mut Vec<Finding>) {
    let events = view.event_counts.events;
    if events < MIN_EVENTS {
        let span = match view.trace.clock.measures_time() {
            true => format!(" in {}", view.duration(view.span())),
            false => String::new(),
        };
        let message = format!(
            "{}{span}: too short for reliable figures",
            pluralise(events, "event", "events"),
        );
        push(
            all,
            FindingSeverity::Warning,
            FindingCategory::TooShort,
            None,
            message,
        );
    }
    let quality = view.trace.clock.quality;
    let (event, message) = match (quality.no_time(), quality.no_shares()) {
        (Some(why), _) => (None, why.to_string()),
        (None, Some(why)) => {
            let mut diagnostics = view.diagnostics.iter();
            let found = diagnostics.find(|it| it.kind == DiagnosticKind::ClockContradictsTicks);
            let message = format!("{why}: loads and shares of time are unknown");
            (found.and_then(|it| it.event), message)
        }
        (None, None) => return,
    };
    push(
        all,
        FindingSeverity::Warning,
        FindingCategory::NoTime,
        event,
        message,
    );
}

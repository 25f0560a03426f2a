//! What an engineer should look at first.

mod masked;
mod reactions;
mod unknown;

use super::threads::ends;
use super::{CoreShares, View, stacks};
use crate::levels::Extreme;
use crate::schedule::{Inversion, State};
use rtoscope_trace::clock::Quality;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{ContextId, EventIndex, Gap, ObjectClass, ResourceId, Ticks};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use unknown::UnknownTime;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Something went wrong.
    Critical,
    /// Something may go wrong.
    Warning,
    /// Worth knowing.
    Note,
}

impl Weight {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Priority inversions that threads prolonged that had nothing to do with
    /// the mutex.
    UnboundedInversion,
    /// Priority inversions of which only the owner decided how long they took.
    BoundedInversion,
    /// A stack pointer lay outside its thread's stack.
    StackOverflow,
    /// A stack is more than 80 % full.
    StackUse,
    /// Stack pointers say nothing about the stacks.
    StackUnknown,
    /// A thread was ready for long and did not get a core.
    Starvation,
    /// A thread never executed.
    NeverRan,
    /// The processor was never idle.
    FullLoad,
    /// Interrupts take more than half of the time.
    InterruptLoad,
    /// A queue or pool was exhausted.
    Exhausted,
    /// Interrupt service routines ended without a record of their exit.
    UnfinishedIsr,
    /// Interrupts were off for much longer than usual.
    InterruptsOff,
    /// The trace is too short to say much.
    TooShort,
    /// The clock says nothing.
    NoTime,
    /// Events are missing.
    Loss,
    /// The scheduler's records are incomplete.
    Filtered,
    /// An assertion of the target failed.
    FailedAssertion,
    /// A state machine met what it cannot handle.
    BrokenMachine,
    /// An active object had no transition for an event.
    Unhandled,
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// What it is about.
    pub subject: Subject,
    /// A sentence for people.
    pub message: String,
    /// Where to look.
    pub event: Option<u32>,
}

/// A stack that is fuller than this, in percent, is a finding.
const FULL_STACK: f64 = 80.0;
/// A thread that is ready for longer than this part of the time is starved.
const STARVED: f64 = 25.0;
/// Interrupts that take more than this, in percent, are a finding.
const MUCH_INTERRUPT: f64 = 50.0;
/// Fewer events than this say little.
const FEW_EVENTS: u64 = 100;
/// Findings about one subject.
const MOST_OF_A_SUBJECT: u64 = 8;
/// Names that a sentence lists.
const MOST_NAMES: usize = 6;

/// The findings, the gravest first.
pub fn findings(view: &View<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    loss(view, &mut all);
    filtered(view, &mut all);
    inversions(view, &mut all);
    stack_use(view, &mut all);
    waits(view, &mut all);
    exhausted(view, &mut all);
    reactions::reactions(view, &mut all);
    masked::masked(view, &mut all);
    load(view, &mut all);
    extent(view, &mut all);
    all.sort_by_key(|finding| finding.weight);
    shorten(all)
}

/// Keeps the first few findings about each subject, and says how many more
/// there are.
fn shorten(all: Vec<Finding>) -> Vec<Finding> {
    let mut counts: BTreeMap<(Weight, Subject), u64> = BTreeMap::new();
    let mut few = Vec::new();
    for finding in all {
        let count = counts.entry((finding.weight, finding.subject)).or_default();
        *count += 1;
        if *count <= MOST_OF_A_SUBJECT {
            few.push(finding);
        }
    }
    for ((weight, subject), count) in counts {
        let Some(more) = count
            .checked_sub(MOST_OF_A_SUBJECT)
            .filter(|more| *more > 0)
        else {
            continue;
        };
        let message = format!("and {more} more of this kind");
        let last = few
            .iter()
            .rposition(|it: &Finding| (it.weight, it.subject) == (weight, subject));
        let at = last.map_or(few.len(), |last| last + 1);
        few.insert(
            at,
            Finding {
                weight,
                subject,
                message,
                event: None,
            },
        );
    }
    few
}

fn push(
    all: &mut Vec<Finding>,
    weight: Weight,
    subject: Subject,
    event: Option<EventIndex>,
    message: String,
) {
    all.push(Finding {
        weight,
        subject,
        message,
        event: event.map(|event| event.0),
    });
}

/// The inversions of one thread on one mutex.
#[derive(Default)]
struct Case<'a> {
    count: u64,
    worst: Option<&'a Inversion>,
    culprits: BTreeSet<ContextId>,
}

fn inversions(view: &View<'_>, all: &mut Vec<Finding>) {
    let mut cases: BTreeMap<(bool, ResourceId, ContextId), Case<'_>> = BTreeMap::new();
    for inversion in &view.schedule.inversions {
        if !view.holds(inversion.start) || !view.shows(inversion.blocked) {
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
            "{} (priority {}) waited for mutex {} of {} (priority {}): {}{longest}",
            view.trace.context_name(blocked),
            worst.blocked_priority,
            view.resource_name(resource),
            view.trace.context_name(owner),
            worst.owner_priority,
            counted(case.count, "priority inversion", "priority inversions"),
        );
        let weight = if bounded {
            Weight::Note
        } else {
            message.push_str(&format!(
                ", unbounded: prolonged by {}",
                names(view, case.culprits.iter())
            ));
            Weight::Critical
        };
        let subject = if bounded {
            Subject::BoundedInversion
        } else {
            Subject::UnboundedInversion
        };
        push(all, weight, subject, worst.first.or(worst.last), message);
    }
}

fn names<'a>(view: &View<'_>, threads: impl ExactSizeIterator<Item = &'a ContextId>) -> String {
    let count = threads.len();
    let shown = threads.take(MOST_NAMES);
    let shown: Vec<_> = shown.map(|id| view.trace.context_name(*id)).collect();
    let mut names = shown.join(", ");
    if let Some(more) = count.checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        names.push_str(&format!(" and {more} more"));
    }
    names
}

fn stack_use(view: &View<'_>, all: &mut Vec<Finding>) {
    let rows = stacks::stacks(view);
    let outside: u64 = rows.iter().map(|row| row.stack.outside).sum();
    let inside = rows.iter().any(|row| row.stack.minimum_free.is_some());
    if outside > 0 && !inside {
        let message = "no stack pointer lies in its thread's stack, as on a simulator: nothing can \
                       be said about the stacks";
        let message = message.to_owned();
        push(all, Weight::Note, Subject::StackUnknown, None, message);
        return;
    }
    for row in rows {
        let stack = &row.stack;
        if stack.outside > 0 {
            let events = counted(stack.outside, "event", "events");
            let message = format!(
                "{}: the stack pointer of {events} lies outside its stack of {} bytes",
                row.thread, stack.size
            );
            push(all, Weight::Critical, Subject::StackOverflow, None, message);
        }
        if let (Some(percent), Some(free)) = (stack.used_percent, stack.minimum_free)
            && percent > FULL_STACK
        {
            let message = format!(
                "{}: {percent:.1} % of its stack used, {free} of {} bytes were free",
                row.thread, stack.size
            );
            let event = stack.event.map(EventIndex);
            push(all, Weight::Warning, Subject::StackUse, event, message);
        }
    }
}

/// Threads that did not execute, or had to wait long for it.
fn waits(view: &View<'_>, all: &mut Vec<Finding>) {
    let (mut waiting, mut ready, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    let unknown = UnknownTime::of(view);
    for thread in view.threads() {
        let deleted = thread.object.and_then(|id| view.trace.objects.get(id));
        if deleted.is_some_and(|object| object.deleted) {
            continue;
        }
        let stretches = view.stretches(thread.id);
        let mut longest = (Ticks(0), None);
        let (mut ran, mut waits) = (false, false);
        for (stretch, end) in ends(stretches, view.schedule.span) {
            let part = view.clip(stretch.start, end);
            let in_window = part > Ticks(0) || view.holds(stretch.start);
            match stretch.state {
                State::Running => ran |= in_window,
                State::Waiting { .. } => waits |= in_window,
                State::Ready if part > longest.0 => {
                    // A core of which nothing is known may have executed it.
                    let doubtful = unknown.between(stretch.start.0, end.0);
                    let part = Ticks(part.0.saturating_sub(doubtful));
                    if part > longest.0 {
                        longest = (part, Some(stretch.event));
                    }
                }
                State::Ready | State::Unknown => {}
            }
        }
        let name = view.trace.context_name(thread.id);
        let share = view.percent(longest.0).unwrap_or_default();
        if share > STARVED {
            let ran = if ran { "" } else { " and never executed" };
            let message = format!(
                "{name} was ready for {} ({share:.1} % of the time) without a core{ran}",
                view.duration(longest.0)
            );
            push(
                all,
                Weight::Warning,
                Subject::Starvation,
                longest.1,
                message,
            );
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
        (unseen, "no event speaks of its state"),
    ] {
        if !threads.is_empty() {
            let count = threads.len() as u64;
            let message = format!(
                "{} never executed ({why}): {}",
                counted(count, "thread", "threads"),
                names(view, threads.iter())
            );
            push(all, Weight::Note, Subject::NeverRan, None, message);
        }
    }
}

/// Queues that had no room, pools that had nothing left.
fn exhausted(view: &View<'_>, all: &mut Vec<Finding>) {
    for usage in view.levels {
        let calls = usage.blocked + usage.refused;
        let (what, extreme) = match usage.class {
            ObjectClass::Queue => {
                let full = |extreme: &Extreme| Some(u64::from(extreme.level)) == usage.capacity;
                ("was full", usage.course.maximum().filter(full))
            }
            ObjectClass::BlockPool => {
                let empty = |extreme: &Extreme| extreme.level == 0;
                ("had no block left", usage.course.minimum().filter(empty))
            }
            _ => continue,
        };
        let Some(extreme) = extreme else { continue };
        let name = view.resource_name(usage.resource);
        let calls = counted(
            calls,
            "call was not served at once",
            "calls were not served at once",
        );
        let message = format!("{} {name} {what}; {calls}", usage.class);
        let event = Some(extreme.event);
        push(all, Weight::Warning, Subject::Exhausted, event, message);
    }
}

fn load(view: &View<'_>, all: &mut Vec<Finding>) {
    let idle = Ticks(view.over_cores(|core| core.idle));
    let unknown = Ticks(view.over_cores(|core| core.unknown));
    let isr = Ticks(view.over_cores(CoreShares::interrupts));
    let percent = |ticks| view.percent_of_cores(ticks);
    // Without any suspension nothing says that the processor could have been idle.
    let stretches = view.schedule.threads.iter().flatten();
    let mut waits = stretches.filter(|it| matches!(it.state, State::Waiting { .. }) && it.seen);
    if percent(idle).is_some_and(|idle| idle < 0.5)
        && percent(unknown) < Some(10.0)
        && waits.next().is_some()
    {
        let message = "the processor was never idle: its load is 100 %".to_owned();
        push(all, Weight::Warning, Subject::FullLoad, None, message);
    }
    if let Some(share) = percent(isr).filter(|share| *share > MUCH_INTERRUPT) {
        let message = format!("interrupts take {share:.1} % of the time");
        push(all, Weight::Warning, Subject::InterruptLoad, None, message);
    }
    let activations = view.schedule.activations.iter();
    let mut unfinished = activations.filter(|activation| {
        activation.entered && !activation.exited && view.holds(activation.start)
    });
    if let Some(first) = unfinished.next() {
        // A number alone says nothing to people.
        let name = match view.schedule.routine(first.number) {
            Some(routine) => format!(", the first of them {routine}"),
            None => String::new(),
        };
        let count = 1 + unfinished.count() as u64;
        let message = format!(
            "{} without a record of its exit{name}",
            counted(
                count,
                "interrupt service routine",
                "interrupt service routines"
            )
        );
        let event = Some(first.first);
        push(all, Weight::Note, Subject::UnfinishedIsr, event, message);
    }
}

fn loss(view: &View<'_>, all: &mut Vec<Finding>) {
    let restarts = &view.active.restarts;
    let is_loss = |gap: &&Gap| restarts.binary_search(&gap.before).is_err();
    let gaps: Vec<_> = view.trace.gaps.iter().filter(is_loss).collect();
    let Some(first) = gaps.first() else {
        return;
    };
    let missing: Option<u64> = gaps.iter().map(|gap| gap.missing).sum();
    let events = match missing {
        Some(missing) => counted(missing, "event is", "events are"),
        None => "events are".to_owned(),
    };
    let gaps = counted(gaps.len() as u64, "gap", "gaps");
    let message = format!("{events} missing in {gaps}: what happened there is not known");
    push(
        all,
        Weight::Warning,
        Subject::Loss,
        Some(first.before),
        message,
    );
}

fn filtered(view: &View<'_>, all: &mut Vec<Finding>) {
    let schedule = view.schedule;
    if schedule.unrecorded == 0 {
        return;
    }
    let times = counted(schedule.unrecorded, "time", "times");
    let message = format!(
        "{times} a thread executed or stopped without a record of the scheduler, as with an event \
         filter on the target: states and counts are incomplete"
    );
    let event = schedule.first_unrecorded;
    push(all, Weight::Warning, Subject::Filtered, event, message);
}

fn extent(view: &View<'_>, all: &mut Vec<Finding>) {
    let events = view.census.events;
    if events < FEW_EVENTS {
        let span = match view.trace.clock.measures_time() {
            true => format!(" in {}", view.duration(view.span())),
            false => String::new(),
        };
        let message = format!(
            "{}{span}: too short to say much",
            counted(events, "event", "events"),
        );
        push(all, Weight::Warning, Subject::TooShort, None, message);
    }
    let why = match view.trace.clock.quality {
        Quality::Static => "the clock stood still: only the order of events is known",
        Quality::EventCounter => {
            "the clock counts events: durations, CPU time and load are unknown"
        }
        Quality::Good | Quality::Unknown => return,
    };
    push(all, Weight::Warning, Subject::NoTime, None, why.to_owned());
}

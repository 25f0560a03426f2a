//! Rules about interrupt handlers.

use super::entries::HandlerStarts;
use super::{Finding, Occurrences, Subject};
use crate::schedule::IsrActivation;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Contexts, EventIndex};

/// Maximum plausible nesting of handlers: the number of priorities of most processors.
const MAX_NESTING: u16 = 16;
/// Minimum number of late starts of threads after a handler.
const MIN_LATE_STARTS: u64 = 5;

pub(super) fn recorded(subject: &Subject<'_>) -> Finding {
    let handlers = subject.scan.handlers;
    if handlers > 0 {
        return Finding::passed(pluralise(handlers, "entry", "entries"));
    }
    let activations = &subject.schedule().activations;
    if subject.is_explicit() {
        let threads = subject.scan.switches;
        return match threads {
            0 => Finding::not_checked("the trace has no threads"),
            _ => Finding::failed(1, None, "no handler is recorded"),
        };
    }
    match activations.first() {
        Some(first) => Finding::not_checked(format!(
            "{} made calls, the first at event {}, and no handler records its entry: \
             the timer's usually does not",
            pluralise(activations.len() as u64, "interrupt", "interrupts"),
            first.first.0
        )),
        None => Finding::not_checked("the trace has no interrupts"),
    }
}

pub(super) fn entered(subject: &Subject<'_>) -> Finding {
    if !has_handlers(subject) {
        return Finding::not_checked("no handler is recorded");
    }
    subject
        .scan
        .unentered
        .none_or("each exit has an entry", |count| {
            format!("{} without an entry", pluralise(count, "exit", "exits"))
        })
}

pub(super) fn exited(subject: &Subject<'_>) -> Finding {
    if !has_handlers(subject) {
        return Finding::not_checked("no handler is recorded");
    }
    let trace = subject.trace();
    let view = subject.recording.view();
    // A handler that is active at the end, or at a gap, may have an exit.
    let ended = |isr: &&IsrActivation| {
        let mut later = (isr.last.0 + 1..).map(EventIndex);
        let next = later
            .by_ref()
            .take_while(|event| event.index() < trace.events.len())
            .find(|event| trace.events.core(*event) == Some(isr.core));
        next.is_some_and(|next| !view.has_gap_between(Some(isr.core), isr.first, next))
    };
    let unfinished = subject.schedule().activations.iter();
    let unfinished: Vec<_> = unfinished
        .filter(|isr| isr.entered && !isr.exited)
        // Handlers during the initialisation have its context.
        .filter(|isr| trace.events.context(isr.first) != Some(Contexts::INITIALIZE))
        .filter(ended)
        .collect();
    let events = unfinished.iter().map(|isr| isr.first);
    let name = unfinished
        .first()
        .map(|isr| subject.schedule().isr_name(isr.number));
    events
        .collect::<Occurrences>()
        .none_or("each entry has an exit", |count| {
            format!(
                "{} without an exit, the first of {}",
                pluralise(count, "entry", "entries"),
                name.unwrap_or_default()
            )
        })
}

pub(super) fn nesting(subject: &Subject<'_>) -> Finding {
    let activations = &subject.schedule().activations;
    let Some(deepest) = activations.iter().map(|isr| isr.depth).max() else {
        return Finding::not_checked("no handler is recorded");
    };
    let deep = activations.iter().filter(|isr| isr.depth > MAX_NESTING);
    let deep: Occurrences = deep.map(|isr| isr.first).collect();
    let handlers = pluralise(deepest.into(), "handler is", "handlers are");
    let message = format!("at most {handlers} active at a time");
    deep.none_or(&message, |_| message.clone())
}

pub(super) fn returns(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    if !subject.is_explicit() {
        return Finding::not_checked("the format has no entries for returns");
    }
    scan.other_returns
        .none_or("no return goes elsewhere", |count| {
            format!(
                "{} to another context than the interrupted one, without a switch",
                pluralise(count, "return", "returns")
            )
        })
}

pub(super) fn yields(subject: &Subject<'_>) -> Finding {
    let starts = &subject.scan.starts;
    let judged: u64 = starts.values().map(|it| it.direct + it.late.count).sum();
    if judged == 0 {
        return Finding::not_checked(
            "no handler on an idle core makes a thread ready in entries of the trace",
        );
    }
    let is_late = |it: &HandlerStarts| {
        it.late.count >= MIN_LATE_STARTS
            && it.late.count >= it.direct.saturating_mul(4)
            && !it.several
            && it.delay > it.handler.saturating_mul(4)
    };
    match starts.iter().find(|(_, it)| is_late(it)) {
        Some((number, late)) => Finding::failed(
            late.late.count,
            late.late.first,
            format!(
                "the threads that {} makes ready start only after {}",
                subject.schedule().isr_name(Some(*number)),
                subject.schedule().isr_name(late.next_handler)
            ),
        ),
        None => Finding::passed(format!(
            "{} after handlers on an idle core",
            pluralise(judged, "start", "starts")
        )),
    }
}

fn has_handlers(subject: &Subject<'_>) -> bool {
    let mut activations = subject.schedule().activations.iter();
    activations.any(|isr| isr.number.is_some())
}

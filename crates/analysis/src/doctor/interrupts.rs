//! Rules about interrupt handlers.

use super::{Finding, Occurrences, Subject};
use crate::schedule::IsrActivation;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Contexts, DiagnosticKind, EventIndex, Ticks};

/// Maximum plausible nesting of handlers: the number of priorities of most processors.
const MAX_NESTING: u16 = 16;

pub(super) fn recorded(subject: &Subject<'_>) -> Finding {
    let handlers = subject.scan.handlers;
    let unrecorded = &subject.scan.readied_by_idle;
    let first = unrecorded.iter().min_by_key(|(_, it)| it.first);
    if handlers > 0
        && let Some((thread, readied)) = first
        && !subject.has(DiagnosticKind::SuppressedEntries)
    {
        let count = unrecorded.values().map(|it| it.count).sum();
        let message = format!(
            "{} a thread becomes ready while the core is idle and no handler is active, {}",
            pluralise(count, "time", "times"),
            match unrecorded.len() {
                1 => format!("always {}", subject.trace().context_name(*thread)),
                _ => format!("first {}", subject.trace().context_name(*thread)),
            }
        );
        return Finding::failed(count, readied.first, message);
    }
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
    match activations.get(0) {
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
    let stray = &subject.schedule().stray_exits;
    let Some(most) = stray.iter().max_by_key(|it| it.count) else {
        return Finding::passed("each exit has an entry");
    };
    let count = stray.iter().map(|it| it.count).sum();
    let first = stray.iter().filter_map(|it| it.first).min();
    let name = subject.schedule().isr_name(Some(most.number));
    let activations = subject.schedule().activations.iter();
    let of_it = activations.filter(|isr| isr.number == Some(most.number));
    let entries = of_it.clone().filter(|isr| isr.entered).count() as u64;
    let ended = of_it.filter(|isr| isr.exited).count() as u64;
    let why = if !most.is_entered {
        "is never entered"
    } else if ended + most.count > entries {
        "exits more often than it is entered"
    } else {
        "exits only after a switch"
    };
    let share = match most.count == count {
        true => String::new(),
        false => format!("{} of them as ", most.count),
    };
    let exits = pluralise(count, "exit", "exits");
    let message = format!("{exits} without an entry: {share}{name} {why}");
    Finding::failed(count, first, message)
}

pub(super) fn exited(subject: &Subject<'_>) -> Finding {
    if !has_handlers(subject) {
        return Finding::not_checked("no handler is recorded");
    }
    let trace = subject.trace();
    let view = subject.recording.view();
    // A handler that is active at the end, or at a gap, may have an exit.
    let ended = |isr: &IsrActivation| {
        let mut later = (isr.last.0 + 1..).map(EventIndex);
        let next = later
            .by_ref()
            .take_while(|event| event.index() < trace.events.len())
            .find(|event| trace.events.core(*event) == Some(isr.core));
        next.is_some_and(|next| !view.has_gap_between(Some(isr.core), isr.first, next))
    };
    let name = |isr: &IsrActivation| subject.schedule().isr_name(isr.number);
    let unfinished = subject.schedule().activations.iter();
    let unfinished: Vec<_> = unfinished
        .filter(|isr| isr.entered && !isr.exited)
        // Handlers during the initialisation have its context.
        .filter(|isr| trace.events.context(isr.first) != Some(Contexts::INITIALIZE))
        .filter(ended)
        .collect();
    let events = unfinished.iter().map(|isr| isr.first);
    let is_one = unfinished.windows(2).all(|two| match two {
        [one, other] => one.number == other.number,
        _ => true,
    });
    let name = unfinished.first().map(name);
    events
        .collect::<Occurrences>()
        .none_or("each entry has an exit", |count| {
            format!(
                "{} without an exit, {} of {}",
                pluralise(count, "entry", "entries"),
                if is_one && count > 1 {
                    "all"
                } else {
                    "the first"
                },
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
    let judged = starts.judged();
    if judged == 0 {
        return Finding::not_checked(
            "no thread that a handler makes ready takes the place of another context",
        );
    }
    let Some((handler, thread, late)) = starts.late() else {
        return Finding::passed(format!(
            "{} after handlers",
            pluralise(judged, "start", "starts")
        ));
    };
    let schedule = subject.schedule();
    let next = late.only_next_handler();
    let mean = Ticks(late.delay / late.exits.count.max(1));
    let message = format!(
        "threads that {} makes ready, such as {}, start only after {}: {} later on average",
        schedule.isr_name(Some(handler)),
        subject.trace().context_name(thread),
        next.map_or("another handler".to_owned(), |next| schedule
            .isr_name(Some(next))),
        subject.trace().timescale().duration_text(mean)
    );
    Finding::failed(late.exits.count, late.exits.first, message)
}

fn has_handlers(subject: &Subject<'_>) -> bool {
    let mut activations = subject.schedule().activations.iter();
    activations.any(|isr| isr.number.is_some())
}

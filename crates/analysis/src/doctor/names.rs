//! Rules about the descriptions of threads.

use super::{Finding, Occurrences, Subject};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, DiagnosticKind, EventIndex, Object, Trace};
use std::collections::BTreeMap;

pub(super) fn known(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    let mut threads = 0;
    let mut unnamed = Vec::new();
    for thread in trace.contexts.threads() {
        threads += 1;
        if object_of(trace, thread.object).is_none_or(|object| object.name.is_empty()) {
            unnamed.push(thread.id);
        }
    }
    if threads == 0 {
        return Finding::not_checked("the trace has no threads");
    }
    let Some(first) = unnamed.first() else {
        return Finding::passed(pluralise(threads, "thread", "threads"));
    };
    let count = unnamed.len() as u64;
    let message = format!(
        "{count} of {} without a name, the first is {}",
        pluralise(threads, "thread", "threads"),
        trace.context_name(*first)
    );
    Finding::failed(count, first_event(trace, *first), message)
}

pub(super) fn unique(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    let mut by_name: BTreeMap<_, Vec<ContextId>> = BTreeMap::new();
    for thread in trace.contexts.threads() {
        let object = object_of(trace, thread.object);
        if let Some(object) = object.filter(|it| !it.deleted && !it.name.is_empty()) {
            by_name
                .entry(object.name.to_string())
                .or_default()
                .push(thread.id);
        }
    }
    if by_name.is_empty() {
        return Finding::not_checked("no thread has a name");
    }
    let mut twice = Occurrences::default();
    let mut names = Vec::new();
    for (name, threads) in &by_name {
        if let [_, second, ..] = threads.as_slice() {
            names.push(name.as_str());
            let event = first_event(trace, *second);
            twice.count += 1;
            twice.first = twice.first.or(event);
        }
    }
    twice.none_or("all names differ", |_| {
        format!("several threads are named {}", names.join(", "))
    })
}

pub(super) fn registry(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    let mut diagnostics = trace.diagnostics.iter();
    let full = diagnostics.find(|it| it.kind == DiagnosticKind::RegistryFull);
    match full {
        Some(full) => Finding::failed(full.count, full.event, &*full.message),
        None if trace.objects.iter().any(|object| object.slot.is_some()) => {
            Finding::passed("the registry has free entries")
        }
        None => Finding::not_checked("the format has no registry of fixed size"),
    }
}

pub(super) fn priorities(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    if subject.is_explicit() || subject.has_active_objects() {
        return Finding::not_checked("the format does not record priorities of threads");
    }
    // Whether a thread with events has a priority, and its first event.
    let mut threads = BTreeMap::new();
    trace.events.visit_headers(0..trace.events.len(), |event| {
        if event.context.is_thread() {
            let (known, _) = threads.entry(event.context).or_insert((false, event.index));
            *known |= event.priority().is_some();
        }
    });
    for (thread, (known, _)) in &mut threads {
        let context = trace.contexts.get(*thread);
        let object = object_of(trace, context.and_then(|it| it.object));
        *known |= object.is_some_and(|object| object.priority.is_some());
    }
    if !threads.values().any(|(known, _)| *known) {
        return Finding::not_checked("no thread has a priority");
    }
    let unknown = threads.values().filter(|(known, _)| !known);
    let unknown: Occurrences = unknown.map(|(_, event)| *event).collect();
    unknown.none_or("all threads with events have a priority", |count| {
        format!(
            "{} without a priority",
            pluralise(count, "thread", "threads")
        )
    })
}

fn object_of(trace: &Trace, object: Option<rtoscope_trace::ObjectId>) -> Option<&Object> {
    object.and_then(|object| trace.objects.get(object))
}

/// The first event of a context.
fn first_event(trace: &Trace, context: ContextId) -> Option<EventIndex> {
    let mut contexts = trace.events.contexts().zip(0..);
    let found = contexts.find(|(of, _)| *of == context);
    found.map(|(_, event)| EventIndex(event))
}

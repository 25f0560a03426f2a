//! Diagnostics about a decoded buffer.

use super::buffer::TraceBuffer;
use super::catalogue::FIRST_APPLICATION_NUMBER;
use super::entry_header::EntryHeader;
use super::entry_rules::EntryRules;
use crate::memory::{Memory, MemorySegment};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Address, ContextKind, Diagnostic, DiagnosticKind, EventIndex, EventKindId, ObjectClass, Trace,
};
use std::collections::{BTreeMap, HashSet};

/// Reports whether the input ends before the buffer, or continues after it.
pub(super) fn check_extent(
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    rules: &EntryRules,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let end = buffer.address.saturating_add(buffer.bytes());
    let following = EntryHeader::read(buffer.layout, memory.available_from(end));
    if following.is_some_and(|entry| rules.is_certain(&entry)) {
        let message = format!(
            "entries follow the end of the ring, {:#x}: it may be wrong, and events may be missing",
            buffer.header.buffer_end
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::OddHeader, message);
        diagnostics.push(diagnostic.at_offset(memory.offset_of(end).unwrap_or(end)));
    }
    // With addresses, missing parts are gaps in memory, which are reported
    // elsewhere, and further memory is normal.
    if memory.has_addresses() {
        return;
    }
    let end = memory.segments().last().map_or(0, MemorySegment::end);
    let available = end.saturating_sub(buffer.address);
    let needed = buffer.bytes();
    if available < needed {
        let message = format!(
            "the buffer takes {needed} bytes from offset {}, but the input ends after {available}",
            buffer.address
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
        diagnostics.push(diagnostic.at_offset(end).with_count(needed - available));
    } else if available > needed && buffer.address == 0 {
        let extra = available - needed;
        let message = format!("{extra} bytes follow the buffer's {needed}");
        let diagnostic = Diagnostic::new(DiagnosticKind::ExtraBytes, message);
        diagnostics.push(diagnostic.at_offset(needed).with_count(extra));
    }
}

/// Reports what the trace's events and objects lack.
pub(crate) fn check_trace(trace: &mut Trace, wrapped: bool, is_damaged: bool, registry_full: bool) {
    let mut found = Vec::new();
    if trace.events.is_empty() {
        let mut all = trace.diagnostics.iter();
        let lacks_bytes = all.any(|it| it.kind == DiagnosticKind::MissingBytes);
        let message = match (is_damaged, lacks_bytes) {
            (true, _) => "all entries of the ring are damaged: the trace has no events",
            (_, true) => "no written entry of the ring is in the input: the trace has no events",
            _ => "no entry of the ring was written: the trace has no events",
        };
        found.push(Diagnostic::new(DiagnosticKind::NoEvents, message));
    }
    if wrapped && !starts_with_enabling(trace) {
        found.push(Diagnostic::new(
            DiagnosticKind::Overwritten,
            "the ring has wrapped: events before the first one shown were overwritten",
        ));
    }
    unregistered_threads(trace, &mut found);
    if registry_full && !trace.objects.is_empty() {
        registry_overflow(trace, &mut found);
    }
    unknown_events(trace, &mut found);
    trace.diagnostics.extend(found);
}

/// `tx_trace_enable` logs two of these as the first events of every trace.
const RUNNING_EVENT: EventKindId = EventKindId(6);

fn starts_with_enabling(trace: &Trace) -> bool {
    let mut first = trace.events.kinds().take(2);
    trace.events.len() >= 2 && first.all(|kind| kind == RUNNING_EVENT)
}

fn unregistered_threads(trace: &Trace, found: &mut Vec<Diagnostic>) {
    let unnamed = |context: &&rtoscope_trace::Context| {
        context.kind == ContextKind::Thread && context.object.is_none()
    };
    let mut threads = trace.contexts.iter().filter(unnamed);
    let Some(first) = threads.next() else { return };
    let count = 1 + threads.count() as u64;
    let event = trace.events.contexts().position(|id| id == first.id);
    let message = format!(
        "{} missing in the registry, first {}: shown by address",
        pluralise(count, "thread", "threads"),
        first.address
    );
    let mut diagnostic =
        Diagnostic::new(DiagnosticKind::UnregisteredThread, message).with_count(count);
    diagnostic.event = event.and_then(|at| u32::try_from(at).ok()).map(EventIndex);
    found.push(diagnostic);
}

/// A full registry is a problem only if events refer to objects that are not in
/// it.
fn registry_overflow(trace: &Trace, found: &mut Vec<Diagnostic>) {
    let mut classes: BTreeMap<EventKindId, Option<ObjectClass>> = BTreeMap::new();
    let mut unnamed: HashSet<u64> = HashSet::new();
    let mut last = None;
    trace.events.visit(0..trace.events.len(), |event| {
        let class = *classes
            .entry(event.kind)
            .or_insert_with(|| trace.catalogue.get(event.kind)?.object_class());
        let [address, ..] = event.arguments;
        let Some(class) = class.filter(|_| address != 0) else {
            return;
        };
        if last == Some((address, class)) {
            return;
        }
        last = Some((address, class));
        if trace.objects.find_class(Address(address), class).is_none() {
            unnamed.insert(address);
        }
    });
    let by_symbols = trace.objects.iter().filter(|it| it.slot.is_none()).count();
    let slots = trace.objects.len() - by_symbols;
    let objects = |count: usize| pluralise(count as u64, "object", "objects");
    let consequence = match (by_symbols, unnamed.len()) {
        (0, 0) => "later objects would have no name".to_owned(),
        (0, unnamed) => format!("{} without a name, shown by address", objects(unnamed)),
        (named, 0) => format!("{} named by the firmware's symbols", objects(named)),
        (named, unnamed) => format!(
            "{} named by the firmware's symbols, {unnamed} without a name, shown by address",
            objects(named)
        ),
    };
    let message = format!("all {slots} slots of the object registry are used: {consequence}");
    let count = (unnamed.len() as u64).max(1);
    found.push(Diagnostic::new(DiagnosticKind::RegistryFull, message).with_count(count));
}

fn unknown_events(trace: &Trace, found: &mut Vec<Diagnostic>) {
    let mut count = 0_u64;
    let mut first = None;
    trace.events.visit_kinds(|kind, events, event| {
        if !trace.catalogue.is_defined(kind) {
            count += events;
            first = first
                .filter(|(first, _)| *first <= event)
                .or(Some((event, kind)));
        }
    });
    if let Some((at, kind)) = first {
        let message = format!(
            "{} with a number that neither the kernel nor the application (from \
             {FIRST_APPLICATION_NUMBER}) uses, first {kind} at event {at}",
            pluralise(count, "event", "events")
        );
        let mut diagnostic =
            Diagnostic::new(DiagnosticKind::UnknownEvent, message).with_count(count);
        diagnostic.event = Some(at);
        found.push(diagnostic);
    }
}

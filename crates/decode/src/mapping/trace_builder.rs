//! Builds the trace of a page.

use super::entities::context;
use super::interpret::MappedEvents;
use super::mapper::EventMapper;
use super::page::MappedPage;
use crate::clock::ClockOptions;
use crate::packet_stream::gap_diagnostics;
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::WordColumn;
use rtoscope_trace::{
    Address, Catalogue, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics,
    EventIndex, Events, Frequency, Object, ObjectClass, Objects, SwitchModel, Trace, text_encoding,
};

/// The clock of a recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClockInfo {
    pub(crate) options: ClockOptions,
    /// The frequency, if the recording contains it.
    pub(crate) frequency: Option<Frequency>,
}

/// Builds the trace of a page, and what its events mean. `diagnostics` are those of the reader.
pub(crate) fn build(
    page: MappedPage,
    mapper: &EventMapper,
    clock: ClockInfo,
    mut diagnostics: Diagnostics,
) -> (Trace, MappedEvents) {
    diagnostics.extend(gap_diagnostics(&page.events, ["event", "events"]));
    build_with_gaps(page, mapper, clock, diagnostics)
}

/// Builds the trace as [`build`] does. `diagnostics` include those of the gaps.
pub(crate) fn build_with_gaps(
    mut page: MappedPage,
    mapper: &EventMapper,
    clock: ClockInfo,
    mut diagnostics: Diagnostics,
) -> (Trace, MappedEvents) {
    let entities = &*mapper.entities;
    let objects = objects(mapper);
    let contexts = contexts(mapper, page.events.first);
    diagnostics.extend(problems(mapper, page.events.first));
    diagnostics.extend(text_encoding::unreadable_names(
        objects.iter().map(|object| &object.name),
    ));
    let (clock_options, mismatch) = clock.options.with_recorded(clock.frequency);
    diagnostics.extend(mismatch);
    let gaps = page.events.inner_gaps().map(|(_, gap)| gap).collect();
    let is_wide = !page.events.upper_halves.is_empty();
    let stamps = page.events.time.clone();
    page.events.offset.clear();
    let mut columns = page.events.into_columns(is_wide);
    columns.timestamp = WordColumn::Wide(stamps);
    let mut clock = Clock::new(u64::MAX, ClockDirection::Up);
    clock = clock.with_frequency(clock_options.frequency);
    clock.quality = match columns.time.as_slice() {
        [] | [_] => ClockQuality::Unknown,
        [.., 0] => ClockQuality::Static,
        _ => ClockQuality::Good,
    };
    let flags = mapper.flags;
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(columns),
        contexts,
        objects,
        clock,
        cores: mapper.cores.keys().copied().collect(),
        gaps,
        catalogue: Catalogue::new(mapper.kinds.iter().cloned()),
        switch_model: SwitchModel::Explicit {
            records_returns: false,
            records_states: flags.records_ready && flags.records_waits,
            ends_handlers: false,
        },
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics,
    };
    let meanings = MappedEvents {
        sched_events: page.sched_events.into(),
        resources: entities.resources().collect(),
        functions: entities.functions.clone().into(),
    };
    (trace, meanings)
}

/// The threads, what they share, and markers, in this order.
fn objects(mapper: &EventMapper) -> Objects {
    let entities = &*mapper.entities;
    let name = |name: &[u8]| mapper.encoding.name(name);
    let threads = entities.threads.iter().zip(0..);
    let threads = threads.map(|(thread, number)| Object {
        parameters: thread.stack,
        priority: thread.priority,
        deleted: !entities.is_current(number, thread),
        slot: u32::try_from(number).ok(),
        ..Object::named(ObjectClass::Thread, thread.address, name(&thread.name))
    });
    let shared = entities.objects.iter();
    let shared = shared.map(|it| Object::named(it.class, it.address, name(&it.name)));
    let markers = entities.markers.iter();
    let markers = markers.map(|(at, text)| Object::named(ObjectClass::Marker, *at, name(text)));
    Objects::new(threads.chain(shared).chain(markers).collect())
}

/// The contexts of the threads, and which of them ids mean in these events.
fn contexts(mapper: &EventMapper, first: u64) -> Contexts {
    let nowhere = Address(0);
    let mut contexts = Contexts::new(nowhere, nowhere, nowhere);
    let mut reassigned = Vec::new();
    for (thread, number) in mapper.entities.threads.iter().zip(0..) {
        let object = rtoscope_trace::ObjectId(number);
        let added = contexts.push_thread(thread.address, Some(object));
        debug_assert_eq!(added, context(number));
        let event = thread.first_event.saturating_sub(first);
        if let Ok(event) = u32::try_from(event) {
            reassigned.push((EventIndex(event), thread.address, added));
        }
    }
    contexts.set_reassigned(reassigned);
    contexts
}

fn problems(mapper: &EventMapper, first: u64) -> impl Iterator<Item = Diagnostic> {
    let problems = mapper.problems;
    let backward = problems.first_backward.map(|event| {
        let count = problems.backward;
        let events = pluralise(count, "event is", "events are");
        let mut message = format!("{events} earlier than one before: they have its time instead");
        if problems.falls > problems.rises {
            message.push_str(
                "; more times fall than rise: the events seem to be in reverse order, the newest \
                 first",
            );
        }
        let diagnostic = Diagnostic::new(DiagnosticKind::BackwardStep, message).with_count(count);
        let place = event
            .checked_sub(first)
            .and_then(|it| u32::try_from(it).ok());
        match place {
            Some(place) => diagnostic.at_event(EventIndex(place)),
            None => diagnostic,
        }
    });
    let excess = (problems.excess_cores > 0).then(|| {
        let events = pluralise(problems.excess_cores, "event", "events");
        let message = format!("skipped {events} of cores above 255");
        Diagnostic::new(DiagnosticKind::BadRecord, message).with_count(problems.excess_cores)
    });
    let full = mapper.entities.is_full.then(|| {
        let message = "there are more than 65536 threads, objects or handlers: the others are \
                       unknown";
        Diagnostic::new(DiagnosticKind::RegistryFull, message)
    });
    backward.into_iter().chain(excess).chain(full)
}

//! Builds the trace of consecutive events.

use super::catalogue;
use super::entities::{Entity, EntityTable, EntityType, LoggedName, thread};
use super::file_info::FileInfo;
use super::line_reader::LineReader;
use crate::packet_stream::{EventPage, StreamStatus, gap_diagnostics, stream_diagnostics};
use crate::{DecodedRecording, FormatInfo};
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::WordColumn;
use rtoscope_trace::{
    Address, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics, EventIndex, Events,
    Frequency, Name, Object, ObjectClass, Objects, SwitchModel, TextEncoding, Trace, text_encoding,
};

/// The name of one and of several lines.
const PACKET: [&str; 2] = ["line", "lines"];

/// Builds the trace of a page.
pub(super) fn build(
    mut page: EventPage,
    reader: &LineReader,
    status: &StreamStatus,
) -> DecodedRecording {
    let entities = &*reader.entities;
    let mut catalogue = catalogue::standard().clone();
    catalogue.extend(entities.unnamed_kinds());
    let objects = objects(entities, reader.options.text_encoding);
    let contexts = contexts(&objects);
    let mut diagnostics = Diagnostics::default();
    // Damaged lines have their own diagnostics.
    let gaps = gap_diagnostics(&page, PACKET).filter(|it| it.kind == DiagnosticKind::Gap);
    diagnostics.extend(gaps);
    diagnostics.extend(stream_diagnostics(status, PACKET));
    diagnostics.extend(line_diagnostics(reader, page.first));
    let names = objects.iter().map(|object| &object.name);
    diagnostics.extend(text_encoding::unreadable_names(names));
    let unit = reader.header.unit;
    let recorded = unit.and_then(|unit| Frequency::from_hertz(unit.per_second()));
    let (clock_options, mismatch) = reader.options.clock.with_recorded(recorded);
    diagnostics.extend(mismatch);
    let gaps = page.inner_gaps().map(|(_, gap)| gap).collect();
    let offsets = std::mem::take(&mut page.offset);
    let stamps = page.time.clone();
    let mut columns = page.into_columns(false);
    columns.timestamp = WordColumn::Wide(stamps);
    let mut clock = Clock::new(u64::MAX, ClockDirection::Up);
    clock = clock.with_frequency(clock_options.frequency);
    clock.quality = match columns.time.as_slice() {
        [] | [_] => ClockQuality::Unknown,
        [.., 0] => ClockQuality::Static,
        _ => ClockQuality::Good,
    };
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(columns),
        contexts,
        objects,
        clock,
        cores: entities.core_numbers(),
        gaps,
        catalogue,
        switch_model: SwitchModel::Explicit {
            // A core that is not idle after an ISR is still in the interrupt.
            records_returns: entities.has_idle,
            records_states: entities.has_states,
            ends_handlers: false,
        },
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics,
    };
    DecodedRecording {
        trace,
        format_info: FormatInfo::new(FileInfo::new(reader, offsets)),
    }
}

/// Everything that has a name, in the order of the file.
fn objects(entities: &EntityTable, encoding: TextEncoding) -> Objects {
    let objects = (1..).zip(&entities.all).map(|(address, entity)| {
        let class = match catalogue::class(entity.entity_type) {
            ObjectClass::Semaphore if entity.is_locked => ObjectClass::Mutex,
            class => class,
        };
        let name = encoding.name(name(entity));
        Object::named(class, Address(address), name)
    });
    Objects::new(objects.collect())
}

/// The name for people.
pub(super) fn name(entity: &Entity) -> &[u8] {
    match entity.entity_type {
        EntityType::Task => LoggedName::display_name(&entity.name),
        _ => &entity.name,
    }
}

/// The contexts of the tasks, by their numbers.
fn contexts(objects: &Objects) -> Contexts {
    let nowhere = Address(0);
    let mut contexts = Contexts::new(nowhere, nowhere, nowhere);
    let tasks = objects.iter().filter(|it| it.class == ObjectClass::Thread);
    for (task, number) in tasks.zip(0..) {
        let context = contexts.push_thread(task.address, Some(task.id));
        debug_assert_eq!(context, thread(number));
    }
    contexts
}

/// Diagnostics of lines; `first` is the number of the page's first event.
fn line_diagnostics(reader: &LineReader, first: u64) -> Vec<Diagnostic> {
    let rejected = &reader.rejected;
    let invalid = &rejected.invalid;
    let (one, several) = ("more line is no event", "more lines are no events");
    let mut diagnostics: Vec<_> = invalid.diagnostics(one, several).collect();
    if let Some((line, offset)) = rejected.first_other {
        let lines = pluralise(rejected.other, "line", "lines");
        let message = format!("ignored {lines} of other text, first line {line}");
        let diagnostic = Diagnostic::new(DiagnosticKind::OtherText, message);
        diagnostics.push(diagnostic.at_offset(offset).with_count(rejected.other));
    }
    if let Some((event, line)) = rejected.first_backward {
        let events = pluralise(rejected.backward, "event is", "events are");
        let message = format!(
            "{events} earlier than one before, first in line {line}: they have its time instead"
        );
        let mut diagnostic =
            Diagnostic::new(DiagnosticKind::BackwardStep, message).with_count(rejected.backward);
        let place = event
            .checked_sub(first)
            .and_then(|it| u32::try_from(it).ok());
        if let Some(place) = place {
            diagnostic = diagnostic.at_event(EventIndex(place));
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}

/// A text of the file, for people.
pub(super) fn text(bytes: &[u8]) -> String {
    Name::new(bytes).to_string()
}

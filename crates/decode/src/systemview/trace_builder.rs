//! Builds the trace of consecutive events.

use super::catalogue::{self, EXTENDED};
use super::descriptions::{is_shortened, undescribed_kinds};
use super::event_reader::EventReader;
use super::stream_info::StreamInfo;
use super::target::{Initialisation, Target, Task};
use crate::packet_stream::{EventPage, StreamStatus, gap_diagnostics, stream_diagnostics};
use crate::{DecodedRecording, FormatInfo};
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::ArgumentColumn;
use rtoscope_trace::{
    Address, Catalogue, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics,
    EventColumns, EventIndex, EventKind, EventKindId, Events, Frequency, Name, Object, ObjectClass,
    Objects, SwitchModel, Trace, text_encoding,
};
use rtoscope_wire::systemview::{Framing, extended_id};

/// What one and several records are called.
pub(super) const PACKET: [&str; 2] = ["packet", "packets"];

/// Builds the trace of a page.
pub(super) fn build(
    mut page: EventPage,
    reader: &EventReader,
    status: &StreamStatus,
) -> DecodedRecording {
    let target = &*reader.target;
    let catalogue = catalogue_of(target);
    let objects = Objects::new(objects(target));
    let contexts = contexts(target, &objects, &page);
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(gap_diagnostics(&page, PACKET));
    diagnostics.extend(stream_diagnostics(status, PACKET));
    diagnostics.extend(unknown_start(target));
    let names = objects.iter().map(|object| &object.name);
    diagnostics.extend(text_encoding::unreadable_names(names));
    diagnostics.extend(reused_ids(target));
    let recorded = target.initialisation;
    let recorded = recorded.and_then(|it| Frequency::from_hertz(it.timestamp_hertz.into()));
    let (clock_options, mismatch) = reader.options.clock.with_recorded(recorded);
    diagnostics.extend(mismatch);
    let gaps = page.inner_gaps().map(|(_, gap)| gap).collect();
    let offsets = std::mem::take(&mut page.offset);
    let mut columns = page.into_columns(false);
    expand_ids(&mut columns, &catalogue, target.initialisation);
    let clock = clock(&columns.time, clock_options.frequency);
    let last_core = columns.core.iter().copied().max().unwrap_or(0);
    let last_core = last_core.max(u8::from(reader.framing == Framing::TwoCores));
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(columns),
        contexts,
        objects,
        clock,
        cores: (0..=last_core).collect(),
        gaps,
        catalogue,
        switch_model: SwitchModel::Explicit {
            ends_handlers: false,
            records_returns: false,
            records_states: target.records_state(true) && target.records_state(false),
        },
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics,
    };
    DecodedRecording {
        trace,
        format_info: FormatInfo::new(StreamInfo::new(reader, *status, offsets)),
    }
}

/// The kinds of events that the target described or recorded.
fn catalogue_of(target: &Target) -> Catalogue {
    let mut catalogue = catalogue::standard().clone();
    if let Some(calls) = &target.calls {
        let system = target.system.get("O").map_or("calls", String::as_str);
        catalogue.extend(calls.kinds(system));
    }
    for module in target.modules.values() {
        let events = module.events.iter();
        catalogue.extend(events.map(|(id, event)| event.kind(*id, &module.name, 0)));
    }
    for (id, seen) in (0..).zip(&target.arguments_seen) {
        let arguments = usize::from(seen.saturating_sub(1));
        if *seen == 0 {
            continue;
        }
        match target.description(id) {
            None => catalogue.extend(undescribed_kinds(id, arguments)),
            Some(event) if event.arguments.len() < arguments => {
                let known = catalogue.get(EventKindId(id));
                let component = known.map(|kind| kind.component.to_string());
                let component = component.unwrap_or_default();
                catalogue.extend([event.kind(id, &component, arguments)]);
            }
            Some(_) => {}
        }
    }
    catalogue
}

/// The tasks in order, then what else has a name.
fn objects(target: &Target) -> Vec<Object> {
    let tasks = target.tasks.iter().zip(0..).map(|(task, slot)| Object {
        deleted: !is_current(target, task),
        slot: Some(slot),
        ..Object::named(
            ObjectClass::Thread,
            target.address(task.id),
            task.name.as_deref().map(Name::new).unwrap_or_default(),
        )
    });
    let named = |class, address, name: &Name| Object::named(class, address, name.clone());
    let resources = target.resources.iter();
    let resources =
        resources.map(|(id, name)| named(ObjectClass::Unknown, target.address(*id), name));
    let markers = target.markers.iter();
    let markers = markers.map(|(id, name)| named(ObjectClass::Marker, Address((*id).into()), name));
    tasks.chain(resources).chain(markers).collect()
}

fn is_current(target: &Target, task: &Task) -> bool {
    let current = target.find_task(task.id);
    current.and_then(|current| target.task_at(current)) == Some(task)
}

/// The contexts of the tasks, and which of them ids mean in these events.
fn contexts(target: &Target, objects: &Objects, page: &EventPage) -> Contexts {
    let nowhere = Address(0);
    let mut contexts = Contexts::new(nowhere, nowhere, nowhere);
    let mut reassigned = Vec::new();
    for (task, object) in target.tasks.iter().zip(objects.iter()) {
        let address = target.address(task.id);
        let context = contexts.push_thread(address, Some(object.id));
        let event = task.first_event.saturating_sub(page.first);
        if let Ok(event) = u32::try_from(event) {
            reassigned.push((EventIndex(event), address, context));
        }
    }
    for task in &target.idle_tasks {
        contexts.set_idle_task(*task);
    }
    contexts.set_reassigned(reassigned);
    contexts
}

/// Replaces shortened ids by addresses.
fn expand_ids(columns: &mut EventColumns, catalogue: &Catalogue, init: Option<Initialisation>) {
    let (Some(init), ArgumentColumn::Narrow(arguments)) = (init, &mut columns.arguments) else {
        return;
    };
    let last = catalogue.iter().map(|kind| kind.id.0).max().unwrap_or(0);
    let mut masks = vec![0_u8; last as usize + 1];
    for kind in catalogue {
        if let Some(mask) = masks.get_mut(kind.id.0 as usize) {
            *mask = id_arguments(kind);
        }
    }
    for (kind, values) in columns.kind.iter().zip(arguments) {
        let mask = masks.get(kind.0 as usize).copied().unwrap_or(0);
        if mask == 0 {
            continue;
        }
        for (place, value) in values.iter_mut().enumerate() {
            if mask & 1 << place != 0 {
                *value = init.address(*value);
            }
        }
        if is_heap_event(*kind)
            && let [_, _, size, _] = values
        {
            *size = size.checked_shl(init.id_shift).unwrap_or(*size);
        }
    }
}

/// The arguments that are shortened ids, one bit each.
fn id_arguments(kind: &EventKind) -> u8 {
    let arguments = kind.arguments.iter().enumerate();
    let bits = arguments.map(|(place, argument)| {
        let is_id = argument.as_ref().is_some_and(|it| is_shortened(it.meaning));
        let is_memory = is_heap_event(kind.id) && place == 1;
        u8::from(is_id || is_memory) << place
    });
    bits.sum()
}

/// Whether an event has an address within a heap, and a size in units of ids.
fn is_heap_event(kind: EventKindId) -> bool {
    const FIRST: u32 = EXTENDED + extended_id::HEAP_DEFINE;
    const LAST: u32 = EXTENDED + extended_id::HEAP_FREE;
    (FIRST..=LAST).contains(&kind.0)
}

fn clock(time: &[u64], frequency: Option<Frequency>) -> Clock {
    let mut clock = Clock::new(u32::MAX.into(), ClockDirection::Up).with_frequency(frequency);
    clock.quality = match time {
        [] | [_] => ClockQuality::Unknown,
        [.., 0] => ClockQuality::Static,
        _ => ClockQuality::Good,
    };
    clock
}

/// The diagnostic of a stream without the target's start sequence.
fn unknown_start(target: &Target) -> Option<Diagnostic> {
    target.initialisation.is_none().then(|| {
        let message = "the start of the recording is missing: its clock and the addresses of \
                       objects are unknown, ids are as recorded";
        Diagnostic::new(DiagnosticKind::UnresolvedName, message)
    })
}

/// Tasks whose id another task got.
fn reused_ids(target: &Target) -> Option<Diagnostic> {
    let former = target.tasks.iter().filter(|task| !is_current(target, task));
    let count = former.count() as u64;
    let message = format!(
        "{} the id of an earlier one: arguments of events name the last task with an id",
        pluralise(count, "task has", "tasks have")
    );
    (count > 0).then(|| Diagnostic::new(DiagnosticKind::ReusedAddress, message).with_count(count))
}

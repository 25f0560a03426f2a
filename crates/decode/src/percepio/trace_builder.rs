//! Builds the trace of consecutive events.

use super::EVENT;
use super::event_reader::EventReader;
use super::stream_format::StreamFormat;
use super::stream_info::StreamInfo;
use super::target::Target;
use crate::packet_stream::{EventPage, StreamStatus, gap_diagnostics, stream_diagnostics};
use crate::{DecodedRecording, FormatInfo};
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Address, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics, EventIndex, Events,
    Frequency, Object, ObjectClass, Objects, SwitchModel, Trace, text_encoding,
};

/// Builds the trace of a page.
pub(super) fn build(
    mut page: EventPage,
    reader: &EventReader,
    status: &StreamStatus,
) -> DecodedRecording {
    let target = &*reader.target;
    let stream = reader.stream.unwrap_or_else(StreamFormat::without_header);
    let objects = Objects::new(objects(target));
    let contexts = contexts(target, &objects, &page);
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(gap_diagnostics(&page, EVENT));
    diagnostics.extend(stream_diagnostics(status, EVENT));
    diagnostics.extend(stream.header.is_none().then(|| {
        let message = "the header is missing: the clock and the names of objects are unknown, \
                       and the kernel is taken to be FreeRTOS";
        Diagnostic::new(DiagnosticKind::UnresolvedName, message)
    }));
    let names = objects.iter().map(|object| &object.name);
    diagnostics.extend(text_encoding::unreadable_names(names));
    diagnostics.extend(reused_addresses(target));
    let recorded = stream.header.map(|header| header.timestamps.frequency);
    let recorded = recorded.and_then(Frequency::from_hertz);
    let (clock_options, mismatch) = reader.options.clock.with_recorded(recorded);
    diagnostics.extend(mismatch);
    let gaps = page.inner_gaps().map(|(_, gap)| gap);
    // Damage between events need not lose any.
    let gaps = gaps.filter(|gap| gap.missing != Some(0)).collect();
    let offsets = std::mem::take(&mut page.offset);
    let wraps = stream.counter.wraps(&page.timestamp);
    let columns = page.into_columns(stream.layout.is_wide);
    let mut clock = clock(&stream, &columns.time, clock_options.frequency);
    clock.wraps = wraps;
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(columns),
        contexts,
        objects,
        clock,
        cores: (0..stream.cores.max(1) as u8).collect(),
        gaps,
        catalogue: stream.kernel.catalogue(&target.parameters),
        switch_model: SwitchModel::Explicit {
            records_returns: false,
            records_states: target.records_ready && target.records_waits,
            ends_handlers: true,
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

/// The tasks in order, then what else has a name or a class.
fn objects(target: &Target) -> Vec<Object> {
    let tasks = target.tasks.iter().zip(0..).map(|(task, slot)| Object {
        deleted: task.is_deleted,
        slot: Some(slot),
        ..Object::named(
            ObjectClass::Thread,
            Address(task.address),
            task.name.clone().unwrap_or_default(),
        )
    });
    let class = |address: &u64| target.objects.get(address).copied();
    let named = target.names.iter();
    let named = named.filter(|(address, _)| target.find_task(**address).is_none());
    let named = named.map(|(address, name)| {
        let class = class(address).unwrap_or(ObjectClass::Unknown);
        Object::named(class, Address(*address), name.clone())
    });
    let unnamed = target.objects.iter();
    let unnamed = unnamed.filter(|(address, _)| !target.names.contains_key(*address));
    let unnamed = unnamed
        .map(|(address, class)| Object::named(*class, Address(*address), Default::default()));
    tasks.chain(named).chain(unnamed).collect()
}

/// The contexts of the tasks, and which of them addresses mean in these events.
fn contexts(target: &Target, objects: &Objects, page: &EventPage) -> Contexts {
    let nowhere = Address(0);
    let mut contexts = Contexts::new(nowhere, nowhere, nowhere);
    let mut reassigned = Vec::new();
    for (task, object) in target.tasks.iter().zip(objects.iter()) {
        let address = Address(task.address);
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

fn clock(stream: &StreamFormat, time: &[u64], frequency: Option<Frequency>) -> Clock {
    let mut clock = Clock::new(u32::MAX.into(), stream.counter.direction());
    if stream.counter.direction() == ClockDirection::Up {
        clock.period = Some(stream.counter.modulus);
    }
    clock.quality = match time {
        [] | [_] => ClockQuality::Unknown,
        [.., 0] => ClockQuality::Static,
        _ => ClockQuality::Good,
    };
    clock.with_frequency(frequency)
}

/// Tasks whose address another task got.
fn reused_addresses(target: &Target) -> Option<Diagnostic> {
    let former = target.tasks.iter().filter(|task| !target.is_current(task));
    let count = former.count() as u64;
    let message = format!(
        "{} the address of an earlier one: arguments of events name the last task at an address",
        pluralise(count, "task has", "tasks have")
    );
    (count > 0).then(|| Diagnostic::new(DiagnosticKind::ReusedAddress, message).with_count(count))
}

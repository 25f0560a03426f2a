//! Reads the object registry.

use super::buffer::TraceBuffer;
use super::catalogue::object_class;
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Address, Diagnostic, DiagnosticKind, Name, Object, ObjectClass, ObjectId, Objects,
    TextEncoding, text_encoding,
};
use rtoscope_wire::threadx::{ObjectType, RegistryEntry, SLOT_AVAILABLE};
use std::collections::HashSet;

/// The contents of the registry.
#[derive(Default)]
pub(crate) struct ObjectRegistry {
    pub(crate) objects: Objects,
    /// Whether every slot has been used: later objects are unnamed.
    pub(crate) is_full: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The slots in memory, and their contents.
pub(super) fn entries<'a>(
    memory: &'a Memory<'_>,
    buffer: &TraceBuffer,
) -> impl Iterator<Item = (u64, RegistryEntry<'a>)> {
    let layout = buffer.layout;
    let name_size = buffer.header.name_size;
    let stride = layout.registry_stride(name_size);
    let slots = 0..buffer.registry_slots;
    records::record_runs(memory, buffer.registry_address(), stride, slots)
        .flat_map(move |run| (run.first..).zip(run.bytes.chunks_exact(stride)))
        .filter_map(move |(slot, bytes)| {
            let entry = RegistryEntry::read(layout, name_size, bytes).ok()?;
            Some((slot, entry))
        })
}

/// Whether a slot has an object that ThreadX registers.
pub(super) fn is_object(slot: &RegistryEntry<'_>) -> bool {
    slot.is_used() && slot.pointer != 0 && slot.available <= SLOT_AVAILABLE && {
        object_class(slot.object_type) != ObjectClass::Unknown
    }
}

/// Reads every slot in memory.
pub(crate) fn read(
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    encoding: TextEncoding,
) -> ObjectRegistry {
    let mut diagnostics = Vec::new();
    let name_size = buffer.header.name_size;
    let stride = buffer.layout.registry_stride(name_size);
    let start = buffer.registry_address();
    let mut objects = Vec::new();
    let mut read = 0_u64;
    let mut never_used = 0_u64;
    let mut impossible = Vec::new();
    let (mut unflagged, mut unflagged_slots) = (None, 0_u64);
    for (slot, entry) in entries(memory, buffer) {
        read += 1;
        if !entry.is_used() {
            never_used += 1;
            continue;
        }
        let slot = u32::try_from(slot).unwrap_or(u32::MAX);
        if !is_object(&entry) {
            impossible.push((slot, entry.object_type));
            continue;
        }
        if name_size > 0 && !entry.name.contains(&0) {
            let message = format!(
                "the name in registry slot {slot} fills its {name_size} bytes without a NUL"
            );
            let at = memory.offset_of(start + u64::from(slot) * stride as u64);
            let diagnostic = Diagnostic::new(DiagnosticKind::UnterminatedName, message);
            diagnostics.push(diagnostic.at_offset(at.unwrap_or_default()));
        }
        if entry.object_type == ObjectType::THREAD.0
            && entry.thread_priority().is_none()
            && entry.reserved != [0; 2]
        {
            unflagged.get_or_insert((slot, entry.reserved));
            unflagged_slots += 1;
        }
        objects.push(object(&entry, slot, encoding));
    }
    if let Some((slot, [high, low])) = unflagged {
        let message = format!(
            "{} of {} priority bytes without their flag, first ({high}, {low}) in slot {slot}: \
             the priority is unknown",
            pluralise(unflagged_slots, "registry slot", "registry slots"),
            if unflagged_slots == 1 {
                "a thread has"
            } else {
                "threads have"
            },
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::PriorityFlag, message);
        diagnostics.push(diagnostic.with_count(unflagged_slots));
    }
    if let Some((slot, object_type)) = impossible.first() {
        let message = format!(
            "{} no object that ThreadX registers, first slot {slot} with type {object_type}: the \
             registry is damaged, and names may be wrong",
            pluralise(
                impossible.len() as u64,
                "registry slot has",
                "registry slots have"
            )
        );
        let at = memory.offset_of(start + u64::from(*slot) * stride as u64);
        let diagnostic = Diagnostic::new(DiagnosticKind::DamagedRegistry, message);
        let diagnostic = diagnostic.with_count(impossible.len() as u64);
        diagnostics.push(diagnostic.at_offset(at.unwrap_or_default()));
    }
    let missing = buffer.registry_slots - read;
    if missing > 0 {
        let message = format!(
            "{missing} of {} registry slots are not in the input: their objects have no name",
            buffer.registry_slots
        );
        diagnostics
            .push(Diagnostic::new(DiagnosticKind::MissingBytes, message).with_count(missing));
    }
    let names = objects.iter().map(|object| &object.name);
    diagnostics.extend(text_encoding::unreadable_names(names));
    let objects = Objects::new(objects);
    report_reused(&objects, &mut diagnostics);
    ObjectRegistry {
        is_full: never_used == 0 && missing == 0,
        objects,
        diagnostics,
    }
}

fn object(entry: &RegistryEntry<'_>, slot: u32, encoding: TextEncoding) -> Object {
    Object {
        id: ObjectId(slot),
        class: object_class(entry.object_type),
        type_number: entry.object_type,
        address: Address(entry.pointer),
        name: encoding.name(entry.name_text()),
        parameters: Some(entry.parameters),
        priority: entry.thread_priority(),
        deleted: entry.is_available(),
        slot: Some(slot),
    }
}

impl ObjectRegistry {
    /// Adds the objects of an earlier registry that this one does not contain.
    pub(super) fn add_earlier(&mut self, earlier: &Objects) {
        let known: HashSet<_> = self.objects.iter().map(identity).collect();
        let missing: Vec<_> = earlier
            .iter()
            .filter(|object| !known.contains(&identity(object)))
            .map(|object| Object {
                deleted: true,
                ..object.clone()
            })
            .collect();
        if !missing.is_empty() {
            self.objects = Objects::new(self.objects.iter().cloned().chain(missing).collect());
        }
    }
}

/// The identity of an object: two entries with the same identity are one
/// object.
pub(super) fn identity(object: &Object) -> (Address, u8, &Name) {
    (object.address, object.type_number, &object.name)
}

/// Reports addresses with several entries.
fn report_reused(objects: &Objects, diagnostics: &mut Vec<Diagnostic>) {
    let mut addresses: Vec<_> = objects.iter().map(|object| object.address).collect();
    addresses.sort_unstable();
    let reused: Vec<Address> = addresses
        .chunk_by(|one, other| one == other)
        .filter_map(|same| match same {
            [address, _, ..] => Some(*address),
            _ => None,
        })
        .collect();
    if let Some(address) = reused.first() {
        let message = format!(
            "{} in more than one registry slot, first {address}: the live object's name is shown",
            pluralise(reused.len() as u64, "address", "addresses")
        );
        let count = reused.len() as u64;
        diagnostics.push(Diagnostic::new(DiagnosticKind::ReusedAddress, message).with_count(count));
    }
}

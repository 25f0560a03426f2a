//! Reads the object registry.

use super::buffer::TraceBuffer;
use super::catalogue::object_class;
use crate::memory::Memory;
use crate::records;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{
    Address, Diagnostic, DiagnosticKind, Name, Object, ObjectClass, ObjectId, Objects,
};
use rtoscope_wire::threadx::{RegistryEntry, SLOT_AVAILABLE};

/// The contents of the registry.
#[derive(Default)]
pub(crate) struct ObjectRegistry {
    pub(crate) objects: Objects,
    /// Whether every slot has been used: later objects are unnamed.
    pub(crate) is_full: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads every slot in memory.
pub(crate) fn read(memory: &Memory<'_>, buffer: &TraceBuffer) -> ObjectRegistry {
    let mut diagnostics = Vec::new();
    let name_size = buffer.header.name_size;
    let stride = buffer.layout.registry_stride(name_size);
    let start = buffer.registry_address();
    let mut objects = Vec::new();
    let mut read = 0_u64;
    let mut never_used = 0_u64;
    let mut impossible = Vec::new();
    for run in records::record_runs(memory, start, stride, 0..buffer.registry_slots) {
        for (slot, bytes) in (run.first..).zip(run.bytes.chunks_exact(stride)) {
            let Ok(entry) = RegistryEntry::read(buffer.layout, name_size, bytes) else {
                continue;
            };
            read += 1;
            if !entry.is_used() {
                never_used += 1;
                continue;
            }
            let slot = u32::try_from(slot).unwrap_or(u32::MAX);
            let is_known = object_class(entry.object_type) != ObjectClass::Unknown;
            if !is_known || entry.available > SLOT_AVAILABLE {
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
            objects.push(object(&entry, slot));
        }
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
    let objects = Objects::new(objects);
    report_reused(&objects, &mut diagnostics);
    ObjectRegistry {
        is_full: never_used == 0 && missing == 0,
        objects,
        diagnostics,
    }
}

fn object(entry: &RegistryEntry<'_>, slot: u32) -> Object {
    Object {
        id: ObjectId(slot),
        class: object_class(entry.object_type),
        type_number: entry.object_type,
        address: Address(entry.pointer),
        name: Name::new(entry.name_text()),
        parameters: Some(entry.parameters),
        priority: entry.thread_priority(),
        deleted: entry.is_available(),
        slot: Some(slot),
    }
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

//! Objects of the registry and of the start of a trace.

use crate::GenerateError;
use crate::thread::ThreadIndex;
use crate::writer::BlockWriter;
use rtoscope_wire::threadx::{BufferLayout, ObjectType, RegistryEntry, SLOT_AVAILABLE};
use std::io::Write;

/// An object that the firmware creates.
#[derive(Debug)]
pub(crate) struct Creation {
    pub(crate) object_type: ObjectType,
    pub(crate) pointer: u64,
    /// The parameters in the registry.
    pub(crate) parameters: [u64; 2],
    /// The flag bytes in the registry.
    pub(crate) reserved: [u8; 2],
    pub(crate) name: String,
    /// The logged event; none for what the kernel creates before it traces.
    pub(crate) event: Option<CreationEvent>,
    /// Core and index of a thread that becomes ready.
    pub(crate) thread: Option<(u8, ThreadIndex)>,
}

/// The event of a creation.
#[derive(Debug)]
pub(crate) struct CreationEvent {
    pub(crate) id: u32,
    pub(crate) info: [u64; 4],
    /// The information field for the stack pointer.
    pub(crate) stack_field: Option<u8>,
}

/// Unused registry slots.
const SPARE_SLOTS: u64 = 4;
/// Content of uninitialised memory.
pub(crate) const DIRTY: u64 = 0xA5A5_A5A5_A5A5_A5A5;

/// The number of registry slots for these objects.
pub(crate) fn registry_slots(creations: &[Creation]) -> u64 {
    creations.len() as u64 + SPARE_SLOTS
}

/// Writes the object registry: the slots of deleted objects keep their content
/// and are marked as available.
pub(crate) fn write_registry<O: Write>(
    creations: &[Creation],
    deleted: &[u64],
    layout: BufferLayout,
    name_size: u16,
    output: &mut BlockWriter<'_, O>,
) -> Result<(), GenerateError> {
    let mut bytes = vec![0; layout.registry_stride(name_size)];
    // The last byte of the field is always a NUL.
    let name_bytes = usize::from(name_size).saturating_sub(1);
    for creation in creations {
        let name = creation.name.as_bytes();
        let entry = RegistryEntry {
            available: if deleted.contains(&creation.pointer) {
                SLOT_AVAILABLE
            } else {
                0
            },
            object_type: creation.object_type.0,
            reserved: creation.reserved,
            pointer: creation.pointer,
            parameters: creation.parameters,
            name: name.get(..name_bytes).unwrap_or(name),
        };
        let written = entry.write(layout, name_size, &mut bytes);
        output.encoded(written)?;
        output.append(&bytes)?;
    }
    let dirty_name = vec![DIRTY as u8; usize::from(name_size)];
    let spare = RegistryEntry {
        available: SLOT_AVAILABLE,
        object_type: 0,
        reserved: [0; 2],
        pointer: 0,
        parameters: [DIRTY; 2],
        name: &dirty_name,
    };
    for _ in 0..SPARE_SLOTS {
        let written = spare.write(layout, name_size, &mut bytes);
        output.encoded(written)?;
        output.append(&bytes)?;
    }
    Ok(())
}

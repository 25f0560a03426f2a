//! Parses a buffer with the format's own definitions.

use rtoscope_record::threadx::WordWidth;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader, EventEntry, RegistryEntry, UlongSize};

/// One entry of the ring: context, priority, number, timestamp, four fields.
pub(crate) type Words = [u64; 8];

/// A slot of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) available: u8,
    pub(crate) object_type: u8,
    pub(crate) reserved: [u8; 2],
    pub(crate) pointer: u64,
    pub(crate) parameters: [u64; 2],
    /// All 32 bytes.
    pub(crate) name: Vec<u8>,
}

/// Header, registry and ring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Buffer {
    pub(crate) header: ControlHeader,
    pub(crate) registry: Vec<Slot>,
    pub(crate) ring: Vec<Words>,
    /// The slot of the entry to write next.
    pub(crate) current: usize,
}

/// The layout of buffers on this machine with words of type `W`.
pub(crate) fn layout<W: WordWidth>() -> BufferLayout {
    let order = if cfg!(target_endian = "big") {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    };
    let ulong = match std::mem::size_of::<W>() {
        4 => UlongSize::Four,
        _ => UlongSize::Eight,
    };
    BufferLayout::new(order, ulong)
}

/// Reads a buffer of any layout. All its pointers must be consistent.
pub(crate) fn read(layout: BufferLayout, bytes: &[u8]) -> Buffer {
    let header = ControlHeader::read(layout, bytes).unwrap();
    let offset = |pointer| usize::try_from(layout.distance(header.base_address, pointer)).unwrap();
    let (registry_start, registry_end) =
        (offset(header.registry_start), offset(header.registry_end));
    let (start, end) = (offset(header.buffer_start), offset(header.buffer_end));
    assert_eq!(registry_start, layout.header_bytes());
    assert_eq!(registry_end, start);
    let slot = |bytes: &[u8]| {
        let entry = RegistryEntry::read(layout, header.name_size, bytes).unwrap();
        Slot {
            available: entry.available,
            object_type: entry.object_type,
            reserved: entry.reserved,
            pointer: entry.pointer,
            parameters: entry.parameters,
            name: entry.name.to_vec(),
        }
    };
    let registry = bytes[registry_start..registry_end]
        .chunks_exact(layout.registry_stride(header.name_size))
        .map(slot)
        .collect();
    let entry = |bytes: &[u8]| match layout.ulong {
        UlongSize::Four => words(&EventEntry::<u32>::read(bytes, layout.order).unwrap()),
        UlongSize::Eight => words(&EventEntry::<u64>::read(bytes, layout.order).unwrap()),
    };
    let entries = bytes[start..end].chunks_exact(layout.entry_bytes());
    assert_eq!(entries.remainder().len(), 0);
    let current = offset(header.current) - start;
    assert_eq!(current % layout.entry_bytes(), 0);
    Buffer {
        ring: entries.map(entry).collect(),
        registry,
        current: current / layout.entry_bytes(),
        header,
    }
}

fn words<W: Copy + Into<u64>>(entry: &EventEntry<W>) -> Words {
    let [i1, i2, i3, i4] = entry.info;
    [
        entry.context,
        entry.priority,
        entry.id,
        entry.timestamp,
        i1,
        i2,
        i3,
        i4,
    ]
    .map(Into::into)
}

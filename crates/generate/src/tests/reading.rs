//! Reads a buffer like a decoder, without knowledge of the simulation.

use crate::{ThreadXOptions, ThreadXSummary, write};
use rtoscope_wire::Word;
use rtoscope_wire::threadx::{
    BufferLayout, ControlHeader, EventEntry, MARKERS, RegistryEntry, UlongSize,
};

pub(crate) struct Object {
    pub(crate) available: u8,
    pub(crate) object_type: u8,
    pub(crate) pointer: u64,
    pub(crate) parameters: [u64; 2],
    pub(crate) priority: Option<u16>,
    pub(crate) name: String,
}

pub(crate) struct Buffer {
    pub(crate) header: ControlHeader,
    pub(crate) objects: Vec<Object>,
    /// All slots in memory order.
    pub(crate) slots: Vec<EventEntry<u64>>,
}

pub(crate) fn generate(options: &ThreadXOptions) -> (Vec<u8>, ThreadXSummary) {
    let mut bytes = Vec::new();
    let summary = write(options, &mut bytes, &mut |_| ()).unwrap();
    assert_eq!(bytes.len() as u64, summary.bytes);
    (bytes, summary)
}

pub(crate) fn read(bytes: &[u8]) -> Buffer {
    let layout = BufferLayout::detect(bytes).unwrap();
    let header = ControlHeader::read(layout, bytes).unwrap();
    assert_eq!(header.markers, MARKERS);
    let offset = |address| layout.distance(header.base_address, address) as usize;
    let registry = &bytes[offset(header.registry_start)..offset(header.registry_end)];
    let objects = registry
        .chunks_exact(layout.registry_stride(header.name_size))
        .map(|bytes| {
            let entry = RegistryEntry::read(layout, header.name_size, bytes).unwrap();
            Object {
                available: entry.available,
                object_type: entry.object_type,
                pointer: entry.pointer,
                parameters: entry.parameters,
                priority: entry.thread_priority(),
                name: String::from_utf8_lossy(entry.name_text()).into_owned(),
            }
        })
        .collect();
    let ring = &bytes[offset(header.buffer_start)..offset(header.buffer_end)];
    assert_eq!(offset(header.buffer_end), bytes.len());
    let slots = ring
        .chunks_exact(layout.entry_bytes())
        .map(|bytes| match layout.ulong {
            UlongSize::Four => widen(&EventEntry::<u32>::read(bytes, layout.order).unwrap()),
            UlongSize::Eight => EventEntry::<u64>::read(bytes, layout.order).unwrap(),
        })
        .collect();
    Buffer {
        header,
        objects,
        slots,
    }
}

fn widen<W: Word>(entry: &EventEntry<W>) -> EventEntry<u64> {
    EventEntry {
        context: entry.context.into(),
        priority: entry.priority.into(),
        id: entry.id.into(),
        timestamp: entry.timestamp.into(),
        info: entry.info.map(Into::into),
    }
}

impl Buffer {
    /// The events from the oldest to the newest.
    pub(crate) fn events(&self) -> Vec<EventEntry<u64>> {
        let bytes = self.header.buffer_end - self.header.buffer_start;
        let current = (self.header.current - self.header.buffer_start) * self.slots.len() as u64;
        let (newer, older) = self.slots.split_at((current / bytes) as usize);
        older
            .iter()
            .chain(newer)
            .filter(|entry| entry.context != 0)
            .copied()
            .collect()
    }

    /// Ticks between consecutive events, as a reader computes them.
    pub(crate) fn gaps(&self, count_down: bool) -> Vec<u64> {
        self.events()
            .windows(2)
            .map(|pair| {
                let (mut from, mut to) = (pair[0].timestamp, pair[1].timestamp);
                if count_down {
                    (from, to) = (to, from);
                }
                to.wrapping_sub(from) & self.header.timer_mask
            })
            .collect()
    }
}

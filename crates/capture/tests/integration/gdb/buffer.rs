//! A trace buffer, written event by event like a kernel does.

use rtoscope_decode::memory::Memory;
use rtoscope_decode::threadx::TraceBuffer;
use rtoscope_wire::threadx::{
    BufferLayout, ControlHeader, EventEntry, MARKERS, RegistryEntry, SLOT_AVAILABLE, TXTB_ID,
    UlongSize,
};
use rtoscope_wire::{ByteOrder, Word};

pub(crate) const LAYOUT: BufferLayout = BufferLayout::new(ByteOrder::Little, UlongSize::Four);
const NAME_SIZE: u16 = 32;
const THREAD: u64 = 0x2000_8000;

/// A trace buffer in the target's memory.
pub(crate) struct FakeTarget {
    pub(crate) base: u64,
    pub(crate) slots: u64,
    objects: u64,
    /// Memory from the base address on.
    pub(crate) memory: Vec<u8>,
    /// Number of started events.
    pub(crate) inserted: u64,
}

impl FakeTarget {
    pub(crate) fn new(base: u64, objects: u64, slots: u64) -> Self {
        let registry_start = base + LAYOUT.header_bytes() as u64;
        let buffer_start = registry_start + objects * LAYOUT.registry_stride(NAME_SIZE) as u64;
        let buffer_end = buffer_start + slots * LAYOUT.entry_bytes() as u64;
        let header = ControlHeader {
            id: TXTB_ID,
            timer_mask: 0xFFFF_FFFF,
            base_address: base,
            registry_start,
            reserved1: 0,
            name_size: NAME_SIZE,
            registry_end: buffer_start,
            buffer_start,
            buffer_end,
            current: buffer_start,
            markers: MARKERS,
        };
        let mut memory = vec![0; (buffer_end - base) as usize];
        header.write(LAYOUT, &mut memory).unwrap();
        let mut target = Self {
            base,
            slots,
            objects,
            memory,
            inserted: 0,
        };
        for slot in 0..objects {
            let at = target.object_at(slot);
            target.memory[at] = SLOT_AVAILABLE;
        }
        target
    }

    fn object_at(&self, slot: u64) -> usize {
        LAYOUT.header_bytes() + slot as usize * LAYOUT.registry_stride(NAME_SIZE)
    }

    fn event_at(&self, number: u64) -> usize {
        self.object_at(self.objects) + (number % self.slots) as usize * LAYOUT.entry_bytes()
    }

    /// Writes an event whose last field is written later.
    pub(crate) fn insert(&mut self) {
        let number = self.inserted;
        self.begin(8);
        self.inserted += 1;
        let next = self.base + self.event_at(number + 1) as u64;
        let current = 8 * LAYOUT.ulong.bytes();
        (next as u32)
            .write(&mut self.memory[current..], LAYOUT.order)
            .unwrap();
    }

    /// Writes the first words of the next event.
    pub(crate) fn begin(&mut self, words: usize) {
        let mut bytes = vec![0; LAYOUT.entry_bytes()];
        let mut entry = event(self.inserted);
        entry.info[3] = 0;
        entry.write(LAYOUT.order, &mut bytes).unwrap();
        let at = self.event_at(self.inserted);
        let bytes = &bytes[..words * LAYOUT.ulong.bytes()];
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Writes the last field of the newest event.
    pub(crate) fn complete(&mut self) {
        let number = self.inserted - 1;
        let at = self.event_at(number);
        let bytes = &mut self.memory[at..at + LAYOUT.entry_bytes()];
        event(number).write(LAYOUT.order, bytes).unwrap();
    }

    /// Writes complete events.
    pub(crate) fn run(&mut self, events: u64) {
        for _ in 0..events {
            self.insert();
            self.complete();
        }
    }

    /// Writes an object into the registry, with a part of its name.
    pub(crate) fn register(&mut self, slot: u64, name: &str, bytes: usize) {
        let mut entry = vec![0; LAYOUT.registry_stride(NAME_SIZE)];
        let object = RegistryEntry {
            available: 0,
            object_type: 1,
            reserved: [0x80, 5],
            pointer: THREAD + slot,
            parameters: [0x2000_9000, 512],
            name: &name.as_bytes()[..bytes],
        };
        object.write(LAYOUT, NAME_SIZE, &mut entry).unwrap();
        let at = self.object_at(slot);
        self.memory[at..at + entry.len()].copy_from_slice(&entry);
    }
}

/// A complete event with this number.
fn event(number: u64) -> EventEntry<u32> {
    let word = number as u32;
    EventEntry {
        context: THREAD as u32,
        priority: 0x8000_0005,
        id: 4096,
        timestamp: word.wrapping_mul(10),
        info: [word, !word, word ^ 0x5555_5555, word | 0x8000_0000],
    }
}

/// The content of a trace buffer that was read.
pub(crate) struct Seen {
    /// The numbers of its events.
    pub(crate) events: std::ops::Range<u64>,
    /// The names of its objects.
    pub(crate) names: Vec<String>,
}

/// Reads a buffer, in which every event must be complete and follow the one before.
pub(crate) fn seen(bytes: &[u8]) -> Seen {
    let memory = Memory::from_file_bytes(bytes);
    let buffer = TraceBuffer::locate(&memory, 0, &mut Vec::new()).unwrap();
    assert_eq!(buffer.bytes(), bytes.len() as u64, "trailing bytes");
    let current = buffer.current_slot().unwrap();
    let slots = (current..buffer.event_slots).chain(0..current);
    let entries = slots.map(|slot| {
        let at = buffer.events_address() as usize + slot as usize * LAYOUT.entry_bytes();
        EventEntry::<u32>::read(&bytes[at..], LAYOUT.order).unwrap()
    });
    let mut events: Option<std::ops::Range<u64>> = None;
    for entry in entries.filter(|entry| entry.context != 0) {
        let number = u64::from(entry.info[0]);
        assert_eq!(entry, event(number), "a whole event");
        let start = events.as_ref().map_or(number, |events| {
            assert_eq!(events.end, number, "the next one");
            events.start
        });
        events = Some(start..number + 1);
    }
    let stride = LAYOUT.registry_stride(NAME_SIZE);
    let start = buffer.registry_address() as usize;
    let objects = bytes[start..buffer.events_address() as usize].chunks_exact(stride);
    let objects = objects.map(|bytes| RegistryEntry::read(LAYOUT, NAME_SIZE, bytes).unwrap());
    let names = objects.filter(RegistryEntry::is_used);
    let names = names.map(|object| String::from_utf8(object.name_text().to_vec()).unwrap());
    Seen {
        events: events.unwrap_or(0..0),
        names: names.collect(),
    }
}

//! A target that traces into a buffer in memory.

use rtoscope_wire::threadx::{
    BufferLayout, CONTEXT_UNUSED, ControlHeader, EventEntry, MARKERS, RegistryEntry,
    SLOT_AVAILABLE, TXTB_ID, UlongSize,
};

/// The context of every event, unless a test sets another.
pub(super) const THREAD: u64 = 0x2000_1000;

/// An event of the application.
pub(super) const USER: u32 = 5000;

/// Size of a name in the registry.
const NAME_SIZE: u16 = 16;

/// Number of registry slots.
const OBJECTS: usize = 4;

/// A kernel and its buffer.
#[derive(Clone)]
pub(super) struct Target {
    layout: BufferLayout,
    mask: u64,
    slots: usize,
    current: usize,
    memory: Vec<u8>,
    /// The unmasked clock.
    pub(super) now: u64,
    /// Number of logged events.
    pub(super) logged: u32,
}

impl Target {
    pub(super) fn new(layout: BufferLayout, slots: usize, mask: u64) -> Self {
        let mut target = Self {
            layout,
            mask,
            slots,
            current: 0,
            memory: Vec::new(),
            now: 0,
            logged: 0,
        };
        target.enable();
        target
    }

    /// Restarts tracing: clears the ring and the registry.
    pub(super) fn enable(&mut self) {
        self.current = 0;
        self.memory = vec![0xA5; self.ring_offset() + self.slots * self.layout.entry_bytes()];
        for slot in 0..self.slots {
            let at = self.ring_offset() + slot * self.layout.entry_bytes();
            let word = self.layout.ulong.bytes();
            self.memory[at..at + word].fill(CONTEXT_UNUSED as u8);
        }
        for slot in 0..OBJECTS {
            self.register(slot, 0, 0, "", true);
        }
        self.write_header();
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// Logs a unique event `ticks` after the last one.
    pub(super) fn log(&mut self, ticks: u64) {
        self.log_as(ticks, USER, THREAD);
    }

    pub(super) fn log_as(&mut self, ticks: u64, id: u32, context: u64) {
        self.now += ticks;
        let info = [
            u64::from(self.logged),
            !u64::from(self.logged) & 0xFFFF,
            0,
            0,
        ];
        self.write(id, context, info);
        self.advance();
    }

    /// Writes the first words of the next entry and stops.
    pub(super) fn begin_entry(&mut self) {
        let (at, word) = (self.slot_offset(self.current), self.layout.ulong.bytes());
        self.memory[at..at + 3 * word].fill(0x11);
    }

    /// Updates a field of an earlier entry.
    pub(super) fn amend(&mut self, back: usize, field: usize, value: u8) {
        let slot = (self.current + self.slots - 1 - back) % self.slots;
        let at = self.slot_offset(slot) + (4 + field) * self.layout.ulong.bytes();
        self.memory[at..at + self.layout.ulong.bytes()].fill(value);
    }

    pub(super) fn register(&mut self, slot: usize, kind: u8, pointer: u64, name: &str, gone: bool) {
        let stride = self.layout.registry_stride(NAME_SIZE);
        let entry = RegistryEntry {
            available: if gone { SLOT_AVAILABLE } else { 0 },
            object_type: kind,
            reserved: [0, 0],
            pointer,
            parameters: [1, 2],
            name: name.as_bytes(),
        };
        let at = self.layout.header_bytes() + slot * stride;
        entry
            .write(self.layout, NAME_SIZE, &mut self.memory[at..])
            .unwrap();
    }

    /// The current buffer.
    pub(super) fn dump(&self) -> Vec<u8> {
        self.memory.clone()
    }

    /// The offset of a slot in the buffer.
    pub(super) fn slot_offset(&self, slot: usize) -> usize {
        self.ring_offset() + slot * self.layout.entry_bytes()
    }

    /// The slot to be written next.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    fn write(&mut self, id: u32, context: u64, info: [u64; 4]) {
        // Bits above the mask are junk that the decoder must ignore.
        let stamp = self.now & self.mask;
        let at = self.slot_offset(self.current);
        let order = self.layout.order;
        match self.layout.ulong {
            UlongSize::Four => EventEntry {
                context: context as u32,
                priority: 0x8005_0005,
                id,
                timestamp: stamp as u32,
                info: info.map(|word| word as u32),
            }
            .write(order, &mut self.memory[at..]),
            UlongSize::Eight => EventEntry {
                context,
                priority: 0x8005_0005,
                id: id.into(),
                timestamp: stamp,
                info,
            }
            .write(order, &mut self.memory[at..]),
        }
        .unwrap();
    }

    fn advance(&mut self) {
        self.logged += 1;
        self.current = (self.current + 1) % self.slots;
        self.write_header();
    }

    fn ring_offset(&self) -> usize {
        self.layout.header_bytes() + OBJECTS * self.layout.registry_stride(NAME_SIZE)
    }

    fn write_header(&mut self) {
        let base = 0x2000_8000;
        let ring = base + self.ring_offset() as u64;
        let entry = self.layout.entry_bytes() as u64;
        let header = ControlHeader {
            id: TXTB_ID,
            timer_mask: self.mask,
            base_address: base,
            registry_start: base + self.layout.header_bytes() as u64,
            reserved1: 0,
            name_size: NAME_SIZE,
            registry_end: ring,
            buffer_start: ring,
            buffer_end: ring + self.slots as u64 * entry,
            current: ring + self.current as u64 * entry,
            markers: MARKERS,
        };
        header.write(self.layout, &mut self.memory).unwrap();
    }
}

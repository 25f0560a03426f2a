//! The events of `crates/record-c/test/soak.c`, computed again.

use rtoscope_wire::cswitch::EntryKind;

/// An event as the program records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordedEvent {
    /// Ticks since the program started.
    pub(crate) time: u64,
    pub(crate) kind: EntryKind,
    /// What its kind has of thread or handler, reason, value and code address.
    pub(crate) words: [u64; 4],
    /// Number of its entries: each counts when they are lost.
    pub(crate) entries: u64,
}

/// All events, without end.
#[derive(Debug, Clone)]
pub(crate) struct RecordedEvents {
    random: u64,
    time: u64,
}

impl RecordedEvents {
    pub(crate) fn new() -> Self {
        Self { random: 1, time: 0 }
    }

    fn random_number(&mut self) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        self.random.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

impl Iterator for RecordedEvents {
    type Item = RecordedEvent;

    fn next(&mut self) -> Option<RecordedEvent> {
        let random = self.random_number();
        self.time += 1 + (random >> 16) % 13_331;
        if random >> 4 & 0xF_FFFF == 0 {
            self.time += random >> 36;
        }
        let operand = random >> 40 & 0xFF;
        let thread = 0x2000_0000 + (operand & 15) * 0x100;
        let (kind, words) = match random >> 32 & 63 {
            0 => (EntryKind::MarkerBegin, [3, operand, 0, 0]),
            1 => (EntryKind::MarkerEnd, [3, operand, 0, 0]),
            2 => (EntryKind::Formatted, [0x1000, operand, thread, 7]),
            3 => (EntryKind::SyncResume, [0x800_0000 + operand, thread, 0, 0]),
            4 | 5 => (EntryKind::Sleep, [0; 4]),
            6 => (EntryKind::Wait, [5, 0x800_0001 + operand, 0, 0]),
            _ => match (random >> 48) % 6 {
                0 => (EntryKind::SyncResume, [0, thread, 0, 0]),
                1 => (EntryKind::SyncResume, [0, operand, 0, 0]),
                2 => (EntryKind::Ready, [operand, 0, 0, 0]),
                3 => (EntryKind::Wait, [6, 0, 0, 0]),
                4 => (EntryKind::IsrEnter, [operand, 0, 0, 0]),
                _ => (EntryKind::IsrExit, [operand, 0, 0, 0]),
            },
        };
        Some(RecordedEvent {
            time: self.time,
            kind,
            words,
            entries: if kind == EntryKind::Formatted { 2 } else { 1 },
        })
    }
}

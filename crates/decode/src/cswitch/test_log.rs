//! Logs for tests.

use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{LogEntry, PointerSize};

/// The address of the buffer.
pub(super) const BUFFER_START: u64 = 0x2000_1000;
/// Pointers to the names of two threads and of the interrupt handlers.
pub(super) const NAMES: [(u64, &str); 3] = [
    (0x0800_0100, "worker"),
    (0x0800_0108, "logger"),
    (0x0800_0110, "ISR"),
];
/// The start of the code.
pub(super) const CODE_START: u64 = 0x0800_1000;

pub(super) fn entry(kind: u32, counter: u32, address: u64, name: u64) -> LogEntry {
    LogEntry {
        kind,
        counter,
        address,
        name,
    }
}

/// Repeats the same round: a thread runs and is interrupted, another one
/// disables interrupts, the processor sleeps. 12 entries per round.
pub(super) fn example_log(rounds: u32) -> Vec<LogEntry> {
    let [(worker, _), (logger, _), (isr, _)] = NAMES;
    let mut all = Vec::new();
    let mut now = 0xFFFF_FF00_u32;
    for _ in 0..rounds {
        for (kind, step, address, name) in [
            (0, 40, CODE_START, worker),
            (5, 7, CODE_START + 0x400, isr),
            (6, 21, CODE_START + 0x400, isr),
            (2, 9, CODE_START + 0x10, worker),
            (5, 33, CODE_START + 0x500, isr),
            (6, 12, CODE_START + 0x500, isr),
            (4, 5, CODE_START + 0x20, worker),
            (3, 90, CODE_START + 0x30, logger),
            (7, 8, CODE_START + 0x44, logger),
            (39, 3, CODE_START + 0x48, logger),
            (8, 14, CODE_START + 0x4C, logger),
            (1, 50, CODE_START + 4, logger),
        ] {
            now = now.wrapping_add(step);
            all.push(entry(kind, now, address, name));
        }
    }
    all
}

/// Entries as stored in memory.
pub(super) fn entry_bytes(pointer: PointerSize, order: ByteOrder, entries: &[LogEntry]) -> Vec<u8> {
    let mut bytes = vec![0; entries.len() * pointer.entry_bytes()];
    for (place, entry) in bytes.chunks_exact_mut(pointer.entry_bytes()).zip(entries) {
        entry.write(place, pointer, order).unwrap();
    }
    bytes
}

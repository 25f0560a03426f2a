use super::*;
use crate::cswitch::layout_guess::LAYOUTS;
use crate::cswitch::test_log::{BUFFER_START, NAMES, entry, entry_bytes};
use crate::memory::Memory;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;

const SLOTS: u64 = 8;

/// A ring of 8 slots after `written` entries, whose counters are 100, 110 ...
fn ring(layout: EntryLayout, written: u32) -> (Vec<u8>, u64) {
    let mut slots = vec![0; SLOTS as usize * layout.entry_bytes()];
    let mut places: Vec<_> = slots.chunks_exact_mut(layout.entry_bytes()).collect();
    for number in 0..written {
        let [(worker, _), ..] = NAMES;
        let one = entry(2, 100 + 10 * number, 0x1000, worker);
        let place = &mut places[number as usize % SLOTS as usize];
        place.copy_from_slice(&entry_bytes(layout.pointer, layout.order, &[one]));
    }
    // The article's pointer stays past the last slot until the next entry.
    let next = match u64::from(written) % SLOTS {
        0 if written > 0 => SLOTS,
        next => next,
    };
    (slots, BUFFER_START + next * layout.entry_bytes() as u64)
}

fn shape() -> EntryLayout {
    EntryLayout {
        order: ByteOrder::Little,
        pointer: PointerSize::Four,
        counter_bits: 32,
    }
}

fn buffer(layout: EntryLayout) -> LogBuffer {
    LogBuffer {
        start: BUFFER_START,
        end: BUFFER_START + SLOTS * layout.entry_bytes() as u64,
        ..LogBuffer::default()
    }
}

/// The counters, oldest first; whether the ring has wrapped; the diagnostics.
fn ordered(
    layout: EntryLayout,
    slots: &[u8],
    buffer: &LogBuffer,
) -> (Vec<u32>, bool, Vec<Diagnostic>) {
    let memory = Memory::from_file_bytes(slots);
    let mut found = Vec::new();
    let log = ordered_log(
        AddressSpace::new(&memory, Some(BUFFER_START)),
        buffer,
        layout,
        &mut found,
    );
    let entries = log
        .parts
        .iter()
        .flat_map(|part| part.bytes.chunks_exact(layout.entry_bytes()));
    let counters = entries.map(|bytes| layout.read(bytes).unwrap().counter);
    (counters.collect(), log.overwritten.is_certain(), found)
}

fn counters(from: u32, to: u32) -> Vec<u32> {
    (from..to).map(|number| 100 + 10 * number).collect()
}

#[test]
fn a_ring_gives_its_oldest_first() {
    for (pointer, order) in LAYOUTS {
        let layout = EntryLayout {
            order,
            pointer,
            counter_bits: 32,
        };
        for written in 0..30 {
            let (slots, current) = ring(layout, written);
            for cyclic in [None, Some(true)] {
                let buffer = LogBuffer {
                    current: Some(current),
                    cyclic,
                    ..buffer(layout)
                };
                let (found, wrapped, diagnostics) = ordered(layout, &slots, &buffer);
                let oldest = written.saturating_sub(SLOTS as u32);
                assert_eq!(found, counters(oldest, written), "{written} {cyclic:?}");
                assert_eq!(
                    wrapped,
                    written > SLOTS as u32 && written % SLOTS as u32 != 0
                );
                assert_eq!(diagnostics, []);
            }
        }
    }
}

#[test]
fn without_a_pointer_the_step_back_is_the_seam() {
    for written in 0..30 {
        let (slots, _) = ring(shape(), written);
        let (found, wrapped, diagnostics) = ordered(shape(), &slots, &buffer(shape()));
        let oldest = written.saturating_sub(SLOTS as u32);
        assert_eq!(found, counters(oldest, written), "{written}");
        assert_eq!(wrapped, !diagnostics.is_empty());
    }
}

#[test]
fn one_shot_stays_as_it_is() {
    let (slots, _) = ring(shape(), 5);
    let buffer = LogBuffer {
        current: Some(BUFFER_START + 4 * 16),
        cyclic: Some(false),
        ..buffer(shape())
    };
    let (found, wrapped, _) = ordered(shape(), &slots, &buffer);
    assert_eq!((found, wrapped), (counters(0, 4), false));
}

#[test]
fn a_torn_oldest_entry_is_left_out() {
    let (mut slots, current) = ring(shape(), 11);
    // The counter of entry 11 overwrites that of entry 3.
    let at = 3 * 16 + 4;
    slots[at..at + 4].copy_from_slice(&211_u32.to_le_bytes());
    let buffer = LogBuffer {
        current: Some(current),
        ..buffer(shape())
    };
    let (found, _, diagnostics) = ordered(shape(), &slots, &buffer);
    assert_eq!(found, counters(4, 11));
    assert_eq!(diagnostics[0].kind, DiagnosticKind::HalfWrittenEntry);
}

#[test]
fn a_torn_newest_entry_is_left_out() {
    let expect = |slots: &[u8], current: Option<u64>, entries: Vec<u32>| {
        let buffer = LogBuffer {
            current,
            ..buffer(shape())
        };
        let (found, _, diagnostics) = ordered(shape(), slots, &buffer);
        assert_eq!(found, entries);
        assert_eq!(diagnostics[0].kind, DiagnosticKind::HalfWrittenEntry);
    };
    // Type and counter are written, address and name are not.
    let (mut slots, _) = ring(shape(), 5);
    slots[4 * 16 + 8..5 * 16].fill(0);
    expect(&slots, None, counters(0, 4));
    // The pointer is already past an entry of the previous lap.
    let (slots, _) = ring(shape(), 11);
    expect(&slots, Some(BUFFER_START + 4 * 16), counters(4, 11));
}

#[test]
fn a_sleep_needs_no_name() {
    let (mut slots, _) = ring(shape(), 5);
    let mut last = |entry| {
        let bytes = entry_bytes(PointerSize::Four, ByteOrder::Little, &[entry]);
        slots[4 * 16..5 * 16].copy_from_slice(&bytes);
        ordered(shape(), &slots, &buffer(shape())).0
    };
    assert_eq!(last(entry(1, 140, 0x1000, 0)), counters(0, 5));
    assert_eq!(last(entry(1, 140, 0, 0)), counters(0, 4));
    assert_eq!(last(entry(2, 140, 0x1000, 0)), counters(0, 4));
}

#[test]
fn an_invalid_pointer_is_reported_and_not_followed() {
    let (slots, _) = ring(shape(), 11);
    for current in [
        0,
        BUFFER_START - 16,
        BUFFER_START + 3,
        BUFFER_START + 9 * 16,
        u64::MAX,
    ] {
        let buffer = LogBuffer {
            current: Some(current),
            ..buffer(shape())
        };
        let (found, _, diagnostics) = ordered(shape(), &slots, &buffer);
        assert_eq!(found, counters(3, 11));
        assert_eq!(diagnostics[0].kind, DiagnosticKind::CurrentPointer);
    }
}

#[test]
fn missing_memory_is_reported() {
    let (slots, current) = ring(shape(), 11);
    let buffer = LogBuffer {
        current: Some(current),
        is_wrapped: Some(true),
        ..buffer(shape())
    };
    let (found, _, diagnostics) = ordered(shape(), &slots[..5 * 16], &buffer);
    assert_eq!(found, [counters(3, 5), counters(8, 11)].concat());
    assert_eq!(diagnostics[0].kind, DiagnosticKind::MissingBytes);
    assert_eq!(diagnostics[0].count, 3);
}

//! Dumps of a ring that were not taken at one instant, or whose bytes are not those of the
//! target: the truth or an error.

use super::builders::{LAYOUTS, entries, example_log, kinds, memory, open};
use fastrand::Rng;
use rtoscope_decode::cswitch::{BufferLocation, CswitchOptions};
use rtoscope_trace::{DiagnosticKind, Severity, Trace};
use rtoscope_wire::cswitch::LogEntry;
use std::ops::Range;

const SLOTS: usize = 480;
const SIZE: usize = 16;
const BASE: u64 = 0x8000_0000;

/// The ring after `written` of some entries, and what it holds.
fn ring(log: &[LogEntry], written: usize) -> (Vec<u8>, Vec<LogEntry>) {
    let held = &log[written - SLOTS..written];
    let mut slots = held.to_vec();
    slots.rotate_right(written % SLOTS);
    let (pointer, order) = LAYOUTS[0];
    (memory(pointer, order, &slots), held.to_vec())
}

/// Decodes a ring whose pointer is to `next`.
fn decode(ring: &[u8], next: usize) -> Trace {
    let (pointer, order) = LAYOUTS[0];
    let options = CswitchOptions {
        location: BufferLocation {
            base: Some(BASE),
            start: Some(BASE),
            current: Some(BASE + (next % SLOTS * SIZE) as u64),
            end: Some(BASE + (SLOTS * SIZE) as u64),
            cyclic: Some(true),
        },
        pointer_size: Some(pointer),
        byte_order: Some(order),
        ..CswitchOptions::default()
    };
    open(ring, options).unwrap().trace
}

fn bytes_of(slots: Range<usize>) -> Range<usize> {
    slots.start * SIZE..slots.end * SIZE
}

fn has_error(trace: &Trace) -> bool {
    let mut diagnostics = trace.diagnostics.iter();
    diagnostics.any(|it| it.severity() == Severity::Error)
}

#[test]
fn a_pointer_that_is_older_than_the_ring_does_not_hide_its_seam() {
    let log = example_log(100, 0xFFFF_FF00);
    for (age, says) in [
        (2, "2 entries old"),
        (200, "200 entries old"),
        (478, "2 entries ahead"),
    ] {
        let (bytes, expected) = ring(&log, 700);
        let found = decode(&bytes, 700 + SLOTS - age);
        assert_eq!(entries(&found), expected, "{age}");
        let mut diagnostics = found.diagnostics.iter();
        let pointer = diagnostics.find(|it| it.kind == DiagnosticKind::CurrentPointer);
        assert!(pointer.unwrap().message.contains(says), "{pointer:?}");
    }
}

#[test]
fn a_ring_whose_end_is_not_in_the_input_keeps_its_older_entries() {
    let log = example_log(100, 0);
    let (bytes, expected) = ring(&log, 700);
    let found = decode(&bytes[..bytes_of(0..400).end], 700);
    // Slots 400 to 479 follow 180 older ones.
    assert_eq!(
        entries(&found),
        [&expected[..180], &expected[260..]].concat()
    );
    assert_eq!(found.gaps[0].missing, Some(80));
}

#[test]
fn slots_that_were_not_read_are_a_gap() {
    let log = example_log(100, 0);
    let (bytes, expected) = ring(&log, 700);
    for filling in [0, 0xFF] {
        let mut filled = bytes.clone();
        filled[bytes_of(300..316)].fill(filling);
        let found = decode(&filled, 700);
        assert_eq!(entries(&found), [&expected[..80], &expected[96..]].concat());
        let gaps = found.gaps.iter().map(|it| (it.next_event.0, it.missing));
        assert_eq!(gaps.collect::<Vec<_>>(), [(80, Some(16))]);
        assert!(kinds(&found).contains(&DiagnosticKind::UnusedSlots));
    }
}

#[test]
fn a_block_that_was_saved_twice_is_left_out() {
    let log = example_log(100, 0);
    let (mut bytes, expected) = ring(&log, 700);
    bytes.copy_within(bytes_of(240..256), bytes_of(256..272).start);
    let found = decode(&bytes, 700);
    assert_eq!(entries(&found), [&expected[..36], &expected[52..]].concat());
    assert!(kinds(&found).contains(&DiagnosticKind::DamagedEntries));
    assert_eq!(found.gaps[0].missing, Some(16));
}

#[test]
fn a_changed_bit_of_a_counter_does_not_move_other_entries() {
    let log = example_log(100, 0xFFFF_F000);
    let mut rng = Rng::with_seed(3);
    for case in 0..rtoscope_fixtures::cases(100) {
        let written = rng.usize(SLOTS..1200);
        let (bytes, _) = ring(&log, written);
        let sound = decode(&bytes, written);
        assert!(!has_error(&sound), "{:?}", sound.diagnostics);
        let mut changed = bytes.clone();
        // Nothing shows that the oldest or the newest entry was at another time.
        let slot = (written + rng.usize(1..SLOTS - 1)) % SLOTS;
        let bit = rng.usize(..32);
        changed[slot * SIZE + 4 + bit / 8] ^= 1 << (bit % 8);
        let found = decode(&changed, written);
        let case = format!("case {case}: bit {bit} of slot {slot}, {written} written");
        let times = |trace: &Trace| trace.events.times().collect::<Vec<_>>();
        let (span, error) = (sound.events.span().0, has_error(&found));
        assert!(error || found.events.span().0 == span, "{case}");
        assert!(error || bit < 8 || times(&found) == times(&sound), "{case}");
    }
}

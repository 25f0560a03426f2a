//! Rings whose timestamps contradict the current pointer or their neighbours.

use super::builders::*;
use fastrand::Rng;
use rtoscope_decode::threadx::TraceBuffer;
use rtoscope_generate::ThreadXOptions as Target;
use rtoscope_trace::{DiagnosticKind, Severity, Trace};

/// A ring after `events` events with a header that is `age` events old.
pub(super) fn stale_header(target: &Target, events: u64, age: u64) -> Vec<u8> {
    let mut bytes = memory(target, events);
    let header = memory(target, events - age);
    let start = ring(&bytes).start;
    bytes[..start].copy_from_slice(&header[..start]);
    bytes
}

/// Replaces aligned lines of a ring by those of an earlier state.
pub(super) fn stale_lines(
    bytes: &mut [u8],
    earlier: &[u8],
    line: usize,
    mut is_stale: impl FnMut() -> bool,
) {
    let base = TraceBuffer::parse_header(bytes)
        .unwrap()
        .header
        .base_address as usize;
    let place = ring(bytes);
    let mut start = place.start - (base + place.start) % line;
    // Nothing shows that a line with the end of the last entry only is stale.
    while start + line <= place.end {
        let part = start.max(place.start)..start + line;
        if is_stale() {
            bytes[part.clone()].copy_from_slice(&earlier[part]);
        }
        start += line;
    }
}

fn pointer_error(trace: &Trace) -> &str {
    let mut found = trace.diagnostics.iter();
    let found = found.find(|it| it.kind == DiagnosticKind::CurrentPointer);
    &found.unwrap().message
}

#[test]
fn a_header_that_is_older_than_the_ring_does_not_hide_its_seam() {
    for (age, expected) in [
        (520, "is 8 entries old"),
        (1, "newer than all others"),
        (160, "is 160 entries old"),
        (511, "is 1 entry ahead"),
    ] {
        let target = target(5);
        let sound = decode(&memory(&target, 2900));
        let found = decode(&stale_header(&target, 2900, age));
        assert_eq!(rows(&found), rows(&sound));
        assert_eq!(found.events.span().0, 504_599);
        assert_eq!(found.clock.wraps, 0);
        assert!(found.gaps.is_empty());
        let message = pointer_error(&found);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_ring_with_unused_slots_and_an_old_header_begins_at_its_first_slot() {
    let target = target(5);
    let sound = decode(&memory(&target, 400));
    let found = decode(&stale_header(&target, 400, 150));
    assert_eq!(rows(&found), rows(&sound));
    assert!(pointer_error(&found).contains("is 150 entries old"));
    assert!(!has(&found, DiagnosticKind::Overwritten));
}

#[test]
fn stale_lines_are_gaps() {
    let target = target(5);
    let all = truth(&target, 2900);
    let sound = decode(&memory(&target, 2900));
    for (share, line) in [(2, 32), (30, 32), (40, 32), (10, 64), (30, 64)] {
        let mut rng = Rng::with_seed(share);
        // Every entry is in two lines of 32 bytes.
        let mut bytes = moved(memory(&target, 2900), 0x10);
        stale_lines(&mut bytes, &memory(&target, 2380), line, || {
            rng.u64(..100) < share
        });
        let found = decode(&bytes);
        expect_truth_or_error(&found, &all, &sound, "stale lines");
        let mut damage = found.diagnostics.iter();
        let damage = damage.find(|it| it.kind == DiagnosticKind::DamagedEntries);
        let damage = damage.unwrap();
        assert_eq!(damage.count as usize, SLOTS - found.events.len());
        assert!(!has(&found, DiagnosticKind::BackwardStep));
        assert!(!has(&found, DiagnosticKind::UnregisteredThread));
        // Entries before the oldest that is left, or after the newest, are no gap.
        let missing: u64 = found.gaps.iter().filter_map(|gap| gap.missing).sum();
        assert!((damage.count - 16..=damage.count).contains(&missing));
    }
}

#[test]
fn a_jump_of_the_clock_is_a_gap_of_unknown_duration() {
    // Two runs that do not follow one another, with the pointer between neither.
    let target = target(9);
    let bytes = memory(&target, 2900);
    let mut mixed = bytes.clone();
    let (low, high) = (slot(&bytes, 100), slot(&bytes, 250));
    mixed[low.start..low.start + 150 * 32]
        .copy_from_slice(&bytes[high.start..high.start + 150 * 32]);
    mixed[high.start..high.start + 150 * 32]
        .copy_from_slice(&bytes[low.start..low.start + 150 * 32]);
    let found = decode(&mixed);
    let jump = found
        .diagnostics
        .iter()
        .find(|it| it.kind == DiagnosticKind::ClockJump);
    assert_eq!(jump.unwrap().severity(), Severity::Error);
    assert!(!has(&found, DiagnosticKind::BackwardStep));
    assert!(!found.gaps.is_empty());
}

#[test]
fn the_clock_may_wrap_between_a_header_and_its_ring() {
    let mut rng = Rng::with_seed(3);
    for case in 0..rtoscope_fixtures::cases(40) {
        let mut target = target(rng.u64(..));
        target.count_down = rng.bool();
        let mut bytes = memory(&target, 1500);
        let mut old = memory(&target, 1500 - rng.u64(1..1400));
        // The clock wraps at one of the entries.
        let stamp = |bytes: &[u8], number: usize| {
            let at = slot(bytes, number).start + 12;
            u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
        };
        let offset = stamp(&bytes, rng.usize(..SLOTS));
        for state in [&mut bytes, &mut old] {
            for number in 0..SLOTS {
                let moved = stamp(state, number).wrapping_sub(offset);
                let at = slot(state, number).start + 12;
                state[at..at + 4].copy_from_slice(&moved.to_le_bytes());
            }
        }
        let sound = decode(&bytes);
        let start = ring(&bytes).start;
        bytes[..start].copy_from_slice(&old[..start]);
        let found = decode(&bytes);
        expect_truth_or_error(&found, &rows(&sound), &sound, &format!("case {case}"));
    }
}

#[test]
fn dumps_of_a_running_target_are_true_or_an_error() {
    let mut rng = Rng::with_seed(1);
    for case in 0..rtoscope_fixtures::cases(150) {
        let target = any_target(&mut rng);
        let events = rng.u64(700..1500);
        let most = rng.u64(1..1200);
        let all_events = Target {
            capacity: None,
            ..target.clone()
        };
        let log = memory(&all_events, events + most);
        // The header is read first, then piece after piece.
        let mut bytes = memory(&target, events);
        let entry = slot(&bytes, 0).len();
        let piece = 1 << rng.usize(0..9);
        for number in 0..SLOTS {
            let now = events as usize + most as usize * (number / piece * piece) / SLOTS;
            let newest = now - 1 - (now - 1 - number) % SLOTS;
            let place = slot(&bytes, number);
            let from = ring(&log).start + newest * entry;
            bytes[place].copy_from_slice(&log[from..from + entry]);
        }
        let sound = decode(&memory(&target, events));
        let all = truth(&target, events + most);
        let found = decode(&bytes);
        let case = format!("case {case}: {events} + {most}, pieces of {piece}: {target:?}");
        if has_error(&found) || rows(&found) == rows(&sound) {
            expect_truth_or_error(&found, &all, &sound, &case);
        } else {
            // Whole laps passed between pieces, so that no timestamp falls: nothing shows
            // that events are missing.
            expect_true_order(&found, &all, &case, |row| *row);
            assert_eq!(found.events.len(), SLOTS, "{case}");
        }
    }
}

#[test]
fn stale_headers_and_lines_are_true_or_an_error() {
    let mut rng = Rng::with_seed(2);
    for case in 0..rtoscope_fixtures::cases(150) {
        let target = any_target(&mut rng);
        let events = rng.u64(1200..2000);
        let sound = decode(&memory(&target, events));
        let all = truth(&target, events);
        let age = rng.u64(0..1000);
        let mut bytes = match rng.bool() {
            true => stale_header(&target, events, age),
            false => memory(&target, events),
        };
        let has_stale_lines = rng.bool();
        // Nothing shows that a line of information fields alone is stale.
        let mut has_short_lines = false;
        if has_stale_lines {
            // The header of an entry is in one line.
            let header = 4 * target.layout.ulong.bytes();
            let line = header << rng.u8(..3);
            has_short_lines = line == header;
            let share = rng.u32(1..300);
            bytes = moved(bytes, if rng.bool() { header as u64 } else { 0 });
            let earlier = memory(&target, events - SLOTS as u64);
            stale_lines(&mut bytes, &earlier, line, || rng.u32(..1000) < share);
        }
        let found = decode(&bytes);
        let case = format!("case {case}, age {age}: {target:?}");
        let kinds = [
            DiagnosticKind::CurrentPointer,
            DiagnosticKind::DamagedEntries,
        ];
        if has_short_lines || has_stale_lines && kinds.iter().any(|kind| has(&found, *kind)) {
            // Without a pointer, stale entries at the seam follow those on its other side.
            // Beside stale entries, the fields of others may be stale.
            expect_true_order(&found, &all, &case, |row| (row.0, row.1, row.2));
        } else {
            expect_truth_or_error(&found, &all, &sound, &case);
        }
    }
}

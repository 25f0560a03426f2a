//! Dumps of a running target that arrive one after the other.

use super::builders::*;
use super::order::{stale_header, stale_lines};
use fastrand::Rng;
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_trace::{DiagnosticKind, Trace};
use std::collections::BTreeSet;

fn decode_live(dumps: &[Vec<u8>]) -> Trace {
    let mut live = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: Some(rtoscope_decode::threadx::FORMAT),
        max_events: 1 << 20,
    });
    for (dump, at) in dumps.iter().zip(0..) {
        live.push(dump, HostTime(at));
    }
    live.connection_lost();
    while live.next_update().unwrap().is_some() {}
    live.window(u64::MAX).unwrap().decode().unwrap().trace
}

/// One of the faults of a dump that was not taken at one instant.
fn fault(
    bytes: &mut Vec<u8>,
    target: &rtoscope_generate::ThreadXOptions,
    events: u64,
    rng: &mut Rng,
) -> String {
    match rng.u8(..4) {
        0 => {
            let age = rng.u64(2..500);
            *bytes = stale_header(target, events, age);
            format!("header {age} events old")
        }
        1 => {
            let line = (4 * target.layout.ulong.bytes()) << rng.u8(..3);
            let share = rng.u32(1..200);
            let earlier = memory(target, events - SLOTS as u64);
            stale_lines(bytes, &earlier, line, || rng.u32(..1000) < share);
            format!("{share} of 1000 lines stale")
        }
        2 => {
            let first = rng.usize(..SLOTS - 8);
            let filled = slot(bytes, first).start..slot(bytes, first + 8).start;
            bytes[filled].fill([0x00, 0xFF, 0xA5][rng.usize(..3)]);
            format!("filled from slot {first}")
        }
        _ => {
            let swapped = rng.usize(..SLOTS / 2);
            let (one, other) = (slot(bytes, swapped), slot(bytes, swapped + SLOTS / 2));
            let kept = bytes[one.clone()].to_vec();
            bytes.copy_within(other.clone(), one.start);
            bytes[other].copy_from_slice(&kept);
            format!("slot {swapped} swapped")
        }
    }
}

#[test]
fn a_dump_says_the_same_as_a_file() {
    let errors = |trace: &Trace| -> BTreeSet<String> {
        let all = trace.diagnostics.iter();
        let kinds = all.map(|it| it.kind.name().to_owned());
        let kinds = kinds.filter(|it| {
            ["current-pointer", "damaged-entries", "clock-jump", "gap"].contains(&it.as_str())
        });
        kinds.collect()
    };
    let mut rng = Rng::with_seed(7);
    for case in 0..rtoscope_fixtures::cases(60) {
        let target = any_target(&mut rng);
        let events = rng.u64(1200..2000);
        let mut bytes = memory(&target, events);
        let fault = fault(&mut bytes, &target, events, &mut rng);
        let (file, live) = (decode(&bytes), decode_live(&[bytes]));
        let case = format!("case {case}: {fault} after {events}, {target:?}");
        assert_eq!(errors(&live), errors(&file), "{case}");
        assert_eq!(rows(&live), rows(&file), "{case}");
        assert_eq!(live.events.span(), file.events.span(), "{case}");
        assert_eq!(live.gaps, file.gaps, "{case}");
    }
}

#[test]
fn what_a_damaged_dump_lacks_comes_with_the_next_or_is_a_gap() {
    let mut rng = Rng::with_seed(8);
    for case in 0..rtoscope_fixtures::cases(60) {
        let target = any_target(&mut rng);
        let first = rng.u64(1200..1500);
        let second = first + rng.u64(1..400);
        let third = second + rng.u64(1..400);
        let mut damaged = memory(&target, second);
        let fault = fault(&mut damaged, &target, second, &mut rng);
        let dumps = [memory(&target, first), damaged, memory(&target, third)];
        let found = decode_live(&dumps);
        let case = format!("case {case}: {fault}, {first}, {second}, {third}: {target:?}");
        let all = truth(&target, third);
        let stale = fault.contains("stale");
        // Beside stale entries, the fields of others may be stale.
        expect_true_order(&found, &all, &case, |row| match stale {
            true => (row.0, row.1, row.2, [0; 4]),
            false => *row,
        });
        if !has_error(&found) {
            let start = all.len() - third as usize + first as usize - SLOTS;
            assert_eq!(rows(&found), all[start..], "{case}");
        }
    }
}

#[test]
fn an_entry_that_is_being_written_is_no_damage() {
    let target = target(5);
    let bytes = stale_header(&target, 2900, 1);
    let found = decode_live(&[bytes, memory(&target, 2950)]);
    assert!(!has(&found, DiagnosticKind::CurrentPointer));
    assert!(found.gaps.is_empty());
    let all = truth(&target, 2950);
    assert_eq!(rows(&found), all[all.len() - found.events.len()..]);
}

//! Sound dumps have none of the diagnostics of unsound ones.

use super::builders::*;
use fastrand::Rng;
use rtoscope_generate::ThreadXOptions as Target;
use rtoscope_trace::{DiagnosticKind, Trace};

const KINDS: [DiagnosticKind; 4] = [
    DiagnosticKind::CurrentPointer,
    DiagnosticKind::DamagedEntries,
    DiagnosticKind::DamagedRegistry,
    DiagnosticKind::ClockJump,
];

fn expect_sound(trace: &Trace, case: &str) {
    let mut diagnostics = trace.diagnostics.iter();
    let found = diagnostics.find(|it| KINDS.contains(&it.kind));
    assert_eq!(found, None, "{case}");
    assert!(trace.gaps.is_empty(), "{case}: {:?}", trace.gaps);
}

#[test]
fn generated_dumps_are_sound() {
    let mut rng = Rng::with_seed(4);
    for case in 0..rtoscope_fixtures::cases(1000) {
        let mut target = any_target(&mut rng);
        target.clock_bits = if rng.bool() { 32 } else { rng.u8(12..32) };
        target.cores = if rng.u8(..4) == 0 { 2 } else { 1 };
        target.thread_control = target.cores == 1 && rng.u8(..4) == 0;
        target.capacity = Some(rng.u64(10..700));
        let events = rng.u64(10..1500);
        let found = decode(&memory(&target, events));
        expect_sound(&found, &format!("case {case}: {events} of {target:?}"));
    }
}

#[test]
fn recordings_of_real_kernels_are_sound() {
    for path in rtoscope_fixtures::recordings("threadx") {
        let bytes = std::fs::read(&path).unwrap();
        if path.extension().is_some_and(|it| it == "trx") {
            expect_sound(&decode(&bytes), &path.display().to_string());
        }
    }
}

#[test]
fn a_long_pause_is_no_fall() {
    let target = Target {
        clock_bits: 32,
        ..target(11)
    };
    let mut bytes = memory(&target, 1500);
    let start = ring(&bytes).start;
    // Every entry from the newest hundred on is half an hour later.
    for number in 0..SLOTS {
        let is_late = (1400 % SLOTS..1400 % SLOTS + 100).contains(&number);
        let at = start + number * 32 + 12;
        let stamp = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let moved = stamp.wrapping_add(if is_late { 1_800_000_000 } else { 0 });
        bytes[at..at + 4].copy_from_slice(&moved.to_le_bytes());
    }
    expect_sound(&decode(&bytes), "a pause");
}

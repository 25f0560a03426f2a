//! Dumps with bytes that the target did not write.

use super::builders::*;
use fastrand::Rng;
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_decode::{BufferChoice, threadx};
use rtoscope_generate::ThreadXOptions as Target;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Trace};

fn small() -> (Vec<u8>, u64) {
    let target = Target {
        threads: 3,
        seed: 7,
        ..Target::default()
    };
    (memory(&target, 150), 202_465)
}

fn large() -> (Vec<u8>, u64) {
    let target = Target {
        threads: 4,
        seed: 3,
        ..Target::default()
    };
    (memory(&target, 900), 853_243)
}

fn damage(trace: &Trace) -> &Diagnostic {
    let mut found = trace.diagnostics.iter();
    found
        .find(|it| it.kind == DiagnosticKind::DamagedEntries)
        .unwrap_or_else(|| panic!("{:?}", trace.diagnostics))
}

/// The event without its arguments.
fn header(row: &Row) -> (u64, u32, u64) {
    (row.0, row.1, row.2)
}

#[test]
fn a_transfer_that_changes_bytes_is_named() {
    let (bytes, span) = small();
    let all = rows(&decode(&bytes));
    let without = |lost: &[u8]| -> Vec<u8> {
        let kept = bytes.iter().copied().filter(|byte| !lost.contains(byte));
        kept.collect()
    };
    let expanded = bytes.iter().flat_map(|byte| match byte {
        0x0A => vec![0x0D, 0x0A],
        other => vec![*other],
    });
    let mut one_less = bytes.clone();
    one_less.remove(2000);
    let mut one_more = bytes.clone();
    one_more.insert(2000, 0x5A);
    for (case, changed, cause) in [
        ("crlf", expanded.collect(), "every 0x0a follows a 0x0d"),
        ("nocr", without(&[0x0D]), "no byte is 0x0d"),
        ("xon", without(&[0x11, 0x13]), "no byte is 0x11 or 0x13"),
        ("lost", one_less, "1 byte was lost before offset"),
        ("extra", one_more, "1 byte was inserted before offset"),
    ] {
        let found = decode(&changed);
        expect_true_order(&found, &all, case, |row| *row);
        assert_eq!(found.events.span().0, span, "{case}");
        assert!(found.events.len() >= 130, "{case}: {}", found.events.len());
        let message = &damage(&found).message;
        assert!(message.contains(cause), "{case}: {message}");
        assert!(!has(&found, DiagnosticKind::UnregisteredThread), "{case}");
    }
    let stripped: Vec<u8> = bytes.iter().map(|byte| byte & 0x7F).collect();
    let found = decode(&stripped);
    assert!(found.events.is_empty());
    let message = &damage(&found).message;
    assert!(message.contains("7 data bits"), "{message}");
}

#[test]
fn damaged_pointers_of_the_header_are_named() {
    /// Words of the header: its address, then the ends of the registry and of the ring.
    const WORDS: [usize; 5] = [2, 3, 5, 6, 7];
    let (bytes, _) = large();
    let all = decode(&bytes);
    assert!(!has(&all, DiagnosticKind::OddHeader));
    let ring = ring(&bytes);
    for (word, bit) in WORDS
        .into_iter()
        .flat_map(|word| (4..16).map(move |bit| (word, bit)))
    {
        let mut changed = bytes.clone();
        changed[4 * word + bit / 8] ^= 1 << (bit % 8);
        let opened = threadx::open(Input::new(&changed), BufferChoice::First);
        let Ok(decoded) = opened.and_then(|it| it.decode(&ThreadXOptions::default())) else {
            continue;
        };
        let found = decoded.trace;
        let case = format!("word {word}, bit {bit}: {:?}", found.diagnostics);
        if word == 7 {
            let mut kinds = found.diagnostics.iter().map(|it| it.kind);
            assert!(kinds.any(|it| it != DiagnosticKind::Overwritten && it != DiagnosticKind::ExtraBytes), "{case}");
        } else {
            assert!(has(&found, DiagnosticKind::OddHeader), "{case}");
            assert!(rows(&found) == rows(&all), "{case}");
            assert_eq!(decoded.buffer.events_address(), ring.start as u64, "{case}");
        }
    }
}

/// Offsets in an entry with 4-byte words, little endian.
const CORE_BYTE: usize = 11;
const LAST_STAMP_BYTE: usize = 15;

#[test]
fn a_bit_that_changes_a_core_or_a_time_costs_one_entry() {
    let (bytes, span) = large();
    let all = rows(&decode(&bytes));
    for number in (1..899).step_by(37) {
        for byte in [CORE_BYTE, LAST_STAMP_BYTE] {
            let bit = number % 8;
            let mut changed = bytes.clone();
            changed[slot(&bytes, number).start + byte] ^= 1 << bit;
            let found = decode(&changed);
            let case = format!("entry {number}, byte {byte}, bit {bit}");
            assert_eq!(damage(&found).count, 1, "{case}");
            assert_eq!(found.events.span().0, span, "{case}");
            let mut left = all.clone();
            left.remove(number);
            assert_eq!(rows(&found), left, "{case}");
        }
    }
}

#[test]
fn entries_after_inserted_or_lost_bytes_are_found_again() {
    let (bytes, span) = large();
    let all = rows(&decode(&bytes));
    let place = slot(&bytes, 300).start;
    let mut inserted = bytes.clone();
    inserted.insert(place, 0);
    let mut lost = bytes.clone();
    lost.drain(place..place + 4);
    for changed in [inserted, lost] {
        let found = decode(&changed);
        expect_true_order(&found, &all, "slip", |row| *row);
        assert!(found.events.len() >= 899, "{}", found.events.len());
        assert_eq!(rows(&found)[..299], all[..299]);
        assert_eq!(found.events.span().0, span);
        damage(&found);
    }
}

#[test]
fn filled_entries_are_a_gap() {
    let (bytes, span) = large();
    let all = rows(&decode(&bytes));
    for filling in [0xFF, 0x00, 0xA5, 0xCC] {
        let mut filled = bytes.clone();
        let place = slot(&bytes, 256).start..slot(&bytes, 264).start;
        filled[place].fill(filling);
        let found = decode(&filled);
        let expected = [&all[..256], &all[264..]].concat();
        assert_eq!(rows(&found), expected, "{filling:#x}");
        assert_eq!(found.events.span().0, span);
        let gaps = found.gaps.iter().map(|it| (it.next_event.0, it.missing));
        assert_eq!(gaps.collect::<Vec<_>>(), [(256, Some(8))]);
        let damage = damage(&found);
        assert_eq!(damage.count, 8);
        assert!(
            damage.message.contains(&format!("{filling:#04x}")),
            "{}",
            damage.message
        );
    }
}

#[test]
fn a_block_that_was_saved_twice_is_left_out() {
    let target = target(5);
    let bytes = memory(&target, 2900);
    let all = rows(&decode(&bytes));
    let mut twice = bytes.clone();
    let block = slot(&bytes, 360).start..slot(&bytes, 375).end;
    twice.copy_within(block, slot(&bytes, 376).start);
    let found = decode(&twice);
    // The oldest event is in slot 340.
    assert_eq!(rows(&found), [&all[..36], &all[52..]].concat());
    assert_eq!(damage(&found).count, 16);
    assert_eq!(found.gaps[0].missing, Some(16));
    // The block begins and ends within entries.
    let mut twice = bytes.clone();
    let block = slot(&bytes, 360).start + 4..slot(&bytes, 376).start + 4;
    twice.copy_within(block, slot(&bytes, 376).start + 4);
    let found = decode(&twice);
    assert_eq!(rows(&found)[37..], all[53..]);
    assert_eq!(damage(&found).count, 16);
}

#[test]
fn a_time_far_from_those_around_it_costs_one_entry_of_a_short_recording() {
    let (bytes, span) = small();
    let all = rows(&decode(&bytes));
    for (number, bit) in [(3, 3), (70, 4), (146, 7)] {
        let mut changed = bytes.clone();
        changed[slot(&bytes, number).start + LAST_STAMP_BYTE] ^= 1 << bit;
        let found = decode(&changed);
        assert_eq!(damage(&found).count, 1, "entry {number}, bit {bit}");
        assert_eq!(found.events.span().0, span, "entry {number}, bit {bit}");
        let mut left = all.clone();
        left.remove(number);
        assert_eq!(rows(&found), left, "entry {number}, bit {bit}");
    }
}

#[test]
fn impossible_types_in_the_registry_are_reported() {
    let (mut bytes, _) = small();
    let mut no_address = bytes.clone();
    // The type of the second object, and the address of an object.
    bytes[48 + 48 + 1] = 0xC3;
    no_address[48 + 48 + 4..][..4].fill(0);
    for changed in [bytes, no_address] {
        let found = decode(&changed);
        assert!(has(&found, DiagnosticKind::DamagedRegistry));
        assert!(!has(&found, DiagnosticKind::DamagedEntries));
    }
}

#[test]
fn slips_and_fillings_anywhere_are_true_or_an_error() {
    let mut rng = Rng::with_seed(6);
    for case in 0..rtoscope_fixtures::cases(200) {
        let target = any_target(&mut rng);
        let events = rng.u64(300..1500);
        let mut bytes = memory(&target, events);
        let sound = decode(&bytes);
        let all = rows(&sound);
        let used = slot(&bytes, 0).start..slot(&bytes, SLOTS.min(events as usize) - 1).end;
        let name = match rng.u8(..3) {
            0 => {
                let at = rng.usize(used.clone());
                let count = rng.usize(1..32).min(bytes.len() - at);
                bytes.drain(at..at + count);
                format!("{count} bytes lost at {at}")
            }
            1 => {
                let at = rng.usize(used.clone());
                let added: Vec<u8> = (0..rng.usize(1..32)).map(|_| rng.u8(..)).collect();
                let count = added.len();
                bytes.splice(at..at, added);
                format!("{count} bytes inserted at {at}")
            }
            _ => {
                let entry = slot(&bytes, 0).len();
                // Nothing shows that information fields alone are filled.
                let at = used.start + rng.usize(..=(used.len() - 2 * entry) / 16) * 16;
                let length = 2 * entry + rng.usize(..40) * 16;
                let filling = [0x00, 0xFF, 0xA5][rng.usize(..3)];
                let end = (at + length).min(used.end);
                bytes[at..end].fill(filling);
                format!("{filling:#x} at {at}..{end}")
            }
        };
        let found = decode(&bytes);
        let case = format!("case {case}: {name} of {events}, {target:?}");
        // Nothing shows that bytes were inserted into an entry without information fields.
        let untrue = untrue_rows(&found, &all, header);
        assert!(untrue.len() <= 1, "{case}: {untrue:x?}");
        if !has_error(&found) {
            assert_eq!(found.events.span(), sound.events.span(), "{case}");
            assert_eq!(rows(&found), all, "{case}");
        }
    }
}

#[test]
fn a_bit_in_a_time_costs_one_entry_on_several_cores() {
    let bytes = std::fs::read(rtoscope_fixtures::testdata("threadx/smp32_cores.trx")).unwrap();
    let sound = decode(&bytes);
    for (number, bit) in [(64, 2), (200, 3), (500, 5), (900, 7)] {
        let mut changed = bytes.clone();
        changed[slot(&bytes, number).start + LAST_STAMP_BYTE] ^= 1 << bit;
        let found = decode(&changed);
        assert_eq!(damage(&found).count, 1, "entry {number}, bit {bit}");
        assert_eq!(found.events.span(), sound.events.span(), "{number}");
    }
}

//! Damage affects only the damaged part.

use super::encode;
use super::memory::{Bytes, bytes, known_bytes, split_blocks};
use proptest::prelude::*;
use proptest::sample::Index;
use rtoscope_decode::container::{self, Container};
use rtoscope_decode::source::Input;
use rtoscope_trace::DiagnosticKind;

/// Maximum number of bytes that `*` lines of a hex dump represent.
const MAX_REPEATED_BYTES: u64 = 64 << 20;

/// Changes one digit after the first `skipped` characters of a line.
fn change_digit(line: &mut String, skipped: usize, at: Index, step: u32) {
    let at = skipped + at.index(line.len() - skipped);
    let digit = line[at..=at]
        .chars()
        .next()
        .and_then(|digit| digit.to_digit(16));
    let changed = (digit.expect("a digit") + step) % 16;
    line.replace_range(at..=at, &format!("{changed:X}"));
}

/// The bytes that remain if the bytes of a record at `lost` are missing.
fn without(bytes: &Bytes, (address, lost): &(u64, Vec<u8>)) -> Bytes {
    let lost = *address..address + lost.len() as u64;
    let kept = bytes.iter().filter(|(address, _)| !lost.contains(address));
    kept.map(|(address, byte)| (*address, *byte)).collect()
}

fn expect_one_bad_record(lines: &[String], container: Container, expected: &Bytes) {
    let text = lines.join("\n");
    let image = container::read(Input::new(text.as_bytes())).expect("other records are sound");
    assert_eq!(image.container, container);
    let found: Vec<_> = image
        .diagnostics
        .iter()
        .map(|found| (found.kind, found.count))
        .collect();
    assert_eq!(found, [(DiagnosticKind::BadRecord, 1)]);
    assert_eq!(known_bytes(&image.memory), *expected);
}

#[derive(Debug, Clone)]
enum Damage {
    Cut(Index),
    Change(Index, u8),
    Insert(Index, u8),
    RepeatLine(Index, Index),
    SwapLines(Index, Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<Index>().prop_map(Damage::Cut),
        any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Change(at, byte)),
        any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Insert(at, byte)),
        any::<(Index, Index)>().prop_map(|(from, to)| Damage::RepeatLine(from, to)),
        any::<(Index, Index)>().prop_map(|(one, other)| Damage::SwapLines(one, other)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Self::Change(at, byte) => *at.get_mut(bytes) = *byte,
            Self::Insert(at, byte) => bytes.insert(at.index(bytes.len()), *byte),
            Self::RepeatLine(from, to) => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let line = *from.get(&lines);
                lines.insert(to.index(lines.len()), line);
                *bytes = lines.concat();
            }
            Self::SwapLines(one, other) => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
                *bytes = lines.concat();
            }
        }
    }
}

/// A container with the bytes.
fn packed(bytes: &Bytes, flavour: u8) -> Vec<u8> {
    match flavour % 9 {
        0 => encode::intel_hex(bytes, 16, true, 1)
            .join("\n")
            .into_bytes(),
        1 => encode::s_record(bytes, 32, 4, 1).join("\n").into_bytes(),
        2 => encode::xxd(bytes).into_bytes(),
        3 => encode::hexdump(bytes).into_bytes(),
        4 => encode::gdb(bytes, 1, false).into_bytes(),
        5 => encode::gdb(bytes, 4, false).into_bytes(),
        6 => encode::gdb(bytes, 8, true).into_bytes(),
        7 => encode::elf_core(bytes),
        _ => encode::gzip(encode::xxd(bytes).as_bytes()),
    }
}

proptest! {
    #[test]
    fn a_changed_digit_costs_one_hex_record(
        bytes in bytes(0..0x1_0000),
        which: Index, at: Index, step in 1..16_u32,
    ) {
        const MAX_RECORD_BYTES: usize = 8;
        // All in one block: each line except the last is a data record.
        let bytes: Bytes = bytes.into_iter().filter(|(address, _)| *address < 0x1_0000).collect();
        let pieces = split_blocks(&bytes, MAX_RECORD_BYTES, 1 << 16);
        prop_assume!(pieces.len() > 1);
        let mut lines = encode::intel_hex(&bytes, MAX_RECORD_BYTES, true, 0);
        let hit = which.index(pieces.len());
        change_digit(&mut lines[hit], 1, at, step);
        expect_one_bad_record(&lines, Container::IntelHex, &without(&bytes, &pieces[hit]));
    }

    #[test]
    fn a_changed_digit_costs_one_s_record(
        bytes in bytes(0..0xFFFF_0000),
        which: Index, at: Index, step in 1..16_u32,
    ) {
        const MAX_RECORD_BYTES: usize = 8;
        let pieces = split_blocks(&bytes, MAX_RECORD_BYTES, u64::MAX);
        prop_assume!(pieces.len() > 1);
        let mut lines = encode::s_record(&bytes, MAX_RECORD_BYTES, 4, 0);
        let hit = which.index(pieces.len());
        // The type of a record is not part of its checksum.
        change_digit(&mut lines[hit], 2, at, step);
        expect_one_bad_record(&lines, Container::SRecord, &without(&bytes, &pieces[hit]));
    }

    #[test]
    fn damaged_containers_never_grow_or_panic(
        bytes in bytes(0..0xFFFF_0000),
        flavour: u8,
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let mut packed = packed(&bytes, flavour);
        damages.iter().for_each(|damage| damage.apply(&mut packed));
        if let Ok(image) = container::read(Input::new(packed.as_slice())) {
            // Deflate expands at most 1032 times.
            let most = 1032 * packed.len() as u64 + MAX_REPEATED_BYTES;
            prop_assert!(image.memory.total_bytes() <= most);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, text in "[:S0-9A-Fx|*\r\n <>-]{0,400}") {
        let _ = container::read(Input::new(bytes));
        let _ = container::read(Input::new(text.into_bytes()));
    }
}

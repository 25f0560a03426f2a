//! Small encoders of every container.

use super::memory::{Bytes, split_blocks};
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

fn hex_record(address: u16, kind: u8, bytes: &[u8]) -> String {
    let record = [
        &[bytes.len() as u8],
        &address.to_be_bytes()[..],
        &[kind],
        bytes,
    ]
    .concat();
    format!(":{}{:02X}", digits(&record), sum(&record).wrapping_neg())
}

/// Intel HEX lines: data records of up to `max` bytes in an order that depends
/// on `seed`, each preceded by a segment (type 2) or linear (type 4) address if
/// needed, and the end record.
pub(crate) fn intel_hex(bytes: &Bytes, most: usize, linear: bool, seed: u64) -> Vec<String> {
    let mut pieces = split_blocks(bytes, most, 1 << 16);
    pieces.sort_by_key(|(address, _)| address.wrapping_mul(seed | 1));
    let mut lines = Vec::new();
    let mut upper = 0;
    for (address, bytes) in pieces {
        if address >> 16 != upper {
            upper = address >> 16;
            let (kind, base) = match linear {
                true => (4, upper as u16),
                false => (2, (upper << 12) as u16),
            };
            lines.push(hex_record(0, kind, &base.to_be_bytes()));
        }
        lines.push(hex_record(address as u16, 0, &bytes));
    }
    lines.push(hex_record(0, 1, &[]));
    lines
}

/// S-record lines with addresses of `width` bytes (2 to 4).
pub(crate) fn s_record(bytes: &Bytes, most: usize, width: usize, seed: u64) -> Vec<String> {
    let record = |kind: usize, address: u64, bytes: &[u8]| {
        let address = address.to_be_bytes();
        let address = &address[address.len() - width..];
        let count = (width + bytes.len() + 1) as u8;
        let record = [&[count], address, bytes].concat();
        format!("S{kind}{}{:02X}", digits(&record), !sum(&record))
    };
    let mut pieces = split_blocks(bytes, most, u64::MAX);
    pieces.sort_by_key(|(address, _)| address.wrapping_mul(seed | 1));
    let data = pieces.iter();
    let mut lines: Vec<String> = data
        .map(|(address, bytes)| record(width - 1, *address, bytes))
        .collect();
    lines.push(record(11 - width, 0, &[]));
    lines
}

pub(crate) fn shown(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    };
    bytes.iter().map(letter).collect()
}

/// The output of `xxd`.
pub(crate) fn xxd(bytes: &Bytes) -> String {
    let mut text = String::new();
    for (address, bytes) in split_blocks(bytes, 16, u64::MAX) {
        let pairs: Vec<String> = bytes
            .chunks(2)
            .map(|pair| digits(pair).to_lowercase())
            .collect();
        let _ = writeln!(
            text,
            "{address:08x}: {:<39}  {}",
            pairs.join(" "),
            shown(&bytes)
        );
    }
    text
}

/// The output of `hexdump -C` for one run of bytes.
pub(crate) fn hexdump(bytes: &Bytes) -> String {
    let mut text = String::new();
    let mut before = Vec::new();
    for (address, bytes) in split_blocks(bytes, 16, u64::MAX) {
        if bytes != before {
            let values: Vec<String> = bytes
                .chunks(8)
                .map(|half| {
                    let values: Vec<String> =
                        half.iter().map(|byte| format!("{byte:02x}")).collect();
                    values.join(" ")
                })
                .collect();
            let _ = writeln!(
                text,
                "{address:08x}  {:<48}  |{}|",
                values.join("  "),
                shown(&bytes)
            );
            before = bytes;
        } else if !text.ends_with("*\n") {
            text.push_str("*\n");
        }
    }
    let end = bytes.last_key_value().map_or(0, |(address, _)| address + 1);
    let _ = writeln!(text, "{end:08x}");
    text
}

/// GDB's output of words of `width` bytes (`x/xb`, `xh`, `xw`, `xg`).
pub(crate) fn gdb(bytes: &Bytes, width: usize, big: bool) -> String {
    let mut text = String::new();
    for (address, bytes) in split_blocks(bytes, 16, u64::MAX) {
        let _ = write!(text, "{address:#x} <buffer+{}>:", address & 0xFF);
        for word in bytes.chunks(width) {
            let mut word = word.to_vec();
            word.resize(width, 0);
            if !big {
                word.reverse();
            }
            let _ = write!(text, "\t0x{}", digits(&word).to_lowercase());
        }
        text.push('\n');
    }
    text
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// A little-endian core file of 64-bit class, one program header per run.
pub(crate) fn elf_core(bytes: &Bytes) -> Vec<u8> {
    let runs = split_blocks(bytes, usize::MAX, u64::MAX);
    let mut file = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x28\0\x01\0\0\0".to_vec();
    for word in [0_u64, 64, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend([0; 4]);
    for half in [64_u16, 56, runs.len() as u16, 0, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    let mut offset = 64 + 56 * runs.len() as u64;
    for (address, bytes) in &runs {
        let length = bytes.len() as u64;
        file.extend([1, 0, 0, 0, 6, 0, 0, 0]);
        for word in [offset, *address, *address, length, length, 1] {
            file.extend(word.to_le_bytes());
        }
        offset += length;
    }
    runs.iter().for_each(|(_, bytes)| file.extend(bytes));
    file
}

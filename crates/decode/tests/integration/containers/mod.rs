//! Everything packed into a container is unpacked again, intact or damaged.

mod damage;
mod dumps;
mod encode;
mod forms;
mod memory;
mod recordings;

use memory::{Bytes, bytes, known_bytes, run};
use proptest::prelude::*;
use rtoscope_decode::container::{self, Container};
use rtoscope_decode::source::Input;

/// Unpacks `text`, which must be valid.
fn unpack(text: &[u8], expected: Container) -> Bytes {
    let image = container::read(Input::new(text)).expect("a sound container");
    assert_eq!(image.container, expected);
    let found: Vec<_> = image.diagnostics.iter().collect();
    assert!(found.is_empty(), "{found:?}");
    known_bytes(&image.memory)
}

proptest! {
    #[test]
    fn linear_hex_records(bytes in bytes(0..0xFFFF_0000), most in 1..=255_usize, seed: u64) {
        let text = encode::intel_hex(&bytes, most, true, seed).join("\n");
        prop_assert_eq!(unpack(text.as_bytes(), Container::IntelHex), bytes);
    }

    #[test]
    fn segment_hex_records(bytes in bytes(0..0xF_F000), most in 1..=255_usize, seed: u64) {
        let text = encode::intel_hex(&bytes, most, false, seed).join("\r\n");
        prop_assert_eq!(unpack(text.as_bytes(), Container::IntelHex), bytes);
    }

    #[test]
    fn s_records(
        (width, bytes) in (2..=4_usize)
            .prop_flat_map(|width| (Just(width), bytes(0..(1 << (8 * width)) - 1000))),
        most in 1..=250_usize,
        seed: u64,
    ) {
        let text = encode::s_record(&bytes, most, width, seed).join("\n");
        prop_assert_eq!(unpack(text.as_bytes(), Container::SRecord), bytes);
    }

    #[test]
    fn plain_digits(
        bytes in prop::collection::vec(any::<u8>(), 1..300),
        separator in "[ \t]?|, ?|\r?\n",
        columns in 1..40_usize,
        prefixed: bool,
    ) {
        let prefix = if prefixed { "0x" } else { "" };
        let separator = if prefixed && separator.is_empty() { "," } else { separator.as_str() };
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{prefix}{byte:02x}")).collect();
        let lines: Vec<String> = digits.chunks(columns).map(|line| line.join(separator)).collect();
        let text = lines.join("\n");
        prop_assert_eq!(unpack(text.as_bytes(), Container::HexText), run(0, &bytes));
    }

    #[test]
    fn xxd_lines(bytes in bytes(0..0xFFFF_0000)) {
        let text = encode::xxd(&bytes);
        prop_assert_eq!(unpack(text.as_bytes(), Container::HexText), bytes);
    }

    #[test]
    fn hexdump_lines(
        address in 0..0xFFFF_0000_u64,
        runs in prop::collection::vec((any::<u8>(), 1..100_usize), 1..10),
    ) {
        let repeated = runs.iter().flat_map(|(byte, count)| std::iter::repeat_n(*byte, *count));
        let bytes = run(address, &repeated.collect::<Vec<_>>());
        let text = encode::hexdump(&bytes);
        prop_assert_eq!(unpack(text.as_bytes(), Container::HexText), bytes);
    }

    #[test]
    fn gdb_words_of_a_little_endian_target(
        address in 0..0xFFFF_0000_u64,
        words in prop::collection::vec(any::<u64>(), 1..50),
        width in prop::sample::select(vec![1, 2, 4, 8_usize]),
    ) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let bytes = run(address, &bytes);
        let text = encode::gdb(&bytes, width, false);
        prop_assert_eq!(unpack(text.as_bytes(), Container::HexText), bytes);
    }

    #[test]
    fn core_files(bytes in bytes(1..u64::MAX - 1000)) {
        let file = encode::elf_core(&bytes);
        prop_assert_eq!(unpack(&file, Container::ElfCore), bytes);
    }

    #[test]
    fn compressed_records(bytes in bytes(0..0xFFFF_0000), seed: u64) {
        let text = encode::intel_hex(&bytes, 32, true, seed).join("\n");
        let stream = encode::gzip(text.as_bytes());
        prop_assert_eq!(unpack(&stream, Container::IntelHex), bytes);
    }
}

//! Damaged or malicious files.

use super::{path, read, wide};
use object::Endianness;
use proptest::prelude::*;
use rtoscope_fixtures::ProcessorTimer;
use rtoscope_symbols::{Firmware, Symbols};
use rtoscope_trace::Address;
use std::time::Duration;

/// Requests everything.
fn query_all(firmware: &Firmware) {
    let places = (0x7FF0..0x8060).chain(0x2000_0000..0x2000_0060);
    for address in places.chain([0, 1, u64::MAX - 1, u64::MAX]).map(Address) {
        if let Some(function) = firmware.function(address) {
            assert!(function.start <= address);
        }
        firmware.line(address);
        assert!(firmware.bytes(address, 16).len() <= 16);
        firmware.text(address, 64);
    }
    firmware.variable("runs");
    firmware.variables("board::switch_log");
}

fn check(bytes: &[u8]) {
    if let Ok(firmware) = read(bytes) {
        query_all(&firmware);
    }
    let _any = Symbols::read(bytes);
}

fn files() -> Vec<Vec<u8>> {
    let names = ["blinker.elf", "blinker_big.elf", "blinker.nm"];
    names.map(|name| std::fs::read(path(name)).unwrap()).into()
}

#[test]
fn every_length_is_survived() {
    for bytes in files() {
        for length in (0..bytes.len()).step_by(7) {
            check(&bytes[..length]);
        }
    }
}

/// Units with overlapping tables, each as long as all the rest, take no longer
/// than units with consecutive tables.
#[test]
fn overlapping_tables_take_no_time() {
    let units = 50_000_u32;
    let code = |number: u32| [0, 7, 14].map(|shift| (number >> shift) as u8 | 0x80);
    let (mut table, mut info) = (Vec::new(), Vec::new());
    for number in 1..=units {
        let place = table.len() as u32;
        // A unit with lines, start and length.
        table.extend(code(number));
        table.extend([0, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0, 0]);
        // Version 4, addresses of 8 bytes.
        info.extend(27_u32.to_le_bytes());
        info.extend(4_u16.to_le_bytes());
        info.extend(place.to_le_bytes());
        info.push(8);
        info.extend(code(number));
        info.push(0);
        info.extend(number.to_le_bytes());
        info.extend(0x1000_u64.to_le_bytes());
        info.extend(0x1000_u32.to_le_bytes());
    }
    let sections = [
        (".debug_abbrev", table),
        (".debug_info", info),
        (".debug_line", vec![0; 1 << 16]),
    ];
    let bytes = wide::with_sections(Endianness::Little, &[], &sections);
    let timer = ProcessorTimer::start();
    let firmware = read(&bytes).unwrap();
    assert_eq!(firmware.line(Address(0x1800)), None);
    assert!(timer.elapsed() < Duration::from_secs(10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damage_is_survived(
        file in 0..3_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        length in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut bytes = files().swap_remove(file);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if cut {
            bytes.truncate(length.index(bytes.len()));
        }
        check(&bytes);
    }
}

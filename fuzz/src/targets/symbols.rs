//! Any bytes as a target's program, and all symbol queries.

use rtoscope_symbols::{Firmware, Symbols};
use rtoscope_trace::Address;

pub(crate) fn run(data: &[u8]) {
    let Ok(firmware) = Firmware::read(data.to_vec()) else {
        return;
    };
    // The last bytes are also used as addresses, so that the fuzzer can hit them.
    let (words, _) = data.as_chunks::<4>();
    let last = words.iter().rev().take(64);
    let given = last.map(|word| u64::from(u32::from_le_bytes(*word)));
    let near = (0x7FF0..0x8060).chain(0x2000_0000..0x2000_0060);
    for address in given.chain(near).chain([0, u64::MAX]).map(Address) {
        if let Some(function) = firmware.function(address) {
            assert!(function.start.0.checked_add(function.offset).is_some());
        }
        if let Some(place) = firmware.line(address) {
            assert!(!place.file.is_empty() && place.line != Some(0));
        }
        assert!(firmware.bytes(address, 64).len() <= 64);
        assert!(
            firmware
                .text(address, 64)
                .is_none_or(|text| !text.contains(&0))
        );
    }
    firmware.variable("runs");
    firmware.variables("board::switch_log");
    assert!(matches!(Symbols::read(data), Ok(Some(_))));
}

//! Hexadecimal text in the formats of tools and debuggers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_fuzz::{Format, decode_everything, forced};

fuzz_target!(|data: &[u8]| {
    let text = forced(Format::HexText, data);
    decode_everything(&text, &ThreadXOptions::default());
});

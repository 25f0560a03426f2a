//! Text that starts like S-records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_fuzz::{Format, decode_everything, forced};

fuzz_target!(|data: &[u8]| {
    let text = forced(Format::SRecord, data);
    decode_everything(&text, &ThreadXOptions::default());
});

//! Any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_fuzz::decode_everything;

fuzz_target!(|data: &[u8]| decode_everything(data, &ThreadXOptions::default()));

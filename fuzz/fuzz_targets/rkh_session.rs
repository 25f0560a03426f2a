//! A viewer's questions, and the reports, about streams of RKH.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::DecodeOptions;
use rtoscope_fuzz::ask_everything;

fuzz_target!(|data: &[u8]| ask_everything(data, &DecodeOptions::default()));

//! A viewer's queries, and the reports, of RKH streams.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::DecodeOptions;
use rtoscope_fuzz::query_everything;

fuzz_target!(|data: &[u8]| query_everything(data, &DecodeOptions::default()));

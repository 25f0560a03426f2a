//! Queries and commands as an untrusted page would send them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| rtoscope_fuzz::run_json(data));

//! Questions and commands as a stranger's page would send them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| rtoscope_fuzz::ask(data));

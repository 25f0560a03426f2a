//! Configuration files of RKH streams.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::rkh::configuration::parse;

fuzz_target!(|data: &[u8]| {
    for name in ["a.cfg", "a.json", "a.toml", "-"] {
        if let Err(error) = parse(data, name) {
            assert!(!error.to_string().is_empty());
        }
    }
});

//! Files that define custom events.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::threadx::custom_events;

fuzz_target!(|data: &[u8]| match custom_events::parse(data) {
    Ok(kinds) => assert!(kinds.len() <= data.len()),
    Err(error) => assert!(!error.to_string().is_empty()),
});

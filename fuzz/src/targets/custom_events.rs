//! Files that define custom events.

use rtoscope_decode::threadx::custom_events;

pub(crate) fn run(data: &[u8]) {
    match custom_events::parse(data) {
    Ok(kinds) => assert!(kinds.len() <= data.len()),
    Err(error) => assert!(!error.to_string().is_empty()),
}
}

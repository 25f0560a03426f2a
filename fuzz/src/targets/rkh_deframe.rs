//! RKH streams with a small frame limit.

use rtoscope_decode::rkh::{RkhOptions, read};
use rtoscope_wire::rkh::StreamConfiguration;

pub(crate) fn run(data: &[u8]) {
    let Some((first, data)) = data.split_first() else {
        return;
    };
    let options = RkhOptions {
        configuration: Some(StreamConfiguration::default()),
        max_frame_bytes: usize::from(first >> 4) * 8,
        ..RkhOptions::default()
    };
    let whole = read(data, &options);
    assert!(whole.trace.events.len() <= data.len());
    assert!(whole.stream_info.losses.unusable_bytes <= data.len() as u64);
}

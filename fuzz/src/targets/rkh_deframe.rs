//! RKH streams in chunks, with a small frame limit.

use rtoscope_decode::rkh::{RkhOptions, StreamDecoder};
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
    let read = |piece: usize| {
        let mut decoder = StreamDecoder::new(&options);
        data.chunks(piece).for_each(|piece| decoder.push(piece));
        decoder.finish()
    };
    let whole = read(data.len().max(1));
    assert_eq!(read(usize::from(first & 0xF) + 1), whole);
    assert!(whole.trace.events.len() <= data.len());
    assert!(whole.stream_info.losses.unusable_bytes <= data.len() as u64);
}

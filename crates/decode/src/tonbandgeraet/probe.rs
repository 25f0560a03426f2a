//! Recognises a stream, which has neither a header nor a magic number.

use super::frame::{self, Frame};

/// Number of frames that show it.
const MIN_FRAMES: usize = 16;

/// Whether bytes are frames of known events, whose times do not decrease.
pub(super) fn resembles(bytes: &[u8]) -> bool {
    let mut decoded = Vec::new();
    let (mut frames, mut times, mut last) = (0, 0, 0);
    let mut rest = bytes;
    let mut is_first = true;
    while let Some(end) = memchr::memchr(0, rest) {
        let (encoded, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        match frame::read(encoded, &mut decoded) {
            Frame::Event(event) => {
                frames += 1;
                if let Some(time) = event.time {
                    if time < last {
                        return false;
                    }
                    last = time;
                    times += 1;
                }
            }
            Frame::Empty => {}
            // A ring buffer begins in the middle of one.
            Frame::Damaged | Frame::Unknown if is_first => {}
            Frame::Damaged | Frame::Unknown => return false,
        }
        is_first = false;
    }
    frames >= MIN_FRAMES && times >= MIN_FRAMES / 2 && last > 0
}

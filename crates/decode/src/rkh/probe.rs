//! Recognises a stream by its frames.

use super::deframer;
use crate::format::detection::{ProbeWindow, WINDOW_BYTES};
use memchr::memchr;
use rtoscope_wire::rkh::TargetConfiguration;
use rtoscope_wire::rkh::frame::{FLAG, sums_to_zero};

/// Number of frames that are judged together.
const BLOCK_FRAMES: u32 = 64;

/// Minimum number of frames in the first block of an input, and in a later one.
const MIN_FRAMES: [u32; 2] = [4, 16];

/// The part of the frames that must sum to 0, in quarters.
const MIN_SOUND_QUARTERS: u32 = 3;

/// Number of bytes up to the end of the frame that proves a stream: it is a
/// target's configuration, or most frames so far sum to 0.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    let [first, later] = MIN_FRAMES;
    let mut min_frames = if window.is_start { first } else { later };
    let (mut frames, mut sound) = (0, 0);
    let mut proof = None;
    deframer::for_each_frame(window.bytes, WINDOW_BYTES, |frame| {
        let is_sound = frame.bytes.len() > 1 && is_sound(frame.bytes);
        frames += 1;
        sound += u32::from(is_sound);
        let is_stream = TargetConfiguration::parse(frame.bytes).is_some()
            || frames >= min_frames && sound * 4 >= frames * MIN_SOUND_QUARTERS;
        if is_stream {
            proof = usize::try_from(frame.offset).ok();
        } else if frames == BLOCK_FRAMES {
            (frames, sound, min_frames) = (0, 0, later);
        }
        !is_stream
    });
    let start = proof?;
    let length = memchr(FLAG, window.bytes.get(start..)?)?;
    Some(start + length + 1)
}

/// Whether the bytes look like the start of a stream.
pub fn is_stream(bytes: &[u8]) -> bool {
    let start = bytes.get(..WINDOW_BYTES).unwrap_or(bytes);
    let window = ProbeWindow {
        bytes: start,
        is_start: true,
    };
    probe(&window).is_some()
}

fn is_sound(frame: &[u8]) -> bool {
    let is_empty = frame.iter().all(|byte| *byte == 0);
    !is_empty && sums_to_zero(frame)
}

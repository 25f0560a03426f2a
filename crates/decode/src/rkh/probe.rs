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

/// Maximum number of bytes before the first flag of a source that was joined in
/// the middle of a frame. No record of the framework is that long.
const MAX_LEAD_BYTES: usize = 512;

/// Minimum number of bytes of frames that sum to 0, after more other bytes: the
/// image of a target's memory contains its ring of records, often of 8 KiB.
const MIN_BYTES_AFTER_LEAD: u64 = 16 << 10;

/// Number of bytes up to the end of the frame that proves a stream: it is a
/// target's configuration, or most frames so far sum to 0; and such frames are
/// at least half of the bytes so far.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    find_proof(window, OtherBytes::Few)
}

/// How many bytes may belong to no frame that sums to 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherBytes {
    /// At most as many as belong to such frames.
    Few,
    /// Any number.
    Any,
}

/// Number of bytes up to the end of the frame that proves a stream.
fn find_proof(window: &ProbeWindow<'_>, other_bytes: OtherBytes) -> Option<usize> {
    let [first, later] = MIN_FRAMES;
    let mut min_frames = if window.is_start { first } else { later };
    let (mut frames, mut sound) = (0, 0);
    let mut sound_bytes = 0;
    let lead = memchr(FLAG, window.bytes)?;
    let min_bytes = if lead > MAX_LEAD_BYTES {
        MIN_BYTES_AFTER_LEAD
    } else {
        0
    };
    let mut proof = None;
    deframer::for_each_frame(window.bytes, WINDOW_BYTES, |frame| {
        let is_configuration = TargetConfiguration::parse(frame.bytes).is_some();
        let is_sound = is_configuration || frame.bytes.len() > 1 && is_sound(frame.bytes);
        frames += 1;
        sound += u32::from(is_sound);
        if is_sound {
            sound_bytes += frame.bytes.len() as u64 + 1;
        }
        let end = frame.offset + frame.bytes.len() as u64;
        let is_stream = (is_configuration
            || frames >= min_frames && sound * 4 >= frames * MIN_SOUND_QUARTERS)
            && (other_bytes == OtherBytes::Any
                || sound_bytes >= min_bytes && sound_bytes * 2 >= end);
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

/// Whether the bytes contain frames of a stream, with any bytes between them.
pub fn is_stream(bytes: &[u8]) -> bool {
    let start = bytes.get(..WINDOW_BYTES).unwrap_or(bytes);
    let window = ProbeWindow {
        bytes: start,
        is_start: true,
    };
    find_proof(&window, OtherBytes::Any).is_some()
}

fn is_sound(frame: &[u8]) -> bool {
    let is_empty = frame.iter().all(|byte| *byte == 0);
    !is_empty && sums_to_zero(frame)
}

//! A link with software flow control: it takes the bytes XON and XOFF for commands, so that
//! they never arrive.

mod sent_configuration;

use super::TransferFault;
use crate::rkh::deframer::{self, MAX_SENT_FRAME_BYTES};
use memchr::memchr2;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use rtoscope_wire::rkh::frame::byte_sum;

const XON: u8 = 0x11;
const XOFF: u8 = 0x13;

/// The sums that a frame lacks, with the bytes that are missing.
const LACKING: [&[u8]; 9] = [
    &[XON],
    &[XOFF],
    &[XON, XON],
    &[XON, XOFF],
    &[XOFF, XOFF],
    &[XON, XON, XON],
    &[XON, XON, XOFF],
    &[XON, XOFF, XOFF],
    &[XOFF, XOFF, XOFF],
];

/// A frame with other damage lacks one of these sums in 1 of 28 cases: these numbers do
/// not by chance, in a stream with frames that sum to 0 and without one.
const MIN_CUT_FRAMES: u64 = 3;
const MIN_CUT_FRAMES_ALONE: u64 = 16;

/// Minimum number of frames that sum to 0.
const MIN_SOUND_FRAMES: u64 = 8;

pub(super) fn find(bytes: &[u8]) -> Option<TransferFault> {
    let cut = count_cut(bytes)?;
    let restored = sent_configuration::restore(bytes);
    let mut message = format!(
        "no byte is 0x11 or 0x13, as after a transfer with software flow control: {} these bytes",
        pluralise(cut, "frame lacks", "frames lack"),
    );
    if restored.is_some() {
        message.push_str(
            "; those of the target's configuration are restored in the only places that fit the \
             other frames, and offsets include them",
        );
    }
    let diagnostic = Diagnostic::new(DiagnosticKind::FlowControl, message);
    Some(TransferFault {
        restored,
        diagnostic: diagnostic.with_count(cut),
    })
}

/// The number of frames that lack only such bytes; `None` if they do not prove that the link
/// took them.
pub(super) fn count_cut(bytes: &[u8]) -> Option<u64> {
    if memchr2(XON, XOFF, bytes).is_some() {
        return None;
    }
    let (mut sound, mut bad, mut cut) = (0, 0, 0);
    deframer::for_each_frame(bytes, MAX_SENT_FRAME_BYTES, |frame| {
        let is_empty = frame.bytes.iter().all(|byte| *byte == 0);
        match byte_sum(frame.bytes) {
            _ if is_empty => {}
            0 => sound += 1,
            sum => {
                bad += 1;
                cut += u64::from(lacking(sum).is_some());
            }
        }
        true
    });
    let min_cut = match sound {
        MIN_SOUND_FRAMES.. => MIN_CUT_FRAMES,
        _ => MIN_CUT_FRAMES_ALONE,
    };
    (cut >= min_cut && cut * 4 >= bad * 3).then_some(cut)
}

/// The bytes whose absence explains the sum of a frame.
fn lacking(sum: u8) -> Option<&'static [u8]> {
    let is_lacking =
        |missing: &&&[u8]| missing.iter().fold(sum, |sum, it| sum.wrapping_add(*it)) == 0;
    LACKING.iter().find(is_lacking).copied()
}

//! A transfer in text mode: each 0x0A became 0x0D 0x0A.

use super::TransferFault;
use crate::line_feeds::{self, CARRIAGE_RETURN, PAIR};
use crate::rkh::deframer::{self, MAX_SENT_FRAME_BYTES};
use memchr::memmem;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use rtoscope_wire::rkh::frame::byte_sum;

/// A frame that is not repaired, such as one with printed text, sums to 0 by chance in one
/// of 256 cases: this many must be repaired for each other one.
const MIN_REPAIRED_PART: u64 = 16;

pub(super) fn find(bytes: &[u8]) -> Option<TransferFault> {
    let repaired = count_repaired(bytes)?;
    let restored = line_feeds::without_returns(bytes);
    let removed = (bytes.len() - restored.len()) as u64;
    let message = format!(
        "every 0x0a followed a 0x0d, as after a transfer in text mode: removed {}, which makes the \
         {} right",
        pluralise(removed, "byte 0x0d", "bytes 0x0d"),
        pluralise(repaired, "wrong checksum", "wrong checksums"),
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::ExpandedLineFeeds, message);
    Some(TransferFault {
        restored: Some(restored),
        diagnostic: diagnostic.with_count(removed),
    })
}

/// The number of frames that sum to 0 only without the bytes before line feeds; `None` if
/// they do not prove that these were inserted.
pub(super) fn count_repaired(bytes: &[u8]) -> Option<u64> {
    if !line_feeds::follow_returns(bytes) {
        return None;
    }
    let (mut repaired, mut broken, mut other) = (0, 0, 0);
    deframer::for_each_frame(bytes, MAX_SENT_FRAME_BYTES, |frame| {
        let sum = byte_sum(frame.bytes);
        let pairs = memmem::find_iter(frame.bytes, &PAIR);
        let without = pairs.fold(sum, |sum, _| sum.wrapping_sub(CARRIAGE_RETURN));
        match (sum, without) {
            _ if frame.bytes.windows(2).all(|pair| pair != PAIR) => {}
            (0, _) => broken += 1,
            (_, 0) => repaired += 1,
            _ => other += 1,
        }
        broken == 0
    });
    let is_proven = match other {
        0 => repaired > 0,
        _ => repaired > 1 && repaired * MIN_REPAIRED_PART > other,
    };
    (broken == 0 && is_proven).then_some(repaired)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_feeds::LINE_FEED;

    /// A frame of this content.
    fn frame(content: &[u8]) -> Vec<u8> {
        let sum = byte_sum(content).wrapping_neg();
        [content, &[sum, 0x7E]].concat()
    }

    fn expand(bytes: &[u8]) -> Vec<u8> {
        let expanded = bytes.iter().flat_map(|byte| match *byte {
            LINE_FEED => PAIR.to_vec(),
            byte => vec![byte],
        });
        expanded.collect()
    }

    #[test]
    fn expanded_line_feeds_are_undone() {
        let frames = [
            frame(&[1, 10, 2]),
            frame(&[3]),
            frame(&[13, 10, 10, 1]),
            frame(&[13, 5]),
        ];
        let sound = [&[0x7E], frames.concat().as_slice()].concat();
        assert_eq!(count_repaired(&sound), None);
        let fault = find(&expand(&sound)).unwrap();
        assert_eq!(fault.restored, Some(sound));
        assert_eq!(fault.diagnostic.count, 3);
    }

    #[test]
    fn natural_pairs_are_kept() {
        let sound = [&[0x7E], frame(&[1, 13, 10, 2]).as_slice()].concat();
        assert_eq!(count_repaired(&sound), None);
        let text = [b"~".as_slice(), b"adc: 1\r\n", &frame(&[1, 2])].concat();
        assert_eq!(count_repaired(&text), None);
    }
}

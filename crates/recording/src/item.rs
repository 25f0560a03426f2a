//! Items of a recording.

use super::{DamagedBlock, Unread};
use rtoscope_decode::Format;
use rtoscope_decode::live::HostTime;

/// An item of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingItem<'a> {
    /// Bytes, and when they arrived.
    Bytes {
        /// Offset in the recording, including removed segments.
        offset: u64,
        /// The bytes: at least one, at most 1 MiB.
        bytes: &'a [u8],
        /// When the first byte arrived; the others arrived up to 0.1 s later.
        at: HostTime,
    },
    /// Metadata for the rest of a recording whose start was removed, see
    /// [`LiveDecoder::load_metadata`](rtoscope_decode::live::LiveDecoder::load_metadata).
    Metadata {
        /// The format.
        format: Format,
        /// The metadata.
        bytes: &'a [u8],
    },
    /// The connection was lost here, or bytes are missing: the following bytes need not
    /// continue the ones before.
    Interrupted {
        /// When.
        at: HostTime,
        /// Why.
        reason: &'a str,
        /// Number of received bytes that are missing here.
        missing_bytes: u64,
    },
    /// Connections to the source were refused here, and their bytes were never read.
    /// The recorded bytes are not affected.
    Refused {
        /// When.
        at: HostTime,
        /// Which connections, and why.
        message: &'a str,
    },
    /// The target sent this here, too, but it was not read.
    Unread(Unread),
    /// The bytes before are not those that were received.
    Damaged(DamagedBlock),
}

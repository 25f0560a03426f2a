//! What a recording gives, piece by piece.

use rtoscope_decode::Format;
use rtoscope_decode::live::HostTime;

/// A part of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingItem<'a> {
    /// Bytes, and when they came.
    Bytes {
        /// Bytes of the recording before them, those of segments that were
        /// removed among them.
        offset: u64,
        /// The bytes: at least one, at most 1 MiB.
        bytes: &'a [u8],
        /// When the first of them came; the others up to 0.1 s later.
        at: HostTime,
    },
    /// The start of the recording is gone: what is needed to understand the rest,
    /// see [`Live::teach`](rtoscope_decode::live::Live::teach).
    Metadata {
        /// Its format.
        format: Format,
        /// The preface.
        bytes: &'a [u8],
    },
    /// The connection broke here, or bytes are not in the folder: what follows
    /// need not follow what came before.
    Interrupted {
        /// When.
        at: HostTime,
        /// Why.
        reason: &'a str,
        /// Bytes that came here and are not in the folder.
        missing_bytes: u64,
    },
    /// Connections to the source were refused here: what they sent was never
    /// read. What was recorded is not concerned.
    Refused {
        /// When.
        at: HostTime,
        /// Which, and why.
        message: &'a str,
    },
}

//! What a target would send for a recording.

use super::DecodedRecording;

/// The bytes of a recording in the units in which a target sends them.
#[derive(Debug)]
pub enum Transmissions<'a> {
    /// Records, each at its time: the offset of each is
    /// [`record_offset`](super::FormatInfo::record_offset).
    Records {
        /// The bytes.
        bytes: &'a [u8],
        /// The decoded records.
        recording: Box<DecodedRecording>,
    },
    /// Dumps of the target's whole buffer, one after the other.
    Dumps {
        /// The bytes.
        bytes: Vec<u8>,
        /// The end offset of each dump, in order.
        ends: Vec<usize>,
    },
}

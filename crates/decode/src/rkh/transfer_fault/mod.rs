//! Links and tools that change certain bytes of a stream, as its checksums prove.

mod flow_control;
mod line_feeds;

use rtoscope_trace::Diagnostic;

/// What the checksums of a stream prove about the way to the file.
#[derive(Debug)]
pub(super) struct TransferFault {
    /// The stream with the bytes that can be restored, if there are any.
    pub(super) restored: Option<Vec<u8>>,
    /// The cause.
    pub(super) diagnostic: Diagnostic,
}

/// The fault that the checksums of a stream prove. Streams contain all bytes, so that an
/// intact one shows after a few that it has none.
pub(super) fn find(bytes: &[u8]) -> Option<TransferFault> {
    line_feeds::find(bytes).or_else(|| flow_control::find(bytes))
}

/// Whether the bytes are a stream with such a fault.
pub(super) fn is_proven(bytes: &[u8]) -> bool {
    line_feeds::count_repaired(bytes).is_some() || flow_control::count_cut(bytes).is_some()
}

//! What a format has to know to decode its streams.

use super::{EventPage, GapCause, StreamStatus};
use crate::format::TargetCommand;
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};

/// Where packets begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// At this position.
    At(usize),
    /// Not before this position; more bytes are needed to decide.
    NotBefore(usize),
}

/// Why there is no packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PacketError {
    /// The bytes end within it.
    Incomplete,
    /// No recorder writes these bytes.
    Damaged,
}

/// Reads the packets of a stream, one after the other, into a page of events.
pub(crate) trait PacketReader: Sized + Send + Sync + 'static {
    /// The format of the stream.
    const FORMAT: Format;

    /// A reader of a stream that has not begun.
    fn new(options: &DecodeOptions) -> Self;

    /// The page with the last events.
    fn page(&self) -> &EventPage;

    /// The same page, to replace or extend it.
    fn page_mut(&mut self) -> &mut EventPage;

    /// The same reader with an empty page.
    fn without_page(&self) -> Self;

    /// The same as it was before the last event, with an empty page that begins with that event.
    fn before_last(&self) -> Self;

    /// Applies the options of a reader that continues an earlier one.
    fn set_options(&mut self, options: &DecodeOptions);

    /// The length of what precedes the first packet; `None` if more bytes are needed.
    fn read_start(&mut self, _bytes: &[u8], _is_end: bool) -> Option<usize> {
        Some(0)
    }

    /// Reads the packet at the start of `bytes`, and returns its length; nothing follows the bytes
    /// if `is_end`. Adds at most one event to the page. `is_found` if [`find`](Self::find) has
    /// found the packet, so that it is not damaged.
    fn read(&mut self, bytes: &[u8], is_end: bool, is_found: bool) -> Result<usize, PacketError>;

    /// Finds the start of a packet. If nothing follows (`is_end`), the bytes are decided as they
    /// are.
    fn find(&self, bytes: &[u8], is_end: bool) -> Alignment;

    /// Packets are missing before the next event: what runs is not known any more.
    fn lose(&mut self, cause: GapCause);

    /// Total number of events that are known to be missing, and of gaps.
    fn missing(&self) -> (u64, u64);

    /// The command that a target needs to send what is missing at the start.
    fn request(&self) -> Option<TargetCommand> {
        None
    }

    /// Bytes from which a reader learns what this one knows of the target.
    fn metadata(&self) -> Vec<u8>;

    /// Learns what another reader knew of the target, before the first event.
    fn load_metadata(&mut self, metadata: &[u8]);

    /// Builds the trace of events of this reader.
    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording;

    /// The error for bytes without a packet.
    fn no_packet(&self, bytes: u64) -> DecodeError;
}

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

/// The bytes of a stream that are not read yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnreadBytes<'a> {
    pub(crate) bytes: &'a [u8],
    /// The offset of the first of them.
    pub(crate) offset: u64,
    /// Whether nothing follows them.
    pub(crate) is_end: bool,
    /// Whether [`find`](PacketReader::find) has found the packet, so that it is not damaged.
    pub(crate) is_found: bool,
}

/// Reads the packets of a stream, one after the other, into a page of events.
pub(crate) trait PacketReader: Sized + Send + Sync + 'static {
    /// The format of the stream.
    const FORMAT: Format;

    /// The usual number of bytes of a packet.
    const PACKET_BYTES: usize;

    /// A reader of a stream that has not begun.
    fn new(options: &DecodeOptions) -> Self;

    /// The page with the last events.
    fn page(&self) -> &EventPage;

    /// The same page, to replace or extend it.
    fn page_mut(&mut self) -> &mut EventPage;

    /// The same reader with an empty page.
    fn without_page(&self) -> Self;

    /// Takes the state before the last event, without losses; the page is empty.
    fn step_back(&mut self);

    /// The same as it was before the last event, with an empty page that begins with that event.
    fn before_last(&self) -> Self {
        let mut before = self.without_page();
        before.step_back();
        let page = before.page_mut();
        page.first = page.first.saturating_sub(1);
        before
    }

    /// Applies the options of a reader that continues an earlier one.
    fn set_options(&mut self, options: &DecodeOptions);

    /// The length of what precedes the first packet; `None` if more bytes are needed.
    fn read_start(&mut self, _bytes: &[u8], _is_end: bool) -> Option<usize> {
        Some(0)
    }

    /// Reads the packet at the start of the bytes, and returns its length. Adds at most one event
    /// to the page.
    fn read(&mut self, unread: UnreadBytes<'_>) -> Result<usize, PacketError>;

    /// Finds the start of a packet. If nothing follows (`is_end`), the bytes are decided as they
    /// are.
    fn find(&self, bytes: &[u8], is_end: bool) -> Alignment;

    /// Packets are missing before the next event: what runs is not known any more.
    fn lose(&mut self, cause: GapCause);

    /// Total number of events that are known to be missing, and of gaps.
    fn missing(&self) -> (u64, u64);

    /// Total number of packets that it has rejected, and of their bytes.
    fn rejected(&self) -> (u64, u64) {
        (0, 0)
    }

    /// The command that a target needs to send what is missing at the start.
    fn request(&self) -> Option<TargetCommand> {
        None
    }

    /// Bytes from which a reader learns what this one knows of the target.
    fn metadata(&self) -> Vec<u8>;

    /// Learns what another reader knew of the target, before the first event.
    fn load_metadata(&mut self, metadata: &[u8]);

    /// The parts of a file, each with the packets of a core in the order of time.
    fn parts(bytes: &[u8]) -> Vec<&[u8]> {
        vec![bytes]
    }

    /// The packets of another core follow, from the start of the recording on.
    fn begin_core(&mut self, _core: u8) {}

    /// Puts the events of all cores in the order of time.
    fn merge_cores(&mut self) {}

    /// Builds the trace of events of this reader.
    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording;

    /// The error for bytes without a packet.
    fn no_packet(&self, bytes: u64) -> DecodeError;
}

//! The interface between the live decoder and the formats.

use super::HostTime;
use crate::format::TargetCommand;
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_trace::Clock;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Statistics of the received and the lost data of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiveStats {
    /// Events received.
    pub events: u64,
    /// Events known to be missing, at least.
    pub missing_events: u64,
    /// Number of gaps.
    pub gaps: u64,
    /// Unusable frames or buffers.
    pub unusable: u64,
    /// Frames or buffers that were incomplete when the connection was lost or
    /// the capture ended.
    pub truncated: u64,
    /// Bytes of all those, and bytes that belong to nothing.
    pub unusable_bytes: u64,
}

/// The part of [`LiveDecoder`](super::LiveDecoder) that depends on the format.
/// Events are numbered from 0, in the order of arrival, and keep their numbers.
pub(crate) trait FormatDecoder: Send {
    /// Appends the next bytes, in chunks of any size, and their arrival time.
    fn push(&mut self, bytes: &[u8], at: HostTime);

    /// The connection was lost: discards incomplete data; the next bytes need
    /// not continue the last ones.
    fn connection_lost(&mut self);

    /// The numbers of the retained events.
    fn event_range(&self) -> Range<u64>;

    /// Discards events before that number, but keeps the names that came with
    /// them. The cost per call is small, however many events are retained.
    fn discard_before(&mut self, before: u64);

    /// Discards old events that take more memory than expected, regardless of
    /// the number to retain. Not called if all events are to be retained.
    fn limit_memory(&mut self) {}

    /// Copies a range of retained events without decoding them, because this
    /// blocks the stream.
    fn chunk(&self, numbers: Range<u64>) -> Box<dyn EventChunk>;

    /// Statistics of received and lost data.
    fn stats(&self) -> LiveStats;

    /// The position from which a resumed stream must read the recording so that
    /// its first event is the newest one. `None` without an event.
    fn resume_point(&self) -> Option<ResumePoint>;

    /// The reason why the data so far has no event, if it is final.
    fn no_events_error(&self) -> Option<DecodeError> {
        None
    }

    /// What the target should send, because it did so before the first bytes.
    fn take_request(&mut self) -> Option<TargetCommand> {
        None
    }

    /// Sets the known clock properties, so that short chunks need not guess
    /// them.
    fn set_clock(&mut self, clock: &Clock);

    /// The stream metadata that later data depends on: names, the
    /// configuration. Empty if the data contains everything itself.
    /// [`FormatDecoder::load_metadata`] reads it.
    fn metadata(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Loads the metadata of a recording whose start is missing, before its
    /// first bytes. Ignores invalid metadata.
    fn load_metadata(&mut self, _metadata: &[u8]) {}
}

/// A copy of a range of events.
pub(crate) trait EventChunk: Send {
    /// Decodes the events. Times count from the first one; the origin is 0.
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError>;
}

/// A position from which a stream can be resumed.
#[derive(Debug, Clone)]
pub(crate) struct ResumePoint {
    /// The offset in the recording.
    pub(crate) offset: u64,
    /// The number of the first event after resuming.
    pub(crate) event: u64,
    /// The format.
    pub(crate) format: Format,
    /// The state of its decoder.
    pub(crate) state: Arc<dyn ResumeState>,
}

/// The state of a decoder at a position.
pub(crate) trait ResumeState: Debug + Send + Sync {
    /// Creates a decoder that continues at `point`, which has this state.
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn FormatDecoder>;
}

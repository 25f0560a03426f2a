//! What each format does for a recording that is decoded as it comes.

use super::HostTime;
use crate::{DecodeError, DecodedRecording, cswitch, rkh, threadx};
use rtoscope_trace::Clock;
use std::ops::Range;

/// What has come of a recording, and what has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiveStats {
    /// Events that came.
    pub events: u64,
    /// Events that are known to be missing, at least.
    pub missing_events: u64,
    /// Places where events are missing.
    pub gaps: u64,
    /// Frames or buffers that could not be used.
    pub unusable: u64,
    /// Frames or buffers that were begun when the connection broke, or the
    /// capture ended.
    pub truncated: u64,
    /// Bytes of all those, and bytes that belong to nothing.
    pub unusable_bytes: u64,
}

/// A format's part of [`Live`](super::Live). Events are numbered from 0, the
/// first that came, and keep their numbers.
pub(crate) trait FormatDecoder: Send {
    /// Takes the next bytes, in pieces of any size, and when they came.
    fn push(&mut self, bytes: &[u8], at: HostTime);

    /// The connection broke: what was begun is not completed, and what comes
    /// next need not follow what came last.
    fn connection_lost(&mut self);

    /// The numbers of the events that are kept.
    fn event_range(&self) -> Range<u64>;

    /// Lets events before that number go, but keeps the names that came with
    /// them. Costs little a call however many events are kept.
    fn discard_before(&mut self, before: u64);

    /// Lets old events go that take more memory than events should, however many
    /// are wanted. Not called where all are wanted.
    fn limit_memory(&mut self) {}

    /// A copy of the events of these numbers, which must be kept ones, without
    /// the work of decoding them: this holds the stream up.
    fn chunk(&self, numbers: Range<u64>) -> Box<dyn EventChunk>;

    /// What came and what did not.
    fn stats(&self) -> LiveStats;

    /// From where on the bytes of the recording have to be read again, by a
    /// stream that is resumed there, so that its first event is the newest one.
    /// `None` without an event.
    fn resume_point(&self) -> Option<ResumePoint>;

    /// Why there is no event, where what has come so far is over.
    fn no_events_error(&self) -> Option<DecodeError> {
        None
    }

    /// Says what is known of the clock, so that short pieces need not guess.
    fn set_clock(&mut self, clock: &Clock);

    /// What came once and is needed to understand what comes later, in bytes
    /// that [`Stream::teach`] takes: names, the configuration. Empty where
    /// everything that comes says this itself.
    fn metadata(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Learns that before the first bytes of a recording whose start is gone.
    /// Bytes that are no preface are left aside.
    fn load_metadata(&mut self, _preface: &[u8]) {}
}

/// Events that were cut out of a stream.
pub(crate) trait EventChunk: Send {
    /// Decodes them. Times count from the first one; the base is left 0.
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError>;
}

/// From where on a stream can be read again.
#[derive(Debug, Clone)]
pub(crate) struct ResumePoint {
    /// Bytes of the recording before that.
    pub(crate) offset: u64,
    /// The number of the first event that it gives then.
    pub(crate) event: u64,
    /// What has to be known besides.
    pub(crate) state: ResumeState,
}

/// What a format has to know to read on from the middle.
#[derive(Debug, Clone)]
pub(crate) enum ResumeState {
    ThreadX(threadx::live::ThreadXResumeState),
    Rkh(rkh::live::RkhResumeState),
    Cswitch(cswitch::live::CswitchResumeState),
}

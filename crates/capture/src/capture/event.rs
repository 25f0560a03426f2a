//! What a capture reports to its listener.

use crate::SourceState;
use rtoscope_decode::live::LiveUpdate;

/// Events of a capture, in their order.
#[derive(Debug)]
pub enum CaptureEvent<'a> {
    /// New trace events.
    News(&'a LiveUpdate),
    /// The state of the source changed.
    Connection(&'a SourceState),
    /// A message for the user.
    Message(&'a str),
}

/// Whether the capture continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureControl {
    /// Continue.
    Continue,
    /// Stop the capture.
    Stop,
}

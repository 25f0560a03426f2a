//! Timed content of a replay.

use super::{ReplayError, TimedChunks};
use rtoscope_recording::{Recording, RecordingItem};
use rtoscope_trace::NoTime;
use std::ops::ControlFlow;

/// Timed content of a replay.
#[derive(Debug)]
pub enum ReplayScript<'a> {
    /// A recording, including its interruptions.
    Recording(Recording),
    /// A file, timed by its events.
    Chunks(TimedChunks<'a>),
}

/// A step of a replay; times are in nanoseconds since the first step.
pub(super) enum ReplayStep<'a> {
    /// Send bytes.
    Send { at: u64, bytes: &'a [u8] },
    /// Close the connection.
    Break { at: u64 },
}

impl ReplayScript<'_> {
    /// Visits all steps until `next` fails. Returns the duration in nanoseconds.
    pub(super) fn walk(
        &self,
        mut next: impl FnMut(ReplayStep<'_>) -> Result<(), ReplayError>,
    ) -> Result<u64, ReplayError> {
        let recording = match self {
            Self::Recording(recording) => recording,
            Self::Chunks(pieces) => {
                for (at, bytes) in pieces.iter() {
                    next(ReplayStep::Send { at, bytes })?;
                }
                return Ok(pieces.duration_ns());
            }
        };
        let mut begun = None;
        let mut last = 0;
        let mut failed = None;
        recording.read(0, |part| {
            let step = match part {
                RecordingItem::Bytes { bytes, at, .. } => {
                    last = at.since(*begun.get_or_insert(at));
                    ReplayStep::Send { at: last, bytes }
                }
                RecordingItem::Interrupted { at, .. } => {
                    last = at.since(*begun.get_or_insert(at));
                    ReplayStep::Break { at: last }
                }
                // A receiver has no access to metadata, to what was not read, or to checksums.
                RecordingItem::Metadata { .. }
                | RecordingItem::Refused { .. }
                | RecordingItem::Unread(_)
                | RecordingItem::Damaged(_) => {
                    return ControlFlow::Continue(());
                }
            };
            match next(step) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(last), Err)
    }

    /// Why the times of the steps are not known, if they are not.
    pub(super) fn no_time(&self) -> Option<NoTime> {
        match self {
            Self::Recording(_) => None,
            Self::Chunks(pieces) => pieces.no_time(),
        }
    }

    /// Whether there is at most one chunk to send.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Recording(_) => false,
            Self::Chunks(pieces) => pieces.is_single(),
        }
    }
}

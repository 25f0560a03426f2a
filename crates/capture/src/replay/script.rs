//! What is sent when.

use super::{ReplayError, TimedChunks};
use crate::recording::{Recording, RecordingItem};
use std::ops::ControlFlow;

/// What is sent when.
#[derive(Debug)]
pub enum ReplayScript<'a> {
    /// As a capture has recorded it, interruptions among it.
    Recording(Recording),
    /// As the events of a file happened.
    Chunks(TimedChunks<'a>),
}

/// What a target does next; times are in nanoseconds since the first.
pub(super) enum ReplayStep<'a> {
    /// It sends something.
    Send { at: u64, bytes: &'a [u8] },
    /// Its connection breaks.
    Break { at: u64 },
}

impl ReplayScript<'_> {
    /// Goes through it until `next` fails. Returns how long it takes, in
    /// nanoseconds.
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
                // Who listens to a target has to do without what it said before, and
                // knows nothing of others.
                RecordingItem::Metadata { .. } | RecordingItem::Refused { .. } => {
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

    /// Whether it is known when what is sent.
    pub(super) fn is_timed(&self) -> bool {
        match self {
            Self::Recording(_) => true,
            Self::Chunks(pieces) => pieces.is_timed(),
        }
    }

    /// Whether there is no more than one thing to send.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Recording(_) => false,
            Self::Chunks(pieces) => pieces.is_single(),
        }
    }
}

//! Checkpoints of a live recording.

use super::format_decoder::ResumePoint;
use rtoscope_trace::{Ticks, TraceOrigin};
use std::collections::VecDeque;

/// An event with a known time since the start of the recording, from which
/// decoding can resume.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The event's number in the recording.
    pub event: u64,
    /// Its time, in ticks since the first event of the recording.
    pub time: Ticks,
    pub(super) resume_point: ResumePoint,
}

impl Checkpoint {
    /// The offset in the recording from which to read again.
    pub fn offset(&self) -> u64 {
        self.resume_point.offset
    }

    /// The origin of a part that begins with the event.
    pub(super) fn base(&self) -> TraceOrigin {
        TraceOrigin {
            event: self.event,
            time: self.time,
        }
    }
}

/// Maximum number of checkpoints: a long recording has fewer at its beginning.
const MAX_CHECKPOINTS: usize = 4096;

/// Checkpoints in the order of their events.
#[derive(Debug, Clone, Default)]
pub(super) struct Checkpoints(VecDeque<Checkpoint>);

impl Checkpoints {
    pub(super) fn push(&mut self, checkpoint: Checkpoint) {
        if self.0.len() >= MAX_CHECKPOINTS {
            let mut number = 0;
            self.0.retain(|_| {
                number += 1;
                number > MAX_CHECKPOINTS / 2 || number % 2 == 1
            });
        }
        self.0.push_back(checkpoint);
    }

    /// The last checkpoint.
    pub(super) fn last(&self) -> Option<&Checkpoint> {
        self.0.back()
    }

    /// The last checkpoint at or before an event.
    pub(super) fn before(&self, event: u64) -> Option<&Checkpoint> {
        let following = self
            .0
            .partition_point(|checkpoint| checkpoint.event <= event);
        self.0.get(following.checked_sub(1)?)
    }

    /// The first checkpoint at or after an event.
    pub(super) fn from(&self, event: u64) -> Option<&Checkpoint> {
        let following = self
            .0
            .partition_point(|checkpoint| checkpoint.event < event);
        self.0.get(following)
    }

    /// The first checkpoint at an offset or after it.
    pub(super) fn at_or_after_offset(&self, offset: u64) -> Option<&Checkpoint> {
        let following = self
            .0
            .partition_point(|checkpoint| checkpoint.offset() < offset);
        self.0.get(following)
    }
}

//! Known moments of a recording that is decoded as it comes.

use super::format_decoder::ResumePoint;
use rtoscope_trace::{Ticks, TraceOrigin};
use std::collections::VecDeque;

/// An event whose time since the start of the recording is known, and from
/// where on the recording can be read again from it on.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The event's number in the recording.
    pub event: u64,
    /// Its time, in ticks since the first event of the recording.
    pub time: Ticks,
    pub(super) resume_point: ResumePoint,
}

impl Checkpoint {
    /// Bytes of the recording before what has to be read again.
    pub fn offset(&self) -> u64 {
        self.resume_point.offset
    }

    /// What a part that begins with the event is based on.
    pub(super) fn base(&self) -> TraceOrigin {
        TraceOrigin {
            event: self.event,
            time: self.time,
        }
    }
}

/// Marks that are kept: of a long recording, fewer of its beginning.
const MAX_CHECKPOINTS: usize = 4096;

/// Marks in the order of their events.
#[derive(Debug, Clone, Default)]
pub(super) struct Checkpoints(VecDeque<Checkpoint>);

impl Checkpoints {
    pub(super) fn push(&mut self, mark: Checkpoint) {
        if self.0.len() >= MAX_CHECKPOINTS {
            let mut number = 0;
            self.0.retain(|_| {
                number += 1;
                number > MAX_CHECKPOINTS / 2 || number % 2 == 1
            });
        }
        self.0.push_back(mark);
    }

    /// The last mark.
    pub(super) fn last(&self) -> Option<&Checkpoint> {
        self.0.back()
    }

    /// The last mark at or before an event.
    pub(super) fn before(&self, event: u64) -> Option<&Checkpoint> {
        let behind = self.0.partition_point(|mark| mark.event <= event);
        self.0.get(behind.checked_sub(1)?)
    }

    /// The first mark at or behind an event.
    pub(super) fn from(&self, event: u64) -> Option<&Checkpoint> {
        let behind = self.0.partition_point(|mark| mark.event < event);
        self.0.get(behind)
    }

    /// The first mark that leads to an offset or behind it.
    pub(super) fn from_offset(&self, offset: u64) -> Option<&Checkpoint> {
        let behind = self.0.partition_point(|mark| mark.offset() < offset);
        self.0.get(behind)
    }
}

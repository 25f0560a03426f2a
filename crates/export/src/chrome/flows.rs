//! Arrows from causes to effects: from what woke a thread to its execution,
//! from where a message was put to where it was taken, from a post to its step.

use super::json::Json;
use super::tracks::{Recording, Track};
use crate::messages::messages;
use rtoscope_analysis::active::PostId;
use rtoscope_trace::EventIndex;
use std::io::{self, Write};

/// What a flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flow {
    Wake,
    Message,
    Post,
}

impl Flow {
    fn name(self) -> &'static str {
        match self {
            Self::Wake => "wake-up",
            Self::Message => "message",
            Self::Post => "post",
        }
    }
}

/// A flow starts or ends at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    event: EventIndex,
    id: u32,
    flow: Flow,
    ends: bool,
}

/// The flows of a recording.
pub(super) struct Flows {
    /// By event.
    marks: Vec<Mark>,
    first_wake: u32,
    first_post: u32,
    used: u32,
}

impl Flows {
    /// The flows, numbered behind so many that others have used.
    pub(super) fn new(recording: &Recording<'_>, used: u32) -> Self {
        let schedule = recording.view.schedule;
        let mut marks = Vec::new();
        let mut id = used;
        let mut mark = |id, event, flow, ends| {
            marks.push(Mark {
                event,
                id,
                flow,
                ends,
            });
        };
        for transfer in messages(schedule) {
            id = id.wrapping_add(1);
            mark(id, transfer.put, Flow::Message, false);
            mark(id, transfer.take, Flow::Message, true);
        }
        let first_wake = id.wrapping_add(1);
        for wake in schedule.wakes() {
            id = id.wrapping_add(1);
            mark(id, wake.cause, Flow::Wake, false);
        }
        let first_post = id.wrapping_add(1);
        for post in &recording.view.active.posts {
            id = id.wrapping_add(1);
            if post.step.is_some() {
                mark(id, post.event, Flow::Post, false);
            }
        }
        marks.sort_unstable();
        Self {
            marks,
            first_wake,
            first_post,
            used: id,
        }
    }

    /// The number of the last flow.
    pub(super) fn used(&self) -> u32 {
        self.used
    }

    /// What starts and ends at events, in their order.
    pub(super) fn marks(&self) -> std::slice::Iter<'_, Mark> {
        self.marks.iter()
    }

    /// Ends the flows to threads where these execute, on the tracks of their
    /// states.
    pub(super) fn end_wakes(
        &self,
        json: &mut Json<impl Write>,
        recording: &Recording<'_>,
        states: &[Option<Track>],
    ) -> io::Result<()> {
        for (wake, number) in recording.view.schedule.wakes().zip(0..) {
            let id = self.first_wake.wrapping_add(number);
            if let Some(Some(track)) = states.get(wake.thread.index()) {
                let time = recording.time(wake.executes);
                json.flow_end(*track, time, Flow::Wake.name(), id);
            }
            json.settle()?;
        }
        Ok(())
    }

    /// Ends the flow of a post at its step, which was just written.
    pub(super) fn end_post(
        &self,
        json: &mut Json<impl Write>,
        track: Track,
        time: u64,
        post: PostId,
    ) {
        let id = self.first_post.wrapping_add(post.0);
        json.flow_end(track, time, Flow::Post.name(), id);
    }
}

impl Mark {
    /// Where it is.
    pub(super) fn event(&self) -> EventIndex {
        self.event
    }

    /// Writes it behind its event, which was just written.
    pub(super) fn write(&self, json: &mut Json<impl Write>, track: Track, time: u64) {
        if self.ends {
            json.flow_end(track, time, self.flow.name(), self.id);
        } else {
            json.flow_start(track, time, self.flow.name(), self.id);
        }
    }
}

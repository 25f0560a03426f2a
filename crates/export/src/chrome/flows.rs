//! Flow arrows from causes to effects: from a wake-up to the thread's next run,
//! from a sent message to its reception, from a post to its step.

use super::json::TraceEventWriter;
use super::tracks::{RecordingProcess, Track};
use crate::queue_messages::queue_messages;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::active::PostId;
use rtoscope_analysis::schedule::{ThreadStateInterval, WakeUp};
use rtoscope_trace::{ContextId, EventIndex};
use std::io::{self, Write};

/// The kind of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FlowKind {
    Wake,
    Message,
    Post,
}

impl FlowKind {
    fn name(self) -> &'static str {
        match self {
            Self::Wake => "wake-up",
            Self::Message => "message",
            Self::Post => "post",
        }
    }
}

/// A start or end of a flow at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlowPoint {
    event: EventIndex,
    id: u32,
    kind: FlowKind,
    is_end: bool,
}

/// The flows of a recording.
pub(super) struct FlowEvents {
    /// Sorted by event.
    points: Vec<FlowPoint>,
    first_wake: u32,
    first_post: u32,
    used: u32,
}

impl FlowEvents {
    /// Collects the flows; `used` is the last number that other recordings have
    /// used.
    pub(super) fn new(recording: &RecordingProcess<'_>, used: u32) -> Self {
        let schedule = recording.view.schedule;
        let mut marks = Vec::new();
        let mut id = used;
        let mut mark = |id, event, flow, ends| {
            marks.push(FlowPoint {
                event,
                id,
                kind: flow,
                is_end: ends,
            });
        };
        for transfer in queue_messages(schedule) {
            id = id.wrapping_add(1);
            mark(id, transfer.put, FlowKind::Message, false);
            mark(id, transfer.take, FlowKind::Message, true);
        }
        let first_wake = id.wrapping_add(1);
        for (wake_up, _) in runs_after_wake_ups(schedule) {
            id = id.wrapping_add(1);
            mark(id, wake_up.cause(), FlowKind::Wake, false);
        }
        let first_post = id.wrapping_add(1);
        for post in &recording.view.active.posts {
            id = id.wrapping_add(1);
            if post.step.is_some() {
                mark(id, post.event, FlowKind::Post, false);
            }
        }
        marks.sort_unstable();
        Self {
            points: marks,
            first_wake,
            first_post,
            used: id,
        }
    }

    /// The number of the last flow.
    pub(super) fn last_id(&self) -> u32 {
        self.used
    }

    /// The starts and ends at events, in order.
    pub(super) fn points(&self) -> std::slice::Iter<'_, FlowPoint> {
        self.points.iter()
    }

    /// Ends the wake-up flows where the woken threads run, on their state tracks.
    pub(super) fn end_wakes(
        &self,
        json: &mut TraceEventWriter<impl Write>,
        recording: &RecordingProcess<'_>,
        states: &[Option<Track>],
    ) -> io::Result<()> {
        let wake_ups = runs_after_wake_ups(recording.view.schedule);
        for ((wake_up, running), number) in wake_ups.zip(0..) {
            let id = self.first_wake.wrapping_add(number);
            if let Some(Some(track)) = states.get(wake_up.thread.index()) {
                let time = recording.time(running.start);
                json.flow_end(*track, time, FlowKind::Wake.name(), id);
            }
            json.flush_if_full()?;
        }
        Ok(())
    }

    /// Ends the flow of a post at its step; call it directly after writing the
    /// step.
    pub(super) fn end_post(
        &self,
        json: &mut TraceEventWriter<impl Write>,
        track: Track,
        time: u64,
        post: PostId,
    ) {
        let id = self.first_post.wrapping_add(post.0);
        json.flow_end(track, time, FlowKind::Post.name(), id);
    }
}

/// The wake-ups after which the thread runs, thread by thread like the state tracks,
/// each with that run.
fn runs_after_wake_ups(
    schedule: &Schedule,
) -> impl Iterator<Item = (WakeUp<'_>, &ThreadStateInterval)> {
    let threads = (0..).map(ContextId).take(schedule.threads.len());
    let wake_ups = threads.flat_map(|thread| schedule.wake_ups_of(thread));
    wake_ups.filter_map(|wake_up| Some((wake_up, wake_up.running()?)))
}

impl FlowPoint {
    /// The event of the point.
    pub(super) fn event(&self) -> EventIndex {
        self.event
    }

    /// Writes the point; call it directly after writing its event.
    pub(super) fn write(&self, json: &mut TraceEventWriter<impl Write>, track: Track, time: u64) {
        if self.is_end {
            json.flow_end(track, time, self.kind.name(), self.id);
        } else {
            json.flow_start(track, time, self.kind.name(), self.id);
        }
    }
}

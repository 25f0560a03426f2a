//! Arrows from causes to effects.

use crate::perfetto::track_event::TrackEvent;
use crate::queue_messages::queue_messages;
use rtoscope_analysis::View;
use rtoscope_analysis::active::{Post, PostId};
use rtoscope_trace::{ContextId, Event};

/// The flows that start or end at events, in event order.
///
/// A wake-up flow leads from the event that resumes a thread to the thread's next
/// event. A message flow leads from the call that sends to the call that receives.
/// A post flow leads from the post of an event to the step that handles it.
pub(super) struct FlowTracker<'a> {
    /// The events that resume threads, with the resumed threads that run later.
    wakes: EventQueue<(u32, ContextId)>,
    /// By context: the flow that its next event ends; 0 if none.
    pending_wakes: Vec<u64>,
    /// The sending calls whose message is received.
    puts: EventQueue<u32>,
    /// The receiving calls, each with the sending call.
    takes: EventQueue<(u32, u32)>,
    posts: &'a [Post],
    /// The number of posts before the current event.
    passed_posts: usize,
    /// The base of the recording's flow ids.
    id_base: u64,
}

/// The kind of a flow, part of its id.
#[derive(Clone, Copy)]
enum FlowKind {
    Wake = 0,
    Put = 1,
    Post = 2,
}

const CAUSE_SHIFT: u32 = 32;
const RECORDING_SHIFT: u32 = 34;

/// Items sorted by event.
struct EventQueue<T> {
    all: Vec<T>,
    passed: usize,
}

impl<T: Ord + Copy> EventQueue<T> {
    fn new(all: impl Iterator<Item = T>) -> Self {
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        Self { all, passed: 0 }
    }

    /// Takes the next item, if it belongs to the event.
    #[inline]
    fn next(&mut self, event: u32, of: impl Fn(&T) -> u32) -> Option<T> {
        let next = *self.all.get(self.passed)?;
        if of(&next) > event {
            return None;
        }
        self.passed += 1;
        Some(next)
    }
}

impl<'a> FlowTracker<'a> {
    /// Creates the tracker for the recording with this number.
    pub(super) fn new(view: &View<'a>, recording: u64) -> Self {
        let schedule = view.schedule;
        let wake_ups = schedule.wake_ups();
        let wake_ups = wake_ups.filter(|wake_up| wake_up.running().is_some());
        Self {
            wakes: EventQueue::new(wake_ups.map(|wake_up| (wake_up.cause().0, wake_up.thread))),
            pending_wakes: vec![0; view.trace.contexts.len()],
            puts: EventQueue::new(queue_messages(schedule).map(|transfer| transfer.put.0)),
            takes: EventQueue::new(
                queue_messages(schedule).map(|transfer| (transfer.take.0, transfer.put.0)),
            ),
            posts: &view.active.posts,
            passed_posts: 0,
            id_base: recording << RECORDING_SHIFT,
        }
    }

    /// The id of the flow that leads to the step handling a post.
    pub(super) fn post_flow(&self, post: PostId) -> u64 {
        self.flow_id(FlowKind::Post, post.0)
    }

    /// Adds the flows that end and start at an event.
    #[inline]
    pub(super) fn add_flows(&mut self, event: &Event, mark: &mut TrackEvent<'_>) {
        let number = event.index.0;
        if let Some(awaited) = self.pending_wakes.get_mut(event.context.index())
            && *awaited != 0
        {
            mark.terminating_flow(std::mem::take(awaited));
        }
        while let Some((_, thread)) = self.wakes.next(number, |(cause, _)| *cause) {
            let flow = self.flow_id(FlowKind::Wake, self.wakes.passed as u32);
            mark.flow(flow);
            if let Some(awaited) = self.pending_wakes.get_mut(thread.index()) {
                *awaited = flow;
            }
        }
        while let Some((_, put)) = self.takes.next(number, |(take, _)| *take) {
            mark.terminating_flow(self.flow_id(FlowKind::Put, put));
        }
        while let Some(put) = self.puts.next(number, |put| *put) {
            mark.flow(self.flow_id(FlowKind::Put, put));
        }
        while let Some(post) = self.posts.get(self.passed_posts)
            && post.event.0 <= number
        {
            if post.step.is_some() {
                mark.flow(self.flow_id(FlowKind::Post, self.passed_posts as u32));
            }
            self.passed_posts += 1;
        }
    }

    fn flow_id(&self, cause: FlowKind, number: u32) -> u64 {
        self.id_base | (cause as u64) << CAUSE_SHIFT | u64::from(number)
    }
}

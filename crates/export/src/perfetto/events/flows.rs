//! Arrows from causes to effects.

use crate::perfetto::track_event::TrackEvent;
use crate::queue_messages::queue_messages;
use rtoscope_analysis::View;
use rtoscope_analysis::active::{Post, PostId};
use rtoscope_trace::{ContextId, Event};

/// What begins or ends at events, in their order.
///
/// The wake-up of a thread leads from the event that resumes it to the thread's
/// first event behind that. What is put into an object leads from the call that
/// puts it to the one that takes it; an event for an active object from its post
/// to the step that handles it.
pub(super) struct FlowTracker<'a> {
    /// The events that resume threads, which executed then.
    wakes: EventQueue<(u32, ContextId)>,
    /// By context: the flow that its next event ends; 0 if none.
    pending_wakes: Vec<u64>,
    /// The calls that put what another takes.
    puts: EventQueue<u32>,
    /// The calls that take, each with the call that put.
    takes: EventQueue<(u32, u32)>,
    posts: &'a [Post],
    /// How many posts were passed.
    passed_posts: usize,
    /// What the numbers of the recording's flows have in common.
    id_base: u64,
}

/// What kind of flow a number is of.
#[derive(Clone, Copy)]
enum FlowKind {
    Wake = 0,
    Put = 1,
    Post = 2,
}

const CAUSE_SHIFT: u32 = 32;
const RECORDING_SHIFT: u32 = 34;

/// Things in the order of events.
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

    /// The next, if it is of that event.
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
    /// Of a trace that is the recording of that number.
    pub(super) fn new(view: &View<'a>, recording: u64) -> Self {
        let schedule = view.schedule;
        Self {
            wakes: EventQueue::new(schedule.wake_ups().map(|wake| (wake.cause.0, wake.thread))),
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

    /// The flow that leads to the step that handles a post.
    pub(super) fn post_flow(&self, post: PostId) -> u64 {
        self.flow_id(FlowKind::Post, post.0)
    }

    /// Marks an event with the flows that it ends and begins.
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

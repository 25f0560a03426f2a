//! Flows from causes to effects: from a wake-up to the thread's next run, from a sent message to
//! its reception, from a post to its step.

use rtoscope_analysis::active::PostId;
use rtoscope_analysis::schedule::{ThreadStateInterval, WakeUp};
use rtoscope_analysis::{Schedule, View, flows};
use rtoscope_trace::{ContextId, EventIndex};
use std::iter::Peekable;
use std::vec;

pub(crate) use flows::FlowKind;

/// A start or end of a flow at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FlowPoint {
    event: EventIndex,
    pub(crate) id: u32,
    pub(crate) kind: FlowKind,
    pub(crate) is_end: bool,
    /// The thread that is woken, or [`ContextId::UNKNOWN`].
    pub(crate) thread: ContextId,
}

/// The flows of a recording that start or end at events, in the order of the events. Those of
/// wake-ups and posts only start there.
pub(crate) struct EventFlows {
    points: Peekable<vec::IntoIter<FlowPoint>>,
    first_wake: u32,
    first_post: u32,
    last: u32,
}

impl EventFlows {
    /// Collects the flows; `used` is the last number that other recordings have used.
    ///
    /// What comes from the queue of an active object has only the flow from post to step.
    pub(crate) fn new(view: &View<'_>, used: u32) -> Self {
        let schedule = view.schedule;
        let mut points = Vec::new();
        let mut id = used;
        let mut point = |id, event, kind, is_end, thread| {
            points.push(FlowPoint {
                event,
                id,
                kind,
                is_end,
                thread,
            });
        };
        let no_thread = ContextId::UNKNOWN;
        for transfer in &schedule.transfers {
            let resource = schedule.resources.get(transfer.resource.index());
            if resource.is_none_or(|resource| resource.owner.is_none()) {
                id = id.wrapping_add(1);
                point(id, transfer.put, FlowKind::Message, false, no_thread);
                point(id, transfer.take, FlowKind::Message, true, no_thread);
            }
        }
        let first_wake = id.wrapping_add(1);
        for (wake_up, _) in runs_after_wake_ups(schedule) {
            id = id.wrapping_add(1);
            point(id, wake_up.cause(), FlowKind::Wake, false, wake_up.thread);
        }
        let first_post = id.wrapping_add(1);
        for post in &view.active.posts {
            id = id.wrapping_add(1);
            if post.step.is_some() {
                point(id, post.event, FlowKind::Post, false, no_thread);
            }
        }
        points.sort_unstable();
        Self {
            points: points.into_iter().peekable(),
            first_wake,
            first_post,
            last: id,
        }
    }

    /// The number of the last flow.
    pub(crate) fn last_id(&self) -> u32 {
        self.last
    }

    /// The next start or end at an event.
    #[inline]
    pub(crate) fn next_at(&mut self, event: EventIndex) -> Option<FlowPoint> {
        self.points.next_if(|point| point.event <= event)
    }

    /// The flows of wake-ups, each with the thread and its run, thread by thread.
    pub(crate) fn wake_ups<'s>(
        &self,
        schedule: &'s Schedule,
    ) -> impl Iterator<Item = (u32, ContextId, &'s ThreadStateInterval)> + use<'s> {
        let first = self.first_wake;
        let wake_ups = runs_after_wake_ups(schedule).zip(0..);
        wake_ups.map(move |((wake_up, running), number)| {
            (first.wrapping_add(number), wake_up.thread, running)
        })
    }

    /// The flow that ends at the step of a post.
    pub(crate) fn post(&self, post: PostId) -> u32 {
        self.first_post.wrapping_add(post.0)
    }
}

/// The wake-ups after which the thread runs, thread by thread, each with that run.
fn runs_after_wake_ups(
    schedule: &Schedule,
) -> impl Iterator<Item = (WakeUp<'_>, &ThreadStateInterval)> {
    let threads = (0..).map(ContextId).take(schedule.threads.len());
    let wake_ups = threads.flat_map(|thread| schedule.wake_ups_of(thread));
    wake_ups.filter_map(|wake_up| Some((wake_up, wake_up.running()?)))
}

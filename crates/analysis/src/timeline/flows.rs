//! Flows from causes to effects: from a wake-up to the thread's next run, from a sent message to
//! its reception, from a post to its step.

use crate::active::PostId;
use crate::flows::FlowKind;
use crate::report::View;
use crate::schedule::{Schedule, WakeUp};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::sync::Arc;

/// A start or end of a flow at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlowPoint {
    event: EventIndex,
    /// The number of the flow.
    pub id: u32,
    /// What it connects.
    pub kind: FlowKind,
    /// Whether the flow ends here.
    pub is_end: bool,
    /// The thread that is woken, or [`ContextId::UNKNOWN`].
    pub thread: ContextId,
}

/// The flows of a recording that start or end at events, in the order of the events. Those of
/// wake-ups and posts only start there.
#[derive(Debug, Clone)]
pub struct EventFlows {
    points: Arc<[FlowPoint]>,
    next: usize,
    first_wake: u32,
    first_post: u32,
    last: u32,
}

impl EventFlows {
    /// Collects the flows; `used` is the last number that other recordings have used.
    ///
    /// What comes from the queue of an active object has only the flow from post to step.
    pub fn new(view: &View<'_>, used: u32) -> Self {
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
            points: points.into(),
            next: 0,
            first_wake,
            first_post,
            last: id,
        }
    }

    /// The number of the last flow.
    pub fn last_id(&self) -> u32 {
        self.last
    }

    /// The same from an event on.
    pub fn starting_at(&self, event: EventIndex) -> Self {
        Self {
            next: self.points.partition_point(|point| point.event < event),
            ..self.clone()
        }
    }

    /// The next start or end at an event.
    #[inline]
    pub fn next_at(&mut self, event: EventIndex) -> Option<FlowPoint> {
        let next = self.points.get(self.next);
        let next = next.filter(|point| point.event <= event).copied()?;
        self.next += 1;
        Some(next)
    }

    /// The flows of wake-ups, each with the thread and when it runs, thread by thread.
    pub fn wake_ups<'a>(
        &self,
        view: &View<'a>,
    ) -> impl Iterator<Item = (u32, ContextId, Ticks)> + use<'a> {
        let first = self.first_wake;
        let wake_ups = runs_after_wake_ups(view.schedule).zip(0..);
        wake_ups.map(move |((wake_up, start), number)| {
            (first.wrapping_add(number), wake_up.thread, start)
        })
    }

    /// The flow that ends at the step of a post.
    pub fn post(&self, post: PostId) -> u32 {
        self.first_post.wrapping_add(post.0)
    }
}

/// The wake-ups after which the thread runs, thread by thread, each with the time of that.
fn runs_after_wake_ups(schedule: &Schedule) -> impl Iterator<Item = (WakeUp, Ticks)> {
    let threads = (0..).map(ContextId).take(schedule.threads.len());
    let wake_ups = threads.flat_map(|thread| schedule.wake_ups_of(thread));
    wake_ups.filter_map(|wake_up| Some((wake_up, wake_up.running()?.start)))
}

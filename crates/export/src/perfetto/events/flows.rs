//! Arrows from causes to effects.

use crate::perfetto::track_event::TrackEvent;
use rtoscope_analysis::View;
use rtoscope_analysis::active::PostId;
use rtoscope_analysis::flows::FlowKind;
use rtoscope_analysis::timeline::EventFlows;
use rtoscope_trace::Event;

/// The flows that start or end at events.
///
/// A wake-up flow leads from the event that resumes a thread to the thread's next
/// event. A message flow leads from the call that sends to the call that receives.
/// A post flow leads from the post of an event to the step that handles it.
pub(super) struct FlowTracker {
    flows: EventFlows,
    /// By context: the flow that its next event ends; 0 if none.
    pending_wakes: Vec<u64>,
    /// The base of the recording's flow ids.
    id_base: u64,
}

impl FlowTracker {
    /// Creates the tracker for the recording with this number.
    pub(super) fn new(view: &View<'_>, recording: u64) -> Self {
        Self {
            flows: EventFlows::new(view, 0),
            pending_wakes: vec![0; view.trace.contexts.len()],
            id_base: recording << u32::BITS,
        }
    }

    /// The id of the flow that leads to the step handling a post.
    pub(super) fn post_flow(&self, post: PostId) -> u64 {
        self.id_base | u64::from(self.flows.post(post))
    }

    /// Adds the flows that end and start at an event.
    #[inline]
    pub(super) fn add_flows(&mut self, event: &Event, mark: &mut TrackEvent<'_>) {
        if let Some(awaited) = self.pending_wakes.get_mut(event.context.index())
            && *awaited != 0
        {
            mark.terminating_flow(std::mem::take(awaited));
        }
        while let Some(point) = self.flows.next_at(event.index) {
            let flow = self.id_base | u64::from(point.id);
            if point.is_end {
                mark.terminating_flow(flow);
                continue;
            }
            mark.flow(flow);
            if point.kind == FlowKind::Wake
                && let Some(awaited) = self.pending_wakes.get_mut(point.thread.index())
            {
                *awaited = flow;
            }
        }
    }
}

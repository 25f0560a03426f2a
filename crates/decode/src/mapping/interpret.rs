//! The interpreter of events whose meanings are decided already.

use rtoscope_trace::{Event, Interpret, IsrFunction, Resource, SchedEvent, Trace};
use std::sync::Arc;

/// What the events of a trace mean.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MappedEvents {
    pub(super) sched_events: Arc<[SchedEvent]>,
    pub(super) resources: Arc<[Resource]>,
    pub(super) functions: Arc<[IsrFunction]>,
}

impl Interpret for MappedEvents {
    fn sched_event(&mut self, _trace: &Trace, event: &Event) -> SchedEvent {
        let known = self.sched_events.get(event.index.index());
        known.copied().unwrap_or(SchedEvent::None)
    }

    fn resources(&self) -> &[Resource] {
        &self.resources
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        &self.functions
    }
}

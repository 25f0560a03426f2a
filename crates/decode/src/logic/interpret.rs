//! Interprets changes of signals: they mean nothing to a scheduler.

use rtoscope_trace::{Event, Interpret, Resource, SchedEvent, Trace};

/// Interprets the events of a capture.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaptureInterpreter;

impl Interpret for CaptureInterpreter {
    fn sched_event(&mut self, _trace: &Trace, _event: &Event) -> SchedEvent {
        SchedEvent::None
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }
}

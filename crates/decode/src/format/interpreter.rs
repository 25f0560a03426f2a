//! The interpreter of any format's events.

use rtoscope_trace::{
    ActiveObjectEvent, Event, Interpret, IsrFunction, Resource, SchedEvent, Trace,
};
use std::fmt::Debug;

/// Interprets the events of a trace of any format. A clone continues from the
/// same event.
#[derive(Debug)]
pub struct EventInterpreter(Box<dyn CloneInterpreter>);

trait CloneInterpreter: Interpret + Debug + Send {
    fn clone_boxed(&self) -> Box<dyn CloneInterpreter>;
}

impl<I: Interpret + Debug + Clone + Send + 'static> CloneInterpreter for I {
    fn clone_boxed(&self) -> Box<dyn CloneInterpreter> {
        Box::new(self.clone())
    }
}

impl EventInterpreter {
    pub(crate) fn new(interpreter: impl Interpret + Debug + Clone + Send + 'static) -> Self {
        Self(Box::new(interpreter))
    }
}

impl Clone for EventInterpreter {
    fn clone(&self) -> Self {
        Self(self.0.clone_boxed())
    }
}

impl Interpret for EventInterpreter {
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent {
        self.0.sched_event(trace, event)
    }

    fn secondary_event(&self) -> Option<SchedEvent> {
        self.0.secondary_event()
    }

    fn resources(&self) -> &[Resource] {
        self.0.resources()
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        self.0.isr_functions()
    }

    fn exitless_isrs(&self) -> &[u32] {
        self.0.exitless_isrs()
    }

    fn active_object_event(&self, trace: &Trace, event: &Event) -> ActiveObjectEvent {
        self.0.active_object_event(trace, event)
    }

    fn max_look_ahead(&self) -> usize {
        self.0.max_look_ahead()
    }
}

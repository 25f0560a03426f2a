//! What all rows of a source share.

use crate::Source;
use rtoscope_trace::{ContextId, EventIndex, Frequency, Resource, ResourceId, Ticks, Trace};

/// A source, and how its times are told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) source: Source<'a>,
    /// How often the clock ticks, if that is known and it counts time.
    frequency: Option<Frequency>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(source: Source<'a>) -> Self {
        Self {
            source,
            frequency: source.view.trace.clock.timebase(),
        }
    }

    pub(crate) fn trace(&self) -> &'a Trace {
        self.source.view.trace
    }

    /// A time of the trace as ticks since the first event of the recording.
    pub(crate) fn time(&self, time: Ticks) -> u64 {
        self.trace().moment(time).0
    }

    /// The same in nanoseconds.
    pub(crate) fn time_ns(&self, time: Ticks) -> Option<i64> {
        self.nanoseconds(self.trace().moment(time))
    }

    /// Ticks as nanoseconds.
    pub(crate) fn nanoseconds(&self, ticks: Ticks) -> Option<i64> {
        let time = self.frequency?.to_time(ticks).0;
        Some(i64::try_from(time).unwrap_or(i64::MAX))
    }

    /// An object that threads share.
    pub(crate) fn resource(&self, resource: ResourceId) -> Option<&'a Resource> {
        self.source.view.schedule.resources.get(resource.index())
    }

    /// What such an object is.
    pub(crate) fn class(&self, resource: ResourceId) -> Option<&'static str> {
        self.resource(resource)
            .map(|resource| resource.class.name())
    }

    /// The context in which an event happened.
    pub(crate) fn context(&self, event: EventIndex) -> Option<ContextId> {
        self.trace().events.context.get(event.index()).copied()
    }

    /// When an event happened, since the first of the trace.
    pub(crate) fn happened(&self, event: EventIndex) -> Ticks {
        let time = self.trace().events.time.get(event.index());
        Ticks(time.copied().unwrap_or_default())
    }

    /// An event's number in the recording.
    pub(crate) fn event(&self, event: EventIndex) -> u64 {
        self.trace().number(event)
    }
}

//! What all rows of a recording share.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{
    ContextId, EventIndex, Nanoseconds, Resource, ResourceId, Ticks, Timescale, Trace,
};

/// A recording, and the conversion of its times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowContext<'a> {
    pub(crate) recording: &'a AnalyzedRecording,
    scale: Timescale,
}

impl<'a> RowContext<'a> {
    pub(crate) fn new(recording: &'a AnalyzedRecording) -> Self {
        Self {
            recording,
            scale: recording.trace.timescale(),
        }
    }

    pub(crate) fn trace(&self) -> &'a Trace {
        &self.recording.trace
    }

    /// A time of the trace as ticks since the first event of the recording.
    pub(crate) fn time(&self, time: Ticks) -> u64 {
        self.scale.recording_time(time).0
    }

    /// The same time in nanoseconds.
    pub(crate) fn time_ns(&self, time: Ticks) -> Option<i64> {
        self.scale.time(time).map(signed)
    }

    /// A duration in nanoseconds.
    pub(crate) fn nanoseconds(&self, ticks: Ticks) -> Option<i64> {
        self.scale.duration(ticks).map(signed)
    }

    /// An object shared by threads.
    pub(crate) fn resource(&self, resource: ResourceId) -> Option<&'a Resource> {
        self.recording.schedule.resources.get(resource.index())
    }

    /// The class of such an object.
    pub(crate) fn class_name(&self, resource: ResourceId) -> Option<&'static str> {
        self.resource(resource)
            .map(|resource| resource.class.name())
    }

    /// The context that an event belongs to.
    pub(crate) fn context_of_event(&self, event: EventIndex) -> Option<ContextId> {
        self.trace().events.context(event)
    }

    /// The time of an event, since the first event of the trace.
    pub(crate) fn event_time(&self, event: EventIndex) -> Ticks {
        self.trace().events.time(event).unwrap_or_default()
    }

    /// An event's number in the recording.
    pub(crate) fn event_number(&self, event: EventIndex) -> u64 {
        self.trace().recording_event(event)
    }
}

fn signed(time: Nanoseconds) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

//! A decoded recording, and what only its format knows about it.

use super::{EventInterpreter, Format, FormatFacts};
use rtoscope_trace::unit_test::RecordedTests;
use rtoscope_trace::{EventIndex, Statistic, Trace, TraceFormat};
use serde_json::{Map, Value};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedRecording {
    /// The trace.
    pub trace: Trace,
    /// Properties specific to the format.
    pub format_info: FormatInfo,
}

/// Properties of a recording that only its format has.
#[derive(Debug, Clone)]
pub struct FormatInfo(Arc<dyn FormatDetails>);

/// Equality of what formats keep about recordings.
pub(crate) trait EqualDetails {
    /// Whether `other` has the same type and is equal.
    fn is_equal(&self, other: &dyn Any) -> bool;
}

impl<T: PartialEq + 'static> EqualDetails for T {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// What a format keeps about a recording.
pub(crate) trait FormatDetails: Any + EqualDetails + Debug + Send + Sync {
    /// The format.
    fn format(&self) -> Format;

    /// Creates an interpreter of the trace's events.
    fn interpreter(&self, trace: &Trace) -> EventInterpreter;

    /// The statistics that the target's components report.
    fn statistics(&self) -> &'static [Statistic] {
        &[]
    }

    /// The facts.
    fn facts(&self, trace: &Trace) -> FormatFacts;

    /// The offset in the recording of an event's record.
    fn record_offset(&self, _event: EventIndex) -> Option<u64> {
        None
    }

    /// The sequence number of an event's record.
    fn record_sequence(&self, _event: EventIndex) -> Option<u8> {
        None
    }

    /// Whether records have sequence numbers.
    fn has_sequences(&self) -> bool {
        false
    }

    /// The unit tests in the recording; `None` in a format without them.
    fn recorded_tests(&self, _trace: &Trace) -> Option<RecordedTests> {
        None
    }

    /// Encodes the result of a test for a target that waits for it.
    fn encode_test_result(&self, _line: u32, _failure: Option<&str>) -> Option<Vec<u8>> {
        None
    }

    /// An event's record as JSON members, in place of those common to all
    /// formats.
    fn record_members(&self, _trace: &Trace, _event: EventIndex) -> Option<Map<String, Value>> {
        None
    }
}

impl FormatInfo {
    pub(crate) fn new(details: impl FormatDetails) -> Self {
        Self(Arc::new(details))
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.0.format()
    }

    /// The properties as a type of the format's module; `None` for a recording
    /// of another format.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        let details: &dyn Any = &*self.0;
        details.downcast_ref()
    }

    /// Creates an interpreter of the trace's events.
    pub fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        self.0.interpreter(trace)
    }

    /// The statistics that the target's components report.
    pub fn statistics(&self) -> &'static [Statistic] {
        self.0.statistics()
    }

    /// The facts about the recording that only its format has.
    pub fn facts(&self, trace: &Trace) -> FormatFacts {
        self.0.facts(trace)
    }

    /// The offset in the recording of an event's record; `None` in a format
    /// without a record for each event.
    pub fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.0.record_offset(event)
    }

    /// The sequence number of an event's record; `None` if it has none.
    pub fn record_sequence(&self, event: EventIndex) -> Option<u8> {
        self.0.record_sequence(event)
    }

    /// Whether records have sequence numbers.
    pub fn has_sequences(&self) -> bool {
        self.0.has_sequences()
    }

    /// Encodes the result of a test at a source line of the target, which waits
    /// for it: success, or the reason of the failure. `None` in a format whose
    /// targets wait for none.
    pub fn encode_test_result(&self, line: u32, failure: Option<&str>) -> Option<Vec<u8>> {
        self.0.encode_test_result(line, failure)
    }

    /// An event's record as JSON members that only its format has; `None` if
    /// the fields of the event say everything.
    pub fn record_members(&self, trace: &Trace, event: EventIndex) -> Option<Map<String, Value>> {
        self.0.record_members(trace, event)
    }
}

impl TraceFormat for FormatInfo {
    type Interpreter = EventInterpreter;

    fn name(&self) -> &'static str {
        self.format().name()
    }

    fn title(&self) -> &'static str {
        self.format().title()
    }

    fn statistics(&self) -> &'static [Statistic] {
        Self::statistics(self)
    }

    fn recorded_tests(&self, trace: &Trace) -> Option<RecordedTests> {
        self.0.recorded_tests(trace)
    }

    fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        Self::interpreter(self, trace)
    }
}

impl PartialEq for FormatInfo {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(&*other.0)
    }
}

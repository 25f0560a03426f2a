//! The format of a trace, for its analysis.

use crate::unit_test::RecordedTests;
use crate::{Interpret, Statistic, Trace};

/// What an analysis needs from the format of a trace.
pub trait TraceFormat {
    /// Interprets the events of such a trace.
    type Interpreter: Interpret + Clone + Send;

    /// The name in machine-readable output.
    fn name(&self) -> &'static str;

    /// The name for people.
    fn title(&self) -> &'static str;

    /// The statistics that the target's components report.
    fn statistics(&self) -> &'static [Statistic];

    /// The unit tests in the trace, which the target runs on itself; `None` in a format without
    /// them.
    fn recorded_tests(&self, trace: &Trace) -> Option<RecordedTests>;

    /// Creates an interpreter of the trace's events.
    fn interpreter(&self, trace: &Trace) -> Self::Interpreter;
}

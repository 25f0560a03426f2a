//! Analyses a recording while it grows.

use crate::{AnalysisBuilder, AnalyzedRecording, RecordingInfo};
use rtoscope_trace::{Interpret, IsrFunction, Trace, TraceFormat};

/// Analyses the trace of a growing recording again and again. It does not
/// interpret the events of the last trace again if the new one
/// [continues](Trace::continues) it.
#[derive(Debug)]
pub struct LiveAnalysis<I> {
    committed: Option<CommittedAnalysis<I>>,
    reused_events: usize,
}

/// Number of events at the end of a trace that are interpreted again, even if
/// their format looks ahead less: a decoder may date or attribute the last events
/// otherwise when more arrive.
const UNSETTLED_EVENTS: usize = 64;

/// The analysis of those events of a trace whose meaning does not depend on
/// events that are still to come.
#[derive(Debug)]
struct CommittedAnalysis<I> {
    /// The whole trace.
    trace: Trace,
    interpreter: I,
    builder: AnalysisBuilder,
}

impl<I: Interpret + Clone + Send> LiveAnalysis<I> {
    /// Analyses the trace as it is now. The result equals that of
    /// [`AnalyzedRecording::new`].
    pub fn analyze(
        &mut self,
        name: &str,
        trace: Trace,
        format: &impl TraceFormat<Interpreter = I>,
    ) -> AnalyzedRecording {
        let last = self.committed.take();
        let last = last.filter(|committed| {
            let interpreter = format.interpreter(&trace);
            committed.interpreter.exitless_isrs() == interpreter.exitless_isrs()
                && committed.is_continued_by(&trace)
        });
        self.reused_events = last.as_ref().map_or(0, |last| last.builder.event_count());
        let (mut interpreter, mut builder) = match last {
            Some(last) => (last.interpreter, last.builder),
            None => (format.interpreter(&trace), AnalysisBuilder::new(&trace)),
        };
        let events = trace.events.len();
        let unsettled = UNSETTLED_EVENTS + interpreter.max_look_ahead();
        let committed = events.saturating_sub(unsettled);
        builder.push(&trace, &mut interpreter, committed);
        let mut whole = builder.clone();
        whole.push(&trace, &mut interpreter.clone(), events);
        self.committed = Some(CommittedAnalysis {
            trace: trace.clone(),
            interpreter,
            builder,
        });
        let analysis = whole.finish(&trace);
        let info = RecordingInfo::new(name, "", format);
        AnalyzedRecording::from_analysis(info, trace, analysis)
    }

    /// Number of events of the last trace that were not interpreted again.
    pub fn reused_events(&self) -> usize {
        self.reused_events
    }
}

impl<I> Default for LiveAnalysis<I> {
    fn default() -> Self {
        Self {
            committed: None,
            reused_events: 0,
        }
    }
}

impl<I: Interpret> CommittedAnalysis<I> {
    /// Whether the analysis so far holds for this trace.
    fn is_continued_by(&self, trace: &Trace) -> bool {
        let events = self.builder.event_count() + self.interpreter.max_look_ahead();
        let functions = self.interpreter.isr_functions();
        let is_named_as_before = |isr: &IsrFunction| {
            let location = trace.code_locations.get(isr.address);
            isr.name.as_ref() == location.and_then(|location| location.function.as_ref())
        };
        trace.continues(&self.trace, events) && functions.iter().all(is_named_as_before)
    }
}

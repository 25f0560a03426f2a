//! Analyses a trace in one pass over its events.

use crate::active::ActiveObjectsBuilder;
use crate::levels::{LevelHistoriesBuilder, Levels};
use crate::pipeline;
use crate::report::CpuTimes;
use crate::{AnalyzedRecording, EventCounts, RecordingInfo, ScheduleBuilder, Scope, ScopeStats};
use rtoscope_trace::{Interpret, IsrFunction, Resource, SchedEvent, Trace};

/// Analyses a trace as its events arrive. The result does not depend on how the
/// events are divided.
#[derive(Debug, Clone)]
pub struct AnalysisBuilder {
    schedule: ScheduleBuilder,
    interpreted: InterpretedEvents,
    resources: Vec<Resource>,
    isr_functions: Vec<IsrFunction>,
}

/// What is built while the events are interpreted, apart from the schedule.
#[derive(Debug, Clone, Default)]
struct InterpretedEvents {
    /// Number of interpreted events.
    count: usize,
    levels: LevelHistoriesBuilder,
    active: ActiveObjectsBuilder,
}

impl AnalysisBuilder {
    /// Creates a builder for a trace whose events are still to be applied.
    pub fn new(trace: &Trace) -> Self {
        Self {
            schedule: ScheduleBuilder::new(trace),
            interpreted: InterpretedEvents::default(),
            resources: Vec::new(),
            isr_functions: Vec::new(),
        }
    }

    /// Applies the next events of the trace, those before number `until`. The
    /// interpreter is the one of the events before.
    pub fn push(&mut self, trace: &Trace, interpreter: &mut (impl Interpret + Send), until: usize) {
        self.push_and(trace, interpreter, until, || ());
    }

    /// The same on two threads: one interprets the events and then runs `last`,
    /// the other builds the schedule.
    pub(crate) fn push_and(
        &mut self,
        trace: &Trace,
        interpreter: &mut (impl Interpret + Send),
        until: usize,
        last: impl FnOnce() + Send,
    ) {
        let until = until.min(trace.events.len());
        let (interpreted, schedule) = (&mut self.interpreted, &mut self.schedule);
        let mut last = Some(last);
        let interpret = |batch: &mut Vec<SchedEvent>| {
            if interpreted.count < until {
                interpreted.push_batch(trace, interpreter, until, batch);
                return true;
            }
            if let Some(last) = last.take() {
                last();
            }
            false
        };
        pipeline::run(interpret, |batch| schedule.push_sched_events(trace, batch));
        self.resources.clear();
        self.resources.extend_from_slice(interpreter.resources());
        self.isr_functions.clear();
        self.isr_functions
            .extend_from_slice(interpreter.isr_functions());
    }

    /// The analysis of the trace, all of whose events have been applied.
    pub fn finish(self, info: RecordingInfo, trace: Trace) -> AnalyzedRecording {
        let event_counts = EventCounts::from_trace(&trace, &Scope::default());
        self.finish_with(info, trace, event_counts)
    }

    /// The same, with the event counts of the whole trace.
    pub(crate) fn finish_with(
        self,
        info: RecordingInfo,
        trace: Trace,
        event_counts: EventCounts,
    ) -> AnalyzedRecording {
        let scope = Scope::default();
        let schedule = self.schedule.finish(&self.resources, &self.isr_functions);
        let level_histories = self.interpreted.levels.finish(&trace);
        AnalyzedRecording {
            info,
            whole: ScopeStats {
                event_counts,
                levels: Levels::in_scope(&trace, &level_histories, &scope),
                cpu_times: CpuTimes::from_schedule(&schedule, &scope),
                scope,
            },
            active: self.interpreted.active.finish(&trace),
            diagnostics: schedule.diagnostics(&trace),
            level_histories,
            schedule,
            trace,
        }
    }
}

impl InterpretedEvents {
    /// Interprets the next events, tracks levels and active objects, and adds
    /// the scheduler events to `batch`.
    fn push_batch(
        &mut self,
        trace: &Trace,
        interpreter: &mut impl Interpret,
        until: usize,
        batch: &mut Vec<SchedEvent>,
    ) {
        let (levels, active) = (&mut self.levels, &mut self.active);
        let events = self.count..until.min(self.count + SchedEvent::BATCH_LEN);
        self.count = events.end;
        trace.events.visit(events, |event| {
            let sched_event = interpreter.sched_event(&event);
            batch.push(sched_event);
            let used = interpreter.secondary_event().unwrap_or(sched_event);
            levels.push(trace, &event, used, interpreter.resources());
            active.push(trace, &event, interpreter.active_object_event(&event));
        });
    }
}

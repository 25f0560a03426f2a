//! Analyses a trace in one pass over its events.

use crate::active::ActiveObjectsBuilder;
use crate::batches;
use crate::event_counts::EventCountsBuilder;
use crate::hardware::HardwareActivity;
use crate::levels::{LevelHistoriesBuilder, Levels};
use crate::markers::MarkersBuilder;
use crate::report::CpuTimes;
use crate::{Analysis, ScheduleBuilder, Scope, ScopeStats};
use rtoscope_trace::{
    ActiveObjectEvent, EventHeader, Interpret, IsrFunction, Resource, SchedEvent, Trace, parallel,
};

/// Analyses a trace as its events arrive. The result does not depend on how the
/// events are divided.
#[derive(Debug, Clone)]
pub struct AnalysisBuilder {
    schedule: ScheduleBuilder,
    active: ActiveObjectsBuilder,
    interpreted: InterpretedEvents,
    resources: Vec<Resource>,
    isr_functions: Vec<IsrFunction>,
}

/// What is built while the events are interpreted.
#[derive(Debug, Clone)]
struct InterpretedEvents {
    /// Number of interpreted events.
    count: usize,
    event_counts: EventCountsBuilder,
    levels: LevelHistoriesBuilder,
    markers: MarkersBuilder,
}

/// What consecutive events mean: from this the schedule and the active objects are built.
#[derive(Debug, Default)]
struct EventMeanings {
    /// Of all events.
    sched_events: Vec<(EventHeader, SchedEvent)>,
    /// Of the events of active objects.
    object_events: Vec<(EventHeader, ActiveObjectEvent)>,
}

impl AnalysisBuilder {
    /// Creates a builder for a trace whose events are still to be applied.
    pub fn new(trace: &Trace) -> Self {
        Self {
            schedule: ScheduleBuilder::new(trace),
            active: ActiveObjectsBuilder::default(),
            interpreted: InterpretedEvents {
                count: 0,
                event_counts: EventCountsBuilder::new(trace),
                levels: LevelHistoriesBuilder::default(),
                markers: MarkersBuilder::new(trace),
            },
            resources: Vec::new(),
            isr_functions: Vec::new(),
        }
    }

    /// Number of applied events.
    pub fn event_count(&self) -> usize {
        self.interpreted.count
    }

    /// Applies the next events of the trace, those before number `until`: on two
    /// threads if they are many. The trace and the interpreter are those of the
    /// events before; the trace may have grown, if it
    /// [continues](Trace::continues) what it was.
    pub fn push(&mut self, trace: &Trace, interpreter: &mut (impl Interpret + Send), until: usize) {
        let until = until.min(trace.events.len());
        let (schedule, active) = (&mut self.schedule, &mut self.active);
        let interpreted = &mut self.interpreted;
        schedule.set_trace(trace);
        schedule.set_exitless_isrs(interpreter.exitless_isrs());
        let is_one_batch = until <= interpreted.count + SchedEvent::BATCH_LEN;
        let interpret = |batch: &mut EventMeanings| {
            let has_more = interpreted.count < until;
            if has_more {
                interpreted.push_batch(trace, interpreter, until, batch);
            }
            has_more
        };
        let build = |batch: &EventMeanings| {
            schedule.push_sched_events(trace.switch_model, &batch.sched_events);
            for (event, object_event) in &batch.object_events {
                active.push(trace, event, *object_event);
            }
        };
        if is_one_batch {
            batches::run_on_one_thread(interpret, build);
        } else {
            batches::run(interpret, build);
        }
        self.resources.clear();
        self.resources.extend_from_slice(interpreter.resources());
        self.isr_functions.clear();
        self.isr_functions
            .extend_from_slice(interpreter.isr_functions());
    }

    /// The analysis of the trace, all of whose events have been applied.
    pub fn finish(self, trace: &Trace) -> Analysis {
        let scope = Scope::default();
        let schedule = self.schedule.finish(&self.resources, &self.isr_functions);
        let level_histories = self.interpreted.levels.finish(trace);
        let markers = self.interpreted.markers.finish(trace);
        let mut diagnostics = schedule.diagnostics(trace);
        diagnostics.extend(markers.diagnostics());
        let (levels, cpu_times) = parallel::join(
            || Levels::in_scope(trace, &level_histories, &scope),
            || CpuTimes::from_schedule(&schedule, &scope),
        );
        Analysis {
            whole: ScopeStats {
                event_counts: self.interpreted.event_counts.finish(),
                levels,
                cpu_times,
                scope,
            },
            active: self.active.finish(trace),
            markers,
            hardware: HardwareActivity::default(),
            deadlines: Vec::new(),
            pipelines: Vec::new(),
            intervals: Vec::new(),
            unit_tests: None,
            diagnostics,
            level_histories,
            schedule,
        }
    }
}

impl InterpretedEvents {
    /// Interprets the next events, counts them, tracks levels and markers, and replaces `batch`
    /// by their meanings.
    fn push_batch(
        &mut self,
        trace: &Trace,
        interpreter: &mut impl Interpret,
        until: usize,
        batch: &mut EventMeanings,
    ) {
        let (levels, markers) = (&mut self.levels, &mut self.markers);
        let event_counts = &mut self.event_counts;
        batch.sched_events.clear();
        batch.object_events.clear();
        let events = self.count..until.min(self.count + SchedEvent::BATCH_LEN);
        self.count = events.end;
        trace.events.visit(events, |event| {
            let sched_event = interpreter.sched_event(trace, &event);
            batch.sched_events.push((event.header(), sched_event));
            event_counts.push(&event);
            markers.push(trace, &event);
            let used = interpreter.secondary_event().unwrap_or(sched_event);
            levels.push(trace, &event, used, interpreter.resources());
            let object_event = interpreter.active_object_event(trace, &event);
            if !matches!(object_event, ActiveObjectEvent::None) {
                batch.object_events.push((event.header(), object_event));
            }
        });
    }
}

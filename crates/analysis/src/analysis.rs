//! Everything that is computed from a trace before any report.

use crate::active::{self, ActiveObjects};
use crate::levels::{self, Levels};
use crate::report::CpuTimes;
use crate::schedule::ScheduleBuilder;
use crate::{EventCounts, Schedule, Scope, View};
use rtoscope_trace::{Diagnostics, Interpret, IsrFunction, Resource, SchedEvent, Statistic, Trace};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// A trace's schedule, and the other inputs of reports on a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The schedule of the whole trace.
    pub schedule: Schedule,
    /// The active objects of the whole trace.
    pub active: ActiveObjects,
    /// The event counts of the scope.
    pub event_counts: EventCounts,
    /// The levels of the objects in the scope.
    pub levels: Levels,
    /// CPU times in the scope.
    pub cpu_times: CpuTimes,
    /// The scope.
    pub scope: Scope,
    /// The diagnostics of the trace, then those of the schedule.
    pub diagnostics: Diagnostics,
}

/// Maximum number of batches of scheduler events in the channel.
const MAX_PENDING_BATCHES: usize = 8;

impl Analysis {
    /// Analyses a trace on two threads: one interprets the events and counts,
    /// the other builds the schedule.
    pub fn run(trace: &Trace, scope: Scope, interpreter: &mut (impl Interpret + Send)) -> Self {
        let (sched_events, batches) = sync_channel(MAX_PENDING_BATCHES);
        let (used, free) = channel();
        let (builder, (interpreted, event_counts)) = thread::scope(|threads| {
            let scope = &scope;
            let counts = threads.spawn(move || {
                let interpreted = interpret(trace, scope, interpreter, sched_events, &free);
                (interpreted, EventCounts::from_trace(trace, scope))
            });
            let mut builder = ScheduleBuilder::new(trace);
            for batch in batches {
                builder.push_sched_events(trace, &batch);
                // At the end the interpreter no longer takes batches back.
                let _ = used.send(batch);
            }
            match counts.join() {
                Ok(counts) => (builder, counts),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        let schedule = builder.finish(&interpreted.resources, &interpreted.isr_functions);
        let cpu_times = CpuTimes::from_schedule(&schedule, &scope);
        let diagnostics = schedule.diagnostics(trace);
        Self {
            schedule,
            active: interpreted.active,
            event_counts,
            levels: interpreted.levels,
            cpu_times,
            scope,
            diagnostics,
        }
    }

    /// The input of reports. The trace is the analysed one; `statistics` are
    /// those of the format's components.
    pub fn view<'a>(&'a self, trace: &'a Trace, statistics: &'a [Statistic]) -> View<'a> {
        View {
            trace,
            schedule: &self.schedule,
            active: &self.active,
            event_counts: &self.event_counts,
            levels: &self.levels,
            cpu_times: &self.cpu_times,
            statistics,
            scope: &self.scope,
            diagnostics: &self.diagnostics,
        }
    }
}

/// The interpreter's results other than scheduler events.
struct InterpreterOutput {
    resources: Vec<Resource>,
    isr_functions: Vec<IsrFunction>,
    levels: Levels,
    active: ActiveObjects,
}

/// Interprets the events, tracks levels and active objects, and sends the
/// scheduler events in batches.
fn interpret(
    trace: &Trace,
    scope: &Scope,
    interpreter: &mut impl Interpret,
    sched_events: SyncSender<Vec<SchedEvent>>,
    free: &Receiver<Vec<SchedEvent>>,
) -> InterpreterOutput {
    let mut active = active::ActiveObjectsBuilder::new(trace);
    let mut levels = levels::LevelsBuilder::new(trace, scope);
    let count = trace.events.len();
    for first in (0..count).step_by(SchedEvent::BATCH_LEN) {
        let mut batch = free.try_recv().unwrap_or_default();
        batch.clear();
        trace
            .events
            .visit(first..count.min(first + SchedEvent::BATCH_LEN), |event| {
                let sched_event = interpreter.sched_event(&event);
                batch.push(sched_event);
                let used = interpreter.secondary_event().unwrap_or(sched_event);
                levels.push(&event, used, interpreter.resources());
                active.push(&event, interpreter.active_object_event(&event));
            });
        if sched_events.send(batch).is_err() {
            break;
        }
    }
    // The builder has ended: no more batches come back.
    drop(sched_events);
    InterpreterOutput {
        resources: interpreter.resources().to_vec(),
        isr_functions: interpreter.isr_functions().to_vec(),
        levels: levels.finish(),
        active: active.finish(),
    }
}

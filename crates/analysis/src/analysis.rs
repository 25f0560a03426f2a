//! Everything that is made of a trace before any report.

use crate::active::{self, ActiveObjects};
use crate::levels::{self, Levels};
use crate::report::CpuTimes;
use crate::schedule::ScheduleBuilder;
use crate::{EventCounts, Schedule, Scope, View};
use rtoscope_trace::{Diagnostics, Interpret, IsrFunction, Resource, SchedEvent, Statistic, Trace};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// A trace's schedule, and what else reports of a part of it need.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The schedule of the whole trace.
    pub schedule: Schedule,
    /// The active objects of the whole trace.
    pub active: ActiveObjects,
    /// The census of the scope.
    pub event_counts: EventCounts,
    /// The levels of the scope.
    pub levels: Levels,
    /// Who executed how long in the scope.
    pub cpu_times: CpuTimes,
    /// The scope.
    pub scope: Scope,
    /// The diagnostics of the trace, then those of the schedule.
    pub diagnostics: Diagnostics,
}

/// Batches of acts that may wait to be taken.
const MAX_PENDING_BATCHES: usize = 8;

impl Analysis {
    /// Analyses a trace, on two threads: one interprets the events and counts,
    /// the other makes the schedule.
    pub fn run(trace: &Trace, scope: Scope, interpreter: &mut (impl Interpret + Send)) -> Self {
        let (acts, batches) = sync_channel(MAX_PENDING_BATCHES);
        let (used, free) = channel();
        let (builder, (told, census)) = thread::scope(|threads| {
            let scope = &scope;
            let counted = threads.spawn(move || {
                let told = interpret(trace, scope, interpreter, acts, &free);
                (told, EventCounts::from_trace(trace, scope))
            });
            let mut builder = ScheduleBuilder::new(trace);
            for batch in batches {
                builder.push_sched_events(trace, &batch);
                // Nobody wants it back at the end.
                let _ = used.send(batch);
            }
            match counted.join() {
                Ok(counted) => (builder, counted),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        let schedule = builder.finish(&told.resources, &told.routines);
        let shares = CpuTimes::from_schedule(&schedule, &scope);
        let diagnostics = schedule.diagnostics(trace);
        Self {
            schedule,
            active: told.active,
            event_counts: census,
            levels: told.levels,
            cpu_times: shares,
            scope,
            diagnostics,
        }
    }

    /// What reports look at. The trace is the one that was analysed;
    /// `statistics` say what the format's components count.
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

/// What an interpreter tells beside acts.
struct InterpreterOutput {
    resources: Vec<Resource>,
    routines: Vec<IsrFunction>,
    levels: Levels,
    active: ActiveObjects,
}

/// Interprets the events, follows the levels and the active objects, and hands
/// the acts on in batches.
fn interpret(
    trace: &Trace,
    scope: &Scope,
    interpreter: &mut impl Interpret,
    acts: SyncSender<Vec<SchedEvent>>,
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
                let act = interpreter.sched_event(&event);
                batch.push(act);
                let used = interpreter.secondary_event().unwrap_or(act);
                levels.push(&event, used, interpreter.resources());
                active.push(&event, interpreter.active_object_event(&event));
            });
        if acts.send(batch).is_err() {
            break;
        }
    }
    // There will be no more.
    drop(acts);
    InterpreterOutput {
        resources: interpreter.resources().to_vec(),
        routines: interpreter.isr_functions().to_vec(),
        levels: levels.finish(),
        active: active.finish(),
    }
}

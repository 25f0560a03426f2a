//! Everything that is made of a trace before any report.

use crate::active::{self, Active};
use crate::levels::{self, Levels};
use crate::report::Shares;
use crate::schedule::Builder;
use crate::{Census, Schedule, Scope, View};
use rtoscope_trace::{Act, Diagnostics, Interpret, Resource, Routine, Statistic, Trace};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// A trace's schedule, and what else reports of a part of it need.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The schedule of the whole trace.
    pub schedule: Schedule,
    /// The active objects of the whole trace.
    pub active: Active,
    /// The census of the scope.
    pub census: Census,
    /// The levels of the scope.
    pub levels: Levels,
    /// Who executed how long in the scope.
    pub shares: Shares,
    /// The scope.
    pub scope: Scope,
    /// The diagnostics of the trace, then those of the schedule.
    pub diagnostics: Diagnostics,
}

/// Batches of acts that may wait to be taken.
const MOST_WAITING: usize = 8;

impl Analysis {
    /// Analyses a trace, on two threads: one interprets the events and counts,
    /// the other makes the schedule.
    pub fn of(trace: &Trace, scope: Scope, interpreter: &mut (impl Interpret + Send)) -> Self {
        let (acts, batches) = sync_channel(MOST_WAITING);
        let (used, free) = channel();
        let (builder, (told, census)) = thread::scope(|threads| {
            let scope = &scope;
            let counted = threads.spawn(move || {
                let told = interpret(trace, scope, interpreter, acts, &free);
                (told, Census::of(trace, scope))
            });
            let mut builder = Builder::new(trace);
            for batch in batches {
                builder.take(trace, &batch);
                // Nobody wants it back at the end.
                let _ = used.send(batch);
            }
            match counted.join() {
                Ok(counted) => (builder, counted),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        let schedule = builder.finish(&told.resources, &told.routines);
        let shares = Shares::of(&schedule, &scope);
        let diagnostics = schedule.diagnostics(trace);
        Self {
            schedule,
            active: told.active,
            census,
            levels: told.levels,
            shares,
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
            census: &self.census,
            levels: &self.levels,
            shares: &self.shares,
            statistics,
            scope: &self.scope,
            diagnostics: &self.diagnostics,
        }
    }
}

/// What an interpreter tells beside acts.
struct Told {
    resources: Vec<Resource>,
    routines: Vec<Routine>,
    levels: Levels,
    active: Active,
}

/// Interprets the events, follows the levels and the active objects, and hands
/// the acts on in batches.
fn interpret(
    trace: &Trace,
    scope: &Scope,
    interpreter: &mut impl Interpret,
    acts: SyncSender<Vec<Act>>,
    free: &Receiver<Vec<Act>>,
) -> Told {
    let mut active = active::Builder::new(trace);
    let mut levels = levels::Builder::new(trace, scope);
    let count = trace.events.len();
    for first in (0..count).step_by(Act::BATCH) {
        let mut batch = free.try_recv().unwrap_or_default();
        batch.clear();
        trace
            .events
            .visit(first..count.min(first + Act::BATCH), |event| {
                let act = interpreter.act(&event);
                batch.push(act);
                let used = interpreter.aside().unwrap_or(act);
                levels.take(&event, used, interpreter.resources());
                active.take(&event, interpreter.reaction(&event));
            });
        if acts.send(batch).is_err() {
            break;
        }
    }
    // There will be no more.
    drop(acts);
    Told {
        resources: interpreter.resources().to_vec(),
        routines: interpreter.routines().to_vec(),
        levels: levels.finish(),
        active: active.finish(),
    }
}

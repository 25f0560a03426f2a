//! Everything that is made of a trace before any report.

use crate::{Census, Levels, Schedule, Scope, View};
use rtoscope_trace::{Interpret, Statistic, Trace};
use std::thread;

/// A trace's schedule, and the census and the levels of a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The schedule of the whole trace.
    pub schedule: Schedule,
    /// The census of the scope.
    pub census: Census,
    /// The levels of the scope.
    pub levels: Levels,
    /// The scope.
    pub scope: Scope,
}

impl Analysis {
    /// Analyses a trace, on two threads. `interpreter` makes an interpreter of
    /// the trace's format.
    pub fn of<I: Interpret>(
        trace: &Trace,
        scope: Scope,
        interpreter: impl Fn(&Trace) -> I + Sync,
    ) -> Self {
        let beside = || {
            let census = Census::of(trace, &scope);
            let levels = Levels::of(trace, &mut interpreter(trace), &scope);
            (census, levels)
        };
        let (schedule, beside) = thread::scope(|threads| {
            let beside = threads.spawn(beside);
            let schedule = Schedule::of(trace, &mut interpreter(trace));
            (schedule, beside.join())
        });
        let (census, levels) = match beside {
            Ok(beside) => beside,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Self {
            schedule,
            census,
            levels,
            scope,
        }
    }

    /// What reports look at. The trace is the one that was analysed;
    /// `statistics` say what the format's components count.
    pub fn view<'a>(&'a self, trace: &'a Trace, statistics: &'a [Statistic]) -> View<'a> {
        View {
            trace,
            schedule: &self.schedule,
            census: &self.census,
            levels: &self.levels,
            statistics,
            scope: &self.scope,
        }
    }
}

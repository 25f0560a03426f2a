//! Tracks of threads.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::Track;
use rtoscope_analysis::PackedVec;
use rtoscope_analysis::schedule::{
    CoreSlices, RunningContext, Schedule, ThreadState, ThreadStateInterval,
};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Events, Ticks};

/// The state of a thread over time.
#[derive(Clone, Copy)]
pub(crate) struct ThreadTrack<'a> {
    pub(crate) thread: ContextId,
    pub(crate) intervals: &'a PackedVec<ThreadStateInterval>,
    /// Whether an interrupt has the core, for each interval; none without interrupts.
    pub(crate) interrupted: &'a [bool],
    /// The events of the trace.
    pub(crate) events: &'a Events,
}

impl ThreadTrack<'_> {
    #[inline]
    fn is_interrupted(&self, step: usize) -> bool {
        self.interrupted.get(step).copied().unwrap_or_default()
    }
}

impl Track for ThreadTrack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.intervals.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.intervals.get(step).map_or(0, |one| one.start.0)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.intervals.get(step).map_or(0, |one| one.event.0)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        if self.is_interrupted(step) {
            return BarClass::INTERRUPTED;
        }
        let interval = self.intervals.get(step);
        interval.map_or(BarClass::NOTHING, |one| {
            BarClass::for_thread_state(one.state)
        })
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        match self.intervals.get(step).map(|one| one.state) {
            Some(ThreadState::Waiting {
                resource: Some(resource),
                ..
            }) => resource.0,
            _ => TOO_MANY,
        }
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        let Some(interval) = self.intervals.get(step) else {
            return false;
        };
        let running = match self.is_interrupted(step) {
            true => Contexts::INTERRUPT,
            false => self.thread,
        };
        let logged_by = self.events.context(interval.event);
        interval.state == ThreadState::Running && logged_by == Some(running)
    }

    fn start_known(&self, step: usize) -> bool {
        self.intervals.get(step).is_some_and(|one| one.start_known)
    }
}

/// The states of a thread, its runs split where an interrupt takes or returns the core.
#[derive(Debug, Default)]
pub(crate) struct ThreadSteps {
    pub(crate) intervals: PackedVec<ThreadStateInterval>,
    pub(crate) interrupted: Vec<bool>,
}

/// A slice of a core that runs a thread.
struct ThreadSlice {
    start: Ticks,
    end: Ticks,
    event: EventIndex,
    /// The event of the next slice.
    next_event: EventIndex,
}

/// The steps of each thread, by context.
pub(crate) fn steps(schedule: &Schedule) -> Vec<ThreadSteps> {
    let end = schedule.cores.iter().map(|core| core.end).max();
    let end = end.unwrap_or_default();
    let threads = schedule.threads.iter();
    let mut threads: Vec<_> = threads
        .map(|states| StepsBuilder::new(states.with_next(0), end))
        .collect();
    let mut cores: Vec<_> = schedule
        .cores
        .iter()
        .map(|core| thread_slices(core).peekable())
        .collect();
    while let Some((_, core)) = cores
        .iter_mut()
        .filter_map(|core| Some((core.peek()?.1.start, core)))
        .min_by_key(|(start, _)| *start)
    {
        if let Some((thread, slice)) = core.next()
            && let Some(thread) = threads.get_mut(thread.index())
        {
            thread.push(&slice);
        }
    }
    threads.into_iter().map(StepsBuilder::finish).collect()
}

/// The slices of a core that run threads.
fn thread_slices(core: &CoreSlices) -> impl Iterator<Item = (ContextId, ThreadSlice)> {
    let slices = core.slices.with_next(0);
    slices.filter_map(|(slice, next)| match slice.running.running_context() {
        RunningContext::Thread(thread) => {
            let slice = ThreadSlice {
                start: slice.start,
                end: next.map_or(core.end, |next| next.start),
                event: slice.event,
                next_event: next.map_or(slice.event, |next| next.event),
            };
            Some((thread, slice))
        }
        _ => None,
    })
}

/// Splits the states of a thread at its slices, which arrive in order of time.
struct StepsBuilder<I> {
    states: I,
    /// The end of the last state.
    end: Ticks,
    /// The current state, its end, and the part of it after the slices so far.
    current: Option<(ThreadStateInterval, Ticks, ThreadStateInterval)>,
    steps: ThreadSteps,
}

impl<I: Iterator<Item = (ThreadStateInterval, Option<ThreadStateInterval>)>> StepsBuilder<I> {
    fn new(states: I, end: Ticks) -> Self {
        let mut builder = Self {
            states,
            end,
            current: None,
            steps: ThreadSteps::default(),
        };
        builder.next_state();
        builder
    }

    fn next_state(&mut self) {
        let next = self.states.next();
        self.current =
            next.map(|(state, next)| (state, next.map_or(self.end, |next| next.start), state));
    }

    fn push(&mut self, slice: &ThreadSlice) {
        while let Some((state, end, rest)) = &mut self.current {
            if state.state == ThreadState::Running && slice.start < *end {
                if slice.end <= state.start {
                    return;
                }
                if slice.start > rest.start {
                    self.steps.push(*rest, true);
                    *rest = later_part(*state, slice.start, slice.event);
                }
                self.steps.push(*rest, false);
                *rest = later_part(*state, slice.end, slice.next_event);
                if slice.end < *end {
                    return;
                }
            }
            self.end_state();
        }
    }

    /// Ends the current state with what follows its slices.
    fn end_state(&mut self) {
        if let Some((state, end, rest)) = self.current {
            // A run without a tick has no slice.
            let is_empty = state.start >= end;
            if rest.start < end || is_empty {
                let interrupted = state.state == ThreadState::Running && !is_empty;
                self.steps.push(rest, interrupted);
            }
        }
        self.next_state();
    }

    fn finish(mut self) -> ThreadSteps {
        while self.current.is_some() {
            self.end_state();
        }
        self.steps
    }
}

impl ThreadSteps {
    fn push(&mut self, step: ThreadStateInterval, interrupted: bool) {
        self.intervals.push(step);
        self.interrupted.push(interrupted);
    }
}

/// The part of an interval from a time in it on.
fn later_part(
    interval: ThreadStateInterval,
    start: Ticks,
    event: EventIndex,
) -> ThreadStateInterval {
    ThreadStateInterval {
        start,
        event,
        start_known: true,
        ..interval
    }
}

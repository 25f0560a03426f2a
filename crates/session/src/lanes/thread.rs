//! Tracks of threads.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::Track;
use rtoscope_analysis::PackedVec;
use rtoscope_analysis::schedule::{RunningContext, Schedule, ThreadState, ThreadStateInterval};
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
    let mut slices: Vec<Vec<ThreadSlice>> = Vec::new();
    slices.resize_with(schedule.threads.len(), Vec::new);
    for core in &schedule.cores {
        for (slice, next) in core.slices.with_next(0) {
            if let RunningContext::Thread(thread) = slice.running.running_context()
                && let Some(slices) = slices.get_mut(thread.index())
            {
                slices.push(ThreadSlice {
                    start: slice.start,
                    end: next.map_or(core.end, |next| next.start),
                    event: slice.event,
                    next_event: next.map_or(slice.event, |next| next.event),
                });
            }
        }
    }
    let end = schedule.cores.iter().map(|core| core.end).max();
    let threads = schedule.threads.iter().zip(slices);
    let steps = threads.map(|(states, mut slices)| {
        slices.sort_by_key(|slice| slice.start);
        ThreadSteps::new(states, &slices, end.unwrap_or_default())
    });
    steps.collect()
}

impl ThreadSteps {
    fn new(states: &PackedVec<ThreadStateInterval>, slices: &[ThreadSlice], end: Ticks) -> Self {
        let mut steps = Self::default();
        let mut slices = slices.iter().peekable();
        for (state, next) in states.with_next(0) {
            let end = next.map_or(end, |next| next.start);
            let mut rest = state;
            while slices.next_if(|slice| slice.end <= state.start).is_some() {}
            while state.state == ThreadState::Running
                && let Some(slice) = slices.peek().filter(|slice| slice.start < end)
            {
                if slice.start > rest.start {
                    steps.push(rest, true);
                    rest = later_part(state, slice.start, slice.event);
                }
                steps.push(rest, false);
                rest = later_part(state, slice.end, slice.next_event);
                if slice.end >= end {
                    break;
                }
                slices.next();
            }
            // A run without a tick has no slice.
            let is_empty = state.start >= end;
            if rest.start < end || is_empty {
                let interrupted = state.state == ThreadState::Running && !is_empty;
                steps.push(rest, interrupted);
            }
        }
        steps
    }

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

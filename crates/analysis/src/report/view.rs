//! The input of reports, and their scope.

use super::rounding::share_of_time;
use super::{CoreCpuTimes, CpuTimes};
use crate::PackedVec;
use crate::active::ActiveObjects;
use crate::deadlines::Deadline;
use crate::event_counts::EventCounts;
use crate::hardware::HardwareActivity;
use crate::intervals::DeclaredIntervals;
use crate::levels::{LevelHistories, Levels};
use crate::markers::Markers;
use crate::pipelines::Pipeline;
use crate::schedule::{RunningContext, Schedule, Slice, ThreadStateInterval};
use rtoscope_trace::{
    ContextId, Contexts, Diagnostics, Event, EventIndex, Gap, Statistic, SwitchModel, Ticks, Trace,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// The part of a trace that reports cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Start of the window; the start of the trace if `None`.
    pub start: Option<Ticks>,
    /// End of the window, inclusive; the end of the trace if `None`.
    pub end: Option<Ticks>,
    /// Only these threads; all if `None`.
    pub threads: Option<BTreeSet<ContextId>>,
    /// Only the core of this number; all if `None`.
    pub core: Option<u8>,
}

/// A trace, its analysis, and the scope.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its schedule.
    pub schedule: &'a Schedule,
    /// Its active objects.
    pub active: &'a ActiveObjects,
    /// Its points of interest.
    pub markers: &'a Markers,
    /// Its declared hardware and slots.
    pub hardware: &'a HardwareActivity,
    /// Its declared deadlines.
    pub deadlines: &'a [Deadline],
    /// Its declared pipelines.
    pub pipelines: &'a [Pipeline],
    /// Its declared intervals.
    pub intervals: &'a [DeclaredIntervals],
    /// The event counts of the scope.
    pub event_counts: &'a EventCounts,
    /// The levels of the objects in the scope.
    pub levels: &'a Levels,
    /// Every change of the level of an object, and every call.
    pub level_histories: &'a LevelHistories,
    /// The CPU times in the scope.
    pub cpu_times: &'a CpuTimes,
    /// The statistics of its components.
    pub statistics: &'a [Statistic],
    /// The scope.
    pub scope: &'a Scope,
    /// The diagnostics of the trace, then those of the analysis.
    pub diagnostics: &'a Diagnostics,
}

impl<'a> View<'a> {
    /// The window in ticks; never ends before it starts.
    pub fn window(&self) -> Range<u64> {
        self.scope.window(self.schedule.span)
    }

    /// The length of the window.
    pub fn span(&self) -> Ticks {
        let window = self.window();
        Ticks(window.end - window.start)
    }

    /// Whether a time is in the window, its end included.
    pub fn contains(&self, time: Ticks) -> bool {
        let window = self.window();
        window.start <= time.0 && time.0 <= window.end
    }

    /// The part of `start` to `end` that is in the window.
    pub fn clip(&self, start: Ticks, end: Ticks) -> Ticks {
        let window = self.window();
        let start = start.0.max(window.start);
        Ticks(end.0.min(window.end).saturating_sub(start))
    }

    /// Whether the thread belongs to the scope.
    pub fn includes_thread(&self, thread: ContextId) -> bool {
        let threads = self.scope.threads.as_ref();
        threads.is_none_or(|threads| threads.contains(&thread))
    }

    /// Whether the core belongs to the scope.
    pub fn includes_core(&self, core: u8) -> bool {
        self.scope.core.is_none_or(|only| only == core)
    }

    /// Number of cores in the scope.
    pub fn cores(&self) -> usize {
        let cores = self.schedule.cores.iter();
        cores
            .filter(|slices| self.includes_core(slices.core))
            .count()
    }

    /// Whether events of a core, or of any if `None`, are missing between two events.
    pub fn has_gap_between(&self, core: Option<u8>, one: EventIndex, other: EventIndex) -> bool {
        let gaps = &self.trace.gaps;
        let until = |event| gaps.partition_point(|gap| gap.next_event <= event);
        let between = gaps.get(until(one)..until(other)).unwrap_or_default();
        let concerns = |gap: &Gap| gap.core.is_none() || core.is_none() || gap.core == core;
        between.iter().any(concerns)
    }

    /// The state intervals of a thread, in order of time.
    pub fn thread_states(&self, thread: ContextId) -> &'a PackedVec<ThreadStateInterval> {
        self.schedule.thread_states(thread)
    }

    /// The threads of the scope, in the order of the trace's contexts.
    pub fn threads(&self) -> impl Iterator<Item = &'a rtoscope_trace::Context> {
        let view = *self;
        let threads = self.trace.contexts.threads();
        threads.filter(move |thread| view.includes_thread(thread.id))
    }

    /// Whether the recording shows who owns mutexes, and the priorities of threads; otherwise
    /// priority inversions are unknown.
    pub(super) fn shows_inversions(&self) -> bool {
        let objects = &self.trace.objects;
        let is_registered = || objects.iter().any(|object| object.priority.is_some());
        let mut contexts = self.event_counts.contexts.iter();
        self.trace.switch_model == SwitchModel::Inferred
            || !self.schedule.mutex_holds.is_empty()
                && (is_registered() || contexts.any(|context| context.priorities.is_some()))
    }

    /// The active objects of the scope, in the order of the trace's contexts.
    pub fn active_objects(&self) -> impl Iterator<Item = ContextId> + 'a {
        let view = *self;
        let objects = self.active.objects.iter().copied();
        objects.filter(move |object| view.includes_thread(*object))
    }

    /// The slices of the cores in the scope, each with its core number and its
    /// part in the window.
    pub fn slices(&self) -> impl Iterator<Item = (u8, Slice, Range<u64>)> + 'a {
        let window = self.window();
        let view = *self;
        let cores = self.schedule.cores.iter();
        let cores = cores.filter(move |slices| view.includes_core(slices.core));
        cores.flat_map(move |slices| {
            let parts = slices.within(window.clone());
            parts.map(|(slice, part)| (slices.core, slice, part))
        })
    }

    /// The number of the running ISR, if it has one.
    pub fn isr_number(&self, running: RunningContext) -> Option<u32> {
        match running {
            RunningContext::Isr(id) => self.schedule.isr_number(id),
            _ => None,
        }
    }

    /// The CPU times of the cores in the scope.
    pub fn core_cpu_times(&self) -> impl Iterator<Item = &'a CoreCpuTimes> {
        let view = *self;
        self.cpu_times
            .iter()
            .filter(move |one| view.includes_core(one.core))
    }

    /// Ticks as nanoseconds, if the clock's frequency is known.
    pub fn nanoseconds(&self, ticks: Ticks) -> Option<u64> {
        self.trace.timescale().duration(ticks).map(|time| time.0)
    }

    /// A duration as text: a time if the clock's frequency is known, else
    /// ticks.
    pub fn duration(&self, ticks: Ticks) -> String {
        self.trace.timescale().duration_text(ticks)
    }

    /// Share of the time of all cores in the scope, in percent; `None` if no
    /// time passes in it or the clock does not measure time.
    pub fn percent_of_cores(&self, ticks: Ticks) -> Option<f64> {
        let whole = self.span().0 as f64 * self.cores() as f64;
        self.percent_of(ticks, whole)
    }

    /// A sum over the cores in the scope. Saturates: the longest times do not
    /// fit twice.
    pub fn sum_over_cores(&self, ticks: impl Fn(&CoreCpuTimes) -> u64) -> u64 {
        self.core_cpu_times()
            .map(ticks)
            .fold(0, u64::saturating_add)
    }

    /// Share of the scope's time, in percent; `None` if no time passes in it or
    /// the clock does not measure time.
    pub fn percent(&self, ticks: Ticks) -> Option<f64> {
        self.percent_of(ticks, self.span().0 as f64)
    }

    fn percent_of(&self, ticks: Ticks, whole: f64) -> Option<f64> {
        share_of_time(&self.trace.clock, ticks, whole)
    }

    /// A resource's display name: the object's, or its address.
    pub fn resource_name(&self, id: rtoscope_trace::ResourceId) -> String {
        let Some(resource) = self.schedule.resources.get(id.index()) else {
            return String::new();
        };
        let object = resource
            .object
            .and_then(|object| self.trace.objects.get(object));
        object.map_or_else(
            || resource.address.to_string(),
            rtoscope_trace::Object::display_name,
        )
    }
}

impl Scope {
    /// Whether the scope includes an event, apart from its time. Contexts that
    /// are not threads are included, whatever threads the scope has.
    pub fn includes(&self, event: &Event) -> bool {
        let threads = self.threads.as_ref();
        let hides = |threads: &BTreeSet<_>| !threads.contains(&event.context);
        self.core.is_none_or(|only| only == event.core)
            && (event.context <= Contexts::IDLE || !threads.is_some_and(hides))
    }

    /// The numbers of the events in the window.
    pub fn events(&self, trace: &Trace) -> Range<usize> {
        let window = self.window(trace.events.span());
        let first = trace.events.index_at_or_after(Ticks(window.start));
        let after = trace.events.index_after(Ticks(window.end));
        first.index()..after.index()
    }

    /// The window in ticks, for a trace of length `span`.
    pub fn window(&self, span: Ticks) -> Range<u64> {
        let end = self.end.unwrap_or(span).min(span).0;
        let start = self.start.unwrap_or_default().0.min(end);
        start..end
    }
}

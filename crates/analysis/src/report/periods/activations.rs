//! The activations of everything that recurs.

use super::activation::{Activation, ActivationSource, ActivationStream};
use crate::PackedVec;
use crate::active::StepEnding;
use crate::report::baseline::Baseline;
use crate::report::latency::{MeasuredDuration, for_each_activation};
use crate::report::{Distribution, Samples, View};
use crate::schedule::{RunningContext, Slice};
use rtoscope_trace::{ContextId, Event, EventIndex, EventKindId, Ticks, Vertex, parallel};
use std::collections::BTreeMap;

/// The activations of the threads, interrupt service routines, active objects and
/// states of the scope, and of the events of these kinds.
pub fn activation_streams(view: &View<'_>, events: &[EventKindId]) -> Vec<ActivationStream> {
    let mut streams = thread_and_isr_streams(view);
    add_cpu_times(view, &mut streams);
    streams.extend(dispatches(view));
    streams.extend(states(view));
    streams.extend(event_kinds(view, events));
    streams
}

/// The activations of the threads and interrupt service routines of the scope, without
/// the CPU times of threads.
pub(in crate::report) fn thread_and_isr_streams(view: &View<'_>) -> Vec<ActivationStream> {
    let mut streams = thread_activation_streams(view);
    streams.extend(isr_activations(view).into_values());
    streams
}

/// Minimum number of periods for a source to be regular.
const MIN_PERIODS: usize = 8;
/// Maximum deviation of a regular period from the median, as a fraction: 1/8.
const MAX_DEVIATION: u64 = 8;
/// The share of the periods that are regular, in percent.
const MIN_REGULAR_PERCENT: usize = 90;

/// The median period, if the source is periodic: most of its periods are near the median.
pub(in crate::report) fn regular_period(activations: &PackedVec<Activation>) -> Option<Ticks> {
    let periods = activations.iter().filter_map(|it| Some(it.period?.0));
    let mut values: Vec<_> = periods.clone().collect();
    let median = Baseline::of(&mut values, 0).median;
    let is_near = |period: &u64| period.abs_diff(median) <= median / MAX_DEVIATION;
    let regular = periods.filter(is_near).count();
    let is_regular = median > 0
        && values.len() >= MIN_PERIODS
        && regular * 100 >= values.len() * MIN_REGULAR_PERCENT;
    is_regular.then_some(Ticks(median))
}

/// Tracks the starts of one source.
#[derive(Debug, Clone, Copy, Default)]
struct PeriodTracker {
    last: Option<(Ticks, EventIndex)>,
}

impl PeriodTracker {
    /// The activation that an event is.
    fn event(&mut self, view: &View<'_>, event: &Event) -> Option<Activation> {
        let period = self.start(view, None, event.time, event.index);
        view.contains(event.time).then_some(Activation {
            start: event.time,
            event: event.index,
            core: event.core,
            period,
            response: None,
            cpu_time: None,
        })
    }

    /// The period that a start ends, if it is in the window and events of these cores
    /// are not missing.
    fn start(
        &mut self,
        view: &View<'_>,
        core: Option<u8>,
        start: Ticks,
        event: EventIndex,
    ) -> Option<Ticks> {
        let (before, last_event) = self.last.replace((start, event))?;
        let period = start.0.checked_sub(before.0)?;
        let is_known = view.contains(start) && !view.has_gap_between(core, last_event, event);
        is_known.then_some(Ticks(period))
    }
}

fn core_of(view: &View<'_>, event: EventIndex) -> u8 {
    view.trace.events.core(event).unwrap_or_default()
}

/// The activations of the threads of the scope, without CPU times.
pub(super) fn thread_activation_streams(view: &View<'_>) -> Vec<ActivationStream> {
    let stream = |thread| ActivationStream::new(ActivationSource::Thread(thread));
    let threads = view.threads().map(|it| it.id);
    if !view.trace.switch_model.records_states() {
        let mut streams: Vec<_> = threads.map(stream).collect();
        let indices = thread_indices(view, &streams);
        resumptions(view, &mut streams, &indices);
        return streams;
    }
    parallel::map(threads.collect(), |thread| {
        let mut stream = stream(thread);
        for_each_activation(view, thread, |found| {
            let is_shown = view.contains(found.start);
            stream.activations.extend(is_shown.then(|| Activation {
                start: found.start,
                event: found.event,
                core: core_of(view, found.event),
                period: found.period.map(|it| it.duration),
                response: found.response,
                cpu_time: None,
            }));
        });
        stream
    })
}

/// The activations of threads in a trace that records who gets a core, but not who is
/// ready: each lasts until the next. A thread that was preempted continues an activation.
fn resumptions(view: &View<'_>, streams: &mut [ActivationStream], indices: &[u32]) {
    let mut trackers = vec![PeriodTracker::default(); streams.len()];
    let starts = view.schedule.resumptions.iter().filter(|it| !it.continues);
    for start in starts {
        let Some(event) = view.trace.events.get(start.event) else {
            continue;
        };
        let Some(at) = index_of(indices, event.context) else {
            continue;
        };
        let (Some(stream), Some(tracker)) = (streams.get_mut(at), trackers.get_mut(at)) else {
            continue;
        };
        stream.activations.extend(tracker.event(view, &event));
    }
}

/// The index of each thread's stream plus one, by [`ContextId`].
fn thread_indices(view: &View<'_>, streams: &[ActivationStream]) -> Vec<u32> {
    let mut indices = vec![0; view.schedule.threads.len()];
    for (stream, number) in streams.iter().zip(1..) {
        if let ActivationSource::Thread(thread) = stream.source
            && let Some(index) = indices.get_mut(thread.index())
        {
            *index = number;
        }
    }
    indices
}

fn index_of(indices: &[u32], thread: ContextId) -> Option<usize> {
    let number = *indices.get(thread.index())?;
    usize::try_from(number).ok()?.checked_sub(1)
}

/// Adds the CPU time of each activation with a known end, from the slices of all cores.
fn add_cpu_times(view: &View<'_>, streams: &mut [ActivationStream]) {
    let indices = thread_indices(view, streams);
    let records_ends = view.trace.switch_model.records_states();
    // Otherwise an activation lasts until the next, if none is missing in between.
    let end_event = |activation: &Activation, next: Option<Activation>| match activation.response {
        Some(response) => Some(response.event),
        None => next
            .filter(|next| !records_ends && next.period.is_some())
            .map(|next| next.event),
    };
    let is_thread =
        |stream: &ActivationStream| matches!(stream.source, ActivationSource::Thread(_));
    let count = |stream: &ActivationStream| match is_thread(stream) {
        true => stream.activations.len(),
        false => 0,
    };
    let mut times: Vec<Vec<u64>> = streams.iter().map(|it| vec![0; count(it)]).collect();
    for core in &view.schedule.cores {
        // The first activation of each thread that may last beyond the current slice.
        let all = streams.iter().map(|it| it.activations.with_next(0));
        let mut current: Vec<_> = all.map(|it| it.enumerate().peekable()).collect();
        for (slice, end) in core.iter() {
            let RunningContext::Thread(thread) = slice.running.running_context() else {
                continue;
            };
            let Some(index) = index_of(&indices, thread) else {
                continue;
            };
            let (Some(current), Some(times)) = (current.get_mut(index), times.get_mut(index))
            else {
                continue;
            };
            while let Some((at, (activation, next))) = current.peek().copied()
                && activation.start < end
            {
                if end_event(&activation, next).is_some() {
                    let response = activation.response;
                    let ended = response.map(|it| activation.start.0 + it.duration.0);
                    let ended = ended.or(next.map(|next| next.start.0)).unwrap_or(end.0);
                    let from = slice.start.max(activation.start);
                    if let Some(ticks) = times.get_mut(at) {
                        *ticks += end.0.min(ended).saturating_sub(from.0);
                    }
                    if ended > end.0 {
                        break;
                    }
                }
                current.next();
            }
        }
    }
    for (stream, times) in streams.iter_mut().zip(times) {
        if is_thread(stream) {
            let all = stream.activations.with_next(0).zip(times);
            let all = all.map(|((activation, next), ticks)| Activation {
                cpu_time: end_event(&activation, next).map(|event| MeasuredDuration {
                    duration: Ticks(ticks),
                    event,
                }),
                ..activation
            });
            stream.activations = all.collect();
        }
    }
}

/// The activations of interrupt service routines, by number. A routine without number
/// did not record its entry, so that its activations may be more or fewer: it has none.
pub fn isr_activations(view: &View<'_>) -> BTreeMap<u32, ActivationStream> {
    let mut streams: BTreeMap<u32, (ActivationStream, BTreeMap<u8, PeriodTracker>)> =
        BTreeMap::new();
    for activation in &view.schedule.activations {
        let Some(number) = activation.number else {
            continue;
        };
        if !view.includes_core(activation.core) {
            continue;
        }
        let (stream, trackers) = streams.entry(number).or_insert_with(|| {
            let source = ActivationSource::Isr(Some(number));
            (ActivationStream::new(source), BTreeMap::new())
        });
        let tracker = trackers.entry(activation.core).or_default();
        let (start, event) = (activation.start, activation.first);
        let period = if activation.entered {
            tracker.start(view, Some(activation.core), start, event)
        } else {
            *tracker = PeriodTracker::default();
            None
        };
        if !view.contains(start) {
            continue;
        }
        let is_measured = activation.is_complete() && view.contains(activation.end);
        let measured = |ticks| {
            is_measured.then_some(MeasuredDuration {
                duration: ticks,
                event: activation.last,
            })
        };
        let duration = activation.duration();
        stream.activations.push(Activation {
            start,
            event,
            core: activation.core,
            period,
            response: measured(duration),
            cpu_time: measured(Ticks(duration.0.saturating_sub(activation.nested.0))),
        });
    }
    let streams = streams.into_iter();
    streams
        .map(|(number, (stream, _))| (number, stream))
        .collect()
}

/// The lengths of uninterrupted runs, by thread or interrupt service routine.
pub(in crate::report) type RunLengths = BTreeMap<ActivationSource, Distribution>;

/// The lengths of the uninterrupted runs of all threads and interrupt service routines that
/// end in the window, both ends known.
pub(in crate::report) fn run_lengths(view: &View<'_>) -> RunLengths {
    let mut threads = vec![Samples::default(); view.schedule.threads.len()];
    let mut isrs = BTreeMap::<u32, Samples>::new();
    for_each_run(view, |source, run| {
        let samples = match source {
            ActivationSource::Thread(thread) => threads.get_mut(thread.index()),
            ActivationSource::Isr(Some(number)) => Some(isrs.entry(number).or_default()),
            _ => None,
        };
        if let Some(samples) = samples {
            samples.add(run.duration, run.event);
        }
    });
    let ids = (0..).map(|thread| ActivationSource::Thread(ContextId(thread)));
    let threads = ids.zip(threads);
    let isrs = isrs.into_iter();
    let isrs = isrs.map(|(number, samples)| (ActivationSource::Isr(Some(number)), samples));
    let all = threads
        .chain(isrs)
        .filter(|(_, samples)| !samples.is_empty());
    let lengths = parallel::map(all.collect(), |(source, samples)| {
        Some((source, samples.distribution(&view.trace.clock)?))
    });
    lengths.into_iter().flatten().collect()
}

/// The uninterrupted runs of a thread or an interrupt service routine that end in the
/// window, both ends known; core by core.
pub fn runs(view: &View<'_>, source: ActivationSource) -> Vec<MeasuredDuration> {
    let mut runs = Vec::new();
    for_each_run(view, |of, run| runs.extend((of == source).then_some(run)));
    runs
}

/// Calls `found` with the source and the length of each uninterrupted run on the cores of
/// the scope. A run at the edge of the trace or of unknown time has no known length.
fn for_each_run(view: &View<'_>, mut found: impl FnMut(ActivationSource, MeasuredDuration)) {
    let cores = view.schedule.cores.iter();
    for core in cores.filter(|core| view.includes_core(core.core)) {
        let is_known = |slice: &Slice| slice.running.running_context() != RunningContext::Unknown;
        let mut before = None;
        for (slice, next) in core.slices.with_next(0) {
            // Both neighbours are known.
            let before = before.replace(slice).filter(is_known);
            let (Some(_), Some(next)) = (before, next.filter(is_known)) else {
                continue;
            };
            let source = match slice.running.running_context() {
                RunningContext::Thread(thread) => ActivationSource::Thread(thread),
                isr @ RunningContext::Isr(_) => ActivationSource::Isr(view.isr_number(isr)),
                _ => continue,
            };
            if view.contains(next.start) {
                let run = MeasuredDuration {
                    duration: Ticks(next.start.0.saturating_sub(slice.start.0)),
                    event: next.event,
                };
                found(source, run);
            }
        }
    }
}

fn dispatches(view: &View<'_>) -> Vec<ActivationStream> {
    let mut streams: BTreeMap<ContextId, (ActivationStream, PeriodTracker, Option<EventIndex>)> =
        BTreeMap::new();
    for step in &view.active.steps {
        if !view.includes_thread(step.object) {
            continue;
        }
        let (stream, tracker, last) = streams.entry(step.object).or_insert_with(|| {
            let source = ActivationSource::Dispatch(step.object);
            (ActivationStream::new(source), Default::default(), None)
        });
        let before = last.replace(step.last);
        // The first step that the trace shows may have started earlier.
        let continues = before.is_some_and(|it| !view.has_gap_between(None, it, step.first));
        let post = step.post.and_then(|it| view.active.posts.get(it.index()));
        let starts = step.initial || post.is_some() || continues;
        let period = if starts {
            tracker.start(view, None, step.start, step.first)
        } else {
            *tracker = PeriodTracker::default();
            None
        };
        if !view.contains(step.start) {
            continue;
        }
        let ends = matches!(step.ending, StepEnding::Recorded(_)) && view.contains(step.end);
        let measured = |since: Ticks| MeasuredDuration {
            duration: Ticks(step.end.0.saturating_sub(since.0)),
            event: step.last,
        };
        stream.activations.push(Activation {
            start: step.start,
            event: step.first,
            core: core_of(view, step.first),
            period,
            response: post.filter(|_| ends).map(|post| measured(post.time)),
            cpu_time: (ends && starts).then(|| measured(step.start)),
        });
    }
    streams.into_values().map(|(stream, ..)| stream).collect()
}

fn states(view: &View<'_>) -> Vec<ActivationStream> {
    let mut streams = Vec::new();
    for object in view.active_objects() {
        let intervals = view.active.state_intervals.get(object.index());
        let mut of_object: BTreeMap<Vertex, (ActivationStream, PeriodTracker)> = BTreeMap::new();
        let mut before = None;
        for interval in intervals.into_iter().flatten() {
            let (stream, tracker) = of_object.entry(interval.state).or_insert_with(|| {
                let source = ActivationSource::State(object, interval.state);
                (ActivationStream::new(source), Default::default())
            });
            // Otherwise the machine may have entered the state earlier.
            let (start, first) = (interval.start, interval.first);
            let entered = before.is_some_and(|(last, complete)| {
                complete && !view.has_gap_between(None, last, first)
            });
            before = Some((first, interval.complete));
            let period = if entered {
                tracker.start(view, None, start, first)
            } else {
                *tracker = PeriodTracker::default();
                None
            };
            if !view.contains(start) {
                continue;
            }
            let ends = entered && interval.complete && view.contains(interval.end);
            stream.activations.push(Activation {
                start,
                event: first,
                core: core_of(view, first),
                period,
                response: ends.then(|| MeasuredDuration {
                    duration: Ticks(interval.end.0.saturating_sub(start.0)),
                    event: view.trace.events.index_at_or_after(interval.end),
                }),
                cpu_time: None,
            });
        }
        streams.extend(of_object.into_values().map(|(stream, _)| stream));
    }
    streams
}

fn event_kinds(view: &View<'_>, kinds: &[EventKindId]) -> Vec<ActivationStream> {
    if kinds.is_empty() {
        return Vec::new();
    }
    let sources = kinds.iter().map(|kind| ActivationSource::Event(*kind));
    let mut streams: Vec<_> = sources.map(ActivationStream::new).collect();
    let indices: BTreeMap<_, usize> = kinds.iter().copied().zip(0..).collect();
    let mut trackers = vec![PeriodTracker::default(); kinds.len()];
    view.trace
        .events
        .visit(0..view.trace.events.len(), |event| {
            let Some(at) = indices
                .get(&event.kind)
                .filter(|_| view.scope.includes(&event))
            else {
                return;
            };
            let (Some(stream), Some(tracker)) = (streams.get_mut(*at), trackers.get_mut(*at))
            else {
                return;
            };
            stream.activations.extend(tracker.event(view, &event));
        });
    streams
}

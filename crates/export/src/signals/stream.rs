//! The change streams of signals.

use super::change_merge::ChangeWriter;
use super::cpu_state::CpuState;
use super::signal_plan::{CoreSignals, RecordingSignals, ThreadSignals};
use super::spans::{LineSpan, SpanEdges};
use super::{SignalId, SignalSink, SignalValue, TextId, state_number};
use rtoscope_analysis::schedule::{
    CoreSlices, InterruptsOffEnding, InterruptsOffSection, RunningContext, ThreadState,
    ThreadStateInterval,
};
use rtoscope_tables::TableSource;
use rtoscope_trace::{EventIndex, ResourceId, Ticks, Trace};
use std::io;
use std::iter::Peekable;

/// A stream of signal changes of a recording, in time order.
pub(super) enum ChangeStream<'a> {
    /// The running context of a core.
    Core(CoreSignalStream<'a>),
    /// The state of a thread.
    Thread(ThreadStream<'a>),
    /// Interrupt service routines.
    Routines(SpanEdges<'a>),
    /// Inversions and steps.
    Others(SpanEdges<'a>),
    /// Start, gaps and end of the recording.
    Recorded(Peekable<Box<dyn Iterator<Item = RecordedChange> + 'a>>),
    /// An independent signal.
    Series(SignalId, Peekable<ValueSeries<'a>>),
}

type ValueSeries<'a> = Box<dyn Iterator<Item = (Ticks, SignalValue)> + 'a>;
/// Recorded or not from this time on; `None` at the end.
type RecordedChange = (Ticks, Option<bool>);

pub(super) struct CoreSignalStream<'a> {
    source: &'a TableSource<'a>,
    plan: &'a RecordingSignals,
    place: usize,
    slices: &'a CoreSlices,
    signals: &'a CoreSignals,
    next: usize,
}

pub(super) struct ThreadStream<'a> {
    plan: &'a RecordingSignals,
    signals: &'a ThreadSignals,
    intervals: &'a [ThreadStateInterval],
    next: usize,
}

/// The streams of a recording. The last one comes after the others of the same
/// time; `last` means that no other recording ends later.
pub(super) fn change_streams<'a>(
    source: &'a TableSource<'a>,
    plan: &'a RecordingSignals,
    last: bool,
) -> Vec<ChangeStream<'a>> {
    let view = &source.view;
    let schedule = view.schedule;
    let mut streams = Vec::new();
    let cores = schedule.cores.iter().zip(&plan.cores);
    for (place, (slices, signals)) in cores.enumerate() {
        streams.push(ChangeStream::Core(CoreSignalStream {
            source,
            plan,
            place,
            slices,
            signals,
            next: 0,
        }));
        if let Some(signal) = signals.enabled {
            let course: ValueSeries<'a> = Box::new(interrupt_changes(
                view.trace,
                &schedule.interrupts_off,
                slices.core,
            ));
            streams.push(ChangeStream::Series(signal, course.peekable()));
        }
    }
    for signals in &plan.threads {
        streams.push(ChangeStream::Thread(ThreadStream {
            plan,
            signals,
            intervals: view.thread_states(signals.id),
            next: 0,
        }));
    }
    let span = |start, end, line: Option<&u32>| {
        let line = *line?;
        Some(LineSpan { start, end, line })
    };
    let routines = schedule.activations.iter();
    streams.push(ChangeStream::Routines(SpanEdges::new(routines.filter_map(
        move |it| span(it.start, it.end, plan.routines.get(&it.number)),
    ))));
    let inversions = schedule.inversions.iter();
    streams.push(ChangeStream::Others(SpanEdges::new(inversions.filter_map(
        move |it| span(it.start, it.end, plan.mutexes.get(&it.resource)),
    ))));
    let steps = view.active.steps.iter();
    streams.push(ChangeStream::Others(SpanEdges::new(steps.filter_map(
        move |it| span(it.start, it.end, plan.objects.get(&it.object)),
    ))));
    for (object, signal) in &plan.machines {
        let course: ValueSeries<'a> = Box::new(machine_states(source, plan, object.index()));
        streams.push(ChangeStream::Series(*signal, course.peekable()));
    }
    let mut histories = source.histories.iter().enumerate();
    for (place, signal) in &plan.levels {
        let Some((_, (_, history))) = histories.find(|(each, _)| each == place) else {
            continue;
        };
        let steps = history.iter().map(|step| {
            let value = step.level.map_or(SignalValue::Unknown, SignalValue::Number);
            (step.start, value)
        });
        let course: ValueSeries<'a> = Box::new(steps);
        streams.push(ChangeStream::Series(*signal, course.peekable()));
    }
    let records: Box<dyn Iterator<Item = RecordedChange> + 'a> =
        Box::new(recorded_changes(view.trace, last));
    streams.push(ChangeStream::Recorded(records.peekable()));
    streams
}

impl ChangeStream<'_> {
    /// The time of the next change.
    #[inline]
    pub(super) fn time(&mut self) -> Option<Ticks> {
        match self {
            Self::Core(core) => core.slices.slices.get(core.next).map(|slice| slice.start),
            Self::Thread(thread) => thread.intervals.get(thread.next).map(|it| it.start),
            Self::Routines(edges) | Self::Others(edges) => edges.peek().map(|edge| edge.time),
            Self::Recorded(records) => records.peek().map(|(time, _)| *time),
            Self::Series(_, course) => course.peek().map(|(time, _)| *time),
        }
    }

    /// Writes the next change.
    pub(super) fn write_next(
        &mut self,
        plan: &RecordingSignals,
        occupancy: &mut CpuState,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        match self {
            Self::Core(core) => core.step(occupancy, out),
            Self::Thread(thread) => thread.step(occupancy, out),
            Self::Routines(edges) => match edges.next() {
                Some(edge) => occupancy
                    .routines
                    .count(edge.line as usize, edge.is_start, out),
                None => Ok(()),
            },
            Self::Others(edges) => match edges.next() {
                Some(edge) => occupancy
                    .others
                    .count(edge.line as usize, edge.is_start, out),
                None => Ok(()),
            },
            Self::Series(signal, course) => match course.next() {
                Some((_, value)) => out.set(Some(*signal), value),
                None => Ok(()),
            },
            Self::Recorded(records) => match records.next() {
                Some((_, Some(recorded))) => {
                    occupancy.missing = !recorded;
                    out.set(plan.recorded, SignalValue::Line(recorded))
                }
                Some((_, None)) => {
                    occupancy.end();
                    for signal in plan.all.clone() {
                        out.set(Some(SignalId(signal)), SignalValue::Unknown)?;
                    }
                    out.set(plan.recorded, SignalValue::Line(false))
                }
                None => Ok(()),
            },
        }
    }
}

impl CoreSignalStream<'_> {
    fn step(
        &mut self,
        occupancy: &mut CpuState,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let Some(slice) = self.slices.slices.get(self.next) else {
            return Ok(());
        };
        self.next += 1;
        occupancy.set_running(self.place, slice.running);
        let name = |names: &[TextId], place: usize| {
            let name = names.get(place);
            name.copied().unwrap_or(TextId::UNKNOWN)
        };
        let (current, depth) = match slice.running.running_context() {
            RunningContext::Thread(thread) => (name(&self.plan.names, thread.index()), Some(0)),
            RunningContext::Isr(id) => {
                let activation = self.source.view.schedule.activations.get(id.index());
                let line = activation.and_then(|it| self.plan.routines.get(&it.number));
                let line = line.map_or(usize::MAX, |line| *line as usize);
                let depth = activation.map(|it| u32::from(it.depth));
                (name(&self.plan.routine_names, line), depth)
            }
            RunningContext::Kernel => (TextId::INTERRUPT, Some(0)),
            RunningContext::Idle => (TextId::IDLE, Some(0)),
            RunningContext::Initialize => (TextId::INITIALIZE, Some(0)),
            RunningContext::Unknown => (TextId::UNKNOWN, None),
        };
        let idle = match depth {
            Some(_) => SignalValue::Line(current == TextId::IDLE),
            None => SignalValue::Unknown,
        };
        out.set(self.signals.idle, idle)?;
        out.set(
            self.signals.depth,
            depth.map_or(SignalValue::Unknown, SignalValue::Number),
        )?;
        let current = match depth {
            Some(_) => SignalValue::Text(current, None),
            None => SignalValue::Unknown,
        };
        out.set(self.signals.current, current)
    }
}

impl ThreadStream<'_> {
    fn step(
        &mut self,
        occupancy: &mut CpuState,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let Some(interval) = self.intervals.get(self.next) else {
            return Ok(());
        };
        self.next += 1;
        occupancy.enter(self.signals.id, interval.state);
        let number = state_number(interval.state).map_or(SignalValue::Unknown, SignalValue::Number);
        let ready = match interval.state {
            ThreadState::Unknown => SignalValue::Unknown,
            state => SignalValue::Line(state == ThreadState::Ready),
        };
        let text = |resource: ResourceId| self.plan.resources.get(resource.index()).copied();
        let detail = match interval.state {
            ThreadState::Unknown => SignalValue::Unknown,
            ThreadState::Running => SignalValue::Text(TextId::RUNNING, None),
            ThreadState::Ready => SignalValue::Text(TextId::READY, None),
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            } => SignalValue::Text(TextId::waiting(wait), resource.and_then(text)),
        };
        out.set(self.signals.ready, ready)?;
        out.set(self.signals.state, number)?;
        out.set(self.signals.detail, detail)
    }
}

/// Recorded from the first event on, except in gaps on any core. After the end
/// everything is unknown, unless this recording is the last to end.
fn recorded_changes(trace: &Trace, last: bool) -> impl Iterator<Item = RecordedChange> {
    let gaps = trace
        .gaps
        .iter()
        .filter(|gap| gap.next_event > EventIndex(0));
    let mut gaps: Vec<_> = gaps.map(|gap| trace.gap_bounds(gap)).collect();
    gaps.sort_unstable();
    // Gaps of several cores may overlap.
    gaps.dedup_by(|[from, to], [_, end]| {
        let overlaps = *from < *end;
        if overlaps {
            *end = (*end).max(*to);
        }
        overlaps
    });
    let gaps = gaps.into_iter();
    let gaps = gaps.flat_map(|[from, to]| [(from, Some(false)), (to, Some(true))]);
    let end = (!last).then(|| (trace.events.span(), None));
    let start = (Ticks(0), Some(!trace.events.is_empty()));
    [start].into_iter().chain(gaps).chain(end)
}

/// Whether interrupts are enabled on a core.
fn interrupt_changes<'a>(
    trace: &'a Trace,
    masked: &'a [InterruptsOffSection],
    core: u8,
) -> impl Iterator<Item = (Ticks, SignalValue)> + 'a {
    let own = masked.iter().filter(move |masked| masked.core == core);
    let next = own.clone().skip(1).map(Some).chain([None]);
    own.zip(next).flat_map(move |(masked, next)| {
        let off = (masked.start, SignalValue::Line(false));
        // In an unrecorded time they may have been enabled and disabled again.
        let on = masked.ending == InterruptsOffEnding::Restored
            && next.is_none_or(|next| next.start_known);
        let value = if on {
            SignalValue::Line(true)
        } else {
            SignalValue::Unknown
        };
        let next = next.map_or(EventIndex(u32::MAX), |next| next.first);
        let lost = on
            .then(|| gap_start(trace, core, masked.last, next))
            .flatten();
        let lost = lost.map(|time| (time, SignalValue::Unknown));
        [off, (masked.end, value)].into_iter().chain(lost)
    })
}

/// The start of the first gap between two events that affects a core.
fn gap_start(trace: &Trace, core: u8, event: EventIndex, next: EventIndex) -> Option<Ticks> {
    let at = trace.gaps.partition_point(|gap| gap.next_event <= event);
    let between = trace.gaps.get(at..)?.iter();
    let mut between = between.take_while(|gap| gap.next_event <= next);
    let gap = between.find(|gap| gap.core.is_none_or(|of| of == core))?;
    trace.last_event_before(gap)?;
    Some(trace.gap_bounds(gap)[0])
}

/// The states of an object's machine.
fn machine_states<'a>(
    source: &'a TableSource<'a>,
    plan: &'a RecordingSignals,
    object: usize,
) -> impl Iterator<Item = (Ticks, SignalValue)> + 'a {
    let intervals = source.view.active.state_intervals.get(object);
    let intervals = intervals.map(Vec::as_slice).unwrap_or_default();
    let next = intervals.iter().skip(1).map(|next| next.start);
    let next = next.chain([source.view.schedule.span]);
    intervals.iter().zip(next).flat_map(|(interval, next)| {
        let text = plan.vertices.get(&interval.state).copied();
        let text = SignalValue::Text(text.unwrap_or(TextId::UNKNOWN), None);
        let unknown = (interval.end < next).then_some((interval.end, SignalValue::Unknown));
        [(interval.start, text)].into_iter().chain(unknown)
    })
}

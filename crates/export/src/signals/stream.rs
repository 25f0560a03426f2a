//! Where the changes of signals come from.

use super::merge::Changes;
use super::occupancy::Occupancy;
use super::plan::{Core, Plan, Thread};
use super::spans::{Edges, Span};
use super::{SignalId, Sink, TextId, Value, state_number};
use rtoscope_analysis::schedule::{Executing, Masked, Slices, State, Stretch, Unmasking};
use rtoscope_tables::Source;
use rtoscope_trace::{EventIndex, ResourceId, Ticks, Trace};
use std::io;
use std::iter::Peekable;

/// Changes of signals of a recording, in order of time.
pub(super) enum Stream<'a> {
    /// What a core executes.
    Core(CoreStream<'a>),
    /// What a thread does.
    Thread(ThreadStream<'a>),
    /// Routines.
    Routines(Edges<'a>),
    /// Inversions and steps.
    Others(Edges<'a>),
    /// Where the recording begins, has gaps and ends.
    Recorded(Peekable<Box<dyn Iterator<Item = Record> + 'a>>),
    /// A signal by itself.
    Course(SignalId, Peekable<Course<'a>>),
}

type Course<'a> = Box<dyn Iterator<Item = (Ticks, Value)> + 'a>;
/// From then on events are recorded, or not, or never more.
type Record = (Ticks, Option<bool>);

pub(super) struct CoreStream<'a> {
    source: &'a Source<'a>,
    plan: &'a Plan,
    place: usize,
    slices: &'a Slices,
    signals: &'a Core,
    next: usize,
}

pub(super) struct ThreadStream<'a> {
    plan: &'a Plan,
    signals: &'a Thread,
    stretches: &'a [Stretch],
    next: usize,
}

/// The streams of a recording. The last comes after the others of the same
/// time; `last` says whether all recordings end with this one or before.
pub(super) fn streams<'a>(source: &'a Source<'a>, plan: &'a Plan, last: bool) -> Vec<Stream<'a>> {
    let view = &source.view;
    let schedule = view.schedule;
    let mut streams = Vec::new();
    let cores = schedule.cores.iter().zip(&plan.cores);
    for (place, (slices, signals)) in cores.enumerate() {
        streams.push(Stream::Core(CoreStream {
            source,
            plan,
            place,
            slices,
            signals,
            next: 0,
        }));
        if let Some(signal) = signals.enabled {
            let course: Course<'a> = Box::new(enabled(view.trace, &schedule.masked, slices.core));
            streams.push(Stream::Course(signal, course.peekable()));
        }
    }
    for signals in &plan.threads {
        streams.push(Stream::Thread(ThreadStream {
            plan,
            signals,
            stretches: view.stretches(signals.id),
            next: 0,
        }));
    }
    let span = |start, end, line: Option<&u32>| {
        let line = *line?;
        Some(Span { start, end, line })
    };
    let routines = schedule.activations.iter();
    streams.push(Stream::Routines(Edges::new(routines.filter_map(
        move |it| span(it.start, it.end, plan.routines.get(&it.number)),
    ))));
    let inversions = schedule.inversions.iter();
    streams.push(Stream::Others(Edges::new(inversions.filter_map(
        move |it| span(it.start, it.end, plan.mutexes.get(&it.resource)),
    ))));
    let steps = view.active.steps.iter();
    streams.push(Stream::Others(Edges::new(steps.filter_map(move |it| {
        span(it.start, it.end, plan.objects.get(&it.object))
    }))));
    for (object, signal) in &plan.machines {
        let course: Course<'a> = Box::new(stays(source, plan, object.index()));
        streams.push(Stream::Course(*signal, course.peekable()));
    }
    let mut histories = source.histories.iter().enumerate();
    for (place, signal) in &plan.levels {
        let Some((_, (_, history))) = histories.find(|(each, _)| each == place) else {
            continue;
        };
        let steps = history.iter().map(|step| {
            let value = step.level.map_or(Value::Unknown, Value::Number);
            (step.start, value)
        });
        let course: Course<'a> = Box::new(steps);
        streams.push(Stream::Course(*signal, course.peekable()));
    }
    let records: Box<dyn Iterator<Item = Record> + 'a> = Box::new(recorded(view.trace, last));
    streams.push(Stream::Recorded(records.peekable()));
    streams
}

impl Stream<'_> {
    /// When the next change is.
    #[inline]
    pub(super) fn time(&mut self) -> Option<Ticks> {
        match self {
            Self::Core(core) => core.slices.all.get(core.next).map(|slice| slice.start),
            Self::Thread(thread) => thread.stretches.get(thread.next).map(|it| it.start),
            Self::Routines(edges) | Self::Others(edges) => edges.peek().map(|edge| edge.time),
            Self::Recorded(records) => records.peek().map(|(time, _)| *time),
            Self::Course(_, course) => course.peek().map(|(time, _)| *time),
        }
    }

    /// Makes the next change.
    pub(super) fn step(
        &mut self,
        plan: &Plan,
        occupancy: &mut Occupancy,
        out: &mut Changes<'_, impl Sink>,
    ) -> io::Result<()> {
        match self {
            Self::Core(core) => core.step(occupancy, out),
            Self::Thread(thread) => thread.step(occupancy, out),
            Self::Routines(edges) => match edges.next() {
                Some(edge) => occupancy
                    .routines
                    .count(edge.line as usize, edge.begins, out),
                None => Ok(()),
            },
            Self::Others(edges) => match edges.next() {
                Some(edge) => occupancy.others.count(edge.line as usize, edge.begins, out),
                None => Ok(()),
            },
            Self::Course(signal, course) => match course.next() {
                Some((_, value)) => out.set(Some(*signal), value),
                None => Ok(()),
            },
            Self::Recorded(records) => match records.next() {
                Some((_, Some(recorded))) => {
                    occupancy.missing = !recorded;
                    out.set(plan.recorded, Value::Line(recorded))
                }
                Some((_, None)) => {
                    occupancy.end();
                    for signal in plan.all.clone() {
                        out.set(Some(SignalId(signal)), Value::Unknown)?;
                    }
                    out.set(plan.recorded, Value::Line(false))
                }
                None => Ok(()),
            },
        }
    }
}

impl CoreStream<'_> {
    fn step(
        &mut self,
        occupancy: &mut Occupancy,
        out: &mut Changes<'_, impl Sink>,
    ) -> io::Result<()> {
        let Some(slice) = self.slices.all.get(self.next) else {
            return Ok(());
        };
        self.next += 1;
        occupancy.execute(self.place, slice.who);
        let name = |names: &[TextId], place: usize| {
            let name = names.get(place);
            name.copied().unwrap_or(TextId::UNKNOWN)
        };
        let (current, depth) = match slice.who.executing() {
            Executing::Thread(thread) => (name(&self.plan.names, thread.index()), Some(0)),
            Executing::Isr(id) => {
                let activation = self.source.view.schedule.activations.get(id.index());
                let line = activation.and_then(|it| self.plan.routines.get(&it.number));
                let line = line.map_or(usize::MAX, |line| *line as usize);
                let depth = activation.map(|it| u32::from(it.depth));
                (name(&self.plan.routine_names, line), depth)
            }
            Executing::Kernel => (TextId::INTERRUPT, Some(0)),
            Executing::Idle => (TextId::IDLE, Some(0)),
            Executing::Initialize => (TextId::INITIALIZE, Some(0)),
            Executing::Unknown => (TextId::UNKNOWN, None),
        };
        let idle = match depth {
            Some(_) => Value::Line(current == TextId::IDLE),
            None => Value::Unknown,
        };
        out.set(self.signals.idle, idle)?;
        out.set(
            self.signals.depth,
            depth.map_or(Value::Unknown, Value::Number),
        )?;
        let current = match depth {
            Some(_) => Value::Text(current, None),
            None => Value::Unknown,
        };
        out.set(self.signals.current, current)
    }
}

impl ThreadStream<'_> {
    fn step(
        &mut self,
        occupancy: &mut Occupancy,
        out: &mut Changes<'_, impl Sink>,
    ) -> io::Result<()> {
        let Some(stretch) = self.stretches.get(self.next) else {
            return Ok(());
        };
        self.next += 1;
        occupancy.enter(self.signals.id, stretch.state);
        let number = state_number(stretch.state).map_or(Value::Unknown, Value::Number);
        let ready = match stretch.state {
            State::Unknown => Value::Unknown,
            state => Value::Line(state == State::Ready),
        };
        let text = |resource: ResourceId| self.plan.resources.get(resource.index()).copied();
        let doing = match stretch.state {
            State::Unknown => Value::Unknown,
            State::Running => Value::Text(TextId::RUNNING, None),
            State::Ready => Value::Text(TextId::READY, None),
            State::Waiting { wait, resource } => {
                Value::Text(TextId::wait(wait), resource.and_then(text))
            }
        };
        out.set(self.signals.ready, ready)?;
        out.set(self.signals.state, number)?;
        out.set(self.signals.doing, doing)
    }
}

/// From the first event on, apart from gaps, of whichever core. Behind the end of
/// a recording nothing is known; if it is the last to end, nobody asks.
fn recorded(trace: &Trace, last: bool) -> impl Iterator<Item = Record> {
    let gaps = trace.gaps.iter().filter(|gap| gap.before > EventIndex(0));
    let mut gaps: Vec<_> = gaps.map(|gap| trace.gap_times(gap)).collect();
    gaps.sort_unstable();
    // Of several cores, they may overlap.
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

/// Whether a core takes interrupts.
fn enabled<'a>(
    trace: &'a Trace,
    masked: &'a [Masked],
    core: u8,
) -> impl Iterator<Item = (Ticks, Value)> + 'a {
    let own = masked.iter().filter(move |masked| masked.core == core);
    let next = own.clone().skip(1).map(Some).chain([None]);
    own.zip(next).flat_map(move |(masked, next)| {
        let off = (masked.start, Value::Line(false));
        // What nobody recorded they may have been enabled and disabled again.
        let on = masked.ending == Unmasking::Restored && next.is_none_or(|next| next.begun);
        let value = if on {
            Value::Line(true)
        } else {
            Value::Unknown
        };
        let next = next.map_or(EventIndex(u32::MAX), |next| next.first);
        let lost = on.then(|| loss(trace, core, masked.last, next)).flatten();
        let lost = lost.map(|time| (time, Value::Unknown));
        [off, (masked.end, value)].into_iter().chain(lost)
    })
}

/// When the first gap between two events begins that concerns a core.
fn loss(trace: &Trace, core: u8, event: EventIndex, next: EventIndex) -> Option<Ticks> {
    let at = trace.gaps.partition_point(|gap| gap.before <= event);
    let between = trace.gaps.get(at..)?.iter();
    let mut between = between.take_while(|gap| gap.before <= next);
    let gap = between.find(|gap| gap.core.is_none_or(|of| of == core))?;
    trace.last_before(gap)?;
    Some(trace.gap_times(gap)[0])
}

/// The states of an object's machine.
fn stays<'a>(
    source: &'a Source<'a>,
    plan: &'a Plan,
    object: usize,
) -> impl Iterator<Item = (Ticks, Value)> + 'a {
    let stays = source.view.active.stays.get(object);
    let stays = stays.map(Vec::as_slice).unwrap_or_default();
    let next = stays.iter().skip(1).map(|next| next.start);
    let next = next.chain([source.view.schedule.span]);
    stays.iter().zip(next).flat_map(|(stay, next)| {
        let text = plan.vertices.get(&stay.state).copied();
        let text = Value::Text(text.unwrap_or(TextId::UNKNOWN), None);
        let unknown = (stay.end < next).then_some((stay.end, Value::Unknown));
        [(stay.start, text)].into_iter().chain(unknown)
    })
}

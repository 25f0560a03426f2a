//! Spans, each kind in the order of its starts.

use super::{AddArgument, Label, Text, Track, Value};
use crate::active::{PostId, RtcStep, StateInterval, TimerRun};
use crate::markers::MarkerSpan;
use crate::report::profile::ProfileKind;
use crate::report::{CpuContext, View};
use crate::schedule::{
    InterruptsOffSection, Inversion, IsrActivation, MutexHold, ThreadState, ThreadStateInterval,
};
use rtoscope_trace::{ContextId, EventIndex, Gap, Ticks};

/// A span of time on a track.
#[derive(Debug, Clone, Copy)]
pub struct Span<'a> {
    /// Its track.
    pub track: Track,
    /// What it is: its categories, the most general first, with commas between them.
    pub class: &'static str,
    /// What it says.
    pub text: Text<'a>,
    /// Its start and its end.
    pub times: [Ticks; 2],
    /// Its first and its last event, if known.
    pub events: [Option<EventIndex>; 2],
    content: Content<'a>,
}

/// What the arguments of a span come from.
#[derive(Debug, Clone, Copy)]
enum Content<'a> {
    None,
    Core(u8),
    Gap(&'a Gap),
    Interrupt(IsrActivation),
    InterruptsOff(InterruptsOffSection),
    Inversion(&'a Inversion),
    Marker(&'a MarkerSpan),
    MutexHold(MutexHold),
    State(&'a StateInterval),
    Step(&'a RtcStep),
    ThreadState(ThreadStateInterval),
    Timer(&'a TimerRun),
}

impl<'a> Span<'a> {
    /// The post that a step handles, if known.
    pub fn post(&self) -> Option<PostId> {
        match self.content {
            Content::Step(step) => step.post,
            _ => None,
        }
    }

    /// Passes the arguments to `add`.
    pub fn arguments(&self, view: &View<'_>, add: &mut AddArgument<'_>) {
        match self.content {
            Content::None => {}
            Content::Core(core) => add("core", Value::Number(core.into())),
            Content::Gap(gap) => {
                let missing = gap.missing.map(Value::Number);
                add("missing at most", missing.unwrap_or(UNKNOWN_VALUE));
                add("first event after", Value::Event(gap.next_event));
            }
            Content::Interrupt(activation) => {
                add("depth", Value::Number(activation.depth.into()));
                if activation.interrupted != ContextId::UNKNOWN {
                    add("interrupted", label(Label::Context(activation.interrupted)));
                }
                unless(activation.entered, "entry recorded", add);
                unless(activation.exited, "exit recorded", add);
            }
            Content::InterruptsOff(section) => {
                let event = view.trace.events.get(section.first);
                if let Some(code) = event.and_then(|event| view.trace.code_address(&event)) {
                    add("disabled at", label(Label::Code(code)));
                }
                unless(section.start_known, "start recorded", add);
                add("ending", text(section.ending.name()));
            }
            Content::Inversion(inversion) => inversion_arguments(inversion, add),
            Content::Marker(span) => {
                add("value", Value::Number(span.value));
                add("ending", text(span.ending.name()));
                add("context", label(context_of(view, span.first_event())));
            }
            Content::MutexHold(hold) => {
                unless(hold.start_known, "start recorded", add);
                add("ending", text(hold.ending.name()));
                add("contended", Value::Flag(hold.contended));
            }
            Content::State(interval) => unless(interval.complete, "end recorded", add),
            Content::Step(step) => {
                for (name, state) in [("state before", step.before), ("state after", step.after)] {
                    if let Some(state) = state {
                        add(name, label(Label::Vertex(state)));
                    }
                }
                add("ending", text(step.ending.name()));
                add("guards false", Value::Number(step.guards_false.into()));
            }
            Content::ThreadState(interval) => {
                unless(interval.start_known, "start recorded", add);
            }
            Content::Timer(run) => {
                add("to", label(Label::Context(run.object)));
                add("timer ticks", Value::Number(run.ticks.into()));
                add("period", Value::Number(run.period.into()));
                add("ending", text(run.ending.name()));
            }
        }
        let [first, last] = self.events;
        if let Some(first) = first {
            add("first event", Value::Event(first));
        }
        if let Some(last) = last {
            add("last event", Value::Event(last));
        }
    }

    /// The section, if interrupts are off.
    pub fn interrupts_off(&self) -> Option<InterruptsOffSection> {
        match self.content {
            Content::InterruptsOff(section) => Some(section),
            _ => None,
        }
    }

    /// Whether a thread waits.
    pub fn is_wait(&self) -> bool {
        self.class == WAIT
    }
}

const WAIT: &str = "wait";

const UNKNOWN_VALUE: Value<'static> = Value::Text(Text::Str("(unknown)"));

/// Says that something is not recorded, which is rare.
fn unless(is_recorded: bool, name: &'static str, add: &mut AddArgument<'_>) {
    if !is_recorded {
        add(name, Value::Flag(false));
    }
}

pub(super) fn text(text: &str) -> Value<'_> {
    Value::Text(Text::Str(text))
}

pub(super) fn label(label: Label) -> Value<'static> {
    Value::Text(Text::Label(label))
}

/// The context that logged an event.
pub(super) fn context_of(view: &View<'_>, event: EventIndex) -> Label {
    let context = view.trace.events.context(event);
    Label::Context(context.unwrap_or(ContextId::UNKNOWN))
}

fn inversion_arguments(inversion: &Inversion, add: &mut AddArgument<'_>) {
    add("mutex", label(Label::Resource(inversion.resource)));
    for (name, priority) in [
        ("blocked priority", inversion.blocked_priority),
        ("owner priority", inversion.owner_priority),
    ] {
        add(name, Value::Number(priority.into()));
    }
    add("owners", Value::Text(Text::Contexts(&inversion.owners)));
    if !inversion.chain.is_empty() {
        add("chain", Value::Text(Text::Contexts(&inversion.chain)));
    }
    let unbounded = inversion.unbounded().map(Value::Flag);
    add("unbounded", unbounded.unwrap_or(UNKNOWN_VALUE));
    if !inversion.culprits.is_empty() {
        let culprits = inversion.culprits.iter().map(|one| one.thread);
        let culprits: Vec<_> = culprits.collect();
        add("prolonged by", Value::Text(Text::Contexts(&culprits)));
    }
    if let Some(get) = inversion.get {
        add("get event", Value::Event(get));
    }
    add("ending", text(inversion.ending.name()));
}

/// All but what cores, threads and active objects do.
pub fn spans<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    gaps(view)
        .chain(interrupts_off(view))
        .chain(mutex_holds(view))
        .chain(inversions(view))
        .chain(markers(view))
        .chain(all_states(view))
        .chain(timers(view))
}

/// Gaps, from the last event before to the first event after.
fn gaps<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let trace = view.trace;
    trace.gaps.iter().map(|gap| Span {
        track: Track::Gaps(gap.core),
        class: "gap",
        text: Text::Str(match gap.is_restart {
            true => "target restarted",
            false => "events missing",
        }),
        times: trace.gap_bounds(gap),
        events: [None; 2],
        content: Content::Gap(gap),
    })
}

/// What each core runs, without holes.
pub fn core_slices<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let schedule = view.schedule;
    let cores = schedule.cores.iter();
    cores.flat_map(|slices| {
        slices.iter().map(|(slice, end)| {
            let context = CpuContext::of(schedule, slice.running);
            Span {
                track: Track::Core(slices.core),
                class: core_class(context.kind()),
                text: Text::Label(Label::Cpu(context)),
                times: [slice.start, end],
                events: [None, None],
                content: Content::None,
            }
        })
    })
}

const fn core_class(kind: ProfileKind) -> &'static str {
    match kind {
        ProfileKind::Thread | ProfileKind::Initialize => "core",
        ProfileKind::Idle => "core,idle",
        ProfileKind::Isr | ProfileKind::Kernel => "core,interrupt",
        ProfileKind::Unknown => "core,unknown",
    }
}

/// When each thread runs. The slices of a core and thread have equal arguments, so that readers
/// can add them up.
pub fn thread_slices<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    core_slices(view).filter_map(|slice| match (slice.track, slice.text) {
        (Track::Core(core), Text::Label(Label::Cpu(CpuContext::Thread(thread)))) => Some(Span {
            track: Track::Thread(thread),
            class: "running",
            content: Content::Core(core),
            ..slice
        }),
        _ => None,
    })
}

/// Interrupt service routines, the outer ones first.
pub fn interrupts<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let activations = view.schedule.activations.iter();
    activations.map(|activation| Span {
        track: Track::Interrupts(activation.core),
        class: "isr",
        text: Text::Label(Label::Cpu(CpuContext::Isr(activation.number))),
        times: [activation.start, activation.end.max(activation.start)],
        events: [Some(activation.first), Some(activation.last)],
        content: Content::Interrupt(activation),
    })
}

/// Interrupts-off sections, by the context that disabled interrupts.
pub fn interrupts_off<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + Clone + use<'a> {
    let schedule = view.schedule;
    schedule.interrupts_off.iter().map(|section| {
        let routine = section.activation;
        let routine = routine.and_then(|id| schedule.activations.get(id.index()));
        let by = match routine {
            Some(routine) => Label::Cpu(CpuContext::Isr(routine.number)),
            None => Label::Context(section.context),
        };
        Span {
            track: Track::InterruptsOff(section.core),
            class: "interrupts off",
            text: Text::Label(by),
            times: [section.start, section.end],
            events: [Some(section.first), Some(section.last)],
            content: Content::InterruptsOff(section),
        }
    })
}

/// The states of the threads with a known one. A deleted thread has none.
pub fn thread_states<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let schedule = view.schedule;
    let threads = schedule.threads.iter().zip((0..).map(ContextId));
    let known = threads.filter(|(intervals, _)| {
        let mut states = intervals.iter().map(|interval| interval.state);
        states.any(|state| state != ThreadState::Unknown)
    });
    known.flat_map(move |(intervals, thread)| {
        let exists =
            |(interval, _): &(ThreadStateInterval, _)| interval.state != ThreadState::Deleted;
        let intervals = intervals.with_next(0).filter(exists);
        intervals.map(move |(interval, next)| Span {
            track: Track::ThreadState(thread),
            class: match interval.state {
                ThreadState::Waiting { wait_reason, .. } if !wait_reason.is_end() => WAIT,
                _ => "state",
            },
            text: Text::Label(Label::State(interval.state)),
            times: [
                interval.start,
                next.map_or(schedule.span, |next| next.start),
            ],
            events: [Some(interval.event), None],
            content: Content::ThreadState(interval),
        })
    })
}

/// Mutex holds, by owner.
fn mutex_holds<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    view.schedule.mutex_holds.iter().map(|hold| Span {
        track: Track::Mutex(hold.resource),
        class: "mutex",
        text: Text::Label(Label::Context(hold.owner)),
        times: [hold.start, hold.end],
        events: [Some(hold.first), Some(hold.last)],
        content: Content::MutexHold(hold),
    })
}

/// Priority inversions.
pub fn inversions<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    view.schedule.inversions.iter().map(|inversion| {
        let owner = inversion.owners.first().copied();
        Span {
            track: Track::Inversions(inversion.resource),
            class: "inversion",
            text: Text::Label(Label::Blocked(inversion.blocked, owner)),
            times: [inversion.start, inversion.end],
            events: [inversion.first, inversion.last],
            content: Content::Inversion(inversion),
        }
    })
}

/// The spans of markers whose begin is recorded.
pub fn markers<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let markers = view.markers;
    let begun = markers.spans.iter().filter(|span| span.begin.is_some());
    begun.map(|span| Span {
        track: Track::Marker(span.marker),
        class: "marker",
        text: Text::Str(markers.name(span.marker)),
        times: [span.start, span.until],
        events: [span.begin, span.end],
        content: Content::Marker(span),
    })
}

/// The steps of active objects, by signal.
pub fn steps<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    view.active.steps.iter().map(|step| Span {
        track: Track::Steps(step.object),
        class: "step",
        text: match step.signal {
            Some(signal) => Text::Label(Label::Signal(signal)),
            None if step.initial => Text::Str("(initial)"),
            None => Text::Str("(unknown)"),
        },
        times: [step.start, step.end],
        events: [Some(step.first), Some(step.last)],
        content: Content::Step(step),
    })
}

/// The states of all machines between steps, then with those that contain them.
fn all_states<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    let (view, objects) = (*view, view.active.objects.iter().copied());
    let machines = objects.clone();
    let machines = machines.flat_map(move |object| machine_states(&view, object));
    machines.chain(objects.flat_map(move |object| {
        let all = &view.active.active_state_intervals;
        states(all, object, Track::ActiveStates(object), "active state")
    }))
}

/// The states of an active object's machine between steps.
pub fn machine_states<'a>(
    view: &View<'a>,
    object: ContextId,
) -> impl Iterator<Item = Span<'a>> + Clone + use<'a> {
    let all = &view.active.state_intervals;
    states(all, object, Track::MachineState(object), "machine state")
}

fn states<'a>(
    all: &'a [Vec<StateInterval>],
    object: ContextId,
    track: Track,
    class: &'static str,
) -> impl Iterator<Item = Span<'a>> + Clone {
    let intervals = all.get(object.index()).into_iter().flatten();
    intervals.map(move |interval| Span {
        track,
        class,
        text: Text::Label(Label::Vertex(interval.state)),
        times: [interval.start, interval.end],
        events: [Some(interval.first), None],
        content: Content::State(interval),
    })
}

/// The runs of timers, by signal.
fn timers<'a>(view: &View<'a>) -> impl Iterator<Item = Span<'a>> + use<'a> {
    view.active.timer_runs.iter().map(|run| Span {
        track: Track::Timer(run.timer),
        class: "timer",
        text: run.signal.map_or(Text::Str("(unknown signal)"), |signal| {
            Text::Label(Label::Signal(signal))
        }),
        times: [run.start, run.end],
        events: [Some(run.first), run.last],
        content: Content::Timer(run),
    })
}

//! Activations and their sources.

use crate::PackedVec;
use crate::naming::NameFormatter;
use crate::packed_vec::{Columns, Pack, columns};
use crate::report::View;
use crate::report::latency::MeasuredDuration;
use rtoscope_trace::{ContextId, EventIndex, EventKindId, Ticks, Vertex};

/// What recurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActivationSource {
    /// A thread is resumed. Where the trace does not record when a thread becomes
    /// ready, as in context-switch logs: it gets a core, other than to continue where it
    /// was preempted.
    Thread(ContextId),
    /// An interrupt service routine of this number starts.
    Isr(Option<u32>),
    /// An active object starts a run-to-completion step.
    Dispatch(ContextId),
    /// An active object enters a state.
    State(ContextId, Vertex),
    /// An event of this kind is logged.
    Event(EventKindId),
}

impl ActivationSource {
    /// Its kind: `thread`, `interrupt`, `dispatch`, `state` or `event`.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Thread(_) => "thread",
            Self::Isr(_) => "interrupt",
            Self::Dispatch(_) => "dispatch",
            Self::State(..) => "state",
            Self::Event(_) => "event",
        }
    }

    /// Its thread or active object, if it has one.
    pub const fn context(self) -> Option<ContextId> {
        match self {
            Self::Thread(context) | Self::Dispatch(context) | Self::State(context, _) => {
                Some(context)
            }
            Self::Isr(_) | Self::Event(_) => None,
        }
    }

    /// The kind of its events, if it is one.
    pub const fn event_kind(self) -> Option<EventKindId> {
        match self {
            Self::Event(kind) => Some(kind),
            _ => None,
        }
    }

    /// Its display name.
    pub fn name(self, view: &View<'_>) -> String {
        match self {
            Self::Thread(context) | Self::Dispatch(context) => view.trace.context_name(context),
            Self::Isr(number) => view.schedule.isr_name(number),
            Self::State(object, state) => format!(
                "{}: {}",
                view.trace.context_name(object),
                NameFormatter(view.trace).vertex(state)
            ),
            Self::Event(kind) => view.trace.catalogue.name(kind).into_owned(),
        }
    }
}

/// One activation, which starts in the window. A duration is present if its start and
/// end are recorded, and it ends in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activation {
    /// Its start.
    pub start: Ticks,
    /// The event of the start.
    pub event: EventIndex,
    /// The core of the event.
    pub core: u8,
    /// Since the start of the previous activation of the source; `None` also if one in
    /// between may be missing.
    pub period: Option<Ticks>,
    /// From its start to its end: a thread is suspended, a routine exits, a machine leaves
    /// the state; of a step, from the post of its event. `None` for events, and for
    /// threads whose readiness is not recorded.
    pub response: Option<MeasuredDuration>,
    /// CPU time, without interrupts, until its end or, where readiness is not recorded,
    /// until the next activation. Of a step, from its start to its end. `None` for states
    /// and events.
    pub cpu_time: Option<MeasuredDuration>,
}

impl Pack for Activation {
    const COLUMNS: usize = 8;

    fn pack(&self) -> Columns {
        let ticks = |ticks: Option<Ticks>| ticks.map_or(0, |it| it.0.saturating_add(1));
        let duration = |it: Option<MeasuredDuration>| ticks(it.map(|it| it.duration));
        let distance = |it: Option<MeasuredDuration>| {
            it.map_or(0, |it| it.event.0.wrapping_sub(self.event.0).into())
        };
        columns([
            self.start.0,
            self.event.0.into(),
            self.core.into(),
            ticks(self.period),
            duration(self.response),
            distance(self.response),
            duration(self.cpu_time),
            distance(self.cpu_time),
        ])
    }

    fn unpack(columns: Columns) -> Self {
        let [
            start,
            event,
            core,
            period,
            response,
            response_events,
            cpu_time,
            cpu_events,
        ] = columns;
        let event = event as u32;
        let ticks = |number: u64| number.checked_sub(1).map(Ticks);
        let measured = |number, distance| {
            ticks(number).map(|duration| MeasuredDuration {
                duration,
                event: EventIndex(event.wrapping_add(distance as u32)),
            })
        };
        Self {
            start: Ticks(start),
            event: EventIndex(event),
            core: core as u8,
            period: ticks(period),
            response: measured(response, response_events),
            cpu_time: measured(cpu_time, cpu_events),
        }
    }
}

/// The activations of one source, in order of time.
#[derive(Debug, Clone)]
pub struct ActivationStream {
    /// The source.
    pub source: ActivationSource,
    /// Its activations.
    pub activations: PackedVec<Activation>,
}

impl ActivationStream {
    pub(super) fn new(source: ActivationSource) -> Self {
        Self {
            source,
            activations: PackedVec::new(),
        }
    }
}

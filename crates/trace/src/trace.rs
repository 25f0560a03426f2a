//! A recording as a whole.

use crate::catalogue::Meaning;
use crate::{
    Address, Catalogue, Clock, CodeLocations, ContextId, ContextKind, Contexts, Diagnostics, Event,
    EventIndex, Events, Object, Objects, SwitchModel, Ticks,
};

/// Events that are missing between two that follow each other. Nothing is
/// known about what happened meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The first event behind the gap.
    pub next_event: EventIndex,
    /// How many events are missing, as far as the recording tells that: an RKH
    /// stream does modulo 256, and of a slot that may never have been written it
    /// is the most.
    pub missing: Option<u64>,
    /// The core whose events they are, where each core has a log of its own:
    /// what the others did is known. `None` if they may be of any core.
    pub core: Option<u8>,
}

/// Where a trace begins that is a part of a longer recording. The events of the
/// part are numbered from 0, and their times count from its first event; what
/// stands here is added to name them in the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TraceOrigin {
    /// The number of its first event in the recording.
    pub event: u64,
    /// The time of that, in ticks since the first event of the recording.
    pub time: Ticks,
}

/// A recording, whatever its format was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Where it begins, if it is a part of a longer recording.
    pub origin: TraceOrigin,
    /// What happened, oldest first.
    pub events: Events,
    /// Who executed.
    pub contexts: Contexts,
    /// What they used.
    pub objects: Objects,
    /// What stamped the events.
    pub clock: Clock,
    /// The numbers of the cores that recorded events, in order.
    pub cores: Vec<u8>,
    /// Where events are missing, in order.
    pub gaps: Vec<Gap>,
    /// What the events mean.
    pub catalogue: Catalogue,
    /// How the events say who executes.
    pub switch_model: SwitchModel,
    /// Where in the code addresses of the events lie, as far as is known.
    pub code_locations: CodeLocations,
    /// What is wrong, or limits what can be said.
    pub diagnostics: Diagnostics,
}

impl Trace {
    /// An event's number in the recording of which this is a part.
    pub fn recording_event(&self, event: EventIndex) -> u64 {
        self.origin.event.saturating_add(event.0.into())
    }

    /// A time of the trace as one of the recording of which it is a part, in
    /// ticks since the first event of that.
    pub fn recording_time(&self, time: Ticks) -> Ticks {
        Ticks(self.origin.time.0.saturating_add(time.0))
    }

    /// The last event before a gap: of the core whose events are missing, if
    /// that is known. `None` if the trace begins with the gap.
    pub fn last_event_before(&self, gap: &Gap) -> Option<EventIndex> {
        let mut before = (0..gap.next_event.0).rev().map(EventIndex);
        let Some(core) = gap.core else {
            return before.next();
        };
        let cores = &self.events.core;
        before.find(|event| cores.get(event.index()).copied().unwrap_or_default() == core)
    }

    /// When a gap begins and ends: at the last event before it, else at the start
    /// of the trace, and at the first behind it.
    pub fn gap_bounds(&self, gap: &Gap) -> [Ticks; 2] {
        [self.last_event_before(gap), Some(gap.next_event)].map(|event| {
            let time = event.and_then(|event| self.events.time.get(event.index()));
            Ticks(time.copied().unwrap_or_default())
        })
    }

    /// Where in the code an event happened: its first argument that is such an
    /// address. `None` for a kind that has none, or that the catalogue does not
    /// know.
    pub fn code_address(&self, event: &Event) -> Option<Address> {
        let kind = self.catalogue.get(event.kind)?;
        let mut words = self.raw_arguments(kind, event);
        let code = words.find(|(argument, _)| argument.meaning == Meaning::Code);
        code.map(|(_, value)| Address(value))
    }

    /// A context's name for people: a thread's name (escaped) or, where it has
    /// none, its address; `(interrupt)`, `(initialize)` or `(idle)`.
    pub fn context_name(&self, id: ContextId) -> String {
        let Some(context) = self.contexts.get(id) else {
            return format!("context {id}");
        };
        match context.kind {
            ContextKind::Interrupt => "(interrupt)".to_owned(),
            ContextKind::Initialize => "(initialize)".to_owned(),
            ContextKind::Idle => "(idle)".to_owned(),
            ContextKind::Thread => {
                let object = context.object.and_then(|object| self.objects.get(object));
                object.map_or_else(|| context.address.to_string(), Object::display_name)
            }
        }
    }
}

//! A decoded recording.

use crate::catalogue::Meaning;
use crate::{
    Address, Catalogue, Clock, CodeLocations, ContextId, ContextKind, Contexts, Diagnostics, Event,
    EventIndex, Events, Object, Objects, SwitchModel, Ticks, Timescale,
};

/// A gap: events are missing between two consecutive ones. Nothing is known
/// about the time in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The first event after the gap.
    pub next_event: EventIndex,
    /// Number of missing events, as far as recorded: modulo 256 if records have
    /// sequence numbers of 8 bits; for slots that may never have been written, a maximum.
    pub missing: Option<u64>,
    /// The core whose events are missing, if each core has its own log: the
    /// other cores' events are complete. `None` if events of any core may be
    /// missing.
    pub core: Option<u8>,
}

/// The start of a trace that is a part of a longer recording. Events of the
/// part have numbers from 0, and times since its first event; adding these
/// values gives their numbers and times in the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TraceOrigin {
    /// The number of its first event in the recording.
    pub event: u64,
    /// The time of that event, in ticks since the first event of the recording.
    pub time: Ticks,
}

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Its start, if it is a part of a longer recording.
    pub origin: TraceOrigin,
    /// The events, oldest first.
    pub events: Events,
    /// The contexts of the events.
    pub contexts: Contexts,
    /// The objects that they use.
    pub objects: Objects,
    /// The clock of the timestamps.
    pub clock: Clock,
    /// The numbers of the cores that recorded events, in order.
    pub cores: Vec<u8>,
    /// The gaps, in order.
    pub gaps: Vec<Gap>,
    /// The kinds of the events.
    pub catalogue: Catalogue,
    /// How the running context follows from the events.
    pub switch_model: SwitchModel,
    /// The known locations of code addresses in the events.
    pub code_locations: CodeLocations,
    /// What is wrong with the recording, or limits its evidence.
    pub diagnostics: Diagnostics,
}

impl Trace {
    /// An event's number in the recording that this trace is a part of.
    pub fn recording_event(&self, event: EventIndex) -> u64 {
        self.origin.event.saturating_add(event.0.into())
    }

    /// Converts a time of the trace to ticks since the first event of the
    /// recording that it is a part of.
    pub fn recording_time(&self, time: Ticks) -> Ticks {
        self.timescale().recording_time(time)
    }

    /// The conversion of its ticks into time.
    pub fn timescale(&self) -> Timescale {
        self.clock.timescale(self.origin.time)
    }

    /// The last event before a gap: of the core whose events are missing, if
    /// known. `None` if the trace begins with the gap.
    pub fn last_event_before(&self, gap: &Gap) -> Option<EventIndex> {
        let mut before = (0..gap.next_event.0).rev().map(EventIndex);
        let Some(core) = gap.core else {
            return before.next();
        };
        before.find(|event| self.events.core(*event).unwrap_or_default() == core)
    }

    /// The start and end of a gap: the last event before it, else the start of
    /// the trace, and the first event after it.
    pub fn gap_bounds(&self, gap: &Gap) -> [Ticks; 2] {
        [self.last_event_before(gap), Some(gap.next_event)].map(|event| {
            let time = event.and_then(|event| self.events.time(event));
            time.unwrap_or_default()
        })
    }

    /// The code address of an event: its first argument with that meaning.
    /// `None` for a kind without one, or outside the catalogue.
    pub fn code_address(&self, event: &Event) -> Option<Address> {
        let kind = self.catalogue.get(event.kind)?;
        let mut words = self.raw_arguments(kind, event);
        let code = words.find(|(argument, _)| argument.meaning == Meaning::Code);
        code.map(|(_, value)| Address(value))
    }

    /// A context's display name: a thread's name (escaped) or, if it has none,
    /// its address; `(interrupt)`, `(initialize)` or `(idle)`.
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

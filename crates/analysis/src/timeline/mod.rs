//! The timeline of a trace: spans and instants on tracks, and counters, with their texts.
//!
//! Exports to formats with tracks are serialisations of it. Its iterators refer to what the
//! analysis has found and format nothing: a [`Label`] is formatted when it is written, and
//! [`Names`] does so once.

mod changes;
mod counters;
mod flows;
mod instants;
mod label;
mod priorities;
mod spans;

pub use changes::{Change, Changes, StateChange, cores, final_dispatches, logged_by, wake_target};
pub use counters::{Counter, counters, resource_names};
pub use flows::{EventFlows, FlowPoint};
pub use instants::{Instant, marker_instants, notes, recording, unit_of_times};
pub use label::{Label, Name, Names, Text};
pub use priorities::{PriorityHistory, PriorityStep};
pub use spans::{
    Span, core_slices, interrupts, interrupts_off, inversions, machine_states, markers, spans,
    steps, thread_slices, thread_states,
};

use crate::markers::MarkerId;
use crate::naming::NameFormatter;
use crate::report::View;
use rtoscope_trace::{Address, ContextId, EventIndex, ResourceId};

/// A track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Track {
    /// Facts about the recording, and its diagnostics.
    Recording,
    /// Findings.
    Findings,
    /// Gaps, of a core or of all.
    Gaps(Option<u8>),
    /// What a core runs.
    Core(u8),
    /// The interrupt service routines of a core.
    Interrupts(u8),
    /// The interrupts-off sections of a core.
    InterruptsOff(u8),
    /// When a thread runs.
    Thread(ContextId),
    /// The states of a thread.
    ThreadState(ContextId),
    /// The steps of an active object.
    Steps(ContextId),
    /// The owners of a mutex.
    Mutex(ResourceId),
    /// The priority inversions of a mutex.
    Inversions(ResourceId),
    /// The spans of a marker.
    Marker(MarkerId),
    /// The instants of a marker.
    Instants(MarkerId),
    /// The states of an active object's machine.
    MachineState(ContextId),
    /// The same, with those that contain them.
    ActiveStates(ContextId),
    /// The runs of a timer.
    Timer(Address),
}

/// The value of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'t> {
    /// A text.
    Text(Text<'t>),
    /// A number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// The number of an event in the recording.
    Event(EventIndex),
}

/// Receives the names and values of arguments.
pub type AddArgument<'f> = dyn FnMut(&'static str, Value<'_>) + 'f;

impl Track {
    /// Its name.
    pub fn name(self, view: &View<'_>) -> String {
        let context = |context| Label::Context(context).text(view);
        match self {
            Self::Recording => "recording".to_owned(),
            Self::Findings => "findings".to_owned(),
            Self::Gaps(None) => "events missing".to_owned(),
            Self::Gaps(Some(core)) => format!("events missing on core {core}"),
            Self::Core(core) => format!("core {core}"),
            Self::Interrupts(core) => format!("core {core}: interrupts"),
            Self::InterruptsOff(core) => format!("core {core}: interrupts off"),
            Self::Thread(thread) => context(thread),
            Self::ThreadState(thread) | Self::MachineState(thread) => {
                format!("{}: state", context(thread))
            }
            Self::Mutex(mutex) => format!("mutex {}", view.resource_name(mutex)),
            Self::Inversions(mutex) => format!("mutex {}: inversions", view.resource_name(mutex)),
            Self::Marker(marker) => format!("marker {}", view.markers.name(marker)),
            Self::Instants(marker) => format!("instants {}", view.markers.name(marker)),
            Self::Steps(object) => format!("{}: steps", context(object)),
            Self::ActiveStates(object) => format!("{}: active states", context(object)),
            Self::Timer(timer) => format!("timer {}", NameFormatter(view.trace).timer(timer)),
        }
    }
}

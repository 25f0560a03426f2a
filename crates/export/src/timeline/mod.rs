//! What the formats with tracks show in the same way, in addition to events and schedule: spans
//! and instants with their texts.

mod active_objects;
mod cores;
mod lanes;
mod levels;
mod locks;
mod markers;
mod recording;

pub(crate) use active_objects::{states, timers};
pub(crate) use cores::interrupts_off;
pub(crate) use lanes::Lanes;
pub(crate) use levels::{KnownLevel, known_levels};
pub(crate) use locks::{inversions, mutex_holds};
pub(crate) use markers::markers;
pub(crate) use recording::{diagnostics, findings, gaps};

use rtoscope_analysis::report::findings::FindingSeverity;
use rtoscope_trace::{EventIndex, Ticks};
use std::io;

/// A format with tracks.
pub(crate) trait Timeline {
    /// A track.
    type Track: Copy;

    /// Whether a slice may be within another one of its track.
    const NESTS: bool;

    /// Adds a track below the others.
    fn add_track(&mut self, name: &str) -> Self::Track;

    /// Writes a slice from one time to another.
    fn slice(
        &mut self,
        track: Self::Track,
        times: [Ticks; 2],
        class: Class,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<()>;

    /// Writes an instant.
    fn instant(
        &mut self,
        track: Self::Track,
        time: Ticks,
        class: Class,
        name: &str,
        arguments: &[Argument<'_>],
    ) -> io::Result<()>;
}

/// What a slice or an instant stands for: its category, in the words of each format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    ActiveState,
    Diagnostic,
    Finding(FindingSeverity),
    Gap,
    Interrupt,
    InterruptsOff,
    Inversion,
    Marker,
    MutexHold,
    State,
    Step,
    Timer,
}

/// A name and a value.
pub(crate) type Argument<'t> = (&'static str, Value<'t>);

/// The value of an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'t> {
    Text(&'t str),
    Number(u64),
    Flag(bool),
    /// The number of an event in the recording.
    Event(EventIndex),
    /// There is no such argument.
    Missing,
}

impl<'t> Value<'t> {
    pub(crate) fn event(event: Option<EventIndex>) -> Self {
        event.map_or(Self::Missing, Self::Event)
    }

    /// A text, if there is any.
    pub(crate) fn text(text: &'t str) -> Self {
        match text {
            "" => Self::Missing,
            text => Self::Text(text),
        }
    }
}

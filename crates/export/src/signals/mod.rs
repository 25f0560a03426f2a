//! Recordings as signals and their changes, as on a logic analyser.
//!
//! The changes of the schedule and of each other signal are merged while they are
//! read, so the memory use does not grow with the length of a recording.

mod change_merge;
mod change_writer;
mod clock;
mod cpu_state;
mod recording_writer;
mod signal;
mod signal_plan;
mod signal_table;
mod spans;
mod streams;
pub(crate) mod thread_state;
mod unique_names;

pub(crate) use change_merge::{change_times, write_changes};
pub(crate) use change_writer::SignalSink;
pub(crate) use clock::{CommonClock, gcd};
pub(crate) use signal::{
    Signal, SignalGroup, SignalId, SignalKind, SignalSelection, SignalText, SignalValue, TextId,
};
pub(crate) use signal_table::SignalTable;
pub(crate) use unique_names::UniqueNames;

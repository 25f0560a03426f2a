//! The context-switch log made into a trace.
//!
//! ```text
//! memory ──control, ring──▶ ┐
//!                           Log ──columns, merge──▶ Trace, Origin
//! CSWL ────container──────▶ ┘  └──write──▶ CSWL
//! ```

pub mod catalogue;
mod columns;
mod container;
mod control;
mod course;
mod dump;
mod firmware;
mod guess;
mod interpret;
pub(crate) mod live;
mod log;
mod merge;
mod names;
mod options;
mod origin;
mod probe;
mod recording;
mod report;
mod ring;
mod space;
mod symbolise;
mod texts;
mod timeline;
mod write;

#[cfg(test)]
mod fixture;

pub use dump::Dump;
pub(crate) use dump::{is_container, is_log};
pub use interpret::Interpreter;
pub use log::{CoreLog, Log, Shape};
pub use options::{Location, Options};
pub use origin::{CoreOrigin, Origin};
pub use probe::{Probe, Probed};
pub use recording::{Recording, decode};
pub use write::write;

use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};

/// The type word of an entry that is being written.
const UNFINISHED: u32 = u32::MAX;

/// Whether entries of that type exist.
fn is_known(kind: u32) -> bool {
    let (plain, flagged) = split(kind);
    plain.is_some_and(|plain| !flagged || plain.has_previous_state())
}

/// The type of an entry without its flag, and the flag.
fn split(kind: u32) -> (Option<EntryKind>, bool) {
    let plain = EntryKind::from_number(kind & !PREVIOUSLY_DISABLED);
    (plain, kind & PREVIOUSLY_DISABLED != 0)
}

//! Decodes context-switch logs.
//!
//! ```text
//! memory ──recorder_variables, ring_order──▶ ┐
//!                                            SwitchLog ──columns, merge──▶ DecodedLog
//! CSWL ────cswl_reader─────────────────────▶ ┘    └──cswl_writer──▶ CSWL
//! ```

mod address_space;
mod black_box_log;
mod call_stacks;
pub mod catalogue;
mod columns;
mod context_ids;
mod cswl_reader;
mod cswl_writer;
mod decode_log;
mod entry_damage;
mod facts;
mod firmware;
mod format;
mod formatted_events;
mod interpret;
mod layout_guess;
pub(crate) mod live;
mod log;
mod log_diagnostics;
mod log_image;
mod log_info;
mod memory_probe;
mod merge;
mod name_source;
mod options;
mod packed;
mod recorder_variables;
mod ring_order;
mod symbolise;
mod target_commands;
mod timeline;
mod woken_threads;

#[cfg(test)]
mod test_log;

pub use cswl_writer::write;
pub use decode_log::{DecodedLog, decode};
pub use format::FORMAT;
pub use interpret::CswitchInterpreter;
pub use log::{CoreLog, EntryLayout, Overwritten, SwitchLog};
pub use log_image::LogImage;
pub use log_info::{CoreLogInfo, LogInfo};
pub use memory_probe::{LogProbe, ProbeResult};
pub use options::{BufferLocation, CswitchOptions};

use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};

/// The type word of an unfinished entry.
const UNFINISHED: u32 = u32::MAX;

/// Whether entries of that type exist.
fn is_known(kind: u32) -> bool {
    let (plain, flagged) = split(kind);
    plain.is_some_and(|plain| !flagged || plain.allows_previously_disabled())
}

/// The type of an entry without its flag, and the flag.
fn split(kind: u32) -> (Option<EntryKind>, bool) {
    let plain = EntryKind::from_number(kind & !PREVIOUSLY_DISABLED);
    (plain, kind & PREVIOUSLY_DISABLED != 0)
}

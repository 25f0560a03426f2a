//! The Common Trace Format, version 1.8.
//!
//! A folder holds `metadata`, a text in the format's own language (TSDL) that
//! says what the other files hold, and a stream of packets a core. Readers merge
//! the streams by time. Packets are made in memory one by one, so that an export
//! needs as much for a long recording as for a short one.
//!
//! The events are one trace; the `schedule` that follows from them is another,
//! in a folder within, so that who counts the events finds what was recorded.

mod classes;
mod clock;
mod digest;
mod events;
mod field;
mod field_type;
mod labels;
mod metadata;
mod packets;
mod schedule;
mod trace_folder;
mod tsdl_text;

pub use trace_folder::is_ours;

use crate::Progress;
use rtoscope_tables::TableSource;
use std::fs;
use std::io;
use std::path::Path;

/// The folder of the schedule, within that of the events.
const SCHEDULE_FOLDER: &str = "schedule";

/// Writes a recording as a trace into a folder, which exists and is empty.
///
/// # Errors
///
/// If the folder cannot be written to.
pub fn write(
    source: &TableSource<'_>,
    folder: &Path,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let (events, clock) = events::write(source, folder, progress)?;
    let schedule = folder.join(SCHEDULE_FOLDER);
    fs::create_dir(&schedule)?;
    schedule::write(source, &schedule, &clock, events)
}

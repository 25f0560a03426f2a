//! Common Trace Format, version 1.8.
//!
//! A folder holds `metadata`, a description of the streams in the format's language
//! (TSDL), and one stream of packets per core. Readers merge the streams by time.
//! Packets are built in memory one at a time, so the memory use does not depend on
//! the length of the recording.
//!
//! The events are one trace. The `schedule` derived from them is a second one, in a
//! subfolder, so that readers that count the events of the first find exactly the
//! recorded ones.

mod classes;
mod clock;
mod digest;
mod events;
mod field;
mod labels;
mod metadata;
mod packets;
mod schedule;
mod trace_folder;
mod tsdl_text;

pub use trace_folder::is_ours;

use crate::Progress;
use rtoscope_analysis::AnalyzedRecording;
use std::fs;
use std::io;
use std::path::Path;

/// The folder of the schedule, inside that of the events.
const SCHEDULE_FOLDER: &str = "schedule";

/// Writes a recording as a trace into an existing, empty folder.
///
/// # Errors
///
/// If the folder cannot be written to.
pub fn write(
    source: &AnalyzedRecording,
    folder: &Path,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let (events, clock) = events::write(source, folder, progress)?;
    let schedule = folder.join(SCHEDULE_FOLDER);
    fs::create_dir(&schedule)?;
    schedule::write(source, &schedule, &clock, events)
}

//! sigrok sessions, which sigrok-cli and PulseView read: one channel per thread,
//! routine and so on, sampled at a fixed rate.

mod archive;
mod metadata;
mod rate;
mod sampler;

use crate::Progress;
use crate::signals::{CommonClock, SignalSelection, SignalTable, write_changes};
use archive::ZipWriter;
use rate::SampleRate;
use rtoscope_analysis::AnalyzedRecording;
use sampler::Sampler;
use std::io::{self, Write};

/// The maximum number of channels that PulseView shows.
const MAX_SHOWN_LINES: usize = 64;

/// Writes recordings as one session. All start at the same time.
///
/// # Errors
///
/// If the output fails, or the recordings are too long even at one sample per
/// second.
pub fn write(
    sources: &[&AnalyzedRecording],
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let mut table = SignalTable::new(sources, SignalSelection::Lines { ready: true });
    if table.signals.len() > MAX_SHOWN_LINES {
        table = SignalTable::new(sources, SignalSelection::Lines { ready: false });
    }
    let clock = CommonClock::for_sources(sources);
    let unit = table.signals.len().div_ceil(8).max(1);
    let rate = SampleRate::of(sources, &table, &clock, unit)?;
    let mut archive = ZipWriter::new(output);
    // The version of the format.
    archive.add("version", b"2")?;
    let metadata = metadata::text(sources, &table, rate.hertz(), unit);
    archive.add("metadata", metadata.as_bytes())?;
    let mut sampler = Sampler::new(&mut archive, rate, table.signals.len());
    write_changes(sources, &table, &clock, &mut sampler, progress)?;
    sampler.finish()?;
    archive.finish()
}

//! Sessions of sigrok, as sigrok-cli and PulseView read them: a line a thread,
//! a routine and so on, sampled at a fixed rate.

mod archive;
mod lines;
mod metadata;
mod rate;
mod sampler;

use crate::Progress;
use crate::signals::{Board, Choice, Clock, merge};
use archive::Archive;
use rate::Rate;
use rtoscope_tables::Source;
use sampler::Sampler;
use std::io::{self, Write};

/// The most lines that PulseView shows.
const MOST_SHOWN: usize = 64;

/// Writes recordings as one session, which start at the same time.
///
/// # Errors
///
/// If the output fails, or the recordings last so long that a sample every
/// second would be too many.
pub fn write(
    sources: &[Source<'_>],
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let mut board = Board::of(sources, Choice::Lines { ready: true });
    if board.signals.len() > MOST_SHOWN {
        board = Board::of(sources, Choice::Lines { ready: false });
    }
    let clock = Clock::of(sources);
    let unit = board.signals.len().div_ceil(8).max(1);
    let rate = Rate::of(sources, &board, &clock, unit)?;
    let mut archive = Archive::new(output);
    // The version of the format.
    archive.add("version", b"2")?;
    let metadata = metadata::text(sources, &board, rate.hertz(), unit);
    archive.add("metadata", metadata.as_bytes())?;
    let mut sampler = Sampler::new(&mut archive, rate, board.signals.len());
    merge(sources, &board, &clock, &mut sampler, progress)?;
    sampler.finish()?;
    archive.finish()
}

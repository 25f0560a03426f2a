//! Infers the configuration of records from the records themselves.
//!
//! In a configuration, each kind of record has a fixed length, and the lengths
//! of many kinds leave few candidates. If two configurations give all records
//! of a stream the same lengths but split them into different arguments, the
//! guess reports the ambiguous settings.

mod framing;
mod sample;
mod search;
mod timestamps;

use super::own_records::OwnRecords;
use framing::Framing;
use rtoscope_wire::rkh::{Dialect, StreamConfiguration};
use sample::FrameSample;
use std::fmt;

/// The confidence of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nearly all frames fit it, but others fit as well, or there are few
    /// frames.
    Likely,
    /// Nearly all frames fit it, and no other.
    Certain,
}

impl Confidence {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A guessed configuration of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationGuess {
    /// The best configuration. Settings that no record depends on have the
    /// defaults of RKH's own host tool.
    pub configuration: StreamConfiguration,
    /// Number of frames examined.
    pub frames: u64,
    /// Frames that are records of it, from the first byte to the last.
    pub fitting_frames: u64,
    /// Frames that fit the best configuration of another RKH version, or with
    /// other sizes of timestamps, addresses and signals.
    pub runner_up_frames: u64,
    /// The confidence of the guess.
    pub confidence: Confidence,
    /// Keys of ambiguous settings: with other values the same frames fit, but
    /// with other arguments. `rkh` stands for the version.
    pub ambiguous: Vec<&'static str>,
}

impl ConfigurationGuess {
    /// The fraction of frames that fit, 0 to 1.
    pub fn score(&self) -> f64 {
        self.fitting_frames as f64 / self.frames.max(1) as f64
    }
}

/// More than 9 intact frames of 10 must fit a guess: damage that is not visible is
/// rare.
const MIN_FIT_RATIO: [u64; 2] = [9, 10];

/// A guess from fewer frames is not certain.
const MIN_CERTAIN_FRAMES: u64 = 16;

/// Guesses the configuration of a stream, ignoring the target's configuration
/// records; `None` if no configuration fits nearly all intact frames.
pub fn infer(bytes: &[u8], own_records: &OwnRecords) -> Option<ConfigurationGuess> {
    let guesses = framing::framings(bytes).into_iter();
    let guesses = guesses.filter_map(|framing| infer_framed(bytes, framing, own_records));
    // Of equals, the most common framing, which comes first.
    let mut best: Option<ConfigurationGuess> = None;
    for guess in guesses {
        if best
            .as_ref()
            .is_none_or(|best| best.fitting_frames < guess.fitting_frames)
        {
            best = Some(guess);
        }
    }
    best
}

/// The best configuration with the settings of a framing.
fn infer_framed(
    bytes: &[u8],
    framing: Framing,
    own_records: &OwnRecords,
) -> Option<ConfigurationGuess> {
    let sample = FrameSample::collect(bytes, framing, own_records);
    // The newest dialect first: it takes precedence among equals.
    let found = Dialect::ALL.into_iter().rev();
    let mut found: Vec<_> = found
        .filter_map(|dialect| search::best_fit(&sample, dialect))
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.fitting_frames));
    let mut found = found.into_iter();
    let best = found.next()?;
    let [part, whole] = MIN_FIT_RATIO;
    if best.fitting_frames == 0
        || best.fitting_frames * whole < sample.intact_frames * part
        || !timestamps::are_plausible(bytes, &best.configuration)
    {
        return None;
    }
    let others = found.next();
    let other = others.as_ref().map_or(0, |other| other.fitting_frames);
    let mut ambiguous = best.ambiguous;
    let same = others.filter(|other| other.fitting_frames == best.fitting_frames);
    if same.is_some_and(|other| sample.reads_differently(&best.configuration, &other.configuration))
    {
        ambiguous.push("rkh");
    }
    let is_certain = ambiguous.is_empty() && best.fitting_frames >= MIN_CERTAIN_FRAMES;
    Some(ConfigurationGuess {
        configuration: best.configuration,
        frames: sample.frames,
        fitting_frames: best.fitting_frames,
        runner_up_frames: best.runner_up_frames.max(other),
        confidence: if is_certain {
            Confidence::Certain
        } else {
            Confidence::Likely
        },
        ambiguous,
    })
}

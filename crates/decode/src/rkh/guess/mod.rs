//! Infers the configuration of records from the records themselves.
//!
//! In a configuration, each kind of record has a fixed length, and the lengths
//! of many kinds leave few candidates. If two configurations give all records
//! of a stream the same lengths but split them into different arguments, the
//! guess reports the ambiguous settings.

mod sample;
mod search;

use rtoscope_wire::rkh::{Dialect, StreamConfiguration};
use sample::FrameSample;
use std::fmt;

/// The confidence of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Only a part of the frames fits it.
    Poor,
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
            Self::Poor => "poor",
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

/// At least one frame in this many must fit a guess.
const MIN_FIT_DIVISOR: u64 = 2;

/// For a certain guess, more than 9 frames of 10 must fit: a few may be
/// damaged.
const CERTAIN_FIT_RATIO: [u64; 2] = [9, 10];

/// A guess from fewer frames is not certain.
const MIN_CERTAIN_FRAMES: u64 = 16;

/// Guesses the configuration of a stream, ignoring the target's configuration
/// records; `None` if no configuration fits.
pub fn infer(bytes: &[u8]) -> Option<ConfigurationGuess> {
    let sample = FrameSample::collect(bytes);
    // The newest dialect first: it takes precedence among equals.
    let found = Dialect::ALL.into_iter().rev();
    let mut found: Vec<_> = found
        .filter_map(|dialect| search::best_fit(&sample, dialect))
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.fitting_frames));
    let mut found = found.into_iter();
    let best = found.next()?;
    let frames = sample.frames;
    if best.fitting_frames == 0 || best.fitting_frames * MIN_FIT_DIVISOR < frames {
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
    let [part, whole] = CERTAIN_FIT_RATIO;
    let confidence = match best.fitting_frames * whole >= frames * part {
        false => Confidence::Poor,
        true if ambiguous.is_empty() && frames >= MIN_CERTAIN_FRAMES => Confidence::Certain,
        true => Confidence::Likely,
    };
    Some(ConfigurationGuess {
        configuration: best.configuration,
        frames,
        fitting_frames: best.fitting_frames,
        runner_up_frames: best.runner_up_frames.max(other),
        confidence,
        ambiguous,
    })
}

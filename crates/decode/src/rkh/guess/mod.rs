//! The configuration of records inferred from the records themselves.
//!
//! Each kind of record has one length in a configuration, and those of many
//! kinds leave little choice. Where two configurations give all records of a
//! stream the same lengths but cut them into different arguments, the guess says
//! which settings it cannot tell.

mod sample;
mod search;

use rtoscope_wire::rkh::{Dialect, StreamConfiguration};
use sample::FrameSample;
use std::fmt;

/// How sure a guess is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A part of the frames only fits it.
    Poor,
    /// Nearly all frames fit it, but others fit as well, or there are few.
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

/// A configuration that fits a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationGuess {
    /// The one that fits best. Settings that no record depends on are as RKH's
    /// own host tool assumes them.
    pub configuration: StreamConfiguration,
    /// Frames that were looked at.
    pub frames: u64,
    /// Frames of those that are records of it, from the first byte to the last.
    pub fitting_frames: u64,
    /// The frames that fit the best of another version of RKH, or of other sizes
    /// of stamps, addresses and signals.
    pub runner_up_frames: u64,
    /// How sure it is.
    pub confidence: Confidence,
    /// The keys of settings that could be others for all that the frames say,
    /// with other arguments; `rkh` for the version.
    pub ambiguous: Vec<&'static str>,
}

impl ConfigurationGuess {
    /// The part of the frames that fits, 0 to 1.
    pub fn score(&self) -> f64 {
        self.fitting_frames as f64 / self.frames.max(1) as f64
    }
}

/// Guesses of which fewer frames fit are none: one in so many.
const MIN_FIT_DIVISOR: u64 = 2;

/// More than 9 frames of 10 fit a guess that is sure: a few are damaged.
const CERTAIN_FIT_RATIO: [u64; 2] = [9, 10];

/// A guess from fewer frames is not sure.
const MIN_CERTAIN_FRAMES: u64 = 16;

/// Guesses the configuration of a stream without looking at what the target
/// says about it; `None` if no configuration fits.
pub fn infer(bytes: &[u8]) -> Option<ConfigurationGuess> {
    let sample = FrameSample::collect(bytes);
    // The newest first: of equals it counts.
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

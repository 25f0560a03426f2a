//! The trace stream of RKH made into a trace.
//!
//! ```text
//! bytes ──deframe──▶ frames ──reader──▶ pages (columns, runs, losses) ──build──▶ Trace, Stream
//! ```

mod active;
mod actors;
mod addresses;
mod arguments;
mod build;
pub mod catalogue;
mod columns;
pub mod configuration;
mod decoder;
mod deframe;
mod glued;
pub mod guess;
mod interpret;
pub(crate) mod live;
pub mod losses;
mod objects;
mod page;
mod plan;
mod reaction;
mod reader;
mod record;
mod report;
mod role;
mod start;
mod stream;
mod survey;
mod timing;
mod undecided;
mod unfit;
pub mod unit_test;
mod who;

pub use arguments::Argument;
pub use decoder::Decoder;
pub use interpret::Interpreter;
pub use losses::{Losses, Problem, ProblemKind};
pub use stream::{Provenance, Run, Stream};

use crate::DecodeError;
use crate::symbols::Symbols;
use rtoscope_trace::{Frequency, Trace};
use rtoscope_wire::rkh::{Configuration, TargetConfiguration, Width};

/// What the user knows about a stream that it does not say itself.
#[derive(Debug, Clone)]
pub struct Options {
    /// The configuration of records before the target tells it, if it does.
    pub configuration: Option<Configuration>,
    /// The size of a function's address, which no target tells; else it is that
    /// of an object's.
    pub function: Option<Width>,
    /// How often the clock ticks.
    pub clock: Option<Frequency>,
    /// Whether to guess the configuration where it is unknown, or fits few of the
    /// records.
    pub guess: bool,
    /// Whether to read all records by `configuration`, whatever the target sends.
    pub ignores_target: bool,
    /// Whether to take frames apart between which a flag was lost.
    pub split_glued: bool,
    /// Names for what the stream does not name itself.
    pub symbols: Symbols,
    /// Bytes of a frame at most, without escapes.
    pub most_frame: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            configuration: None,
            function: None,
            clock: None,
            guess: false,
            ignores_target: false,
            split_glued: false,
            symbols: Symbols::default(),
            most_frame: 1 << 24,
        }
    }
}

/// A decoded stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What happened.
    pub trace: Trace,
    /// Where its records stood, and what was lost.
    pub stream: Stream,
}

/// Bytes at the start of an input that tell whether it is a stream.
const LOOKED_AT: usize = 1 << 16;

/// Frames that are looked at, and those of them that have to sum to 0, where no
/// target tells its configuration.
const FRAMES: [u32; 3] = [64, 4, 3];

/// Whether bytes look like a stream: the target tells its configuration, or
/// most of what stands between flags sums to 0.
pub fn is_stream(bytes: &[u8]) -> bool {
    let start = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let [most, whole, part] = FRAMES;
    let (mut frames, mut sound) = (0, 0);
    let mut told = false;
    deframe::each(start, LOOKED_AT, |frame| {
        told = TargetConfiguration::parse(frame.bytes).is_some();
        frames += 1;
        sound += u32::from(frame.bytes.len() > 1 && is_sound(frame.bytes));
        !told && frames < most
    });
    told || frames >= whole && sound * whole >= frames * part
}

fn is_sound(frame: &[u8]) -> bool {
    let is_empty = frame.iter().all(|byte| *byte == 0);
    !is_empty && rtoscope_wire::rkh::frame::sums_to_zero(frame)
}

/// What a trace names, as names for another.
pub(crate) fn names(trace: &Trace) -> Symbols {
    objects::symbols(&trace.objects)
}

/// Decodes a whole stream.
pub fn decode(bytes: &[u8], options: &Options) -> Result<Recording, DecodeError> {
    let recording = unfit::checked(read(bytes, options), bytes, options);
    let stream = &recording.stream;
    if stream.is_empty() {
        return Err(DecodeError::NoRkhRecord {
            bytes: stream.bytes,
            frames: stream.losses.bad_frames(),
        });
    }
    let doubtful = stream.provenance == Provenance::Assumed && decoder::doubts(&recording);
    if doubtful {
        return Err(DecodeError::NoRkhConfiguration {
            records: stream.len(),
            frames: stream.losses.bad_frames(),
        });
    }
    Ok(recording)
}

fn read(bytes: &[u8], options: &Options) -> Recording {
    let mut decoder = Decoder::new(options);
    decoder.push(bytes);
    decoder.finish()
}

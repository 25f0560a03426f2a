//! The trace stream of RKH made into a trace.
//!
//! ```text
//! bytes ──deframe──▶ frames ──reader──▶ pages (columns, runs, losses) ──build──▶ Trace, Stream
//! ```

mod active_object_contexts;
mod active_object_events;
mod active_object_state;
mod address_map;
mod argument_values;
mod attribution;
mod attribution_state;
pub mod catalogue;
mod columns;
pub mod configuration;
mod configuration_check;
mod configuration_choice;
mod decoder;
mod deframer;
mod glued_frames;
pub mod guess;
mod interpret;
mod kind_semantics;
pub(crate) mod live;
pub mod losses;
mod objects;
mod record_content;
mod record_layout;
mod record_page;
mod record_reader;
mod stream_diagnostics;
mod stream_info;
mod survey;
mod timing;
mod trace_builder;
pub mod unit_test;

pub use argument_values::WireArgument;
pub use decoder::StreamDecoder;
pub use interpret::RkhInterpreter;
pub use losses::{ProblemKind, StreamLosses, StreamProblem};
pub use stream_info::{Provenance, StreamInfo, StreamRun};

use crate::DecodeError;
use crate::symbols::Symbols;
use rtoscope_trace::{Frequency, Trace};
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration, TargetConfiguration};

/// What the user knows about a stream that it does not say itself.
#[derive(Debug, Clone)]
pub struct RkhOptions {
    /// The configuration of records before the target tells it, if it does.
    pub configuration: Option<StreamConfiguration>,
    /// The size of a function's address, which no target tells; else it is that
    /// of an object's.
    pub function_width: Option<FieldWidth>,
    /// How often the clock ticks.
    pub clock_frequency: Option<Frequency>,
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
    pub max_frame_bytes: usize,
}

impl Default for RkhOptions {
    fn default() -> Self {
        Self {
            configuration: None,
            function_width: None,
            clock_frequency: None,
            guess: false,
            ignores_target: false,
            split_glued: false,
            symbols: Symbols::default(),
            max_frame_bytes: 1 << 24,
        }
    }
}

/// A decoded stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedStream {
    /// What happened.
    pub trace: Trace,
    /// Where its records stood, and what was lost.
    pub stream_info: StreamInfo,
}

/// Bytes at the start of an input that tell whether it is a stream.
const DETECTION_BYTES: usize = 1 << 16;

/// Frames that are looked at, and those of them that have to sum to 0, where no
/// target tells its configuration.
const DETECTION_FRAMES: [u32; 3] = [64, 4, 3];

/// Whether bytes look like a stream: the target tells its configuration, or
/// most of what stands between flags sums to 0.
pub fn is_stream(bytes: &[u8]) -> bool {
    let start = bytes.get(..DETECTION_BYTES).unwrap_or(bytes);
    let [most, whole, part] = DETECTION_FRAMES;
    let (mut frames, mut sound) = (0, 0);
    let mut told = false;
    deframer::for_each_frame(start, DETECTION_BYTES, |frame| {
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
pub fn decode(bytes: &[u8], options: &RkhOptions) -> Result<DecodedStream, DecodeError> {
    let recording = configuration_check::check_configuration(read(bytes, options), bytes, options);
    let stream = &recording.stream_info;
    if stream.is_empty() {
        return Err(DecodeError::NoRkhRecord {
            bytes: stream.total_bytes,
            frames: stream.losses.bad_frames(),
        });
    }
    let doubtful = stream.provenance == Provenance::Default && decoder::is_doubtful(&recording);
    if doubtful {
        return Err(DecodeError::NoRkhConfiguration {
            records: stream.len(),
            frames: stream.losses.bad_frames(),
        });
    }
    Ok(recording)
}

fn read(bytes: &[u8], options: &RkhOptions) -> DecodedStream {
    let mut decoder = StreamDecoder::new(options);
    decoder.push(bytes);
    decoder.finish()
}

//! Decodes a stream incrementally.

use super::configuration_choice::{MIN_FIT_RATIO, UndecidedStart};
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::losses::ProblemKind;
use super::record_reader::RecordReader;
use super::stream_info::Provenance;
use super::stream_state::StreamState;
use super::trace_builder::{self, StreamContext};
use super::{DecodedStream, RkhOptions, UnsentSettings};
use rtoscope_wire::rkh::StreamConfiguration;

/// Decodes a stream in chunks of any size.
///
/// If the configuration is unknown before the first record, the decoder waits
/// until the target sends it, or 1 MiB has arrived.
#[derive(Debug, Clone)]
pub struct StreamDecoder {
    options: RkhOptions,
    deframer: Deframer,
    state: DecoderState,
}

#[derive(Debug, Clone)]
enum DecoderState {
    /// The configuration is not known yet.
    Undecided(UndecidedStart),
    Reading {
        reader: Box<RecordReader>,
        provenance: Provenance,
        guess: Option<ConfigurationGuess>,
    },
}

/// Maximum number of bytes to hold while waiting for the target's
/// configuration.
const MAX_UNDECIDED_BYTES: usize = 1 << 20;

impl StreamDecoder {
    /// Creates a decoder at the start of a stream.
    pub fn new(options: &RkhOptions) -> Self {
        let mut decoder = Self {
            deframer: Deframer::new(options.max_frame_bytes),
            state: DecoderState::Undecided(UndecidedStart::new(
                options.max_frame_bytes,
                MAX_UNDECIDED_BYTES,
            )),
            options: options.clone(),
        };
        if let Some(configuration) = options.configuration {
            decoder.start(configuration, Provenance::User, None);
        }
        decoder
    }

    /// Appends the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let DecoderState::Undecided(undecided) = &mut self.state {
            let held = undecided.hold(bytes);
            if !undecided.is_settled() {
                return;
            }
            rest = bytes.get(held..).unwrap_or_default();
            self.decide();
        }
        self.read(rest);
    }

    /// Finishes the stream and returns the decoded stream.
    pub fn finish(mut self) -> DecodedStream {
        self.decide();
        let bytes = self.deframer.consumed();
        let tail = self.deframer.finish();
        let (mut reader, provenance, guess) = match self.state {
            DecoderState::Reading {
                reader,
                provenance,
                guess,
            } => (reader, provenance, guess),
            // `decide` always leaves this state.
            DecoderState::Undecided(_) => {
                let reader = RecordReader::new(
                    StreamConfiguration::default(),
                    UnsentSettings::default(),
                    false,
                );
                (Box::new(reader), Provenance::Default, None)
            }
        };
        if let Some((frame, cut)) = tail {
            reader.finish(frame, cut);
        }
        let background = StreamContext {
            bytes,
            configuration: reader.configuration(),
            provenance,
            guess,
            survey: None,
            start: &StreamState::default(),
            options: &self.options,
        };
        trace_builder::build_trace(reader.page, background)
    }

    fn start(
        &mut self,
        configuration: StreamConfiguration,
        provenance: Provenance,
        guess: Option<ConfigurationGuess>,
    ) {
        let RkhOptions {
            split_glued,
            ignores_target,
            ..
        } = self.options;
        let reader = RecordReader::new(configuration, self.options.unsent(), split_glued);
        self.state = DecoderState::Reading {
            reader: Box::new(reader.ignoring_target(ignores_target)),
            provenance,
            guess,
        };
    }

    /// Chooses a configuration and reads the held bytes.
    fn decide(&mut self) {
        if let DecoderState::Undecided(undecided) = &mut self.state {
            let choice = undecided.choice(&self.options);
            let held = std::mem::take(&mut undecided.held);
            self.start(choice.configuration, choice.provenance, choice.guess);
            self.read(&held);
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let DecoderState::Reading { reader, .. } = &mut self.state {
            reader.page.columns.reserve(bytes.len());
            self.deframer.push(bytes, reader.as_mut());
        }
    }
}

/// Whether the configuration is probably wrong: too many frames do not fit it.
pub(super) fn is_doubtful(recording: &DecodedStream) -> bool {
    let [part, whole] = MIN_FIT_RATIO.map(u64::from);
    let records = recording.stream_info.len() as u64;
    let frames = records + recording.stream_info.losses.bad_frames();
    records * whole < frames * part
}

/// Whether the configuration is certainly wrong: many frames are intact, but no
/// records of it; or nearly all frames are damaged, which hardly any recording is.
/// Without checksums, damaged frames look like intact ones.
pub(super) fn is_wrong(recording: &DecodedStream) -> bool {
    let losses = &recording.stream_info.losses;
    let records = recording.stream_info.len() as u64;
    let misfits = losses.count(ProblemKind::Malformed) + losses.count(ProblemKind::Unknown);
    let runs = &recording.stream_info.runs;
    let is_checked = runs.iter().all(|run| run.configuration.checksum);
    let tolerated = if is_checked { records / 9 } else { records };
    misfits > tolerated || losses.bad_frames() > MAX_DAMAGE_FACTOR * records
}

/// Maximum number of bad frames for each record.
const MAX_DAMAGE_FACTOR: u64 = 4;

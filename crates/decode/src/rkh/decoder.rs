//! A stream decoded as it comes.

use super::attribution_state::AttributionState;
use super::configuration_choice::{MIN_FIT_RATIO, UndecidedStart};
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::record_reader::RecordReader;
use super::stream_info::Provenance;
use super::trace_builder::{self, StreamContext};
use super::{DecodedStream, RkhOptions};
use rtoscope_wire::rkh::StreamConfiguration;

/// Decodes a stream as it comes, in pieces of any size.
///
/// Where nobody says the configuration before the first record, nothing is
/// decoded until the target does, or 1 MiB has come.
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

/// Bytes within which the target has to tell its configuration.
const MAX_UNDECIDED_BYTES: usize = 1 << 20;

impl StreamDecoder {
    /// A decoder at the start of a stream.
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

    /// Takes the next bytes of the stream.
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

    /// Ends the stream.
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
            // Not after a decision.
            DecoderState::Undecided(_) => {
                let reader = RecordReader::new(StreamConfiguration::default(), None, false);
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
            start: &AttributionState::default(),
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
            function_width: function,
            split_glued,
            ignores_target,
            ..
        } = self.options;
        let reader = RecordReader::new(configuration, function, split_glued);
        self.state = DecoderState::Reading {
            reader: Box::new(reader.ignoring_target(ignores_target)),
            provenance,
            guess,
        };
    }

    /// Decides on a configuration and reads what was held back.
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

/// Whether a configuration is probably wrong: too many of the frames are no
/// records of it.
pub(super) fn is_doubtful(recording: &DecodedStream) -> bool {
    let [part, whole] = MIN_FIT_RATIO.map(u64::from);
    let records = recording.stream_info.len() as u64;
    let frames = records + recording.stream_info.losses.bad_frames();
    records * whole < frames * part
}

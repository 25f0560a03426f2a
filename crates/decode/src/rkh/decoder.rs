//! Decodes a stream incrementally.

use super::configuration_choice::{
    self, ConfigurationChoice, MIN_FIT_RATIO, StartDecision, UndecidedStart,
};
use super::deframer::Deframer;
use super::guess::ConfigurationGuess;
use super::losses::ProblemKind;
use super::record_reader::RecordReader;
use super::stream_info::Provenance;
use super::stream_state::StreamState;
use super::trace_builder::{self, StreamContext};
use super::{DecodedStream, RkhOptions};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::frame::FLAG;
use std::sync::Arc;

/// Decodes a stream in chunks of any size.
///
/// If the configuration is unknown before the first record, the decoder waits
/// until the target sends it, or 1 MiB has arrived.
#[derive(Debug, Clone)]
pub struct StreamDecoder {
    pub(super) options: Arc<RkhOptions>,
    pub(super) deframer: Deframer,
    /// The start of the stream while its configuration is not known.
    pub(super) undecided: Option<UndecidedStart>,
    /// Has no record before the configuration is known.
    pub(super) reader: RecordReader,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<ConfigurationGuess>,
    pub(super) skipped: SkippedBytes,
}

/// The bytes of a live stream that fit no configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SkippedBytes {
    pub(super) bytes: u64,
    /// Including incomplete ones.
    pub(super) frames: u64,
    /// The number of those frames that fit the default configuration.
    pub(super) default_fitting_frames: usize,
}

impl StreamDecoder {
    /// Creates a decoder at the start of a stream.
    pub fn new(options: &RkhOptions) -> Self {
        Self::with_options(Arc::new(options.clone()), 0, false)
    }

    /// Creates a decoder at the start of a stream, which begins at `offset`. If it
    /// `is_live`, the decoder waits less: see [`UndecidedStart::decide`].
    pub(super) fn with_options(options: Arc<RkhOptions>, offset: u64, is_live: bool) -> Self {
        let given = options.configuration;
        let undecided = || UndecidedStart::new(options.max_frame_bytes, is_live);
        Self {
            deframer: Deframer::resume(offset, false, options.max_frame_bytes),
            undecided: given.is_none().then(undecided),
            reader: RecordReader::new(given.unwrap_or_default(), &options),
            provenance: given.map_or(Provenance::Default, |_| Provenance::User),
            guess: None,
            skipped: SkippedBytes::default(),
            options,
        }
    }

    /// Appends the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        let (held, rest) = self.await_configuration(bytes, false);
        self.read(&held);
        self.read(rest);
    }

    /// Finishes the stream and returns the decoded stream.
    pub fn finish(mut self) -> DecodedStream {
        let (held, _) = self.await_configuration(&[], true);
        self.read(&held);
        self.end();
        let context = self.context();
        trace_builder::build_trace(self.reader.page, context)
    }

    /// Waits until the configuration is known, or decides if nothing follows
    /// (`is_end`). Returns the bytes to read: those held, and the rest of `bytes`.
    pub(super) fn await_configuration<'a>(
        &mut self,
        bytes: &'a [u8],
        is_end: bool,
    ) -> (Vec<u8>, &'a [u8]) {
        let mut rest = bytes;
        while let Some(start) = &mut self.undecided {
            let held = start.hold(rest);
            rest = rest.get(held..).unwrap_or_default();
            let Some(decision) = start.decide(&self.options, is_end) else {
                // Everything is held.
                break;
            };
            let held = self.start(decision);
            if self.undecided.is_none() || is_end {
                return (held, rest);
            }
        }
        (Vec::new(), rest)
    }

    /// Reads bytes of a stream whose configuration is known.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.reader.page.columns.reserve(bytes.len());
        self.deframer.push(bytes, &mut self.reader);
    }

    /// The stream ends, or continues elsewhere.
    pub(super) fn end(&mut self) {
        if let Some((frame, is_cut)) = self.deframer.finish() {
            self.reader.finish(frame, is_cut);
        }
        self.deframer.discard_partial();
    }

    /// The properties of the stream so far, from its first record on.
    pub(super) fn context(&self) -> StreamContext {
        StreamContext {
            bytes: self.deframer.consumed(),
            configuration: self.reader.configuration(),
            provenance: self.provenance,
            guess: self.guess.clone(),
            survey: None,
            start: StreamState::default(),
            options: Arc::clone(&self.options),
        }
    }

    /// Skips unusable bytes and sets the configuration. Returns the bytes held to be
    /// read with it.
    fn start(&mut self, decision: StartDecision) -> Vec<u8> {
        let held = self.undecided.take().map(UndecidedStart::into_held);
        let mut held = held.unwrap_or_default();
        let usable = held.split_off(decision.unusable_bytes.min(held.len()));
        if !held.is_empty() {
            self.skip(&held);
        }
        let Some(choice) = decision.choice else {
            let mut next = UndecidedStart::new(self.options.max_frame_bytes, true);
            next.hold(&usable);
            self.undecided = Some(next);
            return Vec::new();
        };
        let ConfigurationChoice {
            configuration,
            provenance,
            guess,
        } = choice;
        self.reader = RecordReader::new(configuration, &self.options);
        self.provenance = provenance;
        self.guess = guess;
        usable
    }

    fn skip(&mut self, bytes: &[u8]) {
        let [fitting, _] = configuration_choice::count_valid_frames(
            &StreamConfiguration::default(),
            bytes,
            &self.options,
            u32::MAX,
        );
        let frames = bytes.split(|byte| *byte == FLAG);
        let frames = frames.filter(|frame| !frame.is_empty());
        self.skipped.bytes += bytes.len() as u64;
        self.skipped.frames += frames.count() as u64;
        self.skipped.default_fitting_frames += fitting as usize;
        self.deframer = Deframer::resume(
            self.deframer.consumed() + bytes.len() as u64,
            bytes.last() == Some(&FLAG),
            self.options.max_frame_bytes,
        );
    }
}

/// Whether the configuration is probably wrong: too many frames do not fit it. Those with
/// wrong checksums say nothing about it while others are right.
pub(super) fn is_doubtful(recording: &DecodedStream) -> bool {
    if is_checked(recording) {
        return is_wrong(recording);
    }
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
    let tolerated = match is_checked(recording) {
        true => records / 9,
        false => records,
    };
    misfits > tolerated || losses.bad_frames() > MAX_DAMAGE_FACTOR * records
}

fn is_checked(recording: &DecodedStream) -> bool {
    let mut runs = recording.stream_info.runs.iter();
    runs.all(|run| run.configuration.checksum)
}

/// Maximum number of bad frames for each record.
const MAX_DAMAGE_FACTOR: u64 = 4;

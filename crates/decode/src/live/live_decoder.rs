//! Decodes a recording while its bytes arrive.

use super::HostTime;
use super::checkpoints::{Checkpoint, Checkpoints};
use super::format_decoder::{EventChunk, FormatDecoder, LiveStats};
use crate::format::detection::FormatDetector;
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Ticks, TraceOrigin};

/// Options of a live decoder.
#[derive(Debug, Clone)]
pub struct LiveOptions {
    /// Decode options.
    pub options: DecodeOptions,
    /// The format; detected from the first bytes if `None`.
    pub format: Option<Format>,
    /// Number of most recent events to retain. The decoder temporarily retains
    /// more, and fewer if they are unusually large. [`u64::MAX`] retains all of
    /// them, regardless of memory.
    pub max_events: u64,
}

/// Decodes a recording while its bytes arrive, and retains the most recent
/// events.
pub struct LiveDecoder {
    settings: LiveOptions,
    detector: FormatDetector,
    /// The decoder of the format, once it is detected.
    decoder: Option<(Format, Box<dyn FormatDecoder>)>,
    checkpoints: Checkpoints,
    /// Number of events already returned.
    delivered: u64,
    is_clock_settled: bool,
}

/// The events that arrived since the last update.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveUpdate {
    /// The new events, possibly after one earlier event, so that the time
    /// between them is known.
    pub recording: DecodedRecording,
    /// Whether the first event was already in an earlier update.
    pub overlaps: bool,
}

/// The most recent events of a recording, ready to decode.
pub struct EventWindow {
    chunk: Box<dyn EventChunk>,
    base: TraceOrigin,
}

/// Minimum number of events that determine a clock.
const MIN_CLOCK_EVENTS: usize = 64;

impl LiveDecoder {
    /// Creates a decoder at the start of a recording.
    pub fn new(settings: LiveOptions) -> Self {
        let decoder = settings.format;
        let decoder = decoder.map(|format| (format, format.decoder(&settings.options, 0)));
        Self {
            settings,
            detector: FormatDetector::default(),
            decoder,
            checkpoints: Checkpoints::default(),
            delivered: 0,
            is_clock_settled: false,
        }
    }

    /// Resumes a recording at a checkpoint of another decoder: expects bytes
    /// from [`Checkpoint::offset`] on, and continues the numbering of events
    /// and times.
    pub fn resume(settings: LiveOptions, checkpoint: &Checkpoint) -> Self {
        let point = &checkpoint.resume_point;
        let decoder = point.state.resume(&settings.options, point);
        let mut resumed = Self {
            decoder: Some((point.format, decoder)),
            delivered: checkpoint.event,
            ..Self::new(settings)
        };
        resumed.checkpoints.push(checkpoint.clone());
        resumed
    }

    /// Appends the next bytes, in chunks of any size.
    pub fn push(&mut self, bytes: &[u8], at: HostTime) {
        match &mut self.decoder {
            Some((_, decoder)) => decoder.push(bytes, at),
            None => {
                if let Some(format) = self.detector.push(bytes) {
                    self.start(format, at);
                }
            }
        }
        self.trim();
    }

    /// The connection was lost: discards incomplete frames and buffers.
    pub fn connection_lost(&mut self) {
        if self.decoder.is_none()
            && let Some(format) = self.detector.finish()
        {
            self.start(format, HostTime(0));
        }
        if let Some((_, decoder)) = &mut self.decoder {
            decoder.connection_lost();
        }
    }

    /// Decodes the bytes so far as a format.
    fn start(&mut self, format: Format, at: HostTime) {
        let detector = std::mem::take(&mut self.detector);
        let mut decoder = format.decoder(&self.settings.options, detector.dropped());
        decoder.push(detector.held(), at);
        self.decoder = Some((format, decoder));
    }

    /// The format, once it is detected.
    pub fn format(&self) -> Option<Format> {
        self.decoder.as_ref().map(|(format, _)| *format)
    }

    fn decoder(&self) -> Option<&dyn FormatDecoder> {
        self.decoder.as_ref().map(|(_, decoder)| &**decoder)
    }

    /// Statistics of received and lost data.
    pub fn stats(&self) -> LiveStats {
        let undecided = || LiveStats {
            unusable_bytes: self.detector.dropped(),
            ..LiveStats::default()
        };
        self.decoder().map_or_else(undecided, FormatDecoder::stats)
    }

    /// Decodes the events since the last call; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If the new data cannot be decoded.
    pub fn next_update(&mut self) -> Result<Option<LiveUpdate>, DecodeError> {
        let Some((_, stream)) = &mut self.decoder else {
            return Ok(None);
        };
        let numbers = stream.event_range();
        if numbers.end <= self.delivered {
            let refusal = stream.no_events_error().filter(|_| numbers.end == 0);
            return refusal.map_or(Ok(None), Err);
        }
        let base = match self.checkpoints.last() {
            Some(checkpoint)
                if checkpoint.event + 1 >= self.delivered
                    && numbers.contains(&checkpoint.event) =>
            {
                checkpoint.base()
            }
            // The first events, or the events before were discarded or not
            // decoded.
            _ => TraceOrigin {
                event: numbers.start.max(self.delivered),
                time: self
                    .checkpoints
                    .last()
                    .map(|checkpoint| checkpoint.time)
                    .unwrap_or_default(),
            },
        };
        let point = stream.resume_point();
        let cut = EventWindow {
            chunk: stream.chunk(base.event..numbers.end),
            base,
        };
        let overlaps = base.event < self.delivered;
        // Undecodable data is not retried.
        self.delivered = numbers.end;
        let recording = cut.decode()?;
        let trace = &recording.trace;
        if !self.is_clock_settled
            && trace.clock.measures_time()
            && trace.clock.quality != ClockQuality::Unknown
            && trace.events.len() >= MIN_CLOCK_EVENTS
        {
            stream.set_clock(&trace.clock);
            self.is_clock_settled = true;
        }
        if let Some(point) = point {
            self.checkpoints.push(Checkpoint {
                event: point.event,
                time: Ticks(base.time.0.saturating_add(trace.events.span().0)),
                resume_point: point,
            });
        }
        self.trim();
        Ok(Some(LiveUpdate {
            recording,
            overlaps,
        }))
    }

    /// The last returned events, `events` of them or a few more, to be decoded
    /// elsewhere.
    pub fn window(&self, events: u64) -> Option<EventWindow> {
        let stream = self.decoder()?;
        let numbers = stream.event_range();
        let end = numbers.end.min(self.delivered);
        let wanted = self.checkpoints.before(end.saturating_sub(events));
        let kept = wanted.filter(|checkpoint| checkpoint.event >= numbers.start);
        let base = match kept.or_else(|| self.checkpoints.from(numbers.start)) {
            Some(checkpoint) if numbers.start > 0 || wanted.is_some() => checkpoint.base(),
            _ => TraceOrigin {
                event: numbers.start,
                time: Ticks(0),
            },
        };
        self.window_from(base)
    }

    /// The returned events from the first event of an earlier window on, to be
    /// decoded elsewhere; `None` if that one was discarded. `base` is the origin
    /// of the earlier window's trace.
    pub fn window_from(&self, base: TraceOrigin) -> Option<EventWindow> {
        let stream = self.decoder()?;
        let numbers = stream.event_range();
        let end = numbers.end.min(self.delivered);
        (numbers.start <= base.event && base.event < end).then(|| EventWindow {
            chunk: stream.chunk(base.event..end),
            base,
        })
    }

    /// A command for the target, to send what it sent before the first bytes. Each is returned
    /// once.
    pub fn take_request(&mut self) -> Option<Vec<u8>> {
        let (format, decoder) = self.decoder.as_mut()?;
        format.target_command(decoder.take_request()?)
    }

    /// The last checkpoint at or before an event.
    pub fn checkpoint_before(&self, event: u64) -> Option<&Checkpoint> {
        self.checkpoints.before(event)
    }

    /// The first checkpoint that needs no bytes before `offset`.
    pub fn checkpoint_from_offset(&self, offset: u64) -> Option<&Checkpoint> {
        self.checkpoints.at_or_after_offset(offset)
    }

    /// The stream metadata that later data depends on: names, the
    /// configuration. Empty if the data contains everything itself.
    pub fn metadata(&self) -> Vec<u8> {
        let metadata = self.decoder().map(FormatDecoder::metadata);
        metadata.unwrap_or_default()
    }

    /// Loads the metadata of a recording whose start is missing. Call this
    /// before the first `push`.
    pub fn load_metadata(&mut self, format: Format, preface: &[u8]) {
        let (_, decoder) = self.decoder.get_or_insert_with(|| {
            let start = self.detector.dropped();
            (format, format.decoder(&self.settings.options, start))
        });
        decoder.load_metadata(preface);
    }

    /// Discards returned events before `event`, as far as the times of the
    /// others remain known.
    pub fn discard_before(&mut self, event: u64) {
        if let Some((_, decoder)) = &mut self.decoder
            && let Some(checkpoint) = self.checkpoints.before(event)
        {
            decoder.discard_before(checkpoint.event);
        }
    }

    /// Discards events beyond the limit.
    fn trim(&mut self) {
        let Some((_, stream)) = &mut self.decoder else {
            return;
        };
        if self.settings.max_events == u64::MAX {
            return;
        }
        stream.limit_memory();
        let end = stream.event_range().end;
        self.discard_before(end.saturating_sub(self.settings.max_events));
    }
}

impl EventWindow {
    /// Decodes the window.
    ///
    /// # Errors
    ///
    /// If it contains nothing usable.
    pub fn decode(self) -> Result<DecodedRecording, DecodeError> {
        let mut recording = self.chunk.decode()?;
        recording.trace.origin = self.base;
        Ok(recording)
    }
}

//! Splits a file into the chunks that a target would send at once.

use super::ReplayError;
use rtoscope_decode::format::Transmissions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeOptions, DecodedRecording, Format, UnpackedInput};
use rtoscope_trace::{EventIndex, NoTime, Ticks, Timescale};
use std::borrow::Cow;

/// A file, split into the chunks that a target would send at once.
#[derive(Debug)]
pub struct TimedChunks<'a> {
    bytes: Cow<'a, [u8]>,
    chunks: Vec<TimedChunk>,
    /// Duration of one round in nanoseconds, or why the trace has no times.
    duration_ns: Result<u64, NoTime>,
    /// Number of records, or whole buffers, that a target would send one after the
    /// other.
    records: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TimedChunk {
    /// End offset.
    end: usize,
    /// When it is sent, in nanoseconds since the first chunk.
    at: u64,
}

/// Records within this time are sent together, in nanoseconds.
const MAX_COALESCED_NS: u64 = 1_000_000;

impl<'a> TimedChunks<'a> {
    /// Splits a file: a stream by the times of its records; buffers and logs as
    /// wholes, each at the time of its last event.
    ///
    /// # Errors
    ///
    /// If it cannot be decoded.
    pub fn new(
        content: &'a UnpackedInput<'_>,
        options: &DecodeOptions,
    ) -> Result<Self, ReplayError> {
        match content.transmissions(options)? {
            Transmissions::Records { bytes, recording } => Ok(Self::records(bytes, &recording)),
            Transmissions::Dumps { bytes, ends } => {
                Self::dumps(bytes, &ends, content.format(), options)
            }
        }
    }

    /// Why the times of the chunks are not known, if they are not.
    pub fn no_time(&self) -> Option<NoTime> {
        self.duration_ns.err()
    }

    /// Duration of one round in nanoseconds; 0 if unknown.
    pub(super) fn duration_ns(&self) -> u64 {
        self.duration_ns.unwrap_or_default()
    }

    /// Whether there is at most one chunk to send.
    pub(super) fn is_single(&self) -> bool {
        self.records < 2
    }

    /// The chunks and their times.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = std::iter::once(0).chain(self.chunks.iter().map(|piece| piece.end));
        let pieces = starts.zip(&self.chunks);
        pieces.map(|(start, piece)| {
            let bytes = self.bytes.get(start..piece.end).unwrap_or_default();
            (piece.at, bytes)
        })
    }

    fn records(bytes: &'a [u8], recording: &DecodedRecording) -> Self {
        let trace = &recording.trace;
        let mut pieces = Vec::new();
        let mut begun = 0;
        for (event, time) in (0..).zip(trace.events.times()) {
            let at = nanoseconds(trace.timescale(), time).unwrap_or_default();
            let offset = recording.format_info.record_offset(EventIndex(event));
            let Some(offset) = offset.and_then(|offset| usize::try_from(offset).ok()) else {
                continue;
            };
            if at.saturating_sub(begun) >= MAX_COALESCED_NS {
                pieces.push(TimedChunk {
                    end: offset.min(bytes.len()),
                    at: begun,
                });
                begun = at;
            }
        }
        pieces.push(TimedChunk {
            end: bytes.len(),
            at: begun,
        });
        Self {
            bytes: bytes.into(),
            chunks: pieces,
            duration_ns: nanoseconds(trace.timescale(), trace.events.span()),
            records: trace.events.len(),
        }
    }

    /// The chunks of a target that dumps its whole buffer again and again.
    fn dumps(
        bytes: Vec<u8>,
        ends: &[usize],
        format: Format,
        options: &DecodeOptions,
    ) -> Result<Self, ReplayError> {
        let mut live = LiveDecoder::new(LiveOptions {
            options: options.clone(),
            format: Some(format),
            // Only the times matter.
            max_events: 1,
        });
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut last = None;
        // Start and end of the first dump; the clock may become known only later.
        let mut first = None;
        let mut scale = None;
        for end in ends {
            live.push(bytes.get(start..*end).unwrap_or_default(), HostTime(0));
            if let Some(news) = live.next_update()? {
                let trace = &news.recording.trace;
                let span = trace.events.span();
                last = Some(trace.recording_time(span));
                first = first.or(last);
                scale = Some(trace.timescale());
            }
            let since_first = last
                .zip(first)
                .map(|(last, first)| last.0 - first.0.min(last.0));
            pieces.push((*end, Ticks(since_first.unwrap_or_default())));
            start = *end;
        }
        let time = |ticks| nanoseconds(scale.ok_or(NoTime::UnknownFrequency)?, ticks);
        let length = last.ok_or(NoTime::UnknownFrequency).and_then(time);
        let pieces = pieces.into_iter().map(|(end, ticks)| TimedChunk {
            end,
            at: time(ticks).unwrap_or_default(),
        });
        Ok(Self {
            chunks: pieces.collect(),
            bytes: bytes.into(),
            duration_ns: length,
            records: ends.len(),
        })
    }
}

fn nanoseconds(scale: Timescale, ticks: Ticks) -> Result<u64, NoTime> {
    let time = scale.duration(ticks).map(|time| time.0);
    time.ok_or(scale.no_time().unwrap_or(NoTime::UnknownFrequency))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_decode::BufferChoice;
    use rtoscope_decode::source::Input;

    /// A chunk and its time.
    type TimedBytes = (u64, Vec<u8>);

    /// The chunks of repeated test data, their times, and the duration.
    fn pieces(
        name: &str,
        copies: usize,
        options: &DecodeOptions,
    ) -> (Vec<TimedBytes>, Result<u64, NoTime>) {
        let bytes = rtoscope_fixtures::read_testdata(name).repeat(copies);
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let pieces = TimedChunks::new(&content, options).unwrap();
        let all: Vec<_> = pieces.iter().map(|(at, it)| (at, it.to_vec())).collect();
        let sent = all.iter().flat_map(|(_, bytes)| bytes.clone());
        assert!(sent.eq(bytes.iter().copied()), "{name}");
        assert!(all.is_sorted_by_key(|(at, _)| *at), "{name}");
        (all, pieces.duration_ns)
    }

    #[test]
    fn streams_are_split_between_records() {
        let (pieces, length) = pieces("rkh/nat_short.bin", 1, &DecodeOptions::default());
        // 21322 ticks at 1 kHz.
        assert_eq!(length, Ok(21_322_000_000));
        assert!(pieces.len() > 100);
        for (at, bytes) in &pieces {
            assert_eq!(at % 1_000_000, 0);
            assert_eq!(bytes.last(), Some(&rtoscope_wire::rkh::frame::FLAG));
        }
        assert!(pieces.last().is_some_and(|(at, _)| *at <= 21_322_000_000));
    }

    #[test]
    fn buffers_are_sent_whole() {
        let (pieces, length) = pieces("threadx/cm3_short.trx", 2, &DecodeOptions::default());
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0], pieces[1]);
        // The clock's frequency is not given.
        assert_eq!(length, Err(NoTime::UnknownFrequency));
        let (_, length) = self::pieces("threadx/cm3_dwt_zero.trx", 1, &DecodeOptions::default());
        assert_eq!(length, Err(NoTime::StaticClock));
    }

    #[test]
    fn untimed_streams_are_not_single() {
        // The clock's frequency is uncertain.
        let bytes = rtoscope_fixtures::read_testdata("rkh/ahsm_all.bin");
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let pieces = TimedChunks::new(&content, &DecodeOptions::default()).unwrap();
        assert_eq!(
            (pieces.no_time(), pieces.is_single()),
            (Some(NoTime::UnknownFrequency), false)
        );
    }
}

//! Decodes a stream: a file at once, or a live stream, whose last events are retained.

use super::{Alignment, EventPage, GapCause, PacketError, PacketReader, StreamStatus, UnreadBytes};
use crate::format::TargetCommand;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::{DecodeError, DecodeOptions, DecodedRecording};
use rtoscope_trace::Clock;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Decodes a stream.
pub(crate) struct StreamDecoder<R> {
    reader: R,
    /// Whether what precedes the first packet is read.
    has_started: bool,
    /// Whether the next byte is the start of a packet.
    is_aligned: bool,
    /// Whether the search for a packet has found that one.
    is_found: bool,
    /// The offset and the number of the bytes since the last packet, if they are damaged.
    damage: Option<(u64, u64)>,
    /// The bytes that are not read yet, and their offset.
    held: Vec<u8>,
    offset: u64,
    /// The offset of the last event's packet.
    last_offset: u64,
    /// The pages before the reader's page, of a live stream.
    sealed: VecDeque<Arc<EventPage>>,
    /// Maximum number of events in a page.
    page_events: usize,
    /// Whether the page keeps the offsets of packets.
    keeps_offsets: bool,
    status: StreamStatus,
    /// Whether the start of the recording was requested.
    has_requested: bool,
}

/// Number of events per page of a live stream.
const EVENTS_PER_PAGE: usize = 4096;

impl<R: PacketReader> StreamDecoder<R> {
    /// Creates a decoder of a live stream; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &DecodeOptions, offset: u64) -> Self {
        let mut decoder = Self::continued(R::new(options), offset);
        decoder.has_started = offset > 0;
        decoder.is_aligned = false;
        decoder.status.leading = offset;
        decoder
    }

    /// A decoder that continues at the start of a packet.
    fn continued(reader: R, offset: u64) -> Self {
        Self {
            reader,
            has_started: true,
            is_aligned: true,
            is_found: false,
            damage: None,
            held: Vec::new(),
            offset,
            last_offset: offset,
            sealed: VecDeque::new(),
            page_events: EVENTS_PER_PAGE,
            keeps_offsets: false,
            status: StreamStatus::default(),
            has_requested: false,
        }
    }

    /// Decodes a whole file.
    ///
    /// # Errors
    ///
    /// If it has no packet.
    pub(crate) fn decode_file(
        bytes: &[u8],
        options: &DecodeOptions,
        keeps_offsets: bool,
    ) -> Result<DecodedRecording, DecodeError> {
        let mut decoder = Self::new(options, 0);
        decoder.keeps_offsets = keeps_offsets;
        decoder.page_events = usize::MAX;
        let usual = bytes.len() / R::PACKET_BYTES;
        decoder.reader.page_mut().reserve(usual);
        // Who needs the offsets reads the bytes in their order.
        let parts = match keeps_offsets {
            true => vec![bytes],
            false => R::parts(bytes),
        };
        for (core, part) in (0..).zip(&parts) {
            if parts.len() > 1 {
                decoder.is_aligned = false;
                decoder.reader.begin_core(core);
            }
            decoder.read(part, true);
        }
        if parts.len() > 1 {
            decoder.reader.merge_cores();
        }
        let status = decoder.status();
        let page = std::mem::take(decoder.reader.page_mut());
        match page.len() {
            0 => Err(decoder.reader.no_packet(bytes.len() as u64)),
            _ => Ok(decoder.reader.build(page, &status)),
        }
    }

    fn status(&self) -> StreamStatus {
        StreamStatus {
            bytes: self.offset,
            damaged_end: self.damage,
            ..self.status
        }
    }

    /// The number of the next event in the stream.
    fn next_event(&self) -> u64 {
        self.reader.page().end()
    }

    /// Reads packets; returns the number of bytes that are used: all of them if nothing follows
    /// (`is_end`).
    fn read(&mut self, bytes: &[u8], is_end: bool) -> usize {
        let start = self.offset;
        let mut at = 0;
        if !self.has_started {
            let Some(before) = self.reader.read_start(bytes, is_end) else {
                return 0;
            };
            self.has_started = true;
            at = before;
        }
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            self.offset = start + at as u64;
            if !self.is_aligned {
                let found = self.reader.find(rest, is_end);
                at += self.skip(found);
                if self.is_aligned {
                    continue;
                }
                break;
            }
            let events = self.reader.page().len();
            let unread = UnreadBytes {
                bytes: rest,
                offset: self.offset,
                is_end,
                is_found: self.is_found,
            };
            match self.reader.read(unread) {
                Ok(length) => {
                    self.is_found = false;
                    at += length;
                    if self.reader.page().len() > events {
                        self.end_event();
                    }
                }
                Err(PacketError::Incomplete) if !is_end => break,
                Err(PacketError::Incomplete) if self.is_last(rest) => {
                    self.status.cuts += 1;
                    self.status.cut_bytes += rest.len() as u64;
                    at = bytes.len();
                }
                // The search found it, and would find it again.
                Err(_) if self.is_found => {
                    self.is_found = false;
                    let after = rest.get(1..).unwrap_or_default();
                    let found = match self.reader.find(after, is_end) {
                        Alignment::At(skipped) => Alignment::At(skipped + 1),
                        Alignment::NotBefore(skipped) => Alignment::NotBefore(skipped + 1),
                    };
                    self.is_aligned = false;
                    at += self.skip(found);
                    if !self.is_aligned {
                        break;
                    }
                }
                Err(_) => self.is_aligned = false,
            }
        }
        self.offset = start + at as u64;
        at
    }

    /// An event was added to the page, whose packet is at the offset.
    #[inline]
    fn end_event(&mut self) {
        self.last_offset = self.offset;
        let page = self.reader.page_mut();
        if self.keeps_offsets {
            page.offset.push(self.offset);
        }
        if page.len() >= self.page_events {
            let next = page.continuation();
            let page = std::mem::replace(page, next);
            self.sealed.push_back(Arc::new(page));
        }
    }

    /// Whether no packet follows an incomplete one, as if the bytes had been cut there.
    fn is_last(&self, rest: &[u8]) -> bool {
        let after = rest.get(1..).unwrap_or_default();
        let found = self.reader.find(after, true);
        matches!(found, Alignment::NotBefore(_))
    }

    /// Skips bytes that belong to no packet, and returns their number.
    #[cold]
    fn skip(&mut self, found: Alignment) -> usize {
        let (Alignment::At(skipped) | Alignment::NotBefore(skipped)) = found;
        let bytes = skipped as u64;
        let is_start = self.next_event() == 0;
        match &mut self.damage {
            _ if is_start => self.status.leading += bytes,
            Some((_, damaged)) => *damaged += bytes,
            // The stream continues where the connection was lost.
            None if bytes == 0 && matches!(found, Alignment::At(_)) => {}
            none => {
                *none = Some((self.offset, bytes));
                self.status.places += 1;
            }
        }
        if !is_start {
            self.status.damaged += bytes;
        }
        if matches!(found, Alignment::At(_)) {
            (self.is_aligned, self.is_found) = (true, true);
            if let Some((offset, bytes)) = self.damage.take() {
                self.reader.lose(GapCause::Damage { offset, bytes });
            }
        }
        skipped
    }
}

/// The state for resuming a stream: a reader before the last event.
struct StreamResumeState<R>(R);

impl<R> std::fmt::Debug for StreamResumeState<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StreamResumeState")
    }
}

impl<R: PacketReader> live::ResumeState for StreamResumeState<R> {
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let mut reader = self.0.without_page();
        reader.set_options(options);
        Box::new(StreamDecoder::continued(reader, point.offset))
    }
}

impl<R: PacketReader> live::FormatDecoder for StreamDecoder<R> {
    fn push(&mut self, bytes: &[u8], _at: HostTime) {
        if self.held.is_empty() {
            let used = self.read(bytes, false);
            self.held
                .extend_from_slice(bytes.get(used..).unwrap_or_default());
            return;
        }
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(bytes);
        let used = self.read(&held, false);
        held.drain(..used);
        self.held = held;
    }

    fn connection_lost(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.read(&held, true);
        self.is_aligned = false;
        self.damage = None;
        if self.next_event() > 0 {
            self.reader.lose(GapCause::Disconnected);
        }
    }

    fn event_range(&self) -> Range<u64> {
        let first = self.sealed.front().map(|page| page.first);
        first.unwrap_or(self.reader.page().first)..self.next_event()
    }

    fn discard_before(&mut self, before: u64) {
        let old = self.sealed.iter();
        let old = old.take_while(|page| page.end() <= before).count();
        self.sealed.drain(..old);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let wanted = |page: &EventPage| page.first < numbers.end && page.end() > numbers.start;
        let sealed = self.sealed.iter().filter(|page| wanted(page));
        let mut pages: Vec<_> = sealed.cloned().collect();
        if wanted(self.reader.page()) {
            pages.push(Arc::new(self.reader.page().clone()));
        }
        Box::new(StreamChunk {
            pages,
            numbers,
            reader: self.reader.without_page(),
            status: self.status(),
        })
    }

    fn stats(&self) -> LiveStats {
        let status = &self.status;
        let (missing_events, gaps) = self.reader.missing();
        let (rejected, rejected_bytes) = self.reader.rejected();
        LiveStats {
            events: self.next_event(),
            missing_events,
            gaps,
            unusable: status.places + rejected,
            truncated: status.cuts,
            unusable_bytes: status.leading + status.damaged + status.cut_bytes + rejected_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        Some(ResumePoint {
            offset: self.last_offset,
            event: self.next_event().checked_sub(1)?,
            format: R::FORMAT,
            state: Arc::new(StreamResumeState(self.reader.before_last())),
        })
    }

    /// A target that records already sends what it sent first if it is started again.
    fn take_request(&mut self) -> Option<TargetCommand> {
        if self.has_requested {
            return None;
        }
        let request = self.reader.request();
        self.has_requested = request.is_some();
        request
    }

    /// The packets contain the frequency, and times need no other property.
    fn set_clock(&mut self, _clock: &Clock) {}

    fn metadata(&self) -> Vec<u8> {
        self.reader.metadata()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        if self.next_event() == 0 {
            self.reader.load_metadata(metadata);
        }
    }
}

/// A range of events, and what decoding them needs.
struct StreamChunk<R> {
    /// The pages that contain them.
    pages: Vec<Arc<EventPage>>,
    numbers: Range<u64>,
    reader: R,
    status: StreamStatus,
}

impl<R: PacketReader> live::EventChunk for StreamChunk<R> {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let mut all = EventPage::default();
        for page in &self.pages {
            all.append(page, &self.numbers);
        }
        match all.len() {
            0 => Err(self.reader.no_packet(self.status.bytes)),
            _ => Ok(self.reader.build(all, &self.status)),
        }
    }
}

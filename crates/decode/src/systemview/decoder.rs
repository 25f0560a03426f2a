//! Decodes a stream: a file at once, or a live stream, whose last events are retained.
//!
//! ```text
//! bytes ──header, alignment──▶ packets ──event_reader──▶ open page ──seal──▶ sealed pages
//! ```

use super::alignment::{self, Alignment};
use super::event_reader::{EventReader, RunState};
use super::target::Target;
use super::trace_builder::{self, StreamSummary};
use super::{FORMAT, SystemViewOptions};
use crate::event_page::{EventPage, GapCause};
use crate::format::TargetCommand;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::{DecodeError, DecodeOptions, DecodedRecording};
use rtoscope_trace::Clock;
use rtoscope_wire::systemview::header::TextHeader;
use rtoscope_wire::systemview::{FIRST_ID_WITH_LENGTH, Framing, Packet, PacketError, id};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Decodes a stream.
pub(super) struct StreamDecoder {
    options: SystemViewOptions,
    /// `None` before the first byte.
    framing: Option<Framing>,
    /// Whether the next byte is the start of a packet.
    is_aligned: bool,
    /// The offset and the number of the bytes since the last packet, if they are damaged.
    damage: Option<(u64, u64)>,
    /// The bytes that are not read yet, and their offset.
    held: Vec<u8>,
    offset: u64,
    /// The offset of the last event's packet.
    last_offset: u64,
    reader: EventReader,
    /// The pages before the reader's page, of a live stream.
    sealed: VecDeque<Arc<EventPage>>,
    /// Maximum number of events in a page.
    page_events: usize,
    /// Whether the page keeps the offsets of packets.
    keeps_offsets: bool,
    losses: ByteLosses,
    /// Whether the start of the recording was requested.
    has_requested: bool,
}

/// Bytes that belong to no packet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ByteLosses {
    /// Before the first packet.
    pub(super) leading: u64,
    /// Number of damaged places between packets, and their bytes.
    pub(super) places: u64,
    pub(super) bytes: u64,
    /// Number of packets that were incomplete when the bytes ended, and their bytes.
    pub(super) cuts: u64,
    pub(super) cut_bytes: u64,
}

/// Number of events per page of a live stream.
const EVENTS_PER_PAGE: usize = 4096;

/// Maximum length of the payload of an event that occurred before, to accept it as it is.
const MAX_USUAL_BYTES: usize = 80;

/// Maximum length of a text header.
const MAX_HEADER_BYTES: usize = 1 << 14;

impl StreamDecoder {
    /// Creates a decoder of a live stream; `offset` unusable bytes precede it.
    pub(super) fn new(options: &SystemViewOptions, offset: u64) -> Self {
        let target = Target::new(options.descriptions.clone());
        let state = (0, Arc::new(target), RunState::START);
        let mut decoder = Self::from_state(options, offset, state);
        decoder.framing = (offset > 0).then_some(Framing::Plain);
        decoder.is_aligned = false;
        decoder.losses.leading = offset;
        decoder
    }

    /// A decoder that continues at the start of a packet, given the number of the next event,
    /// what is known of the target, and the state.
    fn from_state(
        options: &SystemViewOptions,
        offset: u64,
        (first, target, state): (u64, Arc<Target>, RunState),
    ) -> Self {
        Self {
            options: options.clone(),
            framing: Some(Framing::Plain),
            is_aligned: true,
            damage: None,
            held: Vec::new(),
            offset,
            last_offset: offset,
            reader: EventReader::new(first, target, state, options.text_encoding),
            sealed: VecDeque::new(),
            page_events: EVENTS_PER_PAGE,
            keeps_offsets: false,
            losses: ByteLosses::default(),
            has_requested: false,
        }
    }

    /// Decodes a whole file; `None` if it has no packet.
    pub(super) fn decode_file(
        bytes: &[u8],
        options: &SystemViewOptions,
        keeps_offsets: bool,
    ) -> Option<DecodedRecording> {
        let mut decoder = Self::new(options, 0);
        decoder.keeps_offsets = keeps_offsets;
        decoder.page_events = usize::MAX;
        decoder.reader.page.reserve(bytes.len());
        decoder.read(bytes, true);
        let summary = decoder.summary();
        let page = decoder.reader.page;
        (page.len() > 0).then(|| trace_builder::build(page, &summary))
    }

    fn summary(&self) -> StreamSummary {
        StreamSummary {
            target: Arc::clone(&self.reader.target),
            losses: self.losses,
            damaged_end: self.damage,
            bytes: self.offset,
            has_cores: self.framing == Some(Framing::TwoCores),
            missing: self.reader.missing,
            options: self.options.clone(),
        }
    }

    /// Reads packets; returns the number of bytes that are used: all of them if nothing follows
    /// (`is_end`).
    fn read(&mut self, bytes: &[u8], is_end: bool) -> usize {
        let start = self.offset;
        let mut at = match self.framing {
            None => match self.read_header(bytes, is_end) {
                Some(header) => header,
                None => return 0,
            },
            Some(_) => 0,
        };
        let framing = self.framing.unwrap_or_default();
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            self.offset = start + at as u64;
            if !self.is_aligned {
                let found = alignment::find(rest, framing, &self.reader.target, is_end);
                at += self.skip(found);
                if self.is_aligned {
                    continue;
                }
                break;
            }
            match Packet::read(rest, framing) {
                Ok(packet) if packet.is_sync() => at += packet.bytes,
                Ok(packet) if self.is_sound(&packet) => {
                    self.last_offset = self.offset;
                    if self.keeps_offsets {
                        self.reader.page.offset.push(self.offset);
                    }
                    self.reader.read(&packet);
                    at += packet.bytes;
                    if self.reader.page.len() >= self.page_events {
                        self.seal_page();
                    }
                }
                Err(PacketError::Incomplete) if !is_end => break,
                Err(PacketError::Incomplete) if self.is_last(rest, framing) => {
                    self.losses.cuts += 1;
                    self.losses.cut_bytes += rest.len() as u64;
                    at = bytes.len();
                }
                _ => self.is_aligned = false,
            }
        }
        self.offset = start + at as u64;
        at
    }

    /// The length of a text header, 0 without one; `None` if more bytes are needed.
    fn read_header(&mut self, bytes: &[u8], is_end: bool) -> Option<usize> {
        let header = TextHeader::read(bytes);
        let may_grow = bytes.first().is_none_or(|byte| *byte == b';');
        if header.is_none() && may_grow && bytes.len() < MAX_HEADER_BYTES && !is_end {
            return None;
        }
        self.framing = Some(header.map_or(Framing::Plain, super::framing));
        Some(header.map_or(0, |header| header.bytes))
    }

    /// Whether a packet can be one of the recorder. Those without a length have no redundancy.
    #[inline]
    fn is_sound(&self, packet: &Packet<'_>) -> bool {
        packet.id < FIRST_ID_WITH_LENGTH
            || packet.payload.len() <= MAX_USUAL_BYTES
                && packet.id >= id::FIRST_CALL
                && self.reader.target.has_seen(packet.id, 0)
            || alignment::has_sound_payload(packet, &self.reader.target)
    }

    /// Whether no packet follows an incomplete one, as if the bytes had been cut there.
    fn is_last(&self, rest: &[u8], framing: Framing) -> bool {
        let after = rest.get(1..).unwrap_or_default();
        let found = alignment::find(after, framing, &self.reader.target, true);
        matches!(found, Alignment::NotBefore(_))
    }

    /// Skips bytes that belong to no packet, and returns their number.
    #[cold]
    fn skip(&mut self, found: Alignment) -> usize {
        let (Alignment::At(skipped) | Alignment::NotBefore(skipped)) = found;
        let bytes = skipped as u64;
        let is_start = self.reader.next_event() == 0;
        match &mut self.damage {
            _ if is_start => self.losses.leading += bytes,
            Some((_, damaged)) => *damaged += bytes,
            // The stream continues where the connection was lost.
            None if bytes == 0 && matches!(found, Alignment::At(_)) => {}
            none => {
                *none = Some((self.offset, bytes));
                self.losses.places += 1;
            }
        }
        if !is_start {
            self.losses.bytes += bytes;
        }
        if matches!(found, Alignment::At(_)) {
            self.is_aligned = true;
            if let Some((offset, bytes)) = self.damage.take() {
                self.reader.lose(GapCause::Damage { offset, bytes });
            }
        }
        skipped
    }

    fn seal_page(&mut self) {
        let next = self.reader.page.continuation();
        let page = std::mem::replace(&mut self.reader.page, next);
        self.sealed.push_back(Arc::new(page));
    }
}

/// The state for resuming a stream.
#[derive(Debug)]
struct StreamResumeState {
    target: Arc<Target>,
    state: RunState,
    framing: Framing,
}

impl live::ResumeState for StreamResumeState {
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let state = (point.event, Arc::clone(&self.target), self.state);
        let mut decoder = StreamDecoder::from_state(&options.systemview, point.offset, state);
        decoder.framing = Some(self.framing);
        Box::new(decoder)
    }
}

impl live::FormatDecoder for StreamDecoder {
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
        if self.reader.next_event() > 0 {
            self.reader.lose(GapCause::Disconnected);
        }
    }

    fn event_range(&self) -> Range<u64> {
        let first = self.sealed.front().map(|page| page.first);
        first.unwrap_or(self.reader.page.first)..self.reader.next_event()
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
        if wanted(&self.reader.page) {
            pages.push(Arc::new(self.reader.page.clone()));
        }
        Box::new(StreamChunk {
            pages,
            numbers,
            summary: self.summary(),
        })
    }

    fn stats(&self) -> LiveStats {
        let losses = &self.losses;
        LiveStats {
            events: self.reader.next_event(),
            missing_events: self.reader.missing,
            gaps: self.reader.gaps,
            unusable: losses.places,
            truncated: losses.cuts,
            unusable_bytes: losses.leading + losses.bytes + losses.cut_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        Some(ResumePoint {
            offset: self.last_offset,
            event: self.reader.next_event().checked_sub(1)?,
            format: FORMAT,
            state: Arc::new(StreamResumeState {
                target: Arc::clone(&self.reader.target),
                state: self.reader.before_last,
                framing: self.framing.unwrap_or_default(),
            }),
        })
    }

    /// A target that records already sends what it sent first if it is started again.
    fn take_request(&mut self) -> Option<TargetCommand> {
        let lacks_start =
            self.reader.next_event() > 0 && self.reader.target.initialisation.is_none();
        if !lacks_start || self.has_requested {
            return None;
        }
        self.has_requested = true;
        Some(TargetCommand::Start)
    }

    /// The packets contain the frequency, and times need no other property.
    fn set_clock(&mut self, _clock: &Clock) {}

    fn metadata(&self) -> Vec<u8> {
        self.reader.target.to_packets()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        if self.reader.next_event() > 0 {
            return;
        }
        let target = Arc::new(Target::new(self.options.descriptions.clone()));
        let encoding = self.options.text_encoding;
        let mut reader = EventReader::new(0, target, RunState::START, encoding);
        let mut rest = metadata;
        while let Ok(packet) = Packet::read(rest, Framing::Plain) {
            reader.read(&packet);
            rest = rest.get(packet.bytes..).unwrap_or_default();
        }
        let mut target = Arc::unwrap_or_clone(reader.target);
        target
            .tasks
            .iter_mut()
            .for_each(|task| task.first_event = 0);
        self.reader.target = Arc::new(target);
    }
}

/// A range of events, and what decoding them needs.
struct StreamChunk {
    /// The pages that contain them.
    pages: Vec<Arc<EventPage>>,
    numbers: Range<u64>,
    summary: StreamSummary,
}

impl live::EventChunk for StreamChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let mut all = EventPage::default();
        for page in &self.pages {
            all.append(page, &self.numbers);
        }
        match all.len() {
            0 => Err(super::no_packet(self.summary.bytes)),
            _ => Ok(trace_builder::build(all, &self.summary)),
        }
    }
}

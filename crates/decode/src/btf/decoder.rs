//! Decodes lines: a file at once, or a live stream, whose last events are retained.

use super::entities::EntityTable;
use super::line_reader::{Header, LineReader, ReadState};
use super::trace_builder::{self, FileSummary};
use super::{BtfOptions, FORMAT, no_event};
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::packet_stream::{EventPage, GapCause};
use crate::{DecodeError, DecodeOptions, DecodedRecording};
use rtoscope_trace::Clock;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Decodes lines.
pub(super) struct LineDecoder {
    options: BtfOptions,
    /// The start of a line whose end has not arrived, and its offset.
    held: Vec<u8>,
    offset: u64,
    /// Whether a line that is too long goes on.
    is_in_excess: bool,
    /// The offset of the last event's line.
    last_offset: u64,
    reader: LineReader,
    /// The pages before the reader's page, of a live stream.
    sealed: VecDeque<Arc<EventPage>>,
    /// Maximum number of events in a page.
    page_events: usize,
    /// Whether the page keeps the offsets of lines.
    keeps_offsets: bool,
}

/// Number of events per page of a live stream.
const EVENTS_PER_PAGE: usize = 4096;

/// Maximum length of a line.
const MAX_LINE_BYTES: usize = 1 << 14;

impl LineDecoder {
    /// Creates a decoder of a live stream; `offset` unusable bytes precede it.
    pub(super) fn new(options: &BtfOptions, offset: u64) -> Self {
        let state = ReadState::default();
        Self::from_state(options, offset, 0, (Arc::default(), Arc::default(), state))
    }

    /// A decoder that continues at the start of a line, given the number of the next event.
    fn from_state(
        options: &BtfOptions,
        offset: u64,
        first: u64,
        (entities, header, state): (Arc<EntityTable>, Arc<Header>, ReadState),
    ) -> Self {
        Self {
            options: *options,
            held: Vec::new(),
            offset,
            is_in_excess: false,
            last_offset: offset,
            reader: LineReader::new(first, entities, header, state),
            sealed: VecDeque::new(),
            page_events: EVENTS_PER_PAGE,
            keeps_offsets: false,
        }
    }

    /// Decodes a whole file.
    pub(super) fn decode_file(
        bytes: &[u8],
        options: &BtfOptions,
        keeps_offsets: bool,
    ) -> Result<DecodedRecording, DecodeError> {
        let mut decoder = Self::new(options, 0);
        decoder.keeps_offsets = keeps_offsets;
        decoder.page_events = usize::MAX;
        decoder.read(bytes);
        decoder.finish_line();
        let summary = decoder.summary();
        let page = decoder.reader.page;
        match page.len() {
            0 => Err(summary.no_event()),
            _ => Ok(trace_builder::build(page, &summary)),
        }
    }

    fn summary(&self) -> FileSummary {
        FileSummary {
            entities: Arc::clone(&self.reader.entities),
            header: Arc::clone(&self.reader.header),
            rejected: self.reader.rejected.clone(),
            bytes: self.offset,
            lines: self.reader.state.lines,
            options: self.options,
        }
    }

    /// Reads all lines that end, and holds the start of the next one.
    fn read(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end + 1);
            bytes = rest;
            if self.held.is_empty() && !self.is_in_excess {
                self.read_line(line);
            } else {
                self.hold(line);
                self.finish_line();
            }
        }
        self.hold(bytes);
    }

    fn hold(&mut self, bytes: &[u8]) {
        let space = MAX_LINE_BYTES.saturating_sub(self.held.len());
        let (kept, excess) = bytes.split_at(space.min(bytes.len()));
        self.held.extend_from_slice(kept);
        if !excess.is_empty() {
            self.is_in_excess = true;
            self.offset += excess.len() as u64;
        }
    }

    /// The held line ends here.
    fn finish_line(&mut self) {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.is_in_excess) {
            self.reader.state.lines += 1;
            let problem = format!("it has more than {MAX_LINE_BYTES} bytes");
            self.reader.reject(&held, self.offset, &problem);
            self.offset += held.len() as u64;
        } else if !held.is_empty() {
            self.read_line(&held);
        }
        self.held = held;
        self.held.clear();
    }

    #[inline]
    fn read_line(&mut self, line: &[u8]) {
        let text = line
            .get(..MAX_LINE_BYTES)
            .filter(|it| it.len() < line.len());
        if let Some(start) = text {
            self.reader.state.lines += 1;
            let problem = format!("it has more than {MAX_LINE_BYTES} bytes");
            self.reader.reject(start, self.offset, &problem);
        } else if self.reader.read(line, self.offset) {
            self.last_offset = self.offset;
            if self.keeps_offsets {
                self.reader.page.offset.push(self.offset);
            }
            if self.reader.page.len() >= self.page_events {
                self.seal_page();
            }
        }
        self.offset += line.len() as u64;
    }

    fn seal_page(&mut self) {
        let next = self.reader.page.continuation();
        let page = std::mem::replace(&mut self.reader.page, next);
        self.sealed.push_back(Arc::new(page));
    }
}

/// The state for resuming a stream.
#[derive(Debug)]
struct LineResumeState {
    entities: Arc<EntityTable>,
    header: Arc<Header>,
    state: ReadState,
}

impl live::ResumeState for LineResumeState {
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let known = (
            Arc::clone(&self.entities),
            Arc::clone(&self.header),
            self.state,
        );
        let options = &options.btf;
        Box::new(LineDecoder::from_state(
            options,
            point.offset,
            point.event,
            known,
        ))
    }
}

impl live::FormatDecoder for LineDecoder {
    fn push(&mut self, bytes: &[u8], _at: HostTime) {
        self.read(bytes);
    }

    fn connection_lost(&mut self) {
        self.finish_line();
        if self.reader.next_event() > 0 {
            self.reader.state.pending_gap = Some(GapCause::Disconnected);
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
        Box::new(LineChunk {
            pages,
            numbers,
            summary: self.summary(),
        })
    }

    fn stats(&self) -> LiveStats {
        let rejected = &self.reader.rejected;
        LiveStats {
            events: self.reader.next_event(),
            missing_events: 0,
            gaps: self.reader.gaps,
            unusable: rejected.invalid,
            truncated: 0,
            unusable_bytes: rejected.bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        Some(ResumePoint {
            offset: self.last_offset,
            event: self.reader.next_event().checked_sub(1)?,
            format: FORMAT,
            state: Arc::new(LineResumeState {
                entities: Arc::clone(&self.reader.entities),
                header: Arc::clone(&self.reader.header),
                state: self.reader.before_last,
            }),
        })
    }

    /// The header contains the unit of times.
    fn set_clock(&mut self, _clock: &Clock) {}

    fn metadata(&self) -> Vec<u8> {
        let parameters = self.reader.header.parameters.iter();
        let lines: Vec<_> = parameters
            .map(|(key, value)| format!("#{key} {value}\n"))
            .collect();
        lines.concat().into_bytes()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        if self.reader.next_event() > 0 {
            return;
        }
        let state = self.reader.state;
        for line in metadata.split(|byte| *byte == b'\n') {
            if line.starts_with(b"#") {
                self.reader.read(line, 0);
            }
        }
        self.reader.state = state;
    }
}

/// A range of events, and what decoding them needs.
struct LineChunk {
    /// The pages that contain them.
    pages: Vec<Arc<EventPage>>,
    numbers: Range<u64>,
    summary: FileSummary,
}

impl live::EventChunk for LineChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let mut all = EventPage::default();
        for page in &self.pages {
            all.append(page, &self.numbers);
        }
        match all.len() {
            0 => Err(no_event(self.summary.bytes, None)),
            _ => Ok(trace_builder::build(all, &self.summary)),
        }
    }
}

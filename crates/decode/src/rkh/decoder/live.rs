//! Live streams: what is retained of them, and how they resume.

use super::chunk::RkhChunk;
use super::sealed_pages::PageWithState;
use super::stream_metadata::StreamMetadata;
use super::{RkhResumeState, StreamDecoder};
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::rkh::FORMAT;
use crate::rkh::attribution::AttributionContext;
use crate::rkh::configuration_choice::UndecidedStart;
use crate::rkh::deframer::{Deframer, MAX_SENT_FRAME_BYTES};
use crate::rkh::losses::ProblemKind;
use crate::rkh::record_page::RecordState;
use crate::rkh::stream_state::StreamState;
use crate::{DecodeError, DecodeOptions};
use rtoscope_trace::Clock;
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of stream bytes whose records are retained, regardless of the
/// number of events to retain.
const MAX_RETAINED_STREAM_BYTES: u64 = 1 << 29;

impl StreamDecoder {
    fn resume_state(&self, record_state: RecordState, start: StreamState) -> RkhResumeState {
        RkhResumeState {
            record_state,
            start,
            survey: self.survey.clone(),
            provenance: self.provenance,
            guess: self.guess.clone(),
        }
    }
}

impl live::ResumeState for RkhResumeState {
    /// Statistics of missing data start at 0 at the point.
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let options = Arc::new(options.rkh.clone());
        let deframer = Deframer::resume(point.offset, true, MAX_SENT_FRAME_BYTES);
        let decoder = StreamDecoder::from_state(options, deframer, point.event, self);
        Box::new(decoder)
    }
}

impl live::FormatDecoder for StreamDecoder {
    fn push(&mut self, bytes: &[u8], _at: HostTime) {
        let rest = self.await_configuration(bytes, false);
        self.read(rest);
        self.survey_new_records();
    }

    fn connection_lost(&mut self) {
        self.await_configuration(&[], true);
        self.end();
    }

    /// The numbers of the retained records for which it is decided whether the
    /// target restarted before them.
    fn event_range(&self) -> Range<u64> {
        self.sealed_pages.first().unwrap_or(self.page().first)..self.reader.settled_events()
    }

    fn discard_before(&mut self, before: u64) {
        self.sealed_pages.discard_while(|page| page.end() <= before);
    }

    fn limit_memory(&mut self) {
        let taken = self.deframer.consumed();
        self.sealed_pages.discard_while(|page| {
            let offset = page.columns.offsets.get(0);
            offset.is_some_and(|offset| taken.saturating_sub(offset) > MAX_RETAINED_STREAM_BYTES)
        });
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let page = self.page();
        // The whole of a stream that has ended for now, not only its new part.
        let is_stream_end = numbers == (0..page.end()) && self.reader.is_interrupted();
        let mut pages: Vec<_> = self.sealed_pages.within(numbers.clone()).cloned().collect();
        if numbers.end > page.first || is_stream_end {
            pages.push(Arc::new(PageWithState {
                page: page.clone(),
                state: self.sealed_pages.state.clone(),
            }));
        }
        Box::new(RkhChunk {
            pages,
            event_range: numbers,
            is_stream_end,
            kinds: Arc::clone(&self.kinds.semantics),
            context: self.context(),
            clock: self.clock,
        })
    }

    fn stats(&self) -> LiveStats {
        let losses = self.total_losses();
        let skipped = &self.skipped;
        LiveStats {
            events: self.reader.settled_events(),
            missing_events: losses.missing_records,
            gaps: self.sealed_pages.gaps + self.page().gaps.len() as u64,
            unusable: skipped.frames + losses.bad_frames(),
            truncated: losses.count(ProblemKind::Tail),
            unusable_bytes: skipped.bytes + losses.unusable_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let settled = self.reader.settled_events();
        let event = settled.checked_sub(1)?;
        let sealed = self.sealed_pages.within(event..settled);
        let sealed = sealed.map(|sealed| (&sealed.page, &sealed.state));
        let mut pages = sealed.chain([(self.page(), &self.sealed_pages.state)]);
        let (page, start) = pages.find(|(page, _)| (page.first..page.end()).contains(&event))?;
        let place = page.position(event);
        let mut start = start.clone();
        let survey = self.survey.current();
        let known = AttributionContext::new(&self.kinds.semantics, &survey);
        start.advance(page, 0..place, &known);
        Some(ResumePoint {
            offset: page.columns.offsets.get(place)?,
            event,
            format: FORMAT,
            state: Arc::new(self.resume_state(page.record_state(place)?, start)),
        })
    }

    fn no_events_error(&self) -> Option<DecodeError> {
        let skipped = &self.skipped;
        let undecided = self.undecided.as_ref();
        if skipped.frames > 0 && undecided.is_some_and(UndecidedStart::is_empty) {
            return Some(DecodeError::NoRkhConfiguration {
                records: skipped.default_fitting_frames,
                frames: skipped.frames - skipped.default_fitting_frames as u64,
                guessed: self.options.guess,
            });
        }
        let frames = self.total_losses().bad_frames();
        (self.reader.is_interrupted() && frames > 0).then(|| DecodeError::NoRkhRecord {
            bytes: self.deframer.consumed(),
            frames,
        })
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.clock = Some(*clock);
    }

    fn metadata(&self) -> Vec<u8> {
        if self.undecided.is_some() {
            return Vec::new();
        }
        let page = self.page();
        let state = RecordState {
            configuration: self.reader.configuration(),
            target: page.runs.last().and_then(|run| run.target),
            sequence: None,
            timestamp: page.columns.last_timestamp,
        };
        StreamMetadata::new(&self.resume_state(state, StreamState::default())).to_bytes()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let is_start = self.skipped.bytes == 0 && self.event_range() == (0..0);
        if let Some(state) = StreamMetadata::read(metadata).filter(|_| is_start) {
            let (options, deframer) = (&self.options, &self.deframer);
            *self = Self::from_state(options.clone(), deframer.clone(), 0, &state);
        }
    }
}

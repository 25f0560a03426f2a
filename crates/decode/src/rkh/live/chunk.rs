//! A range of a stream's records.

use super::record_semantics::RecordSemantics;
use crate::rkh::guess::ConfigurationGuess;
use crate::rkh::record_page::RecordPage;
use crate::rkh::stream_info::Provenance;
use crate::rkh::stream_state::StreamState;
use crate::rkh::survey::TargetSurvey;
use crate::rkh::trace_builder::{self, StreamContext};
use crate::rkh::{self, RkhOptions};
use crate::{DecodeError, DecodedRecording, FormatInfo, live};
use rtoscope_trace::Clock;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_wire::rkh::StreamConfiguration;
use std::ops::Range;
use std::sync::Arc;

/// A page and the state before its first record.
pub(super) struct PageWithState {
    pub(super) page: RecordPage,
    pub(super) state: StreamState,
}

/// The range of records.
pub(super) struct RkhChunk {
    /// The pages that contain the records, in order; they may contain more at
    /// both ends.
    pub(super) pages: Vec<Arc<PageWithState>>,
    pub(super) event_range: Range<u64>,
    /// Whether nothing follows: losses after the last record then belong to it.
    pub(super) is_stream_end: bool,
    pub(super) semantics: Arc<RecordSemantics>,
    pub(super) survey: Arc<TargetSurvey>,
    /// Bytes of the stream so far.
    pub(super) bytes: u64,
    pub(super) configuration: StreamConfiguration,
    pub(super) provenance: Provenance,
    pub(super) guess: Option<ConfigurationGuess>,
    pub(super) options: Arc<RkhOptions>,
    /// The clock properties known from other chunks.
    pub(super) clock: Option<Clock>,
}

impl live::EventChunk for RkhChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let mut page = RecordPage::starting_at(self.event_range.start);
        let mut start = StreamState::default();
        for sheet in &self.pages {
            if page.len() == 0 {
                start = sheet.state.clone();
                let before = sheet.page.position(self.event_range.start);
                start.advance(
                    &sheet.page,
                    0..before,
                    &self.semantics.attribution_context(),
                );
            }
            page.append(&sheet.page, &self.event_range, self.is_stream_end);
        }
        if page.len() == 0 {
            return Err(DecodeError::NoRkhRecord {
                bytes: self.bytes,
                frames: 0,
            });
        }
        let rkh::DecodedStream {
            mut trace,
            stream_info: stream,
        } = trace_builder::build_trace(
            page,
            StreamContext {
                bytes: self.bytes,
                configuration: self.configuration,
                provenance: self.provenance,
                guess: self.guess,
                survey: Some(&self.survey),
                start: &start,
                options: &self.options,
            },
        );
        let is_good = self
            .clock
            .is_some_and(|clock| clock.quality == ClockQuality::Good);
        if is_good
            && stream
                .runs
                .iter()
                .any(|run| run.configuration.timestamp.is_some())
        {
            // A few events may not be enough to determine it.
            trace.clock.quality = ClockQuality::Good;
        }
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(stream),
        })
    }
}

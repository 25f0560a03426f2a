//! A range of a stream's records.

use super::sealed_pages::PageWithState;
use crate::rkh::DecodedStream;
use crate::rkh::attribution::AttributionContext;
use crate::rkh::kind_semantics::SemanticsTable;
use crate::rkh::record_page::RecordPage;
use crate::rkh::trace_builder::{self, StreamContext};
use crate::{DecodeError, DecodedRecording, FormatInfo, live};
use rtoscope_trace::Clock;
use rtoscope_trace::clock::ClockQuality;
use std::ops::Range;
use std::sync::Arc;

/// The range of records.
pub(super) struct RkhChunk {
    /// The pages that contain the records, in order; they may contain more at
    /// both ends.
    pub(super) pages: Vec<Arc<PageWithState>>,
    pub(super) event_range: Range<u64>,
    /// Whether nothing follows: losses after the last record then belong to it.
    pub(super) is_stream_end: bool,
    pub(super) kinds: Arc<SemanticsTable>,
    pub(super) context: StreamContext,
    /// The clock properties known from other chunks.
    pub(super) clock: Option<Clock>,
}

impl live::EventChunk for RkhChunk {
    fn decode(self: Box<Self>) -> Result<DecodedRecording, DecodeError> {
        let mut context = self.context;
        let mut page = RecordPage {
            first: self.event_range.start,
            ..RecordPage::default()
        };
        for part in &self.pages {
            if page.len() == 0 {
                context.start = part.state.clone();
                let before = 0..part.page.position(self.event_range.start);
                let known = AttributionContext::new(&self.kinds, &context.survey);
                context.start.advance(&part.page, before, &known);
            }
            page.append(&part.page, &self.event_range, self.is_stream_end);
        }
        if page.len() == 0 {
            return Err(DecodeError::NoRkhRecord {
                bytes: context.bytes,
                frames: 0,
            });
        }
        let DecodedStream {
            mut trace,
            stream_info,
        } = trace_builder::build_trace(page, context);
        let mut runs = stream_info.runs.iter();
        if self
            .clock
            .is_some_and(|clock| clock.quality == ClockQuality::Good)
            && runs.any(|run| run.configuration.timestamp.is_some())
        {
            // A few events may not be enough to determine it.
            trace.clock.quality = ClockQuality::Good;
        }
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(stream_info),
        })
    }
}

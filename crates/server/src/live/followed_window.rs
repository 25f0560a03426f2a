//! The newest events, which following viewers see.

use super::feed::LiveFeed;
use super::live::LiveTraceOptions;
use super::snapshot::UnnumberedSnapshot;
use super::snapshot_sizer::SnapshotSizer;
use rtoscope_analysis::LiveAnalysis;
use rtoscope_decode::live::HostTime;
use rtoscope_decode::{DecodeError, DecodedRecording, EventInterpreter};
use rtoscope_session::{RecordingIds, Session};
use rtoscope_trace::TraceOrigin;
use std::time::Instant;

/// Builds the snapshots of following viewers. Their first event stays the same, so that
/// only new events are interpreted, until there are too many: then a snapshot starts later
/// and contains half as many.
pub(super) struct FollowedWindow {
    options: LiveTraceOptions,
    sizer: SnapshotSizer,
    /// The start of the last snapshot.
    base: Option<TraceOrigin>,
    analysis: LiveAnalysis<EventInterpreter>,
}

impl FollowedWindow {
    /// For snapshots with these options.
    pub(super) fn new(options: LiveTraceOptions) -> Self {
        Self {
            options,
            sizer: SnapshotSizer::new(options.max_events),
            base: None,
            analysis: LiveAnalysis::default(),
        }
    }

    /// Builds a snapshot of the newest events; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they cannot be decoded.
    pub(super) fn build(
        &mut self,
        name: &str,
        feed: &dyn LiveFeed,
        ids: &RecordingIds,
    ) -> Result<Option<UnnumberedSnapshot>, DecodeError> {
        let began = Instant::now();
        let Some((recording, received)) = self.newest_events(feed)? else {
            return Ok(None);
        };
        let DecodedRecording { trace, format_info } = recording;
        self.base = Some(trace.origin);
        let recording = self.analysis.analyze(name, trace, &format_info);
        let is_extended = self.analysis.reused_events() > 0;
        let mut session = Session::from_analyzed(recording, format_info);
        session.note_given_clock(self.options.given_clock);
        session.join(ids);
        let snapshot = UnnumberedSnapshot::new(session, Some(received));
        // A snapshot grows to twice the events with which it starts.
        let events = snapshot.events() * if is_extended { 1 } else { 2 };
        self.sizer.record_build(events, began.elapsed());
        Ok(Some(snapshot))
    }

    /// Frees what the next snapshot would extend.
    pub(super) fn clear(&mut self) {
        self.base = None;
        self.analysis = LiveAnalysis::default();
    }

    fn newest_events(
        &mut self,
        feed: &dyn LiveFeed,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        let end = feed.status().tally.events;
        let max_events = self.sizer.events();
        let fits = |base: &TraceOrigin| end.saturating_sub(base.event) <= max_events;
        // If these events cannot be decoded, later ones may be.
        if let Some(base) = self.base.take().filter(fits)
            && let Some(grown) = feed.events_from(base)?
        {
            return Ok(Some(grown));
        }
        feed.last_events(match end <= max_events {
            true => max_events,
            false => max_events.div_ceil(2),
        })
    }
}

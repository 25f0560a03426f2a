//! The critical path of an event.

use crate::error::QueryError;
use crate::session::Session;
use rtoscope_analysis::critical_path::{CriticalPathFinder, CriticalPathOptions};
use rtoscope_analysis::report::critical_path::{CriticalPathReport, critical_path};
use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// Maximum number of segments of a response.
const MAX_SEGMENTS: u32 = 10_000;

impl Session {
    /// What led to an event, as far back as `from` if given, else to the first cause.
    pub(crate) fn critical_path(
        &self,
        event: u32,
        context: Option<ContextId>,
        from: Option<u64>,
        limit: u32,
    ) -> Result<Option<CriticalPathReport>, QueryError> {
        if !(1..=MAX_SEGMENTS).contains(&limit) {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("1 to {MAX_SEGMENTS}"),
            });
        }
        let recording = &self.recording;
        let finder =
            CriticalPathFinder::new(&recording.trace, &recording.schedule, &recording.active);
        let options = CriticalPathOptions {
            from: from.map(Ticks),
            context,
            max_segments: limit as usize,
        };
        let path = finder.path(EventIndex(event), options);
        Ok(path.map(|path| {
            let mut path = critical_path(&recording.view(), &path);
            for segment in &mut path.segments {
                segment.thread = segment.thread.map(|thread| self.ids.contexts.id(thread));
            }
            path
        }))
    }
}

//! Events as recorded, as text.

use crate::error::QueryError;
use crate::query::Window;
use crate::response::RawEvents;
use crate::session::Session;
use rtoscope_trace::{Event, EventIndex};
use std::fmt::Write as _;

/// Maximum number of events of a response.
const MAX_EVENTS: u32 = 50_000;

/// The header, with the names of the columns of `rtoscope events`.
const HEADER: &str = "event,offset,timestamp,core,context_address,priority,threshold,number,info1,info2,info3,info4\n";

impl Session {
    /// The events of a window from the `offset`-th on, one a line.
    pub(crate) fn raw_events(
        &self,
        window: &Window,
        offset: u32,
        limit: u32,
    ) -> Result<RawEvents, QueryError> {
        if !(1..=MAX_EVENTS).contains(&limit) {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("1 to {MAX_EVENTS}"),
            });
        }
        let events = self.events_within(window);
        let first = events.start.saturating_add(offset).min(events.end);
        let last = first.saturating_add(limit).min(events.end);
        let mut lines = String::new();
        for index in first..last {
            if let Some(event) = self.recording.trace.events.get(EventIndex(index)) {
                self.append_raw(&mut lines, &event);
            }
        }
        Ok(RawEvents {
            header: HEADER,
            lines,
            total: events.end - events.start,
        })
    }

    fn append_raw(&self, lines: &mut String, event: &Event) {
        let trace = &self.recording.trace;
        // Writing to a `String` cannot fail.
        let mut number = |value: Option<u64>| {
            let _ = match value {
                Some(value) => write!(lines, "{value},"),
                None => write!(lines, ","),
            };
        };
        number(Some(trace.recording_event(event.index)));
        number(self.format_info.record_offset(event.index));
        number(Some(event.timestamp));
        number(Some(event.core.into()));
        if let Some(context) = trace.contexts.get(event.context) {
            let _ = write!(lines, "{}", context.address);
        }
        let priority = event.priority().map(|it| it.to_string());
        let threshold = event.threshold().map(|it| it.to_string());
        let [info1, info2, info3, info4] = event.arguments;
        let _ = writeln!(
            lines,
            ",{},{},{},{info1},{info2},{info3},{info4}",
            priority.unwrap_or_default(),
            threshold.unwrap_or_default(),
            event.kind,
        );
    }
}

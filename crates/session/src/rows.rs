//! Rows of the event table.

use crate::error::QueryError;
use crate::query::Search;
use crate::response::{EventRow, EventRows};
use crate::session::Session;
use crate::truncate::{MAX_LINE_CHARS, MAX_NAME_CHARS, truncate};
use rtoscope_trace::EventIndex;

/// Maximum number of rows in a response.
const MAX_ROWS: u32 = 1000;

impl Session {
    /// Rows of all events, or of the hits of a search.
    pub(crate) fn event_rows(
        &self,
        from: u64,
        count: u32,
        search: Option<&Search>,
    ) -> Result<EventRows, QueryError> {
        check_limit(count)?;
        let Some(search) = search else {
            let total = self.event_count();
            let end = self.own_event(from.saturating_add(count.into()));
            let first = self.own_event(from).unwrap_or_default();
            let numbers = first..end.unwrap_or_default().min(total);
            return Ok(EventRows {
                total,
                rows: numbers.filter_map(|event| self.row(event)).collect(),
            });
        };
        let from = u32::try_from(from).unwrap_or(u32::MAX);
        Ok(self.page(&self.hits(search)?, from, count))
    }

    /// Rows of the events that refer to an object.
    pub(crate) fn object_history(
        &self,
        object: u32,
        from: u32,
        count: u32,
    ) -> Result<EventRows, QueryError> {
        check_limit(count)?;
        Ok(self.page(&self.events_referencing(object)?, from, count))
    }

    fn page(&self, numbers: &[u32], from: u32, count: u32) -> EventRows {
        let some = numbers.iter().skip(from as usize).take(count as usize);
        EventRows {
            total: numbers.len() as u32,
            rows: some.filter_map(|event| self.row(*event)).collect(),
        }
    }

    fn row(&self, event: u32) -> Option<EventRow> {
        let event = self.recording.trace.events.get(EventIndex(event))?;
        Some(EventRow {
            event: self.event_number(event.index.0),
            time: self.recording_ticks(event.time.0),
            core: event.core,
            context: self.context_id(event.context),
            kind: event.kind.0,
            name: truncate(
                self.recording.trace.catalogue.name(event.kind),
                MAX_NAME_CHARS,
            ),
            arguments: truncate(self.recording.trace.arguments_line(&event), MAX_LINE_CHARS),
        })
    }
}

fn check_limit(count: u32) -> Result<(), QueryError> {
    if count <= MAX_ROWS {
        return Ok(());
    }
    Err(QueryError::OutOfRange {
        parameter: "limit",
        value: count.to_string(),
        expected: format!("at most {MAX_ROWS}"),
    })
}

//! Tables of events.

use crate::answer::{Row, Rows};
use crate::query::Search;
use crate::session::{AskError, Session};
use crate::short::{LINE, NAME, short};
use rtoscope_trace::EventIndex;

/// Rows that can be asked for at once.
const MOST_ROWS: u32 = 1000;

impl Session {
    /// Some of all events, or of the hits of a search.
    pub(crate) fn rows(
        &self,
        from: u32,
        count: u32,
        search: Option<&Search>,
    ) -> Result<Rows, AskError> {
        check(count)?;
        let Some(search) = search else {
            let total = self.event_count();
            let numbers = from..from.saturating_add(count).min(total);
            return Ok(Rows {
                total,
                rows: numbers.filter_map(|event| self.row(event)).collect(),
            });
        };
        Ok(self.some(&self.hits(search)?, from, count))
    }

    /// Some of the events with an object among their arguments.
    pub(crate) fn history(&self, object: u32, from: u32, count: u32) -> Result<Rows, AskError> {
        check(count)?;
        Ok(self.some(&self.mentioned(object)?, from, count))
    }

    fn some(&self, numbers: &[u32], from: u32, count: u32) -> Rows {
        let some = numbers.iter().skip(from as usize).take(count as usize);
        Rows {
            total: numbers.len() as u32,
            rows: some.filter_map(|event| self.row(*event)).collect(),
        }
    }

    fn row(&self, event: u32) -> Option<Row> {
        let event = self.trace.events.get(EventIndex(event))?;
        Some(Row {
            event: event.index.0,
            time: event.time.0,
            core: event.core,
            context: event.context.0,
            kind: event.kind.0,
            name: short(self.trace.catalogue.name(event.kind), NAME),
            arguments: short(self.trace.arguments_line(&event), LINE),
        })
    }
}

fn check(count: u32) -> Result<(), AskError> {
    if count <= MOST_ROWS {
        return Ok(());
    }
    Err(AskError::OutOfRange {
        what: "count",
        value: count.to_string(),
        expected: format!("at most {MOST_ROWS}"),
    })
}

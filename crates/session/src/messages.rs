//! The messages of an object over time.

use crate::axis::partition_point;
use crate::error::QueryError;
use crate::query::Window;
use crate::response::{MessageBars, MessageEnd};
use crate::session::Session;
use rtoscope_analysis::messages::{MessageEnding, ObjectMessage, messages};
use rtoscope_analysis::schedule::UntakenReason;
use rtoscope_trace::{ContextId, EventIndex, ResourceId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::convert::Infallible;
use std::sync::Arc;

/// Maximum number of messages of a response.
const MAX_MESSAGES: u32 = 8192;

/// The messages of an object, in the order of their puts.
#[derive(Debug)]
pub(crate) struct IndexedMessages {
    messages: Vec<ObjectMessage>,
    /// For each message, a row that no other message has at the same time.
    rows: Vec<u32>,
    /// For each message, the latest end of those up to it.
    latest: Vec<u32>,
}

impl IndexedMessages {
    fn new(messages: Vec<ObjectMessage>) -> Self {
        let mut latest = 0;
        let ends = messages.iter().map(|message| {
            latest = latest.max(message.end.0);
            latest
        });
        Self {
            latest: ends.collect(),
            rows: rows(&messages),
            messages,
        }
    }

    fn memory_bytes(&self) -> usize {
        size_of_val(self.messages.as_slice())
            + size_of_val(self.rows.as_slice())
            + size_of_val(self.latest.as_slice())
    }
}

/// For each message, the lowest row that is free from its put to its end.
fn rows(messages: &[ObjectMessage]) -> Vec<u32> {
    let mut free = BinaryHeap::new();
    let mut used = BinaryHeap::new();
    let mut count = 0;
    let rows = messages.iter().map(|message| {
        while let Some(Reverse((end, row))) = used.peek().copied()
            && end <= message.put
        {
            used.pop();
            free.push(Reverse(row));
        }
        let row = free.pop().map_or(count, |Reverse(row)| row);
        count = count.max(row + 1);
        used.push(Reverse((message.end, row)));
        row
    });
    rows.collect()
}

impl Session {
    fn indexed_messages(&self, resource: u32) -> Arc<IndexedMessages> {
        let found = self.caches.messages.get_or_insert(resource, |resource| {
            let messages = messages(&self.recording.view(), ResourceId(*resource));
            let indexed = IndexedMessages::new(messages);
            let bytes = indexed.memory_bytes();
            Ok::<_, Infallible>((indexed, bytes))
        });
        found.unwrap_or_else(|never| match never {})
    }

    /// The messages that are in an object in a window, unless there are more than `limit`.
    pub(crate) fn message_bars(
        &self,
        resource: u32,
        window: &Window,
        limit: u32,
    ) -> Result<MessageBars, QueryError> {
        if !(1..=MAX_MESSAGES).contains(&limit) {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("1 to {MAX_MESSAGES}"),
            });
        }
        let resource = self.level_resource(resource)?;
        self.level_history(resource)?;
        let indexed = self.indexed_messages(resource);
        let position = |event: u32| self.position(window.axis, event);
        let origin = self.axis_origin(window.axis);
        let all = &indexed.messages;
        let first = partition_point(all.len(), |index| {
            let latest = indexed.latest.get(index);
            latest.is_some_and(|event| position(*event) < window.start)
        });
        let after = partition_point(all.len(), |index| {
            let message = all.get(index);
            message.is_some_and(|message| position(message.put.0) <= window.end)
        });
        let inside = (first..after).filter_map(|index| {
            let (message, row) = (all.get(index)?, indexed.rows.get(index)?);
            (position(message.end.0) >= window.start).then_some((message, *row))
        });
        let total = inside.clone().count();
        let mut bars = MessageBars {
            total: u32::try_from(total).unwrap_or(u32::MAX),
            ..MessageBars::default()
        };
        if bars.total > limit {
            return Ok(bars);
        }
        for (message, row) in inside {
            let (end, taker) = end_of(message.ending);
            bars.starts.push(origin + position(message.put.0));
            bars.ends.push(origin + position(message.end.0));
            bars.ticks
                .push(self.ticks_between(message.put.0, message.end.0));
            bars.rows.push(row);
            bars.puts.push(self.event_number(message.put.0));
            bars.end_events.push(self.event_number(message.end.0));
            bars.putters.push(self.known_context(message.putter));
            bars.takers.push(self.known_context(taker));
            bars.endings.push(end);
        }
        Ok(bars)
    }

    fn known_context(&self, context: ContextId) -> Option<u32> {
        (context != ContextId::UNKNOWN).then(|| self.context_id(context))
    }

    fn ticks_between(&self, first: u32, last: u32) -> u64 {
        let time = |event| {
            let time = self.recording.trace.events.time(EventIndex(event));
            time.unwrap_or_default().0
        };
        time(last).saturating_sub(time(first))
    }
}

fn end_of(ending: MessageEnding) -> (MessageEnd, ContextId) {
    match ending {
        MessageEnding::Taken(taker) => (MessageEnd::Taken, taker),
        MessageEnding::Untaken(reason) => {
            let end = match reason {
                UntakenReason::GaveUp => MessageEnd::GaveUp,
                UntakenReason::Flushed => MessageEnd::Flushed,
                UntakenReason::TraceEnded => MessageEnd::TraceEnded,
                UntakenReason::Unknown => MessageEnd::Unknown,
            };
            (end, ContextId::UNKNOWN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn message(put: u32, end: u32) -> ObjectMessage {
        ObjectMessage {
            put: EventIndex(put),
            putter: ContextId::UNKNOWN,
            end: EventIndex(end),
            ending: MessageEnding::Untaken(UntakenReason::Flushed),
        }
    }

    #[test]
    fn messages_at_the_same_time_have_different_rows() {
        let spans = [(0, 9), (1, 4), (2, 3), (3, 8), (4, 5), (9, 10)];
        let messages = spans.map(|(put, end)| message(put, end));
        assert_eq!(rows(&messages), [0, 1, 2, 2, 1, 0]);
    }
}

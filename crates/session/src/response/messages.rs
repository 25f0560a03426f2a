//! The messages of an object.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The messages that are in an object in a window, in the order of their puts. All lists
/// have an entry for each message, and none if there are more messages than requested.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct MessageBars {
    /// Number of messages.
    pub total: u32,
    /// The positions of their puts, in units of the window.
    pub starts: Vec<f64>,
    /// The positions of their ends.
    pub ends: Vec<f64>,
    /// From put to end, in ticks.
    #[cfg_attr(test, ts(type = "Array<number>"))]
    pub ticks: Vec<u64>,
    /// A row, from 0, that no other message has at the same time.
    pub rows: Vec<u32>,
    /// The events of their puts.
    pub puts: Vec<u64>,
    /// The events of their ends.
    pub end_events: Vec<u64>,
    /// The contexts that put them; `null` if not recorded.
    pub putters: Vec<Option<u32>>,
    /// The contexts that take them; `null` if not taken or not recorded.
    pub takers: Vec<Option<u32>>,
    /// How they end.
    pub endings: Vec<MessageEnd>,
}

/// How a message ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum MessageEnd {
    /// A context takes it.
    Taken,
    /// The sender waits for room, and gives up.
    GaveUp,
    /// The object is emptied.
    Flushed,
    /// The trace ends before.
    TraceEnded,
    /// Not known: events are missing, or later records contradict the put.
    Unknown,
}

//! A source under test.

use super::buffer::{Seen, seen};
use rtoscope_capture::{Source, SourceEvent, SourceOptions, source};
use std::time::{Duration, Instant};

/// More than any step takes on the slowest machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Reports of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SourceMessage {
    Waiting(String),
    Connected(String),
    Lost(String),
    Remark(String),
    Bytes(Vec<u8>),
}

pub(crate) struct WatchedSource {
    source: Box<dyn Source>,
    /// All reports except bytes.
    pub(crate) messages: Vec<SourceMessage>,
}

impl WatchedSource {
    pub(crate) fn open(port: u16, options: &str) -> Self {
        Self::with(port, options, &SourceOptions::default())
    }

    pub(crate) fn with(port: u16, options: &str, settings: &SourceOptions) -> Self {
        let address = format!("gdb://127.0.0.1:{port}?{options}").parse().unwrap();
        Self {
            source: source::open(&address, settings).unwrap(),
            messages: Vec::new(),
        }
    }

    /// Sends bytes to the target; returns the message of an error.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let sent = self.source.send(bytes, Duration::from_secs(5));
        sent.map_err(|error| rtoscope_capture::error_chain(&error))
    }

    /// The next `count` bytes of a stream.
    pub(crate) fn stream(&mut self, count: usize) -> Vec<u8> {
        let mut stream = Vec::new();
        while stream.len() < count {
            let bytes = self.until(|message| match message {
                SourceMessage::Bytes(bytes) => Some(bytes),
                _ => None,
            });
            stream.extend(bytes);
        }
        stream
    }

    /// The next report, or `None` after a timeout.
    pub(crate) fn next(&mut self) -> Option<SourceMessage> {
        let message = match self.source.next(Duration::from_millis(100)) {
            SourceEvent::Nothing => return None,
            SourceEvent::Bytes(bytes) => return Some(SourceMessage::Bytes(bytes.to_vec())),
            SourceEvent::Waiting(what) => SourceMessage::Waiting(what),
            SourceEvent::Connected(what) => SourceMessage::Connected(what),
            SourceEvent::Lost(why) | SourceEvent::Closed(why) => SourceMessage::Lost(why),
            SourceEvent::Message(what) => SourceMessage::Remark(what),
            SourceEvent::Refused(refused) => SourceMessage::Remark(refused.message),
            SourceEvent::Unread(unread) => SourceMessage::Remark(unread.to_string()),
            SourceEvent::Ended => panic!("a target never ends"),
            SourceEvent::Failed(error) => panic!("{error}"),
        };
        self.messages.push(message.clone());
        Some(message)
    }

    /// Waits for a report.
    pub(crate) fn until<T>(&mut self, mut wanted: impl FnMut(SourceMessage) -> Option<T>) -> T {
        let start = Instant::now();
        while start.elapsed() < LIMIT {
            if let Some(found) = self.next().and_then(&mut wanted) {
                return found;
            }
        }
        panic!("not within {LIMIT:?}, only {:?}", self.messages);
    }

    /// The next trace buffer.
    pub(crate) fn buffer(&mut self) -> Seen {
        self.until(|message| match message {
            SourceMessage::Bytes(bytes) => Some(seen(&bytes)),
            _ => None,
        })
    }

    /// Buffers until one ends at or after an event; each must continue the one before
    /// without a gap.
    pub(crate) fn follow(&mut self, end: u64) -> Vec<Seen> {
        let mut all: Vec<Seen> = Vec::new();
        while all.last().is_none_or(|seen| seen.events.end < end) {
            let next = self.buffer();
            if let Some(last) = all.last() {
                assert!(next.events.start <= last.events.end, "a gap");
                assert!(next.events.end >= last.events.end, "back");
            }
            all.push(next);
        }
        all
    }

    /// Whether a report of this kind contains a text.
    pub(crate) fn has(&self, kind: fn(String) -> SourceMessage, text: &str) -> bool {
        self.messages.iter().any(|message| {
            let (SourceMessage::Waiting(it)
            | SourceMessage::Connected(it)
            | SourceMessage::Lost(it)
            | SourceMessage::Remark(it)) = message
            else {
                return false;
            };
            it.contains(text) && kind(it.clone()) == *message
        })
    }
}

//! A source of a test.

use crate::buffer::{Seen, seen};
use rtoscope_capture::{Source, SourceEvent, SourceOptions, source};
use std::time::{Duration, Instant};

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What a source told.
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
    /// All of it but the bytes.
    pub(crate) told: Vec<SourceMessage>,
}

impl WatchedSource {
    pub(crate) fn open(port: u16, options: &str) -> Self {
        Self::with(port, options, &SourceOptions::default())
    }

    pub(crate) fn with(port: u16, options: &str, settings: &SourceOptions) -> Self {
        let address = format!("gdb://127.0.0.1:{port}?{options}").parse().unwrap();
        Self {
            source: source::open(&address, settings).unwrap(),
            told: Vec::new(),
        }
    }

    /// What happens next, or nothing for a while.
    pub(crate) fn next(&mut self) -> Option<SourceMessage> {
        let told = match self.source.next(Duration::from_millis(100)) {
            SourceEvent::Nothing => return None,
            SourceEvent::Bytes(bytes) => return Some(SourceMessage::Bytes(bytes.to_vec())),
            SourceEvent::Waiting(what) => SourceMessage::Waiting(what),
            SourceEvent::Connected(what) => SourceMessage::Connected(what),
            SourceEvent::Lost(why) => SourceMessage::Lost(why),
            SourceEvent::Message(what) => SourceMessage::Remark(what),
            SourceEvent::Refused(refused) => SourceMessage::Remark(refused.message),
            SourceEvent::Ended => panic!("a target never ends"),
            SourceEvent::Failed(error) => panic!("{error}"),
        };
        self.told.push(told.clone());
        Some(told)
    }

    /// Waits for something.
    pub(crate) fn until<T>(&mut self, mut wanted: impl FnMut(SourceMessage) -> Option<T>) -> T {
        let start = Instant::now();
        while start.elapsed() < LIMIT {
            if let Some(found) = self.next().and_then(&mut wanted) {
                return found;
            }
        }
        panic!("not within {LIMIT:?}, only {:?}", self.told);
    }

    /// The next trace buffer.
    pub(crate) fn buffer(&mut self) -> Seen {
        self.until(|told| match told {
            SourceMessage::Bytes(bytes) => Some(seen(&bytes)),
            _ => None,
        })
    }

    /// Buffers until one ends with that event or behind it; each must follow the
    /// one before without a gap.
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

    /// Whether something of that kind and with that text was told.
    pub(crate) fn has(&self, kind: fn(String) -> SourceMessage, text: &str) -> bool {
        self.told.iter().any(|told| {
            let (SourceMessage::Waiting(it)
            | SourceMessage::Connected(it)
            | SourceMessage::Lost(it)
            | SourceMessage::Remark(it)) = told
            else {
                return false;
            };
            it.contains(text) && kind(it.clone()) == *told
        })
    }
}

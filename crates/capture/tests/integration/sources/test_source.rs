//! A source and its events, in a comparable form.

use rtoscope_capture::{Address, Source, SourceError, SourceEvent, SourceOptions, Unread, source};
use std::time::{Duration, Instant};

/// More than any step takes on the slowest machine. A source that a busy machine rarely
/// polls may need a minute to refuse a connection.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(200);

/// A source under test.
pub(crate) struct TestSource(Box<dyn Source>);

/// Events, except timeouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TestEvent {
    Bytes(Vec<u8>),
    Waiting(String),
    Connected(String),
    Lost(String),
    Remark(String),
    Unread(Unread),
    Ended,
    Failed(String),
}

/// Opens a source at an address.
pub(crate) fn open(address: &str) -> Result<TestSource, SourceError> {
    open_with(address, &SourceOptions::default())
}

pub(crate) fn open_with(
    address: &str,
    settings: &SourceOptions,
) -> Result<TestSource, SourceError> {
    let address: Address = address.parse().unwrap();
    source::open(&address, settings).map(TestSource)
}

/// The messages for a source that cannot be opened: ours and the system's.
pub(crate) fn open_error(address: &str) -> (String, String) {
    let error = open(address).err().expect(address);
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    (error.to_string(), cause.unwrap_or_default())
}

/// Bytes without a short period.
pub(crate) fn pattern(count: usize) -> Vec<u8> {
    let mixed = |index: usize| (index as u32).wrapping_mul(0x9e37_79b1).rotate_left(11) as u8;
    (0..count).map(mixed).collect()
}

impl TestSource {
    /// The next event within a time, if any.
    pub(crate) fn next_within(&mut self, wait: Duration) -> Option<TestEvent> {
        Some(match self.0.next(wait) {
            SourceEvent::Nothing => return None,
            SourceEvent::Bytes(bytes) => TestEvent::Bytes(bytes.to_vec()),
            SourceEvent::Waiting(what) => TestEvent::Waiting(what),
            SourceEvent::Connected(who) => TestEvent::Connected(who),
            SourceEvent::Lost(why) | SourceEvent::Closed(why) => TestEvent::Lost(why),
            SourceEvent::Message(what) => TestEvent::Remark(what),
            SourceEvent::Refused(refused) => TestEvent::Remark(refused.message),
            SourceEvent::Unread(unread) => TestEvent::Unread(unread),
            SourceEvent::Ended => TestEvent::Ended,
            SourceEvent::Failed(error) => TestEvent::Failed(error.to_string()),
        })
    }

    /// Sends bytes to the target; returns the message of an error.
    pub(crate) fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), String> {
        let sent = self.0.send(bytes, wait);
        sent.map_err(|error| rtoscope_capture::error_chain(&error))
    }

    /// Ends the capture: what was sent until now, and what of it was not read.
    pub(crate) fn end(&mut self) -> Option<Unread> {
        assert!(self.0.prepare_end());
        self.0.unread()
    }

    /// Closes the source: the number of unread connections, and the message.
    pub(crate) fn close(self) -> Option<(u64, String)> {
        let refused = self.0.close()?;
        Some((refused.connections, refused.message))
    }

    /// The next event.
    pub(crate) fn next(&mut self) -> TestEvent {
        let end = Instant::now() + TIMEOUT;
        loop {
            assert!(
                Instant::now() < end,
                "no event of the source in {TIMEOUT:?}"
            );
            if let Some(event) = self.next_within(Duration::from_millis(200)) {
                return event;
            }
        }
    }

    /// The description of what the source waits for.
    pub(crate) fn waiting(&mut self) -> String {
        match self.next() {
            TestEvent::Waiting(what) => what,
            other => panic!("not waiting: {other:?}"),
        }
    }

    /// The description of the connected target, skipping waits before it.
    pub(crate) fn connected(&mut self) -> String {
        loop {
            match self.next() {
                TestEvent::Waiting(_) => {}
                TestEvent::Connected(who) => return who,
                other => panic!("not connected: {other:?}"),
            }
        }
    }

    /// Why the connection was lost.
    pub(crate) fn lost(&mut self) -> String {
        match self.next() {
            TestEvent::Lost(why) => why,
            other => panic!("not lost: {other:?}"),
        }
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut all = Vec::new();
        while all.len() < count {
            match self.next() {
                TestEvent::Bytes(bytes) => {
                    assert!(!bytes.is_empty());
                    all.extend(bytes);
                }
                other => panic!("{other:?} after {} bytes", all.len()),
            }
        }
        assert_eq!(all.len(), count, "more than was sent");
        all
    }
}

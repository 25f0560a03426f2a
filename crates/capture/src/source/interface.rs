//! The interface of all sources.

use crate::Unread;
use rtoscope_decode::Format;
use rtoscope_symbols::Firmware;
use std::sync::Arc;
use std::time::Duration;

/// An event of a source.
#[derive(Debug)]
pub enum SourceEvent<'a> {
    /// Received bytes, at least one.
    Bytes(&'a [u8]),
    /// Nothing happened until the timeout.
    Nothing,
    /// The source waits for a target, or for a reply.
    Waiting(String),
    /// A target connected, with a description such as its address. Its bytes need not
    /// continue the ones before.
    Connected(String),
    /// The connection to the target was lost, with the reason. The source tries to
    /// reconnect.
    Lost(String),
    /// The target closed the connection, with a description. The source waits for the
    /// next one.
    Closed(String),
    /// A message for the user that changes nothing, for example that the probe had to
    /// halt the target.
    Message(String),
    /// Connections were refused; their bytes are lost.
    Refused(RefusedConnections),
    /// The target sent this before the following bytes, but it was not read.
    Unread(Unread),
    /// The source has ended, such as at the end of a file.
    Ended,
    /// The source has failed.
    Failed(SourceError),
}

/// Refused connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedConnections {
    /// Number of connections.
    pub connections: u64,
    /// Which connections, and why, for the user.
    pub message: String,
}

/// Delivers the bytes of a trace: a stream of records, or consecutive buffers or
/// containers.
pub trait Source: Send {
    /// Waits for the next event, at most about `wait`.
    fn next(&mut self, wait: Duration) -> SourceEvent<'_>;

    /// Sends bytes to the connected target, within about `wait`. Sources of an address
    /// that [`is_writable`](crate::address::Scheme::is_writable) can.
    ///
    /// # Errors
    ///
    /// If the source cannot send, no target is connected, or it does not take the bytes
    /// in time. It may have received some of them.
    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        let _ = (bytes, wait);
        Err(SourceError::Unsupported(
            "nothing can be sent to this source".to_owned(),
        ))
    }

    /// What it received beside the trace, for a user who gets no trace.
    fn other_data(&self) -> Option<String> {
        None
    }

    /// Prepares for the end of the capture. Returns whether the system may hold what the
    /// target has sent until now, which is lost unless it is read.
    fn prepare_end(&mut self) -> bool {
        false
    }

    /// Number of bytes of the target that the system holds and that are not read yet, as far
    /// as it is known; of datagrams at least that of the first.
    fn queued_bytes(&self) -> u64 {
        0
    }

    /// After [`Source::prepare_end`] and the last [`Source::next`]: what the target has
    /// sent since the last event and was not read, as far as it is known.
    fn unread(&mut self) -> Option<Unread> {
        let queued = self.queued_bytes();
        (queued > 0).then_some(Unread::Bytes(queued))
    }

    /// Closes the source. Returns connections whose bytes were not read and that
    /// [`Source::next`] has not reported.
    fn close(self: Box<Self>) -> Option<RefusedConnections> {
        None
    }
}

/// Options of sources.
#[derive(Debug, Clone, Default)]
pub struct SourceOptions {
    /// The expected format, if the user gave one.
    pub format: Option<Format>,
    /// The firmware on the target, to find its buffers by name.
    pub firmware: Vec<Arc<Firmware>>,
    /// Whether other machines may connect to an address that listens.
    pub public: bool,
}

/// Why a source cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// cannot open {subject}
    #[error("cannot open {subject}")]
    Open {
        /// What cannot be opened.
        subject: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// cannot read {subject}
    #[error("cannot read {subject}")]
    Read {
        /// What cannot be read.
        subject: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// cannot send to {subject}
    #[error("cannot send to {subject}")]
    Send {
        /// What does not take the bytes.
        subject: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The operation is not supported, with an explanation.
    #[error("{0}")]
    Unsupported(String),
}

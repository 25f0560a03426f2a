//! Bytes that other threads send to the target.

use crate::{Source, error_chain};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Why bytes were not sent to the target, as a message for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SendError(pub String);

/// Maximum time that a target may take for the bytes.
pub(super) const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time until the reader has tried.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Requests to the reader, which alone has the source.
pub(super) struct SendRequests {
    requests: Sender<SendRequest>,
    /// Taken by the reader.
    queue: Mutex<Receiver<SendRequest>>,
}

struct SendRequest {
    bytes: Vec<u8>,
    answer: Sender<Result<(), SendError>>,
}

impl SendRequests {
    pub(super) fn new() -> Self {
        let (requests, queue) = channel();
        Self {
            requests,
            queue: Mutex::new(queue),
        }
    }

    /// Has the reader send bytes that a target need not understand.
    pub(super) fn post(&self, bytes: Vec<u8>) {
        let (answer, _) = channel();
        // The receiver lives as long as this.
        let _ = self.requests.send(SendRequest { bytes, answer });
    }

    /// Has the reader send bytes, and waits for the result.
    pub(super) fn send(&self, bytes: Vec<u8>) -> Result<(), SendError> {
        let (answer, answers) = channel();
        // The receiver lives as long as this.
        let _ = self.requests.send(SendRequest { bytes, answer });
        let ended = |_| Err(SendError("the capture has ended".to_owned()));
        answers.recv_timeout(ANSWER_TIMEOUT).unwrap_or_else(ended)
    }

    /// Sends what was requested.
    pub(super) fn serve(&self, source: &mut dyn Source) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        for SendRequest { bytes, answer } in queue.try_iter() {
            let sent = source.send(&bytes, SEND_TIMEOUT);
            // The other thread may no longer wait.
            let _ = answer.send(sent.map_err(|error| SendError(error_chain(&error))));
        }
    }

    /// Refuses what was requested.
    pub(super) fn refuse(&self) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        for request in queue.try_iter() {
            let _ = request
                .answer
                .send(Err(SendError("the capture has ended".to_owned())));
        }
    }
}

//! Targets that are refused because another is connected.

use super::interface::RefusedConnections;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// The message sent to a refused target.
const REFUSAL_MESSAGE: &[u8] = b"rtoscope: another target is connected\n";

/// Maximum number of refused connections that stay open to read the message.
const MAX_CLOSING: usize = 256;

/// How long they stay open.
const REFUSAL_LINGER: Duration = Duration::from_secs(1);

/// Minimum interval between reports of refusals.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Refused targets.
#[derive(Default)]
pub(super) struct RefusedTargets {
    closing: VecDeque<(TcpStream, Instant)>,
    /// Refusals that are not reported yet.
    count: u64,
    last: Option<SocketAddr>,
    reported: Option<Instant>,
}

impl RefusedTargets {
    /// Refuses a connection.
    pub(super) fn refuse(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        self.count += 1;
        self.last = Some(peer);
        // It may be closed already.
        let sent = stream
            .set_nonblocking(true)
            .and_then(|()| stream.write_all(REFUSAL_MESSAGE))
            .and_then(|()| stream.shutdown(Shutdown::Write));
        if sent.is_ok() {
            if self.closing.len() >= MAX_CLOSING {
                self.closing.pop_front();
            }
            self.closing.push_back((stream, Instant::now()));
        }
    }

    /// Closes the connections that have read the message. Closing at once while their
    /// bytes are unread would discard the message.
    pub(super) fn close_finished(&mut self) {
        let mut unread = [0; 4096];
        self.closing.retain_mut(|(stream, since)| {
            let is_there = match stream.read(&mut unread) {
                Ok(count) => count > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            is_there && since.elapsed() < REFUSAL_LINGER
        });
    }

    /// The refusals to report now.
    pub(super) fn take_due(&mut self) -> Option<RefusedConnections> {
        let is_soon = self
            .reported
            .is_some_and(|reported| reported.elapsed() < REPORT_INTERVAL);
        if is_soon { None } else { self.take_all() }
    }

    /// All refusals that are not reported yet.
    pub(super) fn take_all(&mut self) -> Option<RefusedConnections> {
        let connections = std::mem::take(&mut self.count);
        let last = self.last.filter(|_| connections > 0)?;
        self.reported = Some(Instant::now());
        let more = match connections {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(RefusedConnections {
            connections,
            message: format!("refused {last}{more}: another target is connected"),
        })
    }
}

//! Targets that cannot be taken because another is connected.

use super::RefusedConnections;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// What a refused target is sent.
const REFUSAL_MESSAGE: &[u8] = b"rtoscope: another target is connected\n";

/// Refused ones that may still read the reason.
const MAX_CLOSING: usize = 256;

/// How long they may take.
const REFUSAL_LINGER: Duration = Duration::from_secs(1);

/// Refusals are reported no more often than this.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Targets that were refused.
#[derive(Default)]
pub(super) struct RefusedTargets {
    closing: VecDeque<(TcpStream, Instant)>,
    /// Those that are not reported yet.
    count: u64,
    last: Option<SocketAddr>,
    reported: Option<Instant>,
}

impl RefusedTargets {
    /// Refuses one.
    pub(super) fn refuse(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        self.count += 1;
        self.last = Some(peer);
        // It may be gone already.
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

    /// Lets those go who have read the reason. To close at once while bytes of
    /// theirs are unread would take it from them.
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

    /// What to report now.
    pub(super) fn take_due(&mut self) -> Option<RefusedConnections> {
        let is_soon = self
            .reported
            .is_some_and(|reported| reported.elapsed() < REPORT_INTERVAL);
        if is_soon { None } else { self.take_all() }
    }

    /// All that is not reported yet.
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

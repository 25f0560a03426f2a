//! Targets that cannot be taken because another is connected.

use super::Refused;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// What a refused target is sent.
const REASON: &[u8] = b"rtoscope: another target is connected\n";

/// Refused ones that may still read the reason.
const MAX_LEAVING: usize = 256;

/// How long they may take.
const LEAVING: Duration = Duration::from_secs(1);

/// Refusals are reported no more often than this.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Targets that were refused.
#[derive(Default)]
pub(super) struct Refusals {
    leaving: VecDeque<(TcpStream, Instant)>,
    /// Those that are not reported yet.
    count: u64,
    last: Option<SocketAddr>,
    reported: Option<Instant>,
}

impl Refusals {
    /// Refuses one.
    pub(super) fn refuse(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        self.count += 1;
        self.last = Some(peer);
        // It may be gone already.
        let sent = stream
            .set_nonblocking(true)
            .and_then(|()| stream.write_all(REASON))
            .and_then(|()| stream.shutdown(Shutdown::Write));
        if sent.is_ok() {
            if self.leaving.len() >= MAX_LEAVING {
                self.leaving.pop_front();
            }
            self.leaving.push_back((stream, Instant::now()));
        }
    }

    /// Lets those go who have read the reason. To close at once while bytes of
    /// theirs are unread would take it from them.
    pub(super) fn tend(&mut self) {
        let mut unread = [0; 4096];
        self.leaving.retain_mut(|(stream, since)| {
            let is_there = match stream.read(&mut unread) {
                Ok(count) => count > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            is_there && since.elapsed() < LEAVING
        });
    }

    /// What to report now.
    pub(super) fn due(&mut self) -> Option<Refused> {
        let is_soon = self
            .reported
            .is_some_and(|reported| reported.elapsed() < REPORT_INTERVAL);
        if is_soon { None } else { self.take() }
    }

    /// All that is not reported yet.
    pub(super) fn take(&mut self) -> Option<Refused> {
        let connections = std::mem::take(&mut self.count);
        let last = self.last.filter(|_| connections > 0)?;
        self.reported = Some(Instant::now());
        let more = match connections {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(Refused {
            connections,
            message: format!("refused {last}{more}: another target is connected"),
        })
    }
}

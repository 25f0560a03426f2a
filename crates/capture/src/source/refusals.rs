//! Targets that cannot be taken because another is there.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// What one is told who is refused.
const REASON: &[u8] = b"rtoscope: another target is connected\n";

/// Refused ones that may still read the reason.
const MOST_LEAVING: usize = 16;

/// How long they may take.
const LEAVING: Duration = Duration::from_secs(1);

/// The user is told of refusals no more often than this.
const TELLING: Duration = Duration::from_secs(1);

/// Targets that were refused.
#[derive(Default)]
pub(super) struct Refusals {
    leaving: VecDeque<(TcpStream, Instant)>,
    /// Those the user does not know of yet.
    count: u64,
    last: Option<SocketAddr>,
    told: Option<Instant>,
}

impl Refusals {
    /// Refuses one.
    pub(super) fn refuse(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        self.count += 1;
        self.last = Some(peer);
        // What cannot be told is not: it may be gone already.
        let told = stream
            .set_nonblocking(true)
            .and_then(|()| stream.write_all(REASON))
            .and_then(|()| stream.shutdown(Shutdown::Write));
        if told.is_ok() {
            if self.leaving.len() >= MOST_LEAVING {
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

    /// What to tell the user now.
    pub(super) fn remark(&mut self) -> Option<String> {
        let is_soon = self.told.is_some_and(|told| told.elapsed() < TELLING);
        let last = self.last.filter(|_| self.count > 0 && !is_soon)?;
        let more = match self.count {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        self.count = 0;
        self.told = Some(Instant::now());
        Some(format!("refused {last}{more}: another target is connected"))
    }
}

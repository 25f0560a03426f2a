//! TCP server source.

use super::interface::{RefusedConnections, Source, SourceError, SourceEvent, SourceOptions};
use super::refusals::RefusedTargets;
use super::target_connection::{CLOSED, KeepAlive, ReadOutcome, TargetConnection};
use super::waiting::WaitingConnections;
use crate::address::Endpoint;
use rtoscope_trace::diagnostic::pluralise;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between checks for new connections.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(20);

/// After a longer pause between polls, bytes may have arrived long before they are
/// read.
const MAX_POLL_GAP: Duration = Duration::from_millis(250);

/// A source that listens: it reads one target at a time, the others wait.
pub(super) struct TcpListenSource {
    listener: TcpListener,
    local: SocketAddr,
    target: Option<TargetConnection>,
    /// When the target last sent bytes.
    last_received: Instant,
    waiting: WaitingConnections,
    refusals: RefusedTargets,
    is_announced: bool,
    next_accept: Instant,
    /// When the source was last polled.
    last_polled: Instant,
}

/// Opens a port to listen on.
pub(super) fn open(
    endpoint: &Endpoint,
    settings: &SourceOptions,
) -> Result<TcpListenSource, SourceError> {
    let failed = |source| SourceError::Open {
        subject: format!("tcp-listen://{endpoint}"),
        source,
    };
    let addresses = endpoint.local_addresses().map_err(failed)?;
    endpoint.require_public("tcp-listen", &addresses, settings)?;
    let listener = TcpListener::bind(addresses.as_slice()).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(TcpListenSource {
        local: listener.local_addr().map_err(failed)?,
        listener,
        target: None,
        last_received: Instant::now(),
        waiting: WaitingConnections::default(),
        refusals: RefusedTargets::default(),
        is_announced: false,
        next_accept: Instant::now(),
        last_polled: Instant::now(),
    })
}

impl Source for TcpListenSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let deadline = Instant::now() + wait;
        loop {
            if let Some(refused) = self.refusals.take_due() {
                return SourceEvent::Refused(refused);
            }
            let now = Instant::now();
            if now.duration_since(self.last_polled) > MAX_POLL_GAP {
                self.waiting.forget_drained();
            }
            self.last_polled = now;
            let remaining = deadline.saturating_duration_since(now).min(ACCEPT_INTERVAL);
            if self.next_accept <= now {
                self.accept_waiting();
                self.next_accept = now + ACCEPT_INTERVAL;
            }
            if self.target.is_some() {
                match self.read_target(remaining) {
                    ReadOutcome::Nothing => {}
                    ReadOutcome::Lost(why) => return SourceEvent::Lost(why),
                    ReadOutcome::Closed => return SourceEvent::Closed(CLOSED.to_owned()),
                    ReadOutcome::Bytes(count) => {
                        let target = self.target.as_ref();
                        return SourceEvent::Bytes(
                            target.map_or(&[], |target| target.bytes(count)),
                        );
                    }
                }
            } else if let Some(peer) = self.accept_next() {
                self.is_announced = false;
                return SourceEvent::Connected(peer.to_string());
            } else if !self.is_announced {
                self.is_announced = true;
                return SourceEvent::Waiting(format!("a target to connect to {}", self.local));
            } else {
                thread::sleep(remaining);
                self.next_accept = Instant::now();
            }
            if deadline <= Instant::now() {
                return SourceEvent::Nothing;
            }
        }
    }

    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        let sent = match &mut self.target {
            Some(target) => target.send(bytes, wait),
            None => Err(ErrorKind::NotConnected.into()),
        };
        sent.map_err(|source| SourceError::Send {
            subject: "the target".to_owned(),
            source,
        })
    }

    fn prepare_end(&mut self) -> bool {
        true
    }

    fn queued_bytes(&self) -> u64 {
        self.target.as_ref().map_or(0, TargetConnection::queued)
    }

    fn close(mut self: Box<Self>) -> Option<RefusedConnections> {
        self.waiting.accept(&self.listener);
        let refused = self.refusals.take_all();
        let waiting = self.waiting.len() as u64;
        if waiting == 0 {
            return refused;
        }
        let connections = waiting + refused.as_ref().map_or(0, |refused| refused.connections);
        let before = refused.map_or(String::new(), |refused| format!("{}; ", refused.message));
        let unread = pluralise(waiting, "connection", "connections");
        Some(RefusedConnections {
            connections,
            message: format!("{before}the capture ended with {unread} still unread"),
        })
    }
}

impl TcpListenSource {
    /// Takes the next waiting connection.
    fn accept_next(&mut self) -> Option<SocketAddr> {
        if self.waiting.is_empty() {
            self.waiting.accept(&self.listener);
        }
        let candidate = self.waiting.next()?;
        self.target = TargetConnection::new(candidate.stream).ok();
        self.last_received = Instant::now();
        if let Some(target) = self.target.as_ref().filter(|_| !self.waiting.is_empty()) {
            target.set_keep_alive(KeepAlive::Short);
        }
        self.target.is_some().then_some(candidate.peer)
    }

    /// Accepts new connections into the queue.
    fn accept_waiting(&mut self) {
        let was_empty = self.waiting.is_empty();
        self.waiting.accept(&self.listener);
        self.refusals.close_finished();
        if let Some(target) = &self.target
            && was_empty
            && !self.waiting.is_empty()
        {
            target.set_keep_alive(KeepAlive::Short);
        }
    }

    fn read_target(&mut self, wait: Duration) -> ReadOutcome {
        let Some(target) = &mut self.target else {
            return ReadOutcome::Nothing;
        };
        let outcome = target.read(wait);
        match outcome {
            ReadOutcome::Bytes(_) => self.last_received = Instant::now(),
            ReadOutcome::Nothing => {}
            ReadOutcome::Lost(_) | ReadOutcome::Closed => {
                self.target = None;
                return outcome;
            }
        }
        self.refuse_waiting();
        outcome
    }

    /// Refuses waiting connections that the target does not make room for.
    fn refuse_waiting(&mut self) {
        // Read the rest of a closed connection before judging the next one.
        let is_drained =
            |target: &&TargetConnection| !self.waiting.is_empty() && target.is_drained();
        let Some(target) = self.target.as_ref().filter(is_drained) else {
            return;
        };
        for candidate in self
            .waiting
            .take_refused(Instant::now(), self.last_received)
        {
            self.refusals.refuse(candidate.stream, candidate.peer);
        }
        if self.waiting.is_empty() {
            target.set_keep_alive(KeepAlive::Long);
        }
    }
}

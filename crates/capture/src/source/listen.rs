//! A port that a target connects to.

use super::connection::{Connection, Heard, Patience};
use super::refusals::Refusals;
use super::waiting::Queue;
use super::{Happened, Refused, Source, SourceError, SourceSettings};
use crate::address::Endpoint;
use rtoscope_trace::diagnostic::counted;
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks for others that want to connect.
const LOOK: Duration = Duration::from_millis(20);

/// After a longer absence, what is read may have come long before.
const MAX_ABSENCE: Duration = Duration::from_millis(250);

/// A source that listens: one target at a time, the others wait for their turn.
pub(super) struct Listen {
    listener: TcpListener,
    local: SocketAddr,
    target: Option<Connection>,
    /// When the target last sent something.
    heard_at: Instant,
    queue: Queue,
    refusals: Refusals,
    is_announced: bool,
    look_at: Instant,
    /// When it was last looked after.
    attended_at: Instant,
}

/// Opens a port to listen on.
pub(super) fn open(endpoint: &Endpoint, settings: &SourceSettings) -> Result<Listen, SourceError> {
    let failed = |source| SourceError::Open {
        what: format!("tcp-listen://{endpoint}"),
        source,
    };
    let mut addresses = endpoint.addresses().map_err(failed)?;
    // `localhost` is also ::1, where most targets do not look for it.
    addresses.sort_by_key(SocketAddr::is_ipv6);
    let is_local = |address: &SocketAddr| address.ip().to_canonical().is_loopback();
    if !settings.public && !addresses.iter().all(is_local) {
        return Err(SourceError::Unusable(format!(
            "tcp-listen://{endpoint} would let other machines connect: allow it with --public, \
             or listen on 127.0.0.1"
        )));
    }
    let listener = TcpListener::bind(addresses.as_slice()).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(Listen {
        local: listener.local_addr().map_err(failed)?,
        listener,
        target: None,
        heard_at: Instant::now(),
        queue: Queue::default(),
        refusals: Refusals::default(),
        is_announced: false,
        look_at: Instant::now(),
        attended_at: Instant::now(),
    })
}

impl Source for Listen {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        let deadline = Instant::now() + wait;
        loop {
            if let Some(refused) = self.refusals.due() {
                return Happened::Refused(refused);
            }
            let now = Instant::now();
            if now.duration_since(self.attended_at) > MAX_ABSENCE {
                self.queue.start_again();
            }
            self.attended_at = now;
            let remaining = deadline.saturating_duration_since(now).min(LOOK);
            if self.look_at <= now {
                self.look();
                self.look_at = now + LOOK;
            }
            if self.target.is_some() {
                match self.hear(remaining) {
                    Heard::Nothing => {}
                    Heard::Lost(why) => return Happened::Lost(why),
                    Heard::Bytes(count) => {
                        let target = self.target.as_ref();
                        return Happened::Bytes(target.map_or(&[], |target| target.bytes(count)));
                    }
                }
            } else if let Some(peer) = self.welcome() {
                self.is_announced = false;
                return Happened::Connected(peer.to_string());
            } else if !self.is_announced {
                self.is_announced = true;
                return Happened::Waiting(format!("a target to connect to {}", self.local));
            } else {
                thread::sleep(remaining);
                self.look_at = Instant::now();
            }
            if deadline <= Instant::now() {
                return Happened::Nothing;
            }
        }
    }

    fn close(mut self: Box<Self>) -> Option<Refused> {
        self.queue.accept(&self.listener);
        let refused = self.refusals.take();
        let waiting = self.queue.len() as u64;
        if waiting == 0 {
            return refused;
        }
        let connections = waiting + refused.as_ref().map_or(0, |refused| refused.connections);
        let before = refused.map_or(String::new(), |refused| format!("{}; ", refused.message));
        let unread = counted(waiting, "connection", "connections");
        Some(Refused {
            connections,
            message: format!("{before}the capture ended with {unread} still unread"),
        })
    }
}

impl Listen {
    /// Takes the next that waits.
    fn welcome(&mut self) -> Option<SocketAddr> {
        if self.queue.is_empty() {
            self.queue.accept(&self.listener);
        }
        let candidate = self.queue.next()?;
        self.target = Connection::new(candidate.stream).ok();
        self.heard_at = Instant::now();
        if let Some(target) = self.target.as_ref().filter(|_| !self.queue.is_empty()) {
            target.ask(Patience::Short);
        }
        self.target.is_some().then_some(candidate.peer)
    }

    /// Takes note of others that want to connect.
    fn look(&mut self) {
        let was_empty = self.queue.is_empty();
        self.queue.accept(&self.listener);
        self.refusals.tend();
        if let Some(target) = &self.target
            && was_empty
            && !self.queue.is_empty()
        {
            target.ask(Patience::Short);
        }
    }

    fn hear(&mut self, wait: Duration) -> Heard {
        let Some(target) = &mut self.target else {
            return Heard::Nothing;
        };
        let heard = target.read(wait);
        match heard {
            Heard::Bytes(_) => self.heard_at = Instant::now(),
            Heard::Nothing => {}
            Heard::Lost(_) => {
                self.target = None;
                return heard;
            }
        }
        self.refuse();
        heard
    }

    /// Refuses those for which the target does not make room.
    fn refuse(&mut self) {
        // What a closed connection has sent is read before the next one is judged.
        let is_drained = |target: &&Connection| !self.queue.is_empty() && target.is_drained();
        let Some(target) = self.target.as_ref().filter(is_drained) else {
            return;
        };
        for candidate in self.queue.refused(Instant::now(), self.heard_at) {
            self.refusals.refuse(candidate.stream, candidate.peer);
        }
        if self.queue.is_empty() {
            target.ask(Patience::Long);
        }
    }
}

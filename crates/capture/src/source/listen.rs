//! A port that a target connects to.

use super::connection::{Connection, Heard, Patience};
use super::refusals::Refusals;
use super::{Happened, Source, SourceError, SourceSettings};
use crate::address::Endpoint;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks for another that wants to connect.
const LOOK: Duration = Duration::from_millis(20);

/// Others that are taken in at a look, so that the one who is there is heard.
const MOST_AT_ONCE: usize = 64;

/// How long another may wait for a silent one to turn out gone: longer than
/// [`Patience::Short`].
const CHALLENGE: Duration = Duration::from_secs(6);

/// A source that listens: one target at a time.
pub(super) struct Listen {
    listener: TcpListener,
    local: SocketAddr,
    target: Option<Connection>,
    challenger: Option<Challenger>,
    refusals: Refusals,
    is_announced: bool,
    look_at: Instant,
}

/// One who came while another was there. A target that restarts comes again
/// before anybody knows that it was gone.
struct Challenger {
    stream: TcpStream,
    peer: SocketAddr,
    since: Instant,
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
        challenger: None,
        refusals: Refusals::default(),
        is_announced: false,
        look_at: Instant::now(),
    })
}

impl Source for Listen {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        let deadline = Instant::now() + wait;
        loop {
            if let Some(remark) = self.refusals.remark() {
                return Happened::Remark(remark);
            }
            let now = Instant::now();
            let remaining = deadline.saturating_duration_since(now).min(LOOK);
            if self.target.is_some() {
                if self.look_at <= now {
                    self.look();
                    self.look_at = now + LOOK;
                }
                match self.hear(remaining) {
                    Heard::Nothing => {}
                    Heard::Lost(why) => return Happened::Lost(why),
                    Heard::Bytes(count) => {
                        let target = self.target.as_ref();
                        return Happened::Bytes(target.map_or(&[], |target| target.bytes(count)));
                    }
                }
            } else if !self.is_announced {
                self.is_announced = true;
                return Happened::Waiting(format!("a target to connect to {}", self.local));
            } else if let Some(peer) = self.welcome() {
                self.is_announced = false;
                return Happened::Connected(peer.to_string());
            } else {
                self.refusals.tend();
                thread::sleep(remaining);
            }
            if deadline <= Instant::now() {
                return Happened::Nothing;
            }
        }
    }
}

impl Listen {
    /// Takes the next who comes.
    fn welcome(&mut self) -> Option<SocketAddr> {
        let next = match self.challenger.take() {
            Some(challenger) => Some((challenger.stream, challenger.peer)),
            // A failure is that of one who came and went, or passes.
            None => self.listener.accept().ok(),
        };
        let (stream, peer) = next?;
        self.target = Connection::new(stream).ok();
        self.target.is_some().then_some(peer)
    }

    /// Takes note of others who want to connect.
    fn look(&mut self) {
        for _ in 0..MOST_AT_ONCE {
            let Ok((stream, peer)) = self.listener.accept() else {
                break;
            };
            if self.challenger.is_some() {
                self.refusals.refuse(stream, peer);
                continue;
            }
            let since = Instant::now();
            self.challenger = Some(Challenger {
                stream,
                peer,
                since,
            });
            self.ask(Patience::Short);
        }
        let challenger = self.challenger.as_ref();
        if challenger.is_some_and(|challenger| challenger.since.elapsed() > CHALLENGE) {
            self.keep();
        }
        self.refusals.tend();
    }

    /// Keeps the one who is there, since it has answered.
    fn keep(&mut self) {
        if let Some(challenger) = self.challenger.take() {
            self.refusals.refuse(challenger.stream, challenger.peer);
            self.ask(Patience::Long);
        }
    }

    fn ask(&self, patience: Patience) {
        if let Some(target) = &self.target {
            target.ask(patience);
        }
    }

    fn hear(&mut self, wait: Duration) -> Heard {
        let Some(target) = &mut self.target else {
            return Heard::Nothing;
        };
        let heard = target.read(wait);
        match heard {
            Heard::Bytes(_) => self.keep(),
            Heard::Lost(_) => self.target = None,
            Heard::Nothing => {}
        }
        heard
    }
}

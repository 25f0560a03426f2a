//! A target, or a program beside it, that is connected to.

use super::backoff::Backoff;
use super::connection::{Connection, Heard};
use super::{Happened, Source, SourceError};
use crate::address::Endpoint;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long one address of a host is tried.
const ATTEMPT: Duration = Duration::from_secs(5);

/// A source that connects, again and again.
pub(super) struct Connect {
    endpoint: Endpoint,
    state: State,
    backoff: Backoff,
    /// What was said last of what is waited for.
    told: Option<String>,
}

enum State {
    /// Nobody tries.
    Idle,
    /// A thread tries: it may take longer than anybody wants to wait.
    Trying(Receiver<io::Result<TcpStream>>),
    Connected(Connection),
}

/// Opens a source that connects.
pub(super) fn open(endpoint: &Endpoint) -> Result<Connect, SourceError> {
    endpoint.addresses().map_err(|source| SourceError::Open {
        what: format!("tcp://{endpoint}: the host is not known"),
        source,
    })?;
    Ok(Connect {
        endpoint: endpoint.clone(),
        state: State::Idle,
        backoff: Backoff::new(),
        told: None,
    })
}

impl Source for Connect {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        let deadline = Instant::now() + wait;
        if self.told.is_none() && !matches!(self.state, State::Connected(_)) {
            return self.tell(format!("{} to answer", self.endpoint));
        }
        if matches!(self.state, State::Idle) {
            if !self.backoff.wait(deadline) {
                return Happened::Nothing;
            }
            self.state = State::Trying(attempt(self.endpoint.clone()));
        }
        let remaining = deadline.saturating_duration_since(Instant::now());
        if let State::Trying(attempt) = &self.state {
            return match attempt.recv_timeout(remaining) {
                Ok(Ok(stream)) => self.connected(stream),
                Ok(Err(error)) => self.failed(&error),
                Err(RecvTimeoutError::Timeout) => Happened::Nothing,
                Err(RecvTimeoutError::Disconnected) => {
                    self.failed(&io::Error::other("nobody could try"))
                }
            };
        }
        self.read(remaining)
    }
}

impl Connect {
    fn connected(&mut self, stream: TcpStream) -> Happened<'_> {
        let peer = stream.peer_addr();
        match peer.and_then(|peer| Ok((peer, Connection::new(stream)?))) {
            Ok((peer, connection)) => {
                self.state = State::Connected(connection);
                self.told = None;
                Happened::Connected(peer.to_string())
            }
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&mut self, error: &io::Error) -> Happened<'_> {
        self.state = State::Idle;
        self.backoff.failed();
        self.tell(format!("{} to answer ({error})", self.endpoint))
    }

    /// Says what is waited for, unless it was said.
    fn tell(&mut self, what: String) -> Happened<'_> {
        if self.told.as_ref() == Some(&what) {
            return Happened::Nothing;
        }
        self.told = Some(what.clone());
        Happened::Waiting(what)
    }

    fn read(&mut self, wait: Duration) -> Happened<'_> {
        let State::Connected(connection) = &mut self.state else {
            return Happened::Nothing;
        };
        match connection.read(wait) {
            Heard::Nothing => Happened::Nothing,
            Heard::Bytes(count) => {
                self.backoff.succeeded();
                match &self.state {
                    State::Connected(connection) => Happened::Bytes(connection.bytes(count)),
                    _ => Happened::Nothing,
                }
            }
            Heard::Lost(why) => {
                self.state = State::Idle;
                self.backoff.failed();
                Happened::Lost(why)
            }
        }
    }
}

/// Tries once, in a thread of its own that ends when it has an answer.
pub(super) fn attempt(endpoint: Endpoint) -> Receiver<io::Result<TcpStream>> {
    let (answer, answers) = channel();
    let tried = thread::Builder::new()
        .name("connect".to_owned())
        // Without a thread the answer is that nobody could try.
        .spawn(move || answer.send(connect(&endpoint)));
    drop(tried);
    answers
}

/// Connects to the first address of a host that answers.
fn connect(endpoint: &Endpoint) -> io::Result<TcpStream> {
    let mut last = ErrorKind::AddrNotAvailable.into();
    for address in endpoint.addresses()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            // A port that nobody has can by chance be given to whoever connects
            // to it, who then meets itself.
            Ok(stream) if stream.local_addr()? == address => {
                last = ErrorKind::ConnectionRefused.into();
            }
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

//! TCP client source.

use super::backoff::Backoff;
use super::interface::{Source, SourceError, SourceEvent};
use super::target_connection::{CLOSED, ReadOutcome, TargetConnection};
use crate::address::{Endpoint, Scheme};
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout of an attempt to connect to one address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for the server to take the greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(1);

/// A source that connects, and reconnects.
pub(super) struct TcpSource {
    /// The scheme of its address.
    scheme: Scheme,
    endpoint: Endpoint,
    /// What is sent first.
    greeting: String,
    state: TcpState,
    backoff: Backoff,
    /// The last announcement of what the source waits for.
    announced: Option<String>,
}

enum TcpState {
    /// Not connecting.
    Idle,
    /// A thread is connecting, which may take long.
    Connecting(Receiver<io::Result<TcpStream>>),
    Connected(TargetConnection),
}

/// Opens a source that connects.
pub(super) fn open(
    scheme: Scheme,
    endpoint: &Endpoint,
    greeting: String,
) -> Result<TcpSource, SourceError> {
    endpoint.addresses().map_err(|source| SourceError::Open {
        subject: format!("{}://{endpoint}: unknown host", scheme.name()),
        source,
    })?;
    Ok(TcpSource {
        scheme,
        endpoint: endpoint.clone(),
        greeting,
        state: TcpState::Idle,
        backoff: Backoff::new(),
        announced: None,
    })
}

impl Source for TcpSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let deadline = Instant::now() + wait;
        if self.announced.is_none() && !matches!(self.state, TcpState::Connected(_)) {
            return self.announce_waiting(format!("{} to answer", self.endpoint));
        }
        if matches!(self.state, TcpState::Idle) {
            if !self.backoff.wait(deadline) {
                return SourceEvent::Nothing;
            }
            self.state = TcpState::Connecting(connect_in_background(self.endpoint.clone()));
        }
        let remaining = deadline.saturating_duration_since(Instant::now());
        if let TcpState::Connecting(attempt) = &self.state {
            return match attempt.recv_timeout(remaining) {
                Ok(Ok(stream)) => self.connected(stream),
                Ok(Err(error)) => self.connect_failed(&error),
                Err(RecvTimeoutError::Timeout) => SourceEvent::Nothing,
                Err(RecvTimeoutError::Disconnected) => {
                    self.connect_failed(&io::Error::other("no thread to connect"))
                }
            };
        }
        self.read(remaining)
    }

    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        let sent = match &mut self.state {
            TcpState::Connected(connection) => connection.send(bytes, wait),
            _ => Err(ErrorKind::NotConnected.into()),
        };
        sent.map_err(|source| SourceError::Send {
            subject: format!("{}://{}", self.scheme.name(), self.endpoint),
            source,
        })
    }

    fn prepare_end(&mut self) -> bool {
        true
    }

    fn queued_bytes(&self) -> u64 {
        match &self.state {
            TcpState::Connected(connection) => connection.queued(),
            _ => 0,
        }
    }
}

impl TcpSource {
    fn disconnected(&mut self) {
        self.state = TcpState::Idle;
        self.backoff.failed();
    }

    fn connected(&mut self, stream: TcpStream) -> SourceEvent<'_> {
        let peer = stream.peer_addr();
        let connection = peer.and_then(|peer| {
            let mut connection = TargetConnection::new(stream)?;
            connection.send(self.greeting.as_bytes(), GREETING_TIMEOUT)?;
            Ok((peer, connection))
        });
        match connection {
            Ok((peer, connection)) => {
                self.state = TcpState::Connected(connection);
                self.announced = None;
                SourceEvent::Connected(peer.to_string())
            }
            Err(error) => self.connect_failed(&error),
        }
    }

    fn connect_failed(&mut self, error: &io::Error) -> SourceEvent<'_> {
        self.state = TcpState::Idle;
        self.backoff.failed();
        self.announce_waiting(format!("{} to answer ({error})", self.endpoint))
    }

    /// Announces what the source waits for, unless already announced.
    fn announce_waiting(&mut self, what: String) -> SourceEvent<'_> {
        if self.announced.as_ref() == Some(&what) {
            return SourceEvent::Nothing;
        }
        self.announced = Some(what.clone());
        SourceEvent::Waiting(what)
    }

    fn read(&mut self, wait: Duration) -> SourceEvent<'_> {
        let TcpState::Connected(connection) = &mut self.state else {
            return SourceEvent::Nothing;
        };
        match connection.read(wait) {
            ReadOutcome::Nothing => SourceEvent::Nothing,
            ReadOutcome::Bytes(count) => {
                self.backoff.succeeded();
                match &self.state {
                    TcpState::Connected(connection) => SourceEvent::Bytes(connection.bytes(count)),
                    _ => SourceEvent::Nothing,
                }
            }
            ReadOutcome::Lost(why) => {
                self.disconnected();
                SourceEvent::Lost(why)
            }
            ReadOutcome::Closed => {
                self.disconnected();
                SourceEvent::Closed(CLOSED.to_owned())
            }
        }
    }
}

/// Makes one attempt in a separate thread, which ends with the result.
pub(super) fn connect_in_background(endpoint: Endpoint) -> Receiver<io::Result<TcpStream>> {
    let (answer, answers) = channel();
    let tried = thread::Builder::new()
        .name("connect".to_owned())
        // Without a thread, the receiver reports that no attempt was made.
        .spawn(move || answer.send(connect(&endpoint)));
    drop(tried);
    answers
}

/// Connects to the first address of a host that answers.
fn connect(endpoint: &Endpoint) -> io::Result<TcpStream> {
    let mut last = ErrorKind::AddrNotAvailable.into();
    for address in endpoint.addresses()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            // Connecting to a free local port can connect a socket to itself by chance.
            Ok(stream) if stream.local_addr()? == address => {
                last = ErrorKind::ConnectionRefused.into();
            }
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

//! A TCP connection that gives the bytes of a trace.

use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read as _};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes that are read at once at most.
const READ_BUFFER_LEN: usize = 256 << 10;

/// The shortest wait that every system knows.
const MIN_READ_TIMEOUT: Duration = Duration::from_millis(1);

/// A TCP connection that gives the bytes of a trace.
pub(super) struct TargetConnection {
    stream: TcpStream,
    buffer: Box<[u8]>,
    /// How long a read waits.
    wait: Duration,
}

/// What came.
pub(super) enum ReadOutcome {
    /// So many bytes.
    Bytes(usize),
    /// Nothing in time.
    Nothing,
    /// The end, and why.
    Lost(String),
}

/// How soon silence is taken for the other's end. Whoever is there answers to
/// the question, however little it has to say, unless it is halted.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeepAlive {
    /// One who restarted is noticed after seconds, but one who is halted by a
    /// debugger may stay so for ten minutes.
    Long,
    /// Another waits for its place.
    Short,
}

impl TargetConnection {
    /// Begins to read.
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        // Where listeners do not block, what they accept does not either.
        stream.set_nonblocking(false)?;
        let connection = Self {
            stream,
            buffer: vec![0; READ_BUFFER_LEN].into_boxed_slice(),
            wait: Duration::ZERO,
        };
        connection.set_keep_alive(KeepAlive::Long);
        Ok(connection)
    }

    /// Lets the system ask whether the other is still there. Where it cannot,
    /// silence is never taken for the end.
    pub(super) fn set_keep_alive(&self, patience: KeepAlive) {
        let (pause, questions) = match patience {
            KeepAlive::Long => (Duration::from_secs(5), 120),
            KeepAlive::Short => (Duration::from_secs(1), 3),
        };
        let keepalive = TcpKeepalive::new().with_time(pause).with_interval(pause);
        #[cfg(not(target_os = "openbsd"))]
        let keepalive = keepalive.with_retries(questions);
        SockRef::from(&self.stream)
            .set_tcp_keepalive(&keepalive)
            .ok();
    }

    /// Reads what comes, waiting about so long.
    pub(super) fn read(&mut self, wait: Duration) -> ReadOutcome {
        let wait = wait.max(MIN_READ_TIMEOUT);
        if wait != self.wait {
            if let Err(error) = self.stream.set_read_timeout(Some(wait)) {
                return ReadOutcome::Lost(error.to_string());
            }
            self.wait = wait;
        }
        match self.stream.read(&mut self.buffer) {
            Ok(0) => ReadOutcome::Lost("the target closed the connection".to_owned()),
            Ok(bytes) => ReadOutcome::Bytes(bytes),
            Err(error) if is_timeout(&error) => ReadOutcome::Nothing,
            Err(error) => ReadOutcome::Lost(error.to_string()),
        }
    }

    /// Whether nothing is there to read, and the other end has not closed.
    pub(super) fn is_drained(&self) -> bool {
        let mut byte = [0];
        let peeked = self.stream.set_nonblocking(true);
        let peeked = peeked.and_then(|()| self.stream.peek(&mut byte));
        // The next read reports what goes wrong here.
        let _ = self.stream.set_nonblocking(false);
        peeked.is_err_and(|error| is_timeout(&error))
    }

    /// What the last read brought.
    pub(super) fn bytes(&self, count: usize) -> &[u8] {
        self.buffer.get(..count).unwrap_or_default()
    }
}

/// Whether nothing came in time. Elsewhere than on Windows, a read that timed
/// out is one whose other end did not answer.
fn is_timeout(error: &io::Error) -> bool {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::Interrupted => true,
        ErrorKind::TimedOut => cfg!(windows),
        _ => false,
    }
}

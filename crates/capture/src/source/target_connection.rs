//! A TCP connection that delivers the bytes of a trace.

use super::queued::queued_bytes;
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Size of the read buffer in bytes.
const READ_BUFFER_LEN: usize = 256 << 10;

/// Minimum timeout that every system supports.
const MIN_READ_TIMEOUT: Duration = Duration::from_millis(1);

/// A TCP connection that delivers the bytes of a trace, and takes answers.
pub(super) struct TargetConnection {
    stream: TcpStream,
    buffer: Box<[u8]>,
    /// Current read timeout.
    wait: Duration,
}

/// The result of a read.
pub(super) enum ReadOutcome {
    /// Number of bytes.
    Bytes(usize),
    /// Timeout.
    Nothing,
    /// The connection broke, with the reason.
    Lost(String),
    /// The target closed the connection.
    Closed,
}

/// How soon silence counts as a lost connection. A connected target answers keepalive
/// probes, unless it is halted.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeepAlive {
    /// A restarted target is detected after seconds, but one halted by a debugger may
    /// stay silent for ten minutes.
    Long,
    /// Another target waits.
    Short,
}

impl TargetConnection {
    /// Prepares the connection for reading.
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        // An accepted socket may inherit non-blocking mode from its listener.
        stream.set_nonblocking(false)?;
        // Answers are short, and a target waits for them.
        stream.set_nodelay(true)?;
        let connection = Self {
            stream,
            buffer: vec![0; READ_BUFFER_LEN].into_boxed_slice(),
            wait: Duration::ZERO,
        };
        connection.set_keep_alive(KeepAlive::Long);
        Ok(connection)
    }

    /// Configures TCP keepalive. If the system does not support it, silence never
    /// counts as a lost connection.
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

    /// Reads available bytes, waiting for about `wait`.
    pub(super) fn read(&mut self, wait: Duration) -> ReadOutcome {
        let wait = wait.max(MIN_READ_TIMEOUT);
        if wait != self.wait {
            if let Err(error) = self.stream.set_read_timeout(Some(wait)) {
                return ReadOutcome::Lost(error.to_string());
            }
            self.wait = wait;
        }
        match self.stream.read(&mut self.buffer) {
            Ok(0) => ReadOutcome::Closed,
            Ok(bytes) => ReadOutcome::Bytes(bytes),
            Err(error) if is_timeout(&error) => ReadOutcome::Nothing,
            Err(error) => ReadOutcome::Lost(error.to_string()),
        }
    }

    /// Sends bytes within about `wait`.
    pub(super) fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<()> {
        let deadline = Instant::now() + wait;
        let mut rest = bytes;
        while !rest.is_empty() {
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Err(not_taken(bytes.len() - rest.len(), bytes.len()));
            }
            let remaining = remaining.max(MIN_READ_TIMEOUT);
            self.stream.set_write_timeout(Some(remaining))?;
            match self.stream.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether there is nothing to read, and the other end has not closed the
    /// connection.
    pub(super) fn is_drained(&self) -> bool {
        let mut byte = [0];
        let peeked = self.stream.set_nonblocking(true);
        let peeked = peeked.and_then(|()| self.stream.peek(&mut byte));
        // The next read reports this error.
        let _ = self.stream.set_nonblocking(false);
        peeked.is_err_and(|error| is_timeout(&error))
    }

    /// Number of bytes that wait to be read, as far as it is known.
    pub(super) fn queued(&self) -> u64 {
        queued_bytes(&self.stream)
    }

    /// The bytes of the last read.
    pub(super) fn bytes(&self, count: usize) -> &[u8] {
        self.buffer.get(..count).unwrap_or_default()
    }
}

/// The error for a target that does not take what is sent to it.
pub(super) fn not_taken(taken: usize, all: usize) -> io::Error {
    let problem = format!("the target took only {taken} of {all} bytes in time");
    io::Error::new(ErrorKind::TimedOut, problem)
}

/// What a target did that closed its connection.
pub(super) const CLOSED: &str = "the target closed the connection";

/// Whether a read timed out. Except on Windows, `TimedOut` means that the other end did
/// not answer keepalive probes.
fn is_timeout(error: &io::Error) -> bool {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::Interrupted => true,
        ErrorKind::TimedOut => cfg!(windows),
        _ => false,
    }
}

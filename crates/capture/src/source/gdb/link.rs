//! Packet connection to a stub.

use super::packet::{Deframer, StubInput, framed};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection to a stub.
pub(super) struct StubLink {
    stream: TcpStream,
    deframer: Deframer,
    packets: VecDeque<Vec<u8>>,
    /// Whether packets are acknowledged, as they are until both sides agree on no-ack
    /// mode.
    acknowledges: bool,
    /// The last packet, as long as the stub may request it again.
    sent: Vec<u8>,
    /// Number of repetitions of the last packet, in either direction.
    repeated: u32,
}

/// Why no packet was received.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum LinkError {
    /// Timeout.
    #[error("it does not answer")]
    Timeout,
    /// The connection is unusable, with the reason.
    #[error("{0}")]
    Broken(String),
}

/// Interrupts a running target.
const INTERRUPT: u8 = 0x03;

/// Maximum time for sending.
const SEND_LIMIT: Duration = Duration::from_secs(2);

/// Maximum number of repetitions of a packet.
const MAX_REPEATED: u32 = 5;

/// Maximum number of unsolicited packets in the queue; more than one is unusual.
const MAX_QUEUED_PACKETS: usize = 16;

impl StubLink {
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_LIMIT))?;
        Ok(Self {
            stream,
            deframer: Deframer::default(),
            packets: VecDeque::new(),
            acknowledges: true,
            sent: Vec::new(),
            repeated: 0,
        })
    }

    /// Stops acknowledging packets.
    pub(super) fn stop_acknowledging(&mut self) {
        self.acknowledges = false;
    }

    /// Sends a packet with these characters.
    pub(super) fn send(&mut self, characters: &str) -> Result<(), LinkError> {
        self.sent = framed(characters);
        self.repeated = 0;
        self.send_again()
    }

    /// Interrupts a running target.
    pub(super) fn interrupt(&mut self) -> Result<(), LinkError> {
        // The stub must not request the last packet again after this byte.
        self.sent.clear();
        self.repeated = 0;
        self.write(&[INTERRUPT])
    }

    /// Receives a packet, waiting until `end`.
    pub(super) fn receive(&mut self, end: Instant) -> Result<Vec<u8>, LinkError> {
        loop {
            if let Some(packet) = self.packets.pop_front() {
                return Ok(packet);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(LinkError::Timeout);
            }
            self.read_within(left)?;
        }
    }

    /// An unsolicited packet, if one has been received.
    pub(super) fn try_receive(&mut self) -> Result<Option<Vec<u8>>, LinkError> {
        if self.packets.is_empty() {
            self.stream.set_nonblocking(true).map_err(broken_link)?;
            let taken = self.read_available();
            self.stream.set_nonblocking(false).map_err(broken_link)?;
            taken?;
        }
        Ok(self.packets.pop_front())
    }

    /// Reads available bytes, waiting for at most `limit`.
    fn read_within(&mut self, limit: Duration) -> Result<(), LinkError> {
        // 0 would mean no limit.
        let limit = limit.max(Duration::from_millis(1));
        self.stream
            .set_read_timeout(Some(limit))
            .map_err(broken_link)?;
        self.read_available()
    }

    fn read_available(&mut self) -> Result<(), LinkError> {
        let mut bytes = [0; 16 << 10];
        let count = match self.stream.read(&mut bytes) {
            Ok(0) => return Err(LinkError::Broken("it closed the connection".to_owned())),
            Ok(count) => count,
            Err(error) if is_timeout(error.kind()) => return Ok(()),
            Err(error) => return Err(broken_link(error)),
        };
        for byte in bytes.iter().take(count) {
            match self.deframer.push(*byte) {
                Some(StubInput::Packet(packet)) => {
                    self.acknowledge(b"+")?;
                    if self.packets.len() < MAX_QUEUED_PACKETS {
                        self.packets.push_back(packet);
                    }
                }
                Some(StubInput::Damaged) => {
                    self.count_repetition("its packets are damaged")?;
                    self.acknowledge(b"-")?;
                }
                Some(StubInput::Nack) if self.acknowledges => {
                    self.count_repetition("it reports damaged packets")?;
                    self.send_again()?;
                }
                Some(StubInput::Nack | StubInput::Ack) | None => {}
            }
        }
        Ok(())
    }

    fn count_repetition(&mut self, problem: &str) -> Result<(), LinkError> {
        self.repeated += 1;
        if self.repeated > MAX_REPEATED {
            return Err(LinkError::Broken(problem.to_owned()));
        }
        Ok(())
    }

    fn send_again(&mut self) -> Result<(), LinkError> {
        let sent = std::mem::take(&mut self.sent);
        let result = self.write(&sent);
        self.sent = sent;
        result
    }

    fn acknowledge(&mut self, what: &[u8]) -> Result<(), LinkError> {
        if self.acknowledges {
            self.write(what)?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.write_all(bytes).map_err(broken_link)
    }
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn broken_link(error: io::Error) -> LinkError {
    LinkError::Broken(format!("the connection was lost: {error}"))
}

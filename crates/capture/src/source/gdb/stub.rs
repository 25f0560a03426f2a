//! A GDB server and its target.

use super::error::StubError;
use super::link::{LinkError, StubLink};
use super::packet::{from_hexadecimal, hexadecimal, unescaped};
use super::reply::{StopReason, StubFeatures, StubReply};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A GDB server and its target.
pub(super) struct Stub {
    link: StubLink,
    features: StubFeatures,
    /// The packet that resumes the target.
    resume_packet: &'static str,
    state: TargetState,
    /// When the target was asked to halt, while it is halted for that.
    halted: Option<Instant>,
    /// Duration of the last halt, from the request until the target was resumed.
    last_halt: Option<Duration>,
}

/// State of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetState {
    /// Running.
    Running,
    /// Halted by us; it will be resumed.
    Halted,
    /// Stopped by itself with a signal: at a breakpoint, by a fault, or halted by
    /// another client.
    Stopped(u8),
}

/// Timeout of a reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// Timeout of a read while the target runs.
const RUNNING_REPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of interrupts for a stub that does not reply, more than a request has
/// bytes, and the interval between them.
const MAX_INTERRUPTS: u32 = 128;
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(20);

/// Timeout of detaching.
const DETACH_TIMEOUT: Duration = Duration::from_millis(500);

/// The signal of an interrupted target.
const INTERRUPTED: u8 = 2;

/// Minimum read rate of any stub, in bytes per second.
const MIN_BYTES_PER_SECOND: usize = 1 << 10;

/// Maximum number of bytes per read.
const MAX_READ_LEN: usize = 16 << 10;

/// Maximum number of stale replies before the expected one.
const MAX_STALE_REPLIES: usize = 64;

/// Maximum length of a memory map in characters.
const MAX_MAP_CHARS: usize = 64 << 10;

impl Stub {
    /// Attaches to a stub. Most stubs have halted their target by then.
    pub(super) fn attach(stream: TcpStream) -> Result<Self, StubError> {
        let broken = |error: io::Error| LinkError::Broken(error.to_string());
        let mut stub = Self {
            link: StubLink::new(stream).map_err(broken)?,
            features: StubFeatures::default(),
            resume_packet: "c",
            state: TargetState::Halted,
            halted: Some(Instant::now()),
            last_halt: None,
        };
        stub.features = stub.supported()?;
        if stub.features.supports_no_ack_mode && stub.request("QStartNoAckMode")? == b"OK" {
            stub.link.stop_acknowledging();
        }
        let actions = stub.request("vCont?")?;
        let continues = actions.strip_prefix(b"vCont").unwrap_or_default();
        if continues.split(|byte| *byte == b';').any(|it| it == b"c") {
            stub.resume_packet = "vCont;c";
        }
        Ok(stub)
    }

    fn supported(&mut self) -> Result<StubFeatures, StubError> {
        let question = "qSupported:swbreak+;hwbreak+;vContSupported+;binary-upload+";
        let answer = match self.request(question) {
            // The target may be running, and the stub reacts only to an interrupt.
            Err(StubError::Link(LinkError::Timeout)) => {
                self.interrupt_unresponsive()?;
                self.request(question)?
            }
            answer => answer?,
        };
        Ok(StubFeatures::parse(&answer))
    }

    /// The last reported state of the target.
    pub(super) fn state(&self) -> TargetState {
        self.state
    }

    /// Duration of the last halt, from the interrupt until the target was resumed.
    pub(super) fn last_halt(&self) -> Option<Duration> {
        self.last_halt
    }

    /// Reads memory, in as many requests as the stub needs.
    pub(super) fn read(&mut self, address: u64, length: usize) -> Result<Vec<u8>, StubError> {
        let limit = match self.state {
            TargetState::Running => RUNNING_REPLY_TIMEOUT,
            TargetState::Halted | TargetState::Stopped(_) => REPLY_TIMEOUT,
        };
        let most = (self.features.packet_bytes / 2).clamp(1, MAX_READ_LEN);
        let end = Instant::now()
            + REPLY_TIMEOUT
            + Duration::from_secs((length / MIN_BYTES_PER_SECOND) as u64);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            if Instant::now() > end {
                return Err(LinkError::Broken("it answers too slowly".to_owned()).into());
            }
            let at = address.wrapping_add(bytes.len() as u64);
            let piece = self.read_some(at, most.min(length - bytes.len()), limit)?;
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    }

    /// Reads at least one and at most `length` bytes.
    fn read_some(
        &mut self,
        address: u64,
        length: usize,
        limit: Duration,
    ) -> Result<Vec<u8>, StubError> {
        let command = if self.features.has_binary_read {
            'x'
        } else {
            'm'
        };
        let question = format!("{command}{address:x},{length:x}");
        let answer = self.request_within(&question, limit)?;
        let unreadable = |said: &[u8]| StubError::Unreadable {
            address,
            reply: String::from_utf8_lossy(said).into_owned(),
        };
        let bytes = match (&*answer, self.features.has_binary_read) {
            ([], _) => return Err(unreadable(b"no such command")),
            ([b'b', bytes @ ..], true) => Some(unescaped(bytes)),
            (error, _) if is_error(error) => return Err(unreadable(error)),
            (digits, false) => from_hexadecimal(digits),
            (_, true) => None,
        };
        match bytes {
            Some(bytes) if bytes.is_empty() => Err(unreadable(b"no bytes")),
            Some(bytes) if bytes.len() <= length => Ok(bytes),
            _ => Err(StubError::InvalidReply(question)),
        }
    }

    /// Writes memory: a few bytes.
    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), StubError> {
        // An address, a length and two digits a byte must fit into a packet.
        let most = (self.features.packet_bytes.saturating_sub(40) / 2).clamp(1, MAX_READ_LEN);
        for (index, piece) in bytes.chunks(most).enumerate() {
            let at = address.wrapping_add((index * most) as u64);
            let question = format!("M{at:x},{:x}:{}", piece.len(), hexadecimal(piece));
            let answer = self.request(&question)?;
            if answer != b"OK" {
                return Err(StubError::Unwritable {
                    address: at,
                    reply: match &*answer {
                        [] => "no such command".to_owned(),
                        said => String::from_utf8_lossy(said).into_owned(),
                    },
                });
            }
        }
        Ok(())
    }

    /// Determines whether memory can be read while the target runs, as it does now. The
    /// target may be halted afterwards.
    pub(super) fn reads_while_running(&mut self, address: u64) -> Result<bool, StubError> {
        match self.read(address, 4) {
            Ok(_) => Ok(true),
            // The first byte sent halts the target.
            Err(StubError::Halted) => Ok(false),
            // The address may not be readable at all.
            Err(StubError::Unreadable { .. }) => {
                self.halt()?;
                match self.read(address, 4) {
                    Err(StubError::Unreadable { .. }) => Ok(true),
                    read => read.map(|_| false),
                }
            }
            // It reacts only to an interrupt.
            Err(StubError::Link(LinkError::Timeout)) => {
                self.interrupt_unresponsive().map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    /// Halts the target, if it runs.
    pub(super) fn halt(&mut self) -> Result<(), StubError> {
        if self.state != TargetState::Running {
            return Ok(());
        }
        while let Some(packet) = self.link.try_receive()? {
            if let StubReply::Stop(stop) = StubReply::classify(&packet) {
                return self.record_stop(stop);
            }
        }
        self.interrupt(1, REPLY_TIMEOUT)
    }

    /// Halts a target whose stub has not replied: it may consume one byte of the
    /// pending request per byte received before it recognises an interrupt.
    fn interrupt_unresponsive(&mut self) -> Result<(), StubError> {
        self.state = TargetState::Running;
        self.interrupt(MAX_INTERRUPTS, INTERRUPT_INTERVAL)?;
        self.synchronise()
    }

    /// Interrupts the target until it halts, at most `times` times.
    fn interrupt(&mut self, times: u32, limit: Duration) -> Result<(), StubError> {
        let since = Instant::now();
        for _ in 0..times {
            self.link.interrupt()?;
            match self.wait_for_halt(since, limit) {
                Err(StubError::Link(LinkError::Timeout)) => {}
                halted => return halted,
            }
        }
        Err(LinkError::Timeout.into())
    }

    fn wait_for_halt(&mut self, since: Instant, limit: Duration) -> Result<(), StubError> {
        let end = Instant::now() + limit;
        for _ in 0..MAX_STALE_REPLIES {
            let packet = self.link.receive(end)?;
            match StubReply::classify(&packet) {
                StubReply::Stop(StopReason::Signal(_)) => {
                    self.state = TargetState::Halted;
                    self.halted = Some(since);
                    return Ok(());
                }
                StubReply::Stop(StopReason::Ended) => return Err(StubError::Ended),
                StubReply::Output | StubReply::Other => {}
            }
        }
        Err(StubError::InvalidReply("an interrupt".to_owned()))
    }

    /// Resumes the target, unless it has stopped by itself.
    pub(super) fn resume(&mut self) -> Result<(), StubError> {
        if self.state == TargetState::Halted {
            self.link.send(self.resume_packet)?;
            self.state = TargetState::Running;
            self.last_halt = self.halted.take().map(|since| since.elapsed());
        }
        Ok(())
    }

    /// Detaches: a target that was halted for reading continues.
    pub(super) fn detach(&mut self, halts: bool) -> Result<(), StubError> {
        if halts {
            self.halt()?;
        }
        // Detaching would resume a target that has stopped by itself.
        if !matches!(self.state, TargetState::Stopped(_)) {
            self.link.send("D")?;
            self.link.receive(Instant::now() + DETACH_TIMEOUT)?;
        }
        Ok(())
    }

    /// The memory map of the target in XML, if the stub provides one.
    pub(super) fn memory_map(&mut self) -> Result<Option<Vec<u8>>, StubError> {
        if !self.features.has_memory_map {
            return Ok(None);
        }
        let most = (self.features.packet_bytes / 2).clamp(1, MAX_READ_LEN);
        let mut map = Vec::new();
        while map.len() < MAX_MAP_CHARS {
            let question = format!("qXfer:memory-map:read::{:x},{most:x}", map.len());
            let answer = self.request(&question)?;
            match &*answer {
                [b'm', part @ ..] if !part.is_empty() => map.extend(unescaped(part)),
                [b'l', part @ ..] => {
                    map.extend(unescaped(part));
                    return Ok(Some(map));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    fn request(&mut self, question: &str) -> Result<Vec<u8>, StubError> {
        self.request_within(question, REPLY_TIMEOUT)
    }

    /// Sends a request and waits for its reply.
    fn request_within(&mut self, question: &str, limit: Duration) -> Result<Vec<u8>, StubError> {
        self.link.send(question)?;
        let end = Instant::now() + limit;
        for _ in 0..MAX_STALE_REPLIES {
            let packet = self.link.receive(end)?;
            match StubReply::classify(&packet) {
                StubReply::Stop(StopReason::Ended) => return Err(StubError::Ended),
                StubReply::Stop(stop) if self.state == TargetState::Running => {
                    self.record_stop(stop)?;
                    // The request may be lost because the target was halted, or the
                    // reply may still follow.
                    self.synchronise()?;
                    return Err(StubError::Halted);
                }
                // The report of a halt that is already known.
                StubReply::Stop(_) | StubReply::Output => {}
                StubReply::Other => return Ok(packet),
            }
        }
        Err(StubError::InvalidReply(question.to_owned()))
    }

    fn record_stop(&mut self, stop: StopReason) -> Result<(), StubError> {
        self.state = match stop {
            StopReason::Signal(INTERRUPTED) => TargetState::Halted,
            StopReason::Signal(signal) => TargetState::Stopped(signal),
            StopReason::Ended => return Err(StubError::Ended),
        };
        self.halted = (self.state == TargetState::Halted).then(Instant::now);
        Ok(())
    }

    /// Waits until all requests are answered or dropped.
    fn synchronise(&mut self) -> Result<(), StubError> {
        // The only command with an empty reply from every stub.
        let question = "vMustReplyEmpty";
        self.link.send(question)?;
        let end = Instant::now() + REPLY_TIMEOUT;
        for _ in 0..MAX_STALE_REPLIES {
            if self.link.receive(end)?.is_empty() {
                return Ok(());
            }
        }
        Err(StubError::InvalidReply(question.to_owned()))
    }
}

/// `E` and two digits, or `E.` and a text.
fn is_error(answer: &[u8]) -> bool {
    matches!(answer, [b'E', b'.', ..] | [b'E', _, _])
}

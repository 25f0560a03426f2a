//! A debugger's server, and the target behind it.

use super::error::StubError;
use super::link::{LinkError, StubLink};
use super::packet::{from_hexadecimal, unescaped};
use super::reply::{StopReason, StubFeatures, StubReply};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A debugger's server, and the target behind it.
pub(super) struct Stub {
    link: StubLink,
    features: StubFeatures,
    /// How the target is made to go on.
    resume_packet: &'static str,
    state: TargetState,
    /// When it was asked to halt, while it is halted for that.
    halted: Option<Instant>,
    /// How long the last halt took, from there until it was told to go on.
    last_halt: Option<Duration>,
}

/// What the target does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetState {
    /// It runs.
    Running,
    /// It is halted until it is told to go on, which it will be.
    Halted,
    /// It has stopped by itself with a signal: at a breakpoint, by a fault, or
    /// since somebody else halted it.
    Stopped(u8),
}

/// How long an answer may take.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a stub that reads while its target runs takes for that at most.
const RUNNING_REPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// How often a stub is interrupted that does not answer, more often than a
/// question has bytes, and how long that takes each time.
const MAX_INTERRUPTS: u32 = 128;
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(20);

/// How long a farewell may take.
const DETACH_TIMEOUT: Duration = Duration::from_millis(500);

/// The signal of a target that was interrupted.
const INTERRUPTED: u8 = 2;

/// Bytes in a second that any stub reads.
const MIN_BYTES_PER_SECOND: usize = 1 << 10;

/// Bytes that are read with one packet at most.
const MAX_READ_LEN: usize = 16 << 10;

/// Answers that are waited for at most where one of them is the right one.
const MAX_STALE_REPLIES: usize = 64;

/// Characters of a memory map at most.
const MAX_MAP_CHARS: usize = 64 << 10;

impl Stub {
    /// Greets a stub. Most of them have halted their target by then.
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
            // Perhaps the target runs, and the stub only hears an interrupt.
            Err(StubError::Link(LinkError::Timeout)) => {
                self.interrupt_unresponsive()?;
                self.request(question)?
            }
            answer => answer?,
        };
        Ok(StubFeatures::parse(&answer))
    }

    /// What the target does, as far as the stub has said.
    pub(super) fn state(&self) -> TargetState {
        self.state
    }

    /// How long the target was last halted, from the interrupt until it was told
    /// to go on.
    pub(super) fn last_halt(&self) -> Option<Duration> {
        self.last_halt
    }

    /// Reads memory, in as many pieces as the stub wants.
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

    /// Reads so many bytes or fewer, but at least one.
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

    /// Finds out whether memory can be read while the target runs, which it does
    /// now. The target may be halted behind this.
    pub(super) fn reads_while_running(&mut self, address: u64) -> Result<bool, StubError> {
        match self.read(address, 4) {
            Ok(_) => Ok(true),
            // The first byte that comes halts the target.
            Err(StubError::Halted) => Ok(false),
            // Perhaps there is nothing to be read in any case.
            Err(StubError::Unreadable { .. }) => {
                self.halt()?;
                match self.read(address, 4) {
                    Err(StubError::Unreadable { .. }) => Ok(true),
                    read => read.map(|_| false),
                }
            }
            // It hears nothing but an interrupt.
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

    /// Halts a target whose stub has not answered: before an interrupt it may
    /// have to hear what it has not heard of the question, a byte for each byte
    /// that comes.
    fn interrupt_unresponsive(&mut self) -> Result<(), StubError> {
        self.state = TargetState::Running;
        self.interrupt(MAX_INTERRUPTS, INTERRUPT_INTERVAL)?;
        self.synchronise()
    }

    /// Interrupts the target, so many times at most, until it has halted.
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

    /// Lets the target go on, unless it has stopped by itself.
    pub(super) fn resume(&mut self) -> Result<(), StubError> {
        if self.state == TargetState::Halted {
            self.link.send(self.resume_packet)?;
            self.state = TargetState::Running;
            self.last_halt = self.halted.take().map(|since| since.elapsed());
        }
        Ok(())
    }

    /// Takes leave: a target that was halted for reading runs on.
    pub(super) fn detach(&mut self, halts: bool) -> Result<(), StubError> {
        if halts {
            self.halt()?;
        }
        // What has stopped by itself would go on with this.
        if !matches!(self.state, TargetState::Stopped(_)) {
            self.link.send("D")?;
            self.link.receive(Instant::now() + DETACH_TIMEOUT)?;
        }
        Ok(())
    }

    /// What the stub says of the target's memory, in XML, if it says anything.
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

    /// Asks, and waits for what answers it.
    fn request_within(&mut self, question: &str, limit: Duration) -> Result<Vec<u8>, StubError> {
        self.link.send(question)?;
        let end = Instant::now() + limit;
        for _ in 0..MAX_STALE_REPLIES {
            let packet = self.link.receive(end)?;
            match StubReply::classify(&packet) {
                StubReply::Stop(StopReason::Ended) => return Err(StubError::Ended),
                StubReply::Stop(stop) if self.state == TargetState::Running => {
                    self.record_stop(stop)?;
                    // The question may be lost with what halted the target, or
                    // be answered yet.
                    self.synchronise()?;
                    return Err(StubError::Halted);
                }
                // Of a halt that is known.
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

    /// Waits until all questions are answered or forgotten.
    fn synchronise(&mut self) -> Result<(), StubError> {
        // The only command whose answer is empty with every stub.
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

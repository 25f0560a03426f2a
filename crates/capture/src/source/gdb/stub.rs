//! A debugger's server, and the target behind it.

use super::error::StubError;
use super::link::{Link, LinkError};
use super::packet::{from_hexadecimal, unescaped};
use super::reply::{Features, Reply, Stop};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A debugger's server, and the target behind it.
pub(super) struct Stub {
    link: Link,
    features: Features,
    /// How the target is made to go on.
    go_on: &'static str,
    state: State,
    /// When it was asked to halt, while it is halted for that.
    halted: Option<Instant>,
    /// How long the last halt took, from there until it was told to go on.
    last_halt: Option<Duration>,
}

/// What the target does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It runs.
    Running,
    /// It is halted until it is told to go on, which it will be.
    Halted,
    /// It has stopped by itself with a signal: at a breakpoint, by a fault, or
    /// since somebody else halted it.
    Stopped(u8),
}

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(2);

/// How long a stub that reads while its target runs takes for that at most.
const ANSWER_OF_RUNNING: Duration = Duration::from_millis(500);

/// How often a stub is interrupted that does not answer, more often than a
/// question has bytes, and how long that takes each time.
const MOST_UNHEARD: u32 = 128;
const UNHEARD: Duration = Duration::from_millis(20);

/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// The signal of a target that was interrupted.
const INTERRUPTED: u8 = 2;

/// Bytes in a second that any stub reads.
const SLOWEST: usize = 1 << 10;

/// Bytes that are read with one packet at most.
const MOST_AT_ONCE: usize = 16 << 10;

/// Answers that are waited for at most where one of them is the right one.
const MOST_ANSWERS: usize = 64;

/// Characters of a memory map at most.
const MOST_MAP: usize = 64 << 10;

impl Stub {
    /// Greets a stub. Most of them have halted their target by then.
    pub(super) fn attach(stream: TcpStream) -> Result<Self, StubError> {
        let broken = |error: io::Error| LinkError::Broken(error.to_string());
        let mut stub = Self {
            link: Link::new(stream).map_err(broken)?,
            features: Features::default(),
            go_on: "c",
            state: State::Halted,
            halted: Some(Instant::now()),
            last_halt: None,
        };
        stub.features = stub.supported()?;
        if stub.features.can_leave_acknowledging && stub.ask("QStartNoAckMode")? == b"OK" {
            stub.link.stop_acknowledging();
        }
        let actions = stub.ask("vCont?")?;
        let continues = actions.strip_prefix(b"vCont").unwrap_or_default();
        if continues.split(|byte| *byte == b';').any(|it| it == b"c") {
            stub.go_on = "vCont;c";
        }
        Ok(stub)
    }

    fn supported(&mut self) -> Result<Features, StubError> {
        let question = "qSupported:swbreak+;hwbreak+;vContSupported+;binary-upload+";
        let answer = match self.ask(question) {
            // Perhaps the target runs, and the stub only hears an interrupt.
            Err(StubError::Link(LinkError::Silent)) => {
                self.rouse()?;
                self.ask(question)?
            }
            answer => answer?,
        };
        Ok(Features::read(&answer))
    }

    /// What the target does, as far as the stub has said.
    pub(super) fn state(&self) -> State {
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
            State::Running => ANSWER_OF_RUNNING,
            State::Halted | State::Stopped(_) => ANSWER,
        };
        let most = (self.features.packet_bytes / 2).clamp(1, MOST_AT_ONCE);
        let end = Instant::now() + ANSWER + Duration::from_secs((length / SLOWEST) as u64);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            if Instant::now() > end {
                return Err(LinkError::Broken("it answers too slowly".to_owned()).into());
            }
            let at = address.wrapping_add(bytes.len() as u64);
            let piece = self.read_piece(at, most.min(length - bytes.len()), limit)?;
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    }

    /// Reads so many bytes or fewer, but at least one.
    fn read_piece(
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
        let answer = self.ask_within(&question, limit)?;
        let unreadable = |said: &[u8]| StubError::Unreadable {
            address,
            said: String::from_utf8_lossy(said).into_owned(),
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
            _ => Err(StubError::Nonsense(question)),
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
            Err(StubError::Link(LinkError::Silent)) => self.rouse().map(|()| false),
            Err(error) => Err(error),
        }
    }

    /// Halts the target, if it runs.
    pub(super) fn halt(&mut self) -> Result<(), StubError> {
        if self.state != State::Running {
            return Ok(());
        }
        while let Some(packet) = self.link.come()? {
            if let Reply::Stop(stop) = Reply::of(&packet) {
                return self.stopped(stop);
            }
        }
        self.interrupt(1, ANSWER)
    }

    /// Halts a target whose stub has not answered: before an interrupt it may
    /// have to hear what it has not heard of the question, a byte for each byte
    /// that comes.
    fn rouse(&mut self) -> Result<(), StubError> {
        self.state = State::Running;
        self.interrupt(MOST_UNHEARD, UNHEARD)?;
        self.synchronise()
    }

    /// Interrupts the target, so many times at most, until it has halted.
    fn interrupt(&mut self, times: u32, limit: Duration) -> Result<(), StubError> {
        let since = Instant::now();
        for _ in 0..times {
            self.link.interrupt()?;
            match self.has_halted(since, limit) {
                Err(StubError::Link(LinkError::Silent)) => {}
                halted => return halted,
            }
        }
        Err(LinkError::Silent.into())
    }

    fn has_halted(&mut self, since: Instant, limit: Duration) -> Result<(), StubError> {
        let end = Instant::now() + limit;
        for _ in 0..MOST_ANSWERS {
            let packet = self.link.receive(end)?;
            match Reply::of(&packet) {
                Reply::Stop(Stop::Signal(_)) => {
                    self.state = State::Halted;
                    self.halted = Some(since);
                    return Ok(());
                }
                Reply::Stop(Stop::Ended) => return Err(StubError::Ended),
                Reply::Output | Reply::Other => {}
            }
        }
        Err(StubError::Nonsense("an interrupt".to_owned()))
    }

    /// Lets the target go on, unless it has stopped by itself.
    pub(super) fn resume(&mut self) -> Result<(), StubError> {
        if self.state == State::Halted {
            self.link.send(self.go_on)?;
            self.state = State::Running;
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
        if !matches!(self.state, State::Stopped(_)) {
            self.link.send("D")?;
            self.link.receive(Instant::now() + FAREWELL)?;
        }
        Ok(())
    }

    /// What the stub says of the target's memory, in XML, if it says anything.
    pub(super) fn memory_map(&mut self) -> Result<Option<Vec<u8>>, StubError> {
        if !self.features.has_memory_map {
            return Ok(None);
        }
        let most = (self.features.packet_bytes / 2).clamp(1, MOST_AT_ONCE);
        let mut map = Vec::new();
        while map.len() < MOST_MAP {
            let question = format!("qXfer:memory-map:read::{:x},{most:x}", map.len());
            let answer = self.ask(&question)?;
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

    fn ask(&mut self, question: &str) -> Result<Vec<u8>, StubError> {
        self.ask_within(question, ANSWER)
    }

    /// Asks, and waits for what answers it.
    fn ask_within(&mut self, question: &str, limit: Duration) -> Result<Vec<u8>, StubError> {
        self.link.send(question)?;
        let end = Instant::now() + limit;
        for _ in 0..MOST_ANSWERS {
            let packet = self.link.receive(end)?;
            match Reply::of(&packet) {
                Reply::Stop(Stop::Ended) => return Err(StubError::Ended),
                Reply::Stop(stop) if self.state == State::Running => {
                    self.stopped(stop)?;
                    // The question may be lost with what halted the target, or
                    // be answered yet.
                    self.synchronise()?;
                    return Err(StubError::Halted);
                }
                // Of a halt that is known.
                Reply::Stop(_) | Reply::Output => {}
                Reply::Other => return Ok(packet),
            }
        }
        Err(StubError::Nonsense(question.to_owned()))
    }

    fn stopped(&mut self, stop: Stop) -> Result<(), StubError> {
        self.state = match stop {
            Stop::Signal(INTERRUPTED) => State::Halted,
            Stop::Signal(signal) => State::Stopped(signal),
            Stop::Ended => return Err(StubError::Ended),
        };
        self.halted = (self.state == State::Halted).then(Instant::now);
        Ok(())
    }

    /// Waits until all questions are answered or forgotten.
    fn synchronise(&mut self) -> Result<(), StubError> {
        // The only command whose answer is empty with every stub.
        let question = "vMustReplyEmpty";
        self.link.send(question)?;
        let end = Instant::now() + ANSWER;
        for _ in 0..MOST_ANSWERS {
            if self.link.receive(end)?.is_empty() {
                return Ok(());
            }
        }
        Err(StubError::Nonsense(question.to_owned()))
    }
}

/// `E` and two digits, or `E.` and a text.
fn is_error(answer: &[u8]) -> bool {
    matches!(answer, [b'E', b'.', ..] | [b'E', _, _])
}

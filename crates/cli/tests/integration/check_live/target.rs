//! A target that runs unit tests of its state machine and waits for the host.

use rtoscope_record::port::{NullClock, SpinLock};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{
    ActiveObject, Address, ExpectedEvent, FilterBits, HostMessageParser, Received, RkhRecorder,
    StreamConfiguration, StreamSetup,
};
use std::io::{ErrorKind, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::net::TcpStream;
use std::time::Duration;

pub(super) enum Setup {}

impl StreamSetup for Setup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    type Objects = FilterBits<8>;
    type Signals = FilterBits<32>;
}

pub(super) type Recorder = RkhRecorder<Setup, SpinLock, NullClock>;

/// What the target received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    Success(u32),
    Fail(u32, String),
    Filter,
}

impl Message {
    fn new(received: Received<'_>) -> Self {
        match received {
            Received::Success { line } => Self::Success(line),
            Received::Fail { line, text } => {
                Self::Fail(line, String::from_utf8(text.to_vec()).unwrap())
            }
            Received::Filter(result) => {
                result.unwrap();
                Self::Filter
            }
            Received::Refused(error) => panic!("{error}"),
        }
    }
}

pub(super) struct Target {
    pub(super) recorder: &'static Recorder,
    pub(super) stream: TcpStream,
    parser: HostMessageParser,
    /// Whether the connection has ended.
    pub(super) is_closed: bool,
}

pub(super) const MACHINE: u32 = 0x2000_0100;
pub(super) const IDLE: Address = Address(0x2000_0010);
pub(super) const BUSY: Address = Address(0x2000_0020);

impl Target {
    /// Starts a stream with names, in which all records pass.
    pub(super) fn start(stream: TcpStream) -> Self {
        let target = Self::start_filtered(stream);
        for selection in [
            FilterSelection::AllEvents,
            FilterSelection::AllObjects,
            FilterSelection::AllSignals,
        ] {
            target.recorder.pass(selection).unwrap();
        }
        target
    }

    /// Starts a stream with names, in which no other records pass.
    pub(super) fn start_filtered(stream: TcpStream) -> Self {
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        let recorder: &Recorder = Box::leak(Box::new(RkhRecorder::new(SpinLock::new(), NullClock)));
        let buffer = Box::leak(Box::new([MaybeUninit::uninit(); 4096]));
        recorder.start(buffer).unwrap();
        recorder.fwk_ao(Address(MACHINE), b"machine");
        recorder.fwk_state(Address(MACHINE), IDLE, b"idle");
        recorder.fwk_state(Address(MACHINE), BUSY, b"busy");
        let mut target = Self {
            recorder,
            stream,
            parser: HostMessageParser::new(),
            is_closed: false,
        };
        target.flush();
        target
    }

    /// The state machine.
    pub(super) fn machine(&self) -> ActiveObject {
        ActiveObject::new(Address(MACHINE), 1)
    }

    /// The bytes recorded since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let mut bytes = [0; 4096];
        let taken = self.recorder.take(&mut bytes);
        bytes[..taken].to_vec()
    }

    /// Sends what was recorded.
    pub(super) fn flush(&mut self) {
        let bytes = self.take();
        self.stream.write_all(&bytes).unwrap();
    }

    /// Waits for bytes from the host, and leaves them unread.
    pub(super) fn wait_for_bytes(&self) {
        assert_eq!(self.stream.peek(&mut [0]).unwrap(), 1);
    }

    /// The next message from the host; `None` if the host closes the connection.
    pub(super) fn receive(&mut self) -> Option<Message> {
        let mut byte = [0];
        loop {
            match self.stream.read(&mut byte) {
                Ok(1) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("no answer"),
                _ => {
                    self.is_closed = true;
                    return None;
                }
            }
            if let Some(received) = self.recorder.receive(&mut self.parser, byte[0]) {
                return Some(Message::new(received));
            }
        }
    }

    /// Records, sends, and waits for the answer, as a target of RKH's unitrazer.
    pub(super) fn put(&mut self, record: impl FnOnce(&Recorder)) -> Option<Message> {
        record(self.recorder);
        self.flush();
        self.receive()
    }

    /// Runs a unit test that begins in a line: a transition from `IDLE` to `expected` must
    /// come, and one to `BUSY` comes. Returns the answers.
    pub(super) fn run_test(&mut self, line: u32, expected: Address) -> Vec<Message> {
        let machine = self.machine();
        let mut answers = vec![
            self.put(|it| it.ut_init(line)),
            self.put(|it| it.ut_expect(line + 1, ExpectedEvent::Trn(IDLE, expected))),
        ];
        answers.push(self.put(|it| it.sm_trn(machine, IDLE, BUSY)));
        answers.push(self.put(|it| it.ut_verify(line + 2)));
        answers.push(self.put(|it| it.ut_cleanup(line + 3)));
        answers.into_iter().flatten().collect()
    }
}

/// A record that does not come.
pub(super) const ANY: ExpectedEvent = ExpectedEvent::EvtProc;

//! The connection to the host.

use rtoscope_record::port::{Clock, Primask};
use rtoscope_record::rkh::{
    FilterBits, HostMessageParser, Received, RkhRecorder, StreamConfiguration, StreamSetup,
};

pub(crate) enum Setup {}

impl StreamSetup for Setup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
    const TIMESTAMP_HZ: u32 = board::FREQUENCY;
    type Objects = FilterBits<1>;
    type Signals = FilterBits<1>;
}

/// The board's counter.
pub(crate) struct BoardClock;

impl Clock for BoardClock {
    fn now(&self) -> u32 {
        board::counter()
    }
}

// SAFETY: one core, and neither NMI nor HardFault records.
pub(crate) static TRACE: RkhRecorder<Setup, Primask, BoardClock> =
    RkhRecorder::new(unsafe { Primask::new() }, BoardClock);

/// Sends records and receives answers.
pub(crate) struct Link {
    parser: HostMessageParser,
    /// Whether no record of the test had the answer that it fails.
    pub(crate) has_passed: bool,
    /// The line of the first failure.
    pub(crate) failed_line: u32,
    /// Number of records that were sent and answered.
    pub(crate) records: u32,
    pub(crate) filter_commands: u32,
    pub(crate) invalid_messages: u32,
}

/// An answer of the host.
enum Answer {
    Success,
    Fail,
    Filter,
}

impl Link {
    pub(crate) const fn new() -> Self {
        Self {
            parser: HostMessageParser::new(),
            has_passed: true,
            failed_line: 0,
            records: 0,
            filter_commands: 0,
            invalid_messages: 0,
        }
    }

    /// Sends what was recorded.
    pub(crate) fn flush(&mut self) {
        let mut bytes = [0; 64];
        loop {
            let taken = TRACE.take(&mut bytes);
            match bytes.get(..taken) {
                None | Some([]) => return,
                Some(taken) => board::send(taken),
            }
        }
    }

    /// Records, and waits for the answer unless the filter suppresses the record.
    pub(crate) fn put(&mut self, record: impl FnOnce()) {
        record();
        if TRACE.available() == 0 {
            return;
        }
        self.flush();
        self.records += 1;
        while let Answer::Filter = self.receive() {}
    }

    /// Waits until the host has set the filter.
    pub(crate) fn wait_for_filter(&mut self) {
        while self.filter_commands < truth::unit_tests::FILTER_COMMANDS {
            self.receive();
        }
    }

    fn receive(&mut self) -> Answer {
        loop {
            let Some(byte) = board::receive() else {
                continue;
            };
            match TRACE.receive(&mut self.parser, byte) {
                None => {}
                Some(Received::Success { .. }) => return Answer::Success,
                Some(Received::Fail { line, .. }) => {
                    self.has_passed = false;
                    if self.failed_line == 0 {
                        self.failed_line = line;
                    }
                    return Answer::Fail;
                }
                Some(Received::Filter(Ok(()))) => {
                    self.filter_commands += 1;
                    return Answer::Filter;
                }
                Some(Received::Filter(Err(_)) | Received::Refused(_)) => {
                    self.invalid_messages += 1;
                }
            }
        }
    }
}

//! A session with a target, from attach to detach.

use super::error::StubError;
use super::memory_trace::{MemoryTrace, PollOutcome};
use super::poll_pacer::PollPacer;
use super::stub::{Stub, TargetState};
use super::trace_search::{SearchStep, TraceSearch};
use crate::source::target_connection::not_taken;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A session with a target.
pub(super) struct GdbSession {
    stub: Stub,
    access: MemoryAccess,
    trace: Option<Box<dyn MemoryTrace>>,
    /// Whether the trace was announced to the user.
    is_announced: bool,
    pace: PollPacer,
    /// Pause after an unsuccessful search.
    search_retry_delay: Duration,
    /// When the next poll is due, and when the last one was.
    due: Instant,
    last_poll: Instant,
    /// Polls in a row for which the target was too fast.
    too_slow: u32,
    /// Total time for which the target was halted, and the number of polls.
    halts: (Duration, u32),
    stopped: bool,
}

/// How memory is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemoryAccess {
    /// While the target runs.
    Running,
    /// While the target is halted.
    Halting,
}

impl fmt::Display for MemoryAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "read while the target runs",
            Self::Halting => "read while the target is halted for a moment",
        })
    }
}

/// The result of a step, in the order of its reports.
#[derive(Debug, Default)]
pub(super) struct GdbStep {
    /// A trace was found, and its first bytes are new.
    pub(super) found: Option<String>,
    /// The trace no longer exists, with the reason.
    pub(super) gone: Option<String>,
    /// What the source waits for.
    pub(super) waiting_for: Option<String>,
    pub(super) message: Option<String>,
    /// Whether there are new bytes.
    pub(super) is_new: bool,
}

/// Number of polls for which a target may be too fast before it is halted for them.
const MAX_TOO_SLOW: u32 = 3;

/// Number of polls after which the mean halt is reported.
const MEASURED_HALTS: u32 = 8;

/// Pause after an unsuccessful search: initial and maximum value; it doubles.
const SEARCH_RETRY_DELAYS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// Pause between two steps of a search, in which the target runs.
const SEARCH_STEP_PAUSE: Duration = Duration::from_millis(20);

/// Pause before another attempt to send to a target that has no room.
const SEND_PAUSE: Duration = Duration::from_millis(10);

impl GdbSession {
    /// Attaches to a stub and lets the target run.
    pub(super) fn begin(
        stream: TcpStream,
        search: &mut TraceSearch,
        halts: bool,
        poll: Option<Duration>,
    ) -> Result<Self, StubError> {
        let mut stub = Stub::attach(stream)?;
        search.begin(&mut stub)?;
        stub.resume()?;
        let moves = !halts && stub.reads_while_running(search.probe_address())?;
        stub.resume()?;
        let now = Instant::now();
        Ok(Self {
            stub,
            access: if moves {
                MemoryAccess::Running
            } else {
                MemoryAccess::Halting
            },
            trace: None,
            is_announced: false,
            search_retry_delay: SEARCH_RETRY_DELAYS[0],
            pace: PollPacer::new(poll, moves),
            due: now,
            last_poll: now,
            too_slow: 0,
            halts: (Duration::ZERO, 0),
            stopped: false,
        })
    }

    /// When the next step is due.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// The trace of the last step with new bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.trace.as_ref().map_or(&[], |target| target.bytes())
    }

    /// Continues the search, or polls the trace.
    pub(super) fn step(
        &mut self,
        search: &mut TraceSearch,
        poll: Option<Duration>,
    ) -> Result<GdbStep, StubError> {
        let mut step = GdbStep::default();
        let moves = self.access == MemoryAccess::Running;
        if !moves {
            self.stub.halt()?;
        }
        let worked = match self.trace {
            Some(_) => self.poll_trace(&mut step, moves, poll),
            None => self.search(&mut step, search),
        };
        self.stub.resume()?;
        match worked {
            // Once it is known whether the target stopped by itself.
            Err(StubError::Halted) => self.due = Instant::now(),
            worked => worked?,
        }
        self.report_halts(&mut step);
        Ok(step)
    }

    fn search(&mut self, step: &mut GdbStep, search: &mut TraceSearch) -> Result<(), StubError> {
        let pause = match search.step(&mut self.stub)? {
            SearchStep::Found(target) => {
                self.trace = Some(target);
                Duration::ZERO
            }
            SearchStep::InProgress => SEARCH_STEP_PAUSE,
            SearchStep::NotFound(what) => {
                let [_, longest] = SEARCH_RETRY_DELAYS;
                let pause = self.search_retry_delay;
                self.search_retry_delay = longest.min(pause * 2);
                step.waiting_for = Some(what);
                pause
            }
        };
        self.last_poll = Instant::now();
        self.due = self.last_poll + pause;
        Ok(())
    }

    fn poll_trace(
        &mut self,
        step: &mut GdbStep,
        moves: bool,
        poll: Option<Duration>,
    ) -> Result<(), StubError> {
        let Some(target) = &mut self.trace else {
            return Ok(());
        };
        let look = target.poll(&mut self.stub, moves)?;
        let now = Instant::now();
        let pause = self.pace.next_interval(&look, now - self.last_poll);
        self.due = now + pause;
        if look != PollOutcome::Retry {
            self.last_poll = now;
        }
        self.too_slow = match look {
            PollOutcome::TooSlow => self.too_slow + 1,
            _ => 0,
        };
        if self.too_slow > MAX_TOO_SLOW {
            self.access = MemoryAccess::Halting;
            self.pace = PollPacer::new(poll, false);
            let what = "the target writes faster than it can be read while it runs; from now on it \
                        is halted for that";
            step.message = Some(what.to_owned());
        }
        let why = match look {
            PollOutcome::New { .. } => {
                step.is_new = true;
                if !std::mem::replace(&mut self.is_announced, true) {
                    step.found = Some(format!("{}, {}", target.name(), self.access));
                }
                return Ok(());
            }
            PollOutcome::Unchanged { .. }
            | PollOutcome::Retry
            | PollOutcome::Overrun
            | PollOutcome::TooSlow => return Ok(()),
            PollOutcome::Disabled(why) => why,
            PollOutcome::Gone(why) => {
                self.trace = None;
                self.search_retry_delay = SEARCH_RETRY_DELAYS[0];
                why
            }
        };
        match std::mem::take(&mut self.is_announced) {
            true => step.gone = Some(why),
            false => step.waiting_for = Some(format!("a recording ({why})")),
        }
        Ok(())
    }

    /// Reports the duration of halts, once, and that the target has stopped.
    fn report_halts(&mut self, step: &mut GdbStep) {
        let has_stopped = matches!(self.stub.state(), TargetState::Stopped(_));
        if has_stopped && !self.stopped {
            let TargetState::Stopped(signal) = self.stub.state() else {
                return;
            };
            step.message = Some(format!(
                "the target stopped by itself (signal {signal}); it stays stopped"
            ));
        }
        self.stopped = has_stopped;
        if self.access == MemoryAccess::Running || self.trace.is_none() {
            return;
        }
        let (total, count) = &mut self.halts;
        if let Some(halt) = self.stub.last_halt().filter(|_| *count < MEASURED_HALTS) {
            *total += halt;
            *count += 1;
            if *count == MEASURED_HALTS {
                let mean = total.as_secs_f64() * 1000.0 / f64::from(MEASURED_HALTS);
                step.message = Some(format!(
                    "each poll halts the target, for {mean:.1} ms on average so far"
                ));
            }
        }
    }

    /// Sends bytes to the target, within about `wait`.
    pub(super) fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<()> {
        let end = Instant::now() + wait;
        let mut rest = bytes;
        loop {
            let taken = self.send_some(rest).map_err(io::Error::other)?;
            let Some(taken) = taken else {
                let problem = "the trace is not in an RTT channel that takes bytes";
                return Err(io::Error::other(problem));
            };
            rest = rest.get(taken..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(not_taken(bytes.len() - rest.len(), bytes.len()));
            }
            // The target makes room.
            std::thread::sleep(SEND_PAUSE);
        }
    }

    fn send_some(&mut self, bytes: &[u8]) -> Result<Option<usize>, StubError> {
        let Some(trace) = &mut self.trace else {
            return Ok(None);
        };
        if self.access == MemoryAccess::Halting {
            self.stub.halt()?;
        }
        let sent = match trace.send(&mut self.stub, bytes) {
            // The position was not written, so nothing was sent.
            Err(StubError::Halted) => Ok(Some(0)),
            sent => sent,
        };
        self.stub.resume()?;
        sent
    }

    /// Detaches; the target continues to run.
    pub(super) fn end(mut self) {
        // The connection may be lost.
        let _ = self.stub.detach(self.access == MemoryAccess::Halting);
    }
}

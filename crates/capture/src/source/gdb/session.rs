//! A connection to a target, from the greeting to the farewell.

use super::error::StubError;
use super::look::{Look, Target};
use super::pace::Pace;
use super::search::{Search, Searched};
use super::stub::{State, Stub};
use std::fmt;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection to a target.
pub(super) struct Session {
    stub: Stub,
    access: Access,
    target: Option<Box<dyn Target>>,
    /// Whether it was told that there is a trace.
    is_told: bool,
    pace: Pace,
    /// The pause behind a search without result.
    search_again: Duration,
    /// When the next look is due, and when the last one was.
    due: Instant,
    looked: Instant,
    /// Looks in a row that the target was too fast for.
    too_slow: u32,
    /// How long the target was halted, all in all, and for how many looks.
    halts: (Duration, u32),
    stopped: bool,
}

/// How memory is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// The target runs meanwhile.
    Running,
    /// It is halted for that.
    Halting,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "read while the target runs",
            Self::Halting => "read while the target is halted for a moment",
        })
    }
}

/// What a step gave, in the order in which it is to be told.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// A trace was found, whose first bytes are new.
    pub(super) found: Option<String>,
    /// The trace that was followed is no longer there, and why.
    pub(super) gone: Option<String>,
    /// What is waited for.
    pub(super) waits: Option<String>,
    pub(super) remark: Option<String>,
    /// Whether there are new bytes.
    pub(super) is_new: bool,
}

/// Looks that a target may be too fast for until it is halted for them.
const MOST_TOO_SLOW: u32 = 3;

/// Looks of which it is said how long they halt the target.
const MEASURED: u32 = 8;

/// How long after a search without result the next one begins, at first and at
/// last: it doubles.
const SEARCH_AGAIN: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// The pause between two steps of a search, for which the target runs.
const SEARCH_ON: Duration = Duration::from_millis(20);

impl Session {
    /// Greets a stub, and lets the target run on.
    pub(super) fn begin(
        stream: TcpStream,
        search: &mut Search,
        halts: bool,
        poll: Option<Duration>,
    ) -> Result<Self, StubError> {
        let mut stub = Stub::attach(stream)?;
        search.begin(&mut stub)?;
        stub.resume()?;
        let moves = !halts && stub.reads_while_running(search.probe())?;
        stub.resume()?;
        let now = Instant::now();
        Ok(Self {
            stub,
            access: if moves {
                Access::Running
            } else {
                Access::Halting
            },
            target: None,
            is_told: false,
            search_again: SEARCH_AGAIN[0],
            pace: Pace::new(poll, moves),
            due: now,
            looked: now,
            too_slow: 0,
            halts: (Duration::ZERO, 0),
            stopped: false,
        })
    }

    /// When the next step is due.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// The trace of the last step that gave something new.
    pub(super) fn bytes(&self) -> &[u8] {
        self.target.as_ref().map_or(&[], |target| target.bytes())
    }

    /// Searches on, or looks at what was found.
    pub(super) fn step(
        &mut self,
        search: &mut Search,
        poll: Option<Duration>,
    ) -> Result<Step, StubError> {
        let mut step = Step::default();
        let moves = self.access == Access::Running;
        if !moves {
            self.stub.halt()?;
        }
        let worked = match self.target {
            Some(_) => self.look(&mut step, moves, poll),
            None => self.search(&mut step, search),
        };
        self.stub.resume()?;
        match worked {
            // As soon as it is clear whether the target stopped by itself.
            Err(StubError::Halted) => self.due = Instant::now(),
            worked => worked?,
        }
        self.remark(&mut step);
        Ok(step)
    }

    fn search(&mut self, step: &mut Step, search: &mut Search) -> Result<(), StubError> {
        let pause = match search.step(&mut self.stub)? {
            Searched::Found(target) => {
                self.target = Some(target);
                Duration::ZERO
            }
            Searched::Going => SEARCH_ON,
            Searched::Nothing(what) => {
                let [_, longest] = SEARCH_AGAIN;
                let pause = self.search_again;
                self.search_again = longest.min(pause * 2);
                step.waits = Some(what);
                pause
            }
        };
        self.looked = Instant::now();
        self.due = self.looked + pause;
        Ok(())
    }

    fn look(
        &mut self,
        step: &mut Step,
        moves: bool,
        poll: Option<Duration>,
    ) -> Result<(), StubError> {
        let Some(target) = &mut self.target else {
            return Ok(());
        };
        let look = target.look(&mut self.stub, moves)?;
        let now = Instant::now();
        let pause = self.pace.after(&look, now - self.looked);
        self.due = now + pause;
        if look != Look::Again {
            self.looked = now;
        }
        self.too_slow = match look {
            Look::TooSlow => self.too_slow + 1,
            _ => 0,
        };
        if self.too_slow > MOST_TOO_SLOW {
            self.access = Access::Halting;
            self.pace = Pace::new(poll, false);
            let what = "the target writes faster than it can be read while it runs; from now on it \
                        is halted for that";
            step.remark = Some(what.to_owned());
        }
        let why = match look {
            Look::New { .. } => {
                step.is_new = true;
                if !std::mem::replace(&mut self.is_told, true) {
                    step.found = Some(format!("{}, {}", target.name(), self.access));
                }
                return Ok(());
            }
            Look::Nothing { .. } | Look::Again | Look::Lapped | Look::TooSlow => return Ok(()),
            Look::Off(why) => why,
            Look::Gone(why) => {
                self.target = None;
                self.search_again = SEARCH_AGAIN[0];
                why
            }
        };
        match std::mem::take(&mut self.is_told) {
            true => step.gone = Some(why),
            false => step.waits = Some(format!("a recording ({why})")),
        }
        Ok(())
    }

    /// Says how long the target is halted, once, and that it has stopped.
    fn remark(&mut self, step: &mut Step) {
        let has_stopped = matches!(self.stub.state(), State::Stopped(_));
        if has_stopped && !self.stopped {
            let State::Stopped(signal) = self.stub.state() else {
                return;
            };
            step.remark = Some(format!(
                "the target stopped by itself (signal {signal}); it is left so"
            ));
        }
        self.stopped = has_stopped;
        if self.access == Access::Running || self.target.is_none() {
            return;
        }
        let (total, count) = &mut self.halts;
        if let Some(halt) = self.stub.last_halt().filter(|_| *count < MEASURED) {
            *total += halt;
            *count += 1;
            if *count == MEASURED {
                let mean = total.as_secs_f64() * 1000.0 / f64::from(MEASURED);
                step.remark = Some(format!(
                    "each look halts the target, for {mean:.1} ms on average so far"
                ));
            }
        }
    }

    /// Takes leave of the target, which runs on.
    pub(super) fn end(mut self) {
        // It may be gone.
        let _ = self.stub.detach(self.access == Access::Halting);
    }
}

//! Traces in the memory of a target, read through a debugger's server.
//!
//! ```text
//! link ─▶ stub ──┬─▶ search, scan ─▶ where the trace lies
//! (packets)      └─▶ mirror, log ──▶ trace buffers, CSWL containers
//! ```

mod error;
mod link;
mod log;
mod look;
mod map;
mod mirror;
mod pace;
pub mod packet;
mod registry;
mod reply;
mod scan;
mod search;
mod session;
mod stub;

use super::backoff::Backoff;
use super::connect::attempt;
use super::{Happened, Source, SourceError, SourceSettings};
use crate::address::GdbAddress;
use search::Search;
use session::{Session, Step};
use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The memory of a target.
struct Gdb {
    address: GdbAddress,
    search: Search,
    stage: Stage,
    backoff: Backoff,
    /// What is to be told before anything else happens.
    notes: VecDeque<Happened<'static>>,
    /// Whether the bytes of the session are new.
    is_new: bool,
    /// What was last said to be waited for.
    waits: Option<String>,
}

enum Stage {
    /// Nobody tries to connect.
    Away,
    /// A thread does.
    Trying(Receiver<io::Result<TcpStream>>),
    Attached(Box<Session>),
}

/// Opens the memory of a target.
pub(crate) fn open(
    address: &GdbAddress,
    settings: &SourceSettings,
) -> Result<Box<dyn Source>, SourceError> {
    Ok(Box::new(Gdb {
        address: address.clone(),
        search: Search::new(address, settings)?,
        stage: Stage::Away,
        backoff: Backoff::new(),
        notes: VecDeque::new(),
        is_new: false,
        waits: None,
    }))
}

impl Source for Gdb {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        let until = Instant::now() + wait;
        loop {
            if self.notes.is_empty() && !self.is_new {
                self.advance(until);
            }
            if !self.notes.is_empty() || self.is_new || Instant::now() >= until {
                break;
            }
        }
        if let Some(note) = self.notes.pop_front() {
            return note;
        }
        match &self.stage {
            Stage::Attached(session) if std::mem::take(&mut self.is_new) => {
                Happened::Bytes(session.bytes())
            }
            _ => Happened::Nothing,
        }
    }
}

impl Gdb {
    fn advance(&mut self, until: Instant) {
        match &mut self.stage {
            Stage::Away => {
                if self.waits.is_none() {
                    return self.wait_for(format!("{} to answer", self.address.endpoint()));
                }
                if self.backoff.wait(until) {
                    self.stage = Stage::Trying(attempt(self.address.endpoint()));
                }
            }
            Stage::Trying(attempt) => {
                let left = until.saturating_duration_since(Instant::now());
                let tried = match attempt.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => return,
                    Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::Other.into()),
                    Ok(tried) => tried,
                };
                match tried {
                    Ok(stream) => self.attach(stream),
                    Err(error) => self.fail(&error.to_string()),
                }
            }
            Stage::Attached(session) => {
                let due = session.due();
                let pause = due.min(until).saturating_duration_since(Instant::now());
                std::thread::sleep(pause);
                if due > until {
                    return;
                }
                match session.step(&mut self.search, self.address.poll) {
                    Ok(step) => self.tell(step),
                    Err(error) => self.lose(error.to_string()),
                }
            }
        }
    }

    fn attach(&mut self, stream: TcpStream) {
        let GdbAddress { halt, poll, .. } = self.address;
        match Session::begin(stream, &mut self.search, halt, poll) {
            Ok(session) => self.stage = Stage::Attached(Box::new(session)),
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Tells what a step gave.
    fn tell(&mut self, step: Step) {
        let endpoint = self.address.endpoint();
        if let Some(why) = step.gone {
            self.notes.push_back(Happened::Lost(why));
        }
        if let Some(what) = step.found {
            self.backoff.succeeded();
            self.waits = None;
            let what = format!("{endpoint}: {what}");
            self.notes.push_back(Happened::Connected(what));
        }
        if let Some(remark) = step.remark {
            self.notes.push_back(Happened::Remark(remark));
        }
        if let Some(what) = step.waits {
            self.wait_for(format!("{what} behind {endpoint}"));
        }
        self.is_new = step.is_new;
    }

    /// There is no connection, or none that is of use.
    fn fail(&mut self, why: &str) {
        self.stage = Stage::Away;
        self.backoff.failed();
        self.wait_for(format!("{} to answer ({why})", self.address.endpoint()));
    }

    fn lose(&mut self, why: String) {
        self.stage = Stage::Away;
        self.backoff.failed();
        self.waits = None;
        self.notes.push_back(Happened::Lost(why));
    }

    /// Says what is waited for, unless it was said.
    fn wait_for(&mut self, what: String) {
        if self.waits.as_ref() != Some(&what) {
            self.notes.push_back(Happened::Waiting(what.clone()));
            self.waits = Some(what);
        }
    }
}

impl Drop for Gdb {
    fn drop(&mut self) {
        if let Stage::Attached(session) = std::mem::replace(&mut self.stage, Stage::Away) {
            session.end();
        }
    }
}

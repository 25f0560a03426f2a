//! Traces in the memory of a target, read through a GDB server.
//!
//! ```text
//! link ─▶ stub ──┬─▶ search, scan ─▶ location of the trace
//! (packets)      └─▶ mirror, log, channel ──▶ trace buffers, containers, bytes
//! ```

mod buffer_mirror;
mod error;
mod gdb_session;
mod link;
mod memory_map;
mod memory_scan;
mod memory_trace;
pub mod packet;
mod poll_pacer;
mod registry_mirror;
mod reply;
mod rtt_channel;
mod stub;
mod switch_log;
mod trace_search;

use super::backoff::Backoff;
use super::interface::{Source, SourceError, SourceEvent, SourceOptions};
use super::tcp::connect_in_background;
use crate::address::GdbAddress;
use gdb_session::{GdbSession, GdbStep};
use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use trace_search::TraceSearch;

/// A source that reads the memory of a target.
struct GdbSource {
    address: GdbAddress,
    search: TraceSearch,
    state: GdbState,
    backoff: Backoff,
    /// Events to report before anything else.
    pending_events: VecDeque<SourceEvent<'static>>,
    /// Whether the bytes of the session are new.
    is_new: bool,
    /// The last announcement of what the source waits for.
    announced_wait: Option<String>,
}

enum GdbState {
    /// Not connecting.
    Disconnected,
    /// A thread is connecting.
    Connecting(Receiver<io::Result<TcpStream>>),
    Attached(Box<GdbSession>),
}

/// Opens a source that reads the memory of a target.
pub(crate) fn open(
    address: &GdbAddress,
    settings: &SourceOptions,
) -> Result<Box<dyn Source>, SourceError> {
    Ok(Box::new(GdbSource {
        address: address.clone(),
        search: TraceSearch::new(address, settings)?,
        state: GdbState::Disconnected,
        backoff: Backoff::new(),
        pending_events: VecDeque::new(),
        is_new: false,
        announced_wait: None,
    }))
}

impl Source for GdbSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let until = Instant::now() + wait;
        loop {
            if self.pending_events.is_empty() && !self.is_new {
                self.advance(until);
            }
            if !self.pending_events.is_empty() || self.is_new || Instant::now() >= until {
                break;
            }
        }
        if let Some(note) = self.pending_events.pop_front() {
            return note;
        }
        match &self.state {
            GdbState::Attached(session) if std::mem::take(&mut self.is_new) => {
                SourceEvent::Bytes(session.bytes())
            }
            _ => SourceEvent::Nothing,
        }
    }

    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        let failed = |problem| SourceError::Send {
            subject: self.address.to_string(),
            source: problem,
        };
        let GdbState::Attached(session) = &mut self.state else {
            return Err(failed(io::ErrorKind::NotConnected.into()));
        };
        session.send(bytes, wait).map_err(failed)
    }
}

impl GdbSource {
    fn advance(&mut self, until: Instant) {
        match &mut self.state {
            GdbState::Disconnected => {
                if self.announced_wait.is_none() {
                    return self.announce_waiting(format!("{} to answer", self.address.endpoint()));
                }
                if self.backoff.wait(until) {
                    self.state =
                        GdbState::Connecting(connect_in_background(self.address.endpoint()));
                }
            }
            GdbState::Connecting(attempt) => {
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
            GdbState::Attached(session) => {
                let due = session.due();
                let pause = due.min(until).saturating_duration_since(Instant::now());
                std::thread::sleep(pause);
                if due > until {
                    return;
                }
                match session.step(&mut self.search, self.address.poll_interval) {
                    Ok(step) => self.queue_events(step),
                    Err(error) => self.lose_connection(error.to_string()),
                }
            }
        }
    }

    fn attach(&mut self, stream: TcpStream) {
        let GdbAddress {
            halt,
            poll_interval: poll,
            ..
        } = self.address;
        match GdbSession::begin(stream, &mut self.search, halt, poll) {
            Ok(session) => self.state = GdbState::Attached(Box::new(session)),
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Queues the events of a step.
    fn queue_events(&mut self, step: GdbStep) {
        let endpoint = self.address.endpoint();
        if let Some(why) = step.gone {
            self.pending_events.push_back(SourceEvent::Lost(why));
        }
        if let Some(what) = step.found {
            self.backoff.succeeded();
            self.announced_wait = None;
            let what = format!("{endpoint}: {what}");
            self.pending_events.push_back(SourceEvent::Connected(what));
        }
        if let Some(remark) = step.message {
            self.pending_events.push_back(SourceEvent::Message(remark));
        }
        if let Some(what) = step.waiting_for {
            self.announce_waiting(format!("{what} at {endpoint}"));
        }
        self.is_new = step.is_new;
    }

    /// The connection failed or is unusable.
    fn fail(&mut self, why: &str) {
        self.state = GdbState::Disconnected;
        self.backoff.failed();
        self.announce_waiting(format!("{} to answer ({why})", self.address.endpoint()));
    }

    fn lose_connection(&mut self, why: String) {
        self.state = GdbState::Disconnected;
        self.backoff.failed();
        self.announced_wait = None;
        self.pending_events.push_back(SourceEvent::Lost(why));
    }

    /// Announces what the source waits for, unless already announced.
    fn announce_waiting(&mut self, what: String) {
        if self.announced_wait.as_ref() != Some(&what) {
            self.pending_events
                .push_back(SourceEvent::Waiting(what.clone()));
            self.announced_wait = Some(what);
        }
    }
}

impl Drop for GdbSource {
    fn drop(&mut self) {
        if let GdbState::Attached(session) =
            std::mem::replace(&mut self.state, GdbState::Disconnected)
        {
            session.end();
        }
    }
}

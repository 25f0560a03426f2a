//! A recording that goes on when a test says so.

#![allow(dead_code, reason = "each test uses another part")]

use super::{Reply, Running, session_bytes, start_with};
use rtoscope_capture::{Connection, Saved, Status};
use rtoscope_decode::live::{Moment, Tally};
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, Content, DecodeError, Recording};
use rtoscope_server::{Feed, LiveSettings, OlderProblem, Settings};
use rtoscope_trace::{Base, Ticks};
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Ticks that each event of the recording takes.
pub(crate) const TICKS: u64 = 10;

/// How long a test waits for what has to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A recording of which always the same events are the last ones, with other
/// numbers and times.
#[derive(Clone)]
pub(crate) struct Fake(Arc<Inner>);

struct Inner {
    events: Recording,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    status: Status,
    /// How often the last events were asked for.
    cuts: usize,
    /// What that does instead.
    cut: Cut,
    /// Events of these numbers are on disk.
    disk: std::ops::Range<u64>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cut {
    Works,
    Fails,
    Panics,
}

impl Fake {
    /// A recording without events.
    pub(crate) fn new() -> Self {
        let bytes = session_bytes("cm3_short.trx");
        let content = Content::open(Input::new(&bytes), Choice::First, None).unwrap();
        let status = Status {
            version: 1,
            format: None,
            connection: Connection::Waiting("a target".to_owned()),
            bytes: 0,
            refused: 0,
            tally: Tally::default(),
            bytes_per_second: 0.0,
            events_per_second: 0.0,
            newest: None,
            waiting: 0,
            undecoded: 0,
            saved: None,
            undecodable: None,
        };
        Self(Arc::new(Inner {
            events: content.decode(&Default::default()).unwrap(),
            state: Mutex::new(State {
                status,
                cuts: 0,
                cut: Cut::Works,
                disk: 0..0,
            }),
            changed: Condvar::new(),
        }))
    }

    /// One with as many events as are shown.
    pub(crate) fn begun() -> Self {
        let fake = Self::new();
        fake.grow(fake.shown());
        fake
    }

    /// How many events are shown at once.
    pub(crate) fn shown(&self) -> u64 {
        self.0.events.trace.events.len() as u64
    }

    /// More events come.
    pub(crate) fn grow(&self, events: u64) {
        self.set(|status| {
            status.tally.events += events;
            status.bytes += 32 * events;
            status.newest = Some(Moment(status.tally.events * 1_000_000));
            status.connection = Connection::Connected("a test".to_owned());
        });
    }

    /// Something changes.
    pub(crate) fn set(&self, change: impl FnOnce(&mut Status)) {
        let mut state = self.state();
        change(&mut state.status);
        state.status.version += 1;
        self.0.changed.notify_all();
    }

    /// What asking for the last events does from now on.
    pub(crate) fn cut(&self, cut: Cut) {
        self.state().cut = cut;
    }

    /// Saves events of these numbers.
    pub(crate) fn save(&self, events: std::ops::Range<u64>) {
        self.state().disk = events;
        self.set(|status| {
            status.saved = Some(Saved {
                folder: "a folder".into(),
                bytes: 7,
                ..Saved::default()
            });
        });
    }

    /// How often the last events were asked for.
    pub(crate) fn cuts(&self) -> usize {
        self.state().cuts
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A test may let one panic that holds it.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The events behind that number.
    fn part(&self, event: u64) -> Recording {
        let mut part = self.0.events.clone();
        part.trace.base = Base {
            event,
            time: Ticks(event * TICKS),
        };
        part
    }
}

impl Feed for Fake {
    fn status(&self) -> Status {
        self.state().status.clone()
    }

    fn wait(&self, version: u64, most: Duration) -> Status {
        let wait = |state: &mut State| state.status.version == version;
        let waited = self.0.changed.wait_timeout_while(self.state(), most, wait);
        waited
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .status
            .clone()
    }

    fn last(&self, _: u64) -> Result<Option<(Recording, Moment)>, DecodeError> {
        let mut state = self.state();
        state.cuts += 1;
        match state.cut {
            Cut::Works => {}
            Cut::Fails => return Err(failure()),
            Cut::Panics => panic!("as meant"),
        }
        let newest = state.status.newest;
        let end = state.status.tally.events;
        drop(state);
        Ok(newest.map(|at| (self.part(end - self.shown()), at)))
    }

    fn older(&self, before: u64, _: u64) -> Result<Option<Recording>, OlderProblem> {
        let disk = self.state().disk.clone();
        if before > disk.end {
            return Err(OlderProblem("the disk is gone".to_owned()));
        }
        let first = before.checked_sub(self.shown());
        Ok(first
            .filter(|first| *first >= disk.start)
            .map(|first| self.part(first)))
    }
}

/// Why the last events cannot be decoded.
pub(crate) fn failure() -> DecodeError {
    let nothing = Content::open(Input::new(b""), Choice::First, None);
    nothing.err().unwrap()
}

/// A server with a live trace, number 1.
pub(crate) fn start_live(fake: &Fake) -> Running {
    start_live_with(Settings::default(), fake)
}

pub(crate) fn start_live_with(settings: Settings, fake: &Fake) -> Running {
    start_with(settings, |server| {
        let settings = LiveSettings::default();
        server
            .add_live("live".to_owned(), fake.clone(), settings)
            .unwrap();
    })
}

impl Running {
    /// Waits for news of trace 1.
    pub(crate) fn poll(&self, query: &str) -> Value {
        let reply = self.get(&format!("/api/traces/1/live?{query}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    /// Waits for an edition of trace 1 that is newer.
    pub(crate) fn newer(&self, after: u64) -> Value {
        eventually(|| {
            let status = self.poll(&format!("after={after}"));
            (status["edition"].as_u64().unwrap() > after).then_some(status)
        })
    }

    /// Asks an edition of trace 1.
    pub(crate) fn ask_edition(&self, edition: u64, query: &Value) -> Reply {
        self.ask_at(&format!("/api/traces/1/ask?edition={edition}"), query)
    }

    pub(crate) fn ask_at(&self, path: &str, query: &Value) -> Reply {
        let headers = ["Content-Type: application/json"];
        let body = query.to_string();
        self.request(&format!("POST {path}"), &headers, body.as_bytes())
    }

    /// Where an edition of trace 1 begins.
    pub(crate) fn base(&self, edition: u64) -> u64 {
        let overview = self
            .ask_edition(edition, &json!({ "ask": "overview" }))
            .json();
        overview["base"]["event"].as_u64().unwrap()
    }

    /// Pauses, or goes to older events: `pause`, `older?before=1`.
    pub(crate) fn hold(&self, how: &str) -> Reply {
        self.request(&format!("POST /api/traces/1/live/{how}"), &[], b"")
    }
}

/// Tries until it is so.
pub(crate) fn eventually<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(outcome) = attempt() {
            return outcome;
        }
        assert!(began.elapsed() < PATIENCE, "this takes too long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

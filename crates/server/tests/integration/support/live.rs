//! A live recording controlled by a test.

use super::{Reply, TIMEOUT, TestServer, session_bytes, start_with};
use rtoscope_capture::{CaptureStatus, RecordingStatus, SendError, SourceState};
use rtoscope_decode::live::HostTime;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeError, DecodedRecording, UnpackedInput};
use rtoscope_server::{LiveFeed, LiveTraceOptions, OlderEventsError, ServerOptions};
use rtoscope_trace::{Ticks, TraceOrigin};
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Ticks per event of the recording.
pub(crate) const TICKS: u64 = 10;

/// A feed whose last events are always the same ones, with other numbers and times.
#[derive(Clone)]
pub(crate) struct FakeFeed(Arc<Inner>);

struct Inner {
    events: DecodedRecording,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    status: CaptureStatus,
    /// Number of requests for the last events.
    cuts: usize,
    /// The result of these requests.
    cut: DecodeOutcome,
    /// The numbers of the events on disk.
    disk: std::ops::Range<u64>,
    /// The bytes that were sent to the target.
    sent: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DecodeOutcome {
    Works,
    Fails,
    Panics,
}

impl FakeFeed {
    /// A recording without events.
    pub(crate) fn new() -> Self {
        let bytes = session_bytes("cm3_short.trx");
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let status = CaptureStatus {
            version: 1,
            connection: SourceState::Waiting("a target".to_owned()),
            ..CaptureStatus::default()
        };
        Self(Arc::new(Inner {
            events: content.decode(&Default::default()).unwrap(),
            state: Mutex::new(State {
                status,
                cuts: 0,
                cut: DecodeOutcome::Works,
                disk: 0..0,
                sent: Vec::new(),
            }),
            changed: Condvar::new(),
        }))
    }

    /// A recording with as many events as are shown.
    pub(crate) fn begun() -> Self {
        let fake = Self::new();
        fake.grow(fake.shown_events());
        fake
    }

    /// Number of events shown at once.
    pub(crate) fn shown_events(&self) -> u64 {
        self.0.events.trace.events.len() as u64
    }

    /// Adds events.
    pub(crate) fn grow(&self, events: u64) {
        self.set(|status| {
            status.tally.events += events;
            status.bytes += 32 * events;
            status.newest_received = Some(HostTime(status.tally.events * 1_000_000));
            status.connection = SourceState::Connected("a test".to_owned());
        });
    }

    /// Changes the status.
    pub(crate) fn set(&self, change: impl FnOnce(&mut CaptureStatus)) {
        let mut state = self.state();
        change(&mut state.status);
        state.status.version += 1;
        self.0.changed.notify_all();
    }

    /// Sets the result of requests for the last events.
    pub(crate) fn set_outcome(&self, cut: DecodeOutcome) {
        self.state().cut = cut;
    }

    /// Saves the events with these numbers.
    pub(crate) fn save(&self, events: std::ops::Range<u64>) {
        self.state().disk = events;
        self.set(|status| {
            status.saved = Some(RecordingStatus {
                folder: "a folder".into(),
                bytes: 7,
                ..RecordingStatus::default()
            });
        });
    }

    /// Number of requests for the last events.
    pub(crate) fn decodes(&self) -> usize {
        self.state().cuts
    }

    /// The bytes that were sent to the target.
    pub(crate) fn sent(&self) -> Vec<u8> {
        self.state().sent.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A test may make a thread panic that holds the lock.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The part that starts after an event number.
    fn part(&self, event: u64) -> DecodedRecording {
        let mut part = self.0.events.clone();
        part.trace.origin = TraceOrigin {
            event,
            time: Ticks(event * TICKS),
        };
        part
    }
}

impl LiveFeed for FakeFeed {
    fn status(&self) -> CaptureStatus {
        self.state().status.clone()
    }

    fn wait(&self, version: u64, timeout: Duration) -> CaptureStatus {
        let wait = |state: &mut State| state.status.version == version;
        let waited = self
            .0
            .changed
            .wait_timeout_while(self.state(), timeout, wait);
        waited
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .status
            .clone()
    }

    fn last_events(&self, _: u64) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        let mut state = self.state();
        state.cuts += 1;
        match state.cut {
            DecodeOutcome::Works => {}
            DecodeOutcome::Fails => return Err(failure()),
            DecodeOutcome::Panics => panic!("as meant"),
        }
        let newest = state.status.newest_received;
        let end = state.status.tally.events;
        drop(state);
        Ok(newest.map(|at| (self.part(end - self.shown_events()), at)))
    }

    /// The first of these events is never in memory any more.
    fn events_from(
        &self,
        _: TraceOrigin,
    ) -> Result<Option<(DecodedRecording, HostTime)>, DecodeError> {
        Ok(None)
    }

    fn takes_commands(&self) -> bool {
        true
    }

    fn send(&self, bytes: Vec<u8>) -> Result<(), SendError> {
        let mut state = self.state();
        match state.status.connection {
            SourceState::Connected(_) => {
                state.sent.extend(bytes);
                Ok(())
            }
            _ => Err(SendError("no target is connected".to_owned())),
        }
    }

    fn older_events(
        &self,
        before: u64,
        _: u64,
    ) -> Result<Option<DecodedRecording>, OlderEventsError> {
        let disk = self.state().disk.clone();
        if before > disk.end {
            return Err(OlderEventsError("the disk is gone".to_owned()));
        }
        let first = before.checked_sub(self.shown_events());
        Ok(first
            .filter(|first| *first >= disk.start)
            .map(|first| self.part(first)))
    }
}

/// An error in decoding the last events.
pub(crate) fn failure() -> DecodeError {
    let nothing = UnpackedInput::open(Input::new(b""), BufferChoice::First, None);
    nothing.err().unwrap()
}

/// A server with a live trace, number 1.
pub(crate) fn start_live(fake: &FakeFeed) -> TestServer {
    start_live_with(ServerOptions::default(), fake)
}

pub(crate) fn start_live_with(settings: ServerOptions, fake: &FakeFeed) -> TestServer {
    start_with(settings, |server| {
        let settings = LiveTraceOptions::default();
        server
            .add_live("live".to_owned(), fake.clone(), settings)
            .unwrap();
    })
}

impl TestServer {
    /// Polls trace 1.
    pub(crate) fn poll(&self, query: &str) -> Value {
        let reply = self.get(&format!("/api/traces/1/live?{query}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    /// Waits for a newer snapshot of trace 1.
    pub(crate) fn newer_snapshot(&self, after: u64) -> Value {
        eventually("a newer snapshot", || {
            let status = self.poll(&format!("after={after}"));
            (status["snapshot"].as_u64().unwrap() > after).then_some(status)
        })
    }

    /// Queries a snapshot of trace 1.
    pub(crate) fn query_snapshot(&self, snapshot: u64, query: &Value) -> Reply {
        self.query_at(&format!("/api/traces/1/query?snapshot={snapshot}"), query)
    }

    pub(crate) fn query_at(&self, path: &str, query: &Value) -> Reply {
        let headers = ["Content-Type: application/json"];
        let body = query.to_string();
        self.request(&format!("POST {path}"), &headers, body.as_bytes())
    }

    /// The start of a snapshot of trace 1.
    pub(crate) fn base(&self, snapshot: u64) -> u64 {
        let overview = self
            .query_snapshot(snapshot, &json!({ "query": "overview" }))
            .json();
        overview["base"]["event"].as_u64().unwrap()
    }

    /// Pauses, or goes to older events: `pause`, `older?before=1`.
    pub(crate) fn hold_snapshot(&self, how: &str) -> Reply {
        self.request(&format!("POST /api/traces/1/live/{how}"), &[], b"")
    }
}

/// Retries until the attempt succeeds.
pub(crate) fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(outcome) = attempt() {
            return outcome;
        }
        assert!(began.elapsed() < TIMEOUT, "{what}: not in {TIMEOUT:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

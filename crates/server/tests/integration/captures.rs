//! Real captures, seen through the server.

use crate::support::live::eventually;
use crate::support::{TestServer, start_with};
use rtoscope_capture::{
    Capture, CaptureControl, CaptureOptions, DEFAULT_MAX_QUEUED_BYTES, HostClock, Source,
    SourceEvent,
};
use rtoscope_decode::live;
use rtoscope_generate::rkh;
use rtoscope_recording::{Recorder, RecorderOptions};
use rtoscope_server::{LiveTraceOptions, ServerOptions};
use rtoscope_session::{Query, QueryResponse, Session};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A source that delivers what a test sends, until the sender is dropped.
struct ChannelSource {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
}

impl Source for ChannelSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        match self.pieces.recv_timeout(wait) {
            Ok(piece) => {
                self.piece = piece;
                SourceEvent::Bytes(&self.piece)
            }
            Err(RecvTimeoutError::Timeout) => SourceEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => SourceEvent::Ended,
        }
    }
}

/// Events kept in memory.
const KEPT_EVENTS: u64 = 3000;

/// A capture saved to a folder, the server that shows it, and a sender for its bytes.
fn capture(folder: &Path) -> (Capture, TestServer, Sender<Vec<u8>>) {
    let (sender, pieces) = channel();
    let recorder = Recorder::create(
        RecorderOptions {
            folder: folder.join("recording"),
            source: "a test".to_owned(),
            segment_bytes: None,
            segment_time: None,
            max_segments: None,
        },
        HostClock::new().now(),
    );
    let settings = CaptureOptions {
        live_options: live::LiveOptions {
            options: Default::default(),
            format: None,
            max_events: KEPT_EVENTS,
        },
        recorder: Some(recorder.unwrap()),
        max_queued_bytes: DEFAULT_MAX_QUEUED_BYTES,
        commands: Vec::new(),
        is_writable: false,
    };
    let source = ChannelSource {
        pieces,
        piece: Vec::new(),
    };
    let capture = Capture::start(Box::new(source), settings, |_| CaptureControl::Continue);
    let server = start_with(ServerOptions::default(), |server| {
        let settings = LiveTraceOptions {
            max_events: KEPT_EVENTS,
            ..LiveTraceOptions::default()
        };
        let name = "live".to_owned();
        server.add_live(name, capture.watch(), settings).unwrap();
    });
    (capture, server, sender)
}

/// The events of a session, by number in the recording.
fn rows(session: &Session) -> Vec<Value> {
    let events = session.part().events;
    let rows = (0..events).step_by(1000).flat_map(|from| {
        let query = json!({ "query": "events", "offset": from, "limit": 1000 });
        let query: Query = serde_json::from_value(query).unwrap();
        let QueryResponse::Json(text) = session.query(&query).unwrap() else {
            panic!("no JSON")
        };
        let response: Value = serde_json::from_str(&text).unwrap();
        response["rows"].as_array().unwrap().clone()
    });
    rows.collect()
}

/// Compares a snapshot with the same events of the whole recording.
fn compare(server: &TestServer, status: &Value, whole: &[Value]) {
    let number = |name: &str| status[name].as_u64().unwrap();
    let base = status["base"]["event"].as_u64().unwrap();
    let events = number("events");
    assert!(events > 0);
    for from in (0..events).step_by(1000) {
        let query = json!({ "query": "events", "offset": base + from, "limit": 1000 });
        let shown = server.query_snapshot(number("snapshot"), &query).json();
        assert_eq!(shown["total"], events);
        for row in shown["rows"].as_array().unwrap() {
            let event = row["event"].as_u64().unwrap();
            let expected = &whole[usize::try_from(event).unwrap()];
            for name in ["time", "name", "arguments", "core"] {
                assert_eq!(row[name], expected[name], "event {event}");
            }
        }
    }
}

#[test]
fn captures_are_shown_from_start_to_end() {
    let mut bytes = Vec::new();
    let settings = rkh::RkhOptions {
        records: 10_000,
        losses: false,
        ..Default::default()
    };
    rkh::write(&settings, &mut bytes, &mut |_| ()).unwrap();
    let whole = Session::open("whole", &bytes, &Default::default()).unwrap();
    let whole = rows(&whole);
    let folder = tempfile::tempdir().unwrap();
    let (capture, server, sender) = capture(folder.path());

    let mut snapshot = 0;
    let mut snapshots = 0;
    for piece in bytes.chunks(bytes.len() / 10 + 1) {
        for part in piece.chunks(777) {
            sender.send(part.to_vec()).unwrap();
        }
        let status = server.newer_snapshot(snapshot);
        snapshot = status["snapshot"].as_u64().unwrap();
        compare(&server, &status, &whole);
        snapshots += 1;
    }
    assert_eq!(snapshots, 10);
    drop(sender);
    let last = eventually("the end", || {
        let status = server.poll(&format!("after={snapshot}&version=0"));
        snapshot = status["snapshot"].as_u64().unwrap();
        let is_over = status["connection"]["state"] == "ended";
        let is_all = status["base"]["event"].as_u64().unwrap() + status["events"].as_u64().unwrap()
            == status["total_events"].as_u64().unwrap();
        (is_over && is_all).then_some(status)
    });
    assert_eq!(last["total_events"], whole.len());
    assert_eq!(last["bytes"], bytes.len());
    compare(&server, &last, &whole);

    // Back to the start of the recording on disk, as a paused viewer.
    let mut paused = server.hold_snapshot("pause").json();
    let mut seen = 0;
    while paused["has_older"] == true {
        let before = paused["base"]["event"].as_u64().unwrap();
        let older = server
            .hold_snapshot(&format!("older?before={before}"))
            .json();
        compare(&server, &older, &whole);
        let start = older["base"]["event"].as_u64().unwrap();
        let end = start + older["events"].as_u64().unwrap();
        // No event is missing between the two.
        assert!(
            start < before && end >= before,
            "{start}..{end} before {before}"
        );
        paused = older;
        seen += 1;
    }
    assert!(seen > 1, "{seen}");
    assert_eq!(paused["base"]["event"], 0);
    capture.stop();
}

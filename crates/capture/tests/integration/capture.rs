//! Captures from the source to the viewer.

use rtoscope_capture::{
    Capture, CaptureControl, CaptureEvent, CaptureOptions, CaptureStatus, CaptureWatch, HostClock,
    Source, SourceEvent, SourceState,
};
use rtoscope_decode::live::{LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_recording::{Recorder, RecorderOptions, Recording, RecordingItem};
use rtoscope_trace::{EventKindId, Trace, TraceOrigin};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// More than any step takes on the slowest machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Fewer bytes than some of the captures receive.
const MAX_QUEUED_BYTES: usize = 512 << 10;

/// Actions of a scripted source.
enum ScriptedEvent {
    Bytes(Vec<u8>),
    Lose,
    /// Wait until released.
    Wait(Receiver<()>),
}

struct ScriptedSource {
    acts: VecDeque<ScriptedEvent>,
    held: Vec<u8>,
}

impl Source for ScriptedSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        match self.acts.pop_front() {
            None => SourceEvent::Ended,
            Some(ScriptedEvent::Bytes(bytes)) => {
                self.held = bytes;
                SourceEvent::Bytes(&self.held)
            }
            Some(ScriptedEvent::Lose) => SourceEvent::Lost("the cable was cut".to_owned()),
            Some(ScriptedEvent::Wait(event)) => {
                if event.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.acts.push_front(ScriptedEvent::Wait(event));
                }
                SourceEvent::Nothing
            }
        }
    }
}

fn script(acts: impl IntoIterator<Item = ScriptedEvent>) -> Box<dyn Source> {
    Box::new(ScriptedSource {
        acts: acts.into_iter().collect(),
        held: Vec::new(),
    })
}

fn stream() -> Vec<u8> {
    rtoscope_fixtures::read_testdata("rkh/nat_short.bin")
}

/// Decodes a whole stream.
fn decode_all(bytes: &[u8]) -> Trace {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    content.decode(&DecodeOptions::default()).unwrap().trace
}

fn settings(most_events: u64, recorder: Option<Recorder>) -> CaptureOptions {
    CaptureOptions {
        live_options: LiveOptions {
            options: DecodeOptions::default(),
            format: None,
            max_events: most_events,
        },
        recorder,
        max_queued_bytes: MAX_QUEUED_BYTES,
        commands: Vec::new(),
        is_writable: false,
    }
}

fn recorder(folder: &Path) -> Recorder {
    ring_recorder(folder, None)
}

/// A recorder that keeps a number of segments of a given size.
fn ring_recorder(folder: &Path, options: Option<(u64, usize)>) -> Recorder {
    let settings = RecorderOptions {
        folder: folder.to_owned(),
        source: "a script".to_owned(),
        segment_bytes: options.map(|(bytes, _)| bytes),
        segment_time: None,
        max_segments: options.map(|(_, segments)| segments),
    };
    Recorder::create(settings, HostClock::new().now()).unwrap()
}

/// Numbers, times and kinds of all events that a capture reported.
type Seen = Arc<Mutex<Vec<(u64, u64, EventKindId)>>>;

fn record_events(seen: &Seen, event: &CaptureEvent<'_>) {
    let CaptureEvent::News(news) = event else {
        return;
    };
    let trace = &news.recording.trace;
    let new = trace.events.iter().skip(usize::from(news.overlaps));
    let new = new.map(|event| {
        let time = trace.recording_time(event.time);
        (trace.recording_event(event.index), time.0, event.kind)
    });
    seen.lock().unwrap().extend(new);
}

/// Waits until a status is reported.
fn wait_until(
    watch: &CaptureWatch,
    what: &str,
    mut is_so: impl FnMut(&CaptureStatus) -> bool,
) -> CaptureStatus {
    let start = Instant::now();
    let mut status = watch.status();
    while !is_so(&status) {
        assert!(start.elapsed() < TIMEOUT, "no {what}: {status:?}");
        status = watch.wait(status.version, Duration::from_millis(200));
    }
    status
}

fn is_ended(status: &CaptureStatus) -> bool {
    status.connection == SourceState::Ended
}

fn wait_for_end(watch: &CaptureWatch) -> CaptureStatus {
    wait_until(watch, "end", is_ended)
}

fn wait_for_bytes(watch: &CaptureWatch, bytes: u64) -> CaptureStatus {
    wait_until(watch, &format!("{bytes} bytes"), |status| {
        status.bytes == bytes
    })
}

fn pieces(bytes: &[u8], size: usize) -> impl Iterator<Item = ScriptedEvent> {
    bytes
        .chunks(size)
        .map(|piece| ScriptedEvent::Bytes(piece.to_vec()))
}

#[test]
fn every_event_is_reported_once() {
    let stream = stream();
    let expected = decode_all(&stream);
    for size in [1, 7, 1000, usize::MAX] {
        let seen = Seen::default();
        let capture = {
            let seen = Arc::clone(&seen);
            let source = script(pieces(&stream, size.min(stream.len())));
            Capture::start(source, settings(u64::MAX, None), move |event| {
                record_events(&seen, &event);
                CaptureControl::Continue
            })
        };
        let status = wait_for_end(&capture.watch());
        assert_eq!(status.bytes, stream.len() as u64);
        assert_eq!(status.tally.events, expected.events.len() as u64);
        let seen = seen.lock().unwrap();
        let kinds: Vec<_> = seen.iter().map(|(_, _, kind)| *kind).collect();
        assert!(kinds.into_iter().eq(expected.events.kinds()));
        let times: Vec<_> = seen.iter().map(|(_, time, _)| *time).collect();
        assert!(
            times
                .into_iter()
                .eq(expected.events.times().map(|time| time.0))
        );
        assert!(
            seen.iter()
                .map(|(number, ..)| *number)
                .eq(0..seen.len() as u64)
        );
    }
}

#[test]
fn saved_bytes_match_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let stream = stream();
    let (first, second) = stream.split_at(stream.len() / 2);
    let acts = pieces(first, 100)
        .chain([ScriptedEvent::Lose])
        .chain(pieces(second, 100));
    let capture = Capture::start(
        script(acts),
        settings(u64::MAX, Some(recorder(&at))),
        |_| CaptureControl::Continue,
    );
    let status = wait_for_end(&capture.watch());
    assert_eq!(status.saved.unwrap().bytes, stream.len() as u64);
    let mut saved = Vec::new();
    let mut cuts = Vec::new();
    let recording = Recording::open(&at).unwrap();
    let read = recording.read(0, |part| {
        match part {
            RecordingItem::Bytes { bytes, .. } => saved.extend_from_slice(bytes),
            RecordingItem::Interrupted { .. } => cuts.push(saved.len()),
            RecordingItem::Metadata { .. }
            | RecordingItem::Refused { .. }
            | RecordingItem::Unread(_)
            | RecordingItem::Damaged(_) => {}
        }
        ControlFlow::Continue(())
    });
    read.unwrap();
    assert_eq!(saved, stream);
    assert_eq!(cuts, [first.len()]);
}

/// Decodes a recording.
fn reopened(folder: &Path) -> Trace {
    let mut live = LiveDecoder::new(settings(u64::MAX, None).live_options);
    let recording = Recording::open(folder).unwrap();
    let read = recording.read(0, |part| {
        match part {
            RecordingItem::Bytes { bytes, at, .. } => live.push(bytes, at),
            RecordingItem::Metadata { format, bytes } => live.load_metadata(format, bytes),
            RecordingItem::Interrupted { .. } => live.connection_lost(),
            RecordingItem::Refused { .. }
            | RecordingItem::Unread(_)
            | RecordingItem::Damaged(_) => {}
        }
        ControlFlow::Continue(())
    });
    read.unwrap();
    live.connection_lost();
    live.next_update().unwrap().unwrap().recording.trace
}

/// Its last events are those of the whole; the running context is known only after its
/// first record.
fn check_end(end: &Trace, whole: &Trace) {
    let kinds = |trace: &Trace| trace.events.kinds().collect::<Vec<_>>();
    assert!(kinds(whole).ends_with(&kinds(end)));
    let contexts = |trace: &Trace| {
        let events = trace.events.iter().skip(trace.events.len() - 20);
        let contexts = events.map(|event| trace.context_name(event.context));
        contexts.collect::<Vec<_>>()
    };
    assert_eq!(contexts(end), contexts(whole));
}

#[test]
fn fast_ring_recordings_can_be_read() {
    let stream = stream();
    let whole = decode_all(&stream);
    for (piece, size, segments) in [(500, 2000, 1), (700, 3000, 2), (6000, 4000, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let recorder = ring_recorder(folder.path(), Some((size, segments)));
        let source = script(pieces(&stream, piece));
        let capture = Capture::start(source, settings(u64::MAX, Some(recorder)), |_| {
            CaptureControl::Continue
        });
        wait_for_end(&capture.watch());
        capture.stop();
        let kept = Recording::open(folder.path()).unwrap().segments().len();
        assert_eq!(kept, segments);
        let end = reopened(folder.path());
        assert!(end.events.len() > 20 && end.events.len() < whole.events.len());
        check_end(&end, &whole);
    }
}

#[test]
fn ring_recordings_can_be_read_while_written() {
    let stream = stream();
    let whole = decode_all(&stream);
    let folder = tempfile::tempdir().unwrap();
    let recorder = ring_recorder(folder.path(), Some((4000, 1)));
    let (mut go, mut acts) = (Vec::new(), Vec::new());
    for act in pieces(&stream, 4000) {
        let (sender, wait) = mpsc::channel();
        go.push(sender);
        acts.extend([act, ScriptedEvent::Wait(wait)]);
    }
    let capture = Capture::start(script(acts), settings(u64::MAX, Some(recorder)), |_| {
        CaptureControl::Continue
    });
    let mut came = 0;
    for (number, go) in (1..).zip(go) {
        came = (came + 4000).min(stream.len());
        let start = Instant::now();
        while number > 1 && !folder.path().join(format!("{number:06}.preface")).exists() {
            assert!(start.elapsed() < TIMEOUT, "no segment {number}");
            std::thread::sleep(Duration::from_millis(5));
        }
        wait_for_bytes(&capture.watch(), came as u64);
        let end = reopened(folder.path());
        assert!(end.events.len() > 20);
        check_end(&end, &decode_all(&stream[..came]));
        drop(go);
    }
    capture.stop();
    check_end(&reopened(folder.path()), &whole);
}

/// Receives a stream several times. The listener blocks at the first news until the sender is
/// dropped, and all but the first stream arrive after that.
fn start_with_blocked_listener(
    stream: &[u8],
    times: usize,
    recorder: Recorder,
) -> (Capture, Sender<()>) {
    let (blocked, wait) = mpsc::channel::<()>();
    let bytes = || ScriptedEvent::Bytes(stream.to_vec());
    let rest = (1..times).map(|_| bytes());
    let acts = [bytes(), ScriptedEvent::Wait(wait)].into_iter().chain(rest);
    let (go, gone) = mpsc::channel();
    let mut blocked = Some(blocked);
    let capture = Capture::start(
        script(acts),
        settings(10_000, Some(recorder)),
        move |event| {
            if matches!(event, CaptureEvent::News(_)) {
                blocked.take();
                let _ = gone.recv();
            }
            CaptureControl::Continue
        },
    );
    (capture, go)
}

#[test]
fn slow_listeners_do_not_delay_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let stream = stream();
    let events = decode_all(&stream).events.len() as u64;
    let times = MAX_QUEUED_BYTES / stream.len() * 5 / 4;
    let (capture, go) = start_with_blocked_listener(&stream, times, recorder(&at));
    let watch = capture.watch();
    let all = (times * stream.len()) as u64;
    let status = wait_for_bytes(&watch, all);
    assert_ne!(status.connection, SourceState::Ended);
    drop(go);
    let status = wait_for_end(&watch);
    // The target restarts each time; no bytes are lost.
    assert_eq!(status.tally.events, events * times as u64);
    assert_eq!(status.tally.unusable, 0);
    // Some of the events are only on disk and can be read from there.
    let older = watch.older_events(5000, 3000).unwrap().unwrap();
    let base = older.trace.origin;
    assert!(base.event <= 2000, "{base:?}");
    assert!(base.event + older.trace.events.len() as u64 >= 5000);
}

#[test]
fn stopping_ends_decoding_and_keeps_the_recording() {
    let stream = stream();
    let times = MAX_QUEUED_BYTES / stream.len() * 5 / 4;
    let all = (times * stream.len()) as u64;
    for segments in [None, Some((50 << 10, 2))] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("run");
        let recorder = ring_recorder(&at, segments);
        let (capture, go) = start_with_blocked_listener(&stream, times, recorder);
        let watch = capture.watch();
        wait_for_bytes(&watch, all);
        watch.stop_within(Duration::ZERO);
        drop(go);
        let status = capture.stop();
        assert!(is_ended(&status), "{status:?}");
        assert!(status.tally.events > 0);
        assert!(status.undecoded_bytes > all / 2, "{status:?}");
        let saved = status.saved.unwrap();
        assert_eq!(
            (saved.bytes, saved.missing_bytes, saved.incomplete_reason),
            (all, 0, None)
        );
        // Undecoded bytes may contain names: their segments are not removed.
        let recording = Recording::open(&at).unwrap();
        assert!(recording.segments()[0].offset <= all - status.undecoded_bytes);
        assert!(segments.is_some() || recording.bytes() == all);
    }
    // With enough time, everything is decoded.
    let capture = Capture::start(
        script([ScriptedEvent::Bytes(stream.clone())]),
        settings(u64::MAX, None),
        |_| CaptureControl::Continue,
    );
    wait_until(&capture.watch(), "bytes", |status| status.bytes > 0);
    capture.watch().stop_within(TIMEOUT);
    let status = capture.stop();
    assert_eq!(status.undecoded_bytes, 0);
    assert_eq!(status.tally.events, decode_all(&stream).events.len() as u64);
}

#[test]
fn listeners_can_stop_the_capture() {
    let stream = stream();
    let (_go, wait) = mpsc::channel();
    let acts = pieces(&stream, 500).chain([ScriptedEvent::Wait(wait)]);
    let capture = Capture::start(
        script(acts),
        settings(u64::MAX, None),
        |event| match event {
            CaptureEvent::News(_) => CaptureControl::Stop,
            _ => CaptureControl::Continue,
        },
    );
    let status = wait_for_end(&capture.watch());
    assert!(status.tally.events > 0);
}

#[test]
fn the_last_events_are_kept() {
    let stream = stream();
    let expected = decode_all(&stream);
    let (go, wait) = mpsc::channel();
    let acts = pieces(&stream, 300).chain([ScriptedEvent::Wait(wait)]);
    let capture = Capture::start(script(acts), settings(100, None), |_| {
        CaptureControl::Continue
    });
    let watch = capture.watch();
    let all = expected.events.len() as u64;
    wait_until(&watch, &format!("{all} events"), |status| {
        status.tally.events == all
    });
    let (cut, _) = watch.last_events(50).unwrap();
    let part = cut.decode().unwrap().trace;
    let first = usize::try_from(part.origin.event).unwrap();
    assert_eq!(first + part.events.len(), expected.events.len());
    assert!(
        (50..1000).contains(&part.events.len()),
        "{}",
        part.events.len()
    );
    let (same, _) = watch.events_from(part.origin).unwrap();
    assert_eq!(same.decode().unwrap().trace, part);
    let end = TraceOrigin {
        event: all,
        ..part.origin
    };
    assert!(watch.events_from(end).is_none());
    assert!(part.events.kinds().eq(expected.events.kinds().skip(first)));
    assert_eq!(Some(part.origin.time), expected.events.times().nth(first));
    for (one, other) in part.events.iter().zip(expected.events.iter().skip(first)) {
        let name = part.context_name(one.context);
        assert_eq!(name, expected.context_name(other.context));
    }
    drop(go);
    let status = capture.stop();
    assert!(is_ended(&status));
}

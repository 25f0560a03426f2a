//! A capture from the source to whoever looks.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use rtoscope_capture::recording::{Part, RecordingSettings};
use rtoscope_capture::{
    Capture, CaptureSettings, Connection, Flow, Happened, HostClock, Recorder, Recording, Source,
    Status, Told, Watch,
};
use rtoscope_decode::live::{Live, Settings};
use rtoscope_decode::source::Input;
use rtoscope_decode::{Choice, Content, Options};
use rtoscope_trace::{KindId, Trace};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// More than any of this takes, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a scripted source does.
enum Act {
    Bytes(Vec<u8>),
    Lose,
    /// Nothing until it is told.
    Wait(Receiver<()>),
}

struct Script {
    acts: VecDeque<Act>,
    held: Vec<u8>,
}

impl Source for Script {
    fn next(&mut self, wait: Duration) -> Happened<'_> {
        match self.acts.pop_front() {
            None => Happened::Ended,
            Some(Act::Bytes(bytes)) => {
                self.held = bytes;
                Happened::Bytes(&self.held)
            }
            Some(Act::Lose) => Happened::Lost("the cable was cut".to_owned()),
            Some(Act::Wait(told)) => {
                if told.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.acts.push_front(Act::Wait(told));
                }
                Happened::Nothing
            }
        }
    }
}

fn script(acts: impl IntoIterator<Item = Act>) -> Box<dyn Source> {
    Box::new(Script {
        acts: acts.into_iter().collect(),
        held: Vec::new(),
    })
}

fn stream() -> Vec<u8> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rkh");
    std::fs::read(data.join("nat_short.bin")).unwrap()
}

/// The trace of a whole stream.
fn whole(bytes: &[u8]) -> Trace {
    let content = Content::open(Input::new(bytes), Choice::First, None).unwrap();
    content.decode(&Options::default()).unwrap().trace
}

fn settings(most_events: u64, recorder: Option<Recorder>) -> CaptureSettings {
    CaptureSettings {
        live: Settings {
            options: Options::default(),
            format: None,
            most_events,
        },
        recorder,
    }
}

fn recorder(folder: &Path) -> Recorder {
    ring(folder, None)
}

/// One of which segments of so many bytes are kept, the last so many.
fn ring(folder: &Path, wish: Option<(u64, usize)>) -> Recorder {
    let settings = RecordingSettings {
        folder: folder.to_owned(),
        source: "a script".to_owned(),
        segment_bytes: wish.map(|(bytes, _)| bytes),
        segment_time: None,
        segments: wish.map(|(_, segments)| segments),
    };
    Recorder::create(settings, HostClock::new().now()).unwrap()
}

/// Numbers, times and kinds of all events that a capture told.
type Seen = Arc<Mutex<Vec<(u64, u64, KindId)>>>;

fn note(seen: &Seen, told: &Told<'_>) {
    let Told::News(news) = told else { return };
    let trace = &news.recording.trace;
    let new = trace.events.iter().skip(usize::from(news.overlaps));
    let new = new.map(|event| {
        let time = trace.moment(event.time);
        (trace.number(event.index), time.0, event.kind)
    });
    seen.lock().unwrap().extend(new);
}

fn wait_until(watch: &Watch, mut is_so: impl FnMut(&Status) -> bool) -> Status {
    let start = Instant::now();
    let mut status = watch.status();
    while !is_so(&status) {
        assert!(start.elapsed() < PATIENCE, "{status:?}");
        status = watch.wait(status.version, Duration::from_millis(200));
    }
    status
}

fn is_ended(status: &Status) -> bool {
    status.connection == Connection::Ended
}

fn pieces(bytes: &[u8], size: usize) -> impl Iterator<Item = Act> {
    bytes.chunks(size).map(|piece| Act::Bytes(piece.to_vec()))
}

#[test]
fn every_event_is_told_once() {
    let stream = stream();
    let expected = whole(&stream);
    for size in [1, 7, 1000, usize::MAX] {
        let seen = Seen::default();
        let capture = {
            let seen = Arc::clone(&seen);
            let source = script(pieces(&stream, size.min(stream.len())));
            Capture::start(source, settings(u64::MAX, None), move |told| {
                note(&seen, &told);
                Flow::GoOn
            })
        };
        let status = wait_until(&capture.watch(), is_ended);
        assert_eq!(status.bytes, stream.len() as u64);
        assert_eq!(status.tally.events, expected.events.len() as u64);
        let seen = seen.lock().unwrap();
        let kinds: Vec<_> = seen.iter().map(|(_, _, kind)| *kind).collect();
        assert_eq!(kinds, expected.events.kind);
        let times: Vec<_> = seen.iter().map(|(_, time, _)| *time).collect();
        assert_eq!(times, expected.events.time);
        assert!(
            seen.iter()
                .map(|(number, ..)| *number)
                .eq(0..seen.len() as u64)
        );
    }
}

#[test]
fn what_is_saved_is_what_came() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let stream = stream();
    let (first, second) = stream.split_at(stream.len() / 2);
    let acts = pieces(first, 100)
        .chain([Act::Lose])
        .chain(pieces(second, 100));
    let capture = Capture::start(
        script(acts),
        settings(u64::MAX, Some(recorder(&at))),
        |_| Flow::GoOn,
    );
    let status = wait_until(&capture.watch(), is_ended);
    assert_eq!(status.saved.unwrap().bytes, stream.len() as u64);
    let mut saved = Vec::new();
    let mut cuts = Vec::new();
    let recording = Recording::open(&at).unwrap();
    let read = recording.read(0, |part| {
        match part {
            Part::Bytes { bytes, .. } => saved.extend_from_slice(bytes),
            Part::Interrupted { .. } => cuts.push(saved.len()),
            Part::Preface { .. } | Part::Refused { .. } => {}
        }
        ControlFlow::Continue(())
    });
    read.unwrap();
    assert_eq!(saved, stream);
    assert_eq!(cuts, [first.len()]);
}

/// The trace that a recording gives.
fn reopened(folder: &Path) -> Trace {
    let mut live = Live::new(settings(u64::MAX, None).live);
    let recording = Recording::open(folder).unwrap();
    let read = recording.read(0, |part| {
        match part {
            Part::Bytes { bytes, at, .. } => live.push(bytes, at),
            Part::Preface { format, bytes } => live.teach(format, bytes),
            Part::Interrupted { .. } => live.interrupt(),
            Part::Refused { .. } => {}
        }
        ControlFlow::Continue(())
    });
    read.unwrap();
    live.interrupt();
    live.advance().unwrap().unwrap().recording.trace
}

/// Its last events are those of the whole; who executes at first only what came
/// before has told.
fn check_end(end: &Trace, whole: &Trace) {
    let kinds = |trace: &Trace| trace.events.kind.clone();
    assert!(kinds(whole).ends_with(&kinds(end)));
    let contexts = |trace: &Trace| {
        let events = trace.events.iter().skip(trace.events.len() - 20);
        let contexts = events.map(|event| trace.context_name(event.context));
        contexts.collect::<Vec<_>>()
    };
    assert_eq!(contexts(end), contexts(whole));
}

#[test]
fn a_ring_that_turns_at_once_can_be_read() {
    let stream = stream();
    let whole = whole(&stream);
    for (piece, size, segments) in [(500, 2000, 1), (700, 3000, 2), (6000, 4000, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let recorder = ring(folder.path(), Some((size, segments)));
        let source = script(pieces(&stream, piece));
        let capture = Capture::start(source, settings(u64::MAX, Some(recorder)), |_| Flow::GoOn);
        wait_until(&capture.watch(), is_ended);
        capture.stop();
        let kept = Recording::open(folder.path()).unwrap().segments().len();
        assert_eq!(kept, segments);
        let end = reopened(folder.path());
        assert!(end.events.len() > 20 && end.events.len() < whole.events.len());
        check_end(&end, &whole);
    }
}

#[test]
fn a_ring_that_turns_can_be_read_meanwhile() {
    let stream = stream();
    let whole = whole(&stream);
    let folder = tempfile::tempdir().unwrap();
    let recorder = ring(folder.path(), Some((4000, 1)));
    let (mut go, mut acts) = (Vec::new(), Vec::new());
    for act in pieces(&stream, 4000) {
        let (sender, wait) = mpsc::channel();
        go.push(sender);
        acts.extend([act, Act::Wait(wait)]);
    }
    let capture = Capture::start(script(acts), settings(u64::MAX, Some(recorder)), |_| {
        Flow::GoOn
    });
    let mut came = 0;
    for (number, go) in (1..).zip(go) {
        came = (came + 4000).min(stream.len());
        let start = Instant::now();
        while number > 1 && !folder.path().join(format!("{number:06}.preface")).exists() {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(5));
        }
        wait_until(&capture.watch(), |status| status.bytes == came as u64);
        let end = reopened(folder.path());
        assert!(end.events.len() > 20);
        check_end(&end, &crate::whole(&stream[..came]));
        drop(go);
    }
    capture.stop();
    check_end(&reopened(folder.path()), &whole);
}

#[test]
fn a_slow_listener_slows_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("run");
    let stream = stream();
    let events = whole(&stream).events.len() as u64;
    // More than the queue holds.
    let times = (40 << 20) / stream.len();
    let acts = (0..times).map(|_| Act::Bytes(stream.clone()));
    let (go, gone): (Sender<()>, _) = mpsc::channel();
    let capture = Capture::start(
        script(acts),
        settings(10_000, Some(recorder(&at))),
        move |told| {
            if matches!(told, Told::News(_)) {
                // Until the sender is gone.
                let _ = gone.recv();
            }
            Flow::GoOn
        },
    );
    let watch = capture.watch();
    let all = (times * stream.len()) as u64;
    let status = wait_until(&watch, |status| status.bytes == all);
    assert_ne!(status.connection, Connection::Ended);
    drop(go);
    let status = wait_until(&watch, is_ended);
    // Each time the target starts again; nothing of it is lost.
    assert_eq!(status.tally.events, events * times as u64);
    assert_eq!(status.tally.bad, 0);
    // Of the events in memory some are only on disk, and can be had from there.
    let older = watch.older(5000, 3000).unwrap().unwrap();
    let base = older.trace.base;
    assert!(base.event <= 2000, "{base:?}");
    assert!(base.event + older.trace.events.len() as u64 >= 5000);
}

#[test]
fn an_interrupt_ends_decoding_and_keeps_what_is_saved() {
    let stream = stream();
    let times = (40 << 20) / stream.len();
    let all = (times * stream.len()) as u64;
    for segments in [None, Some((4 << 20, 2))] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("run");
        let acts = (0..times).map(|_| Act::Bytes(stream.clone()));
        let (go, gone): (Sender<()>, _) = mpsc::channel();
        let capture = Capture::start(
            script(acts),
            settings(10_000, Some(ring(&at, segments))),
            move |told| {
                if matches!(told, Told::News(_)) {
                    // Until the sender is gone.
                    let _ = gone.recv();
                }
                Flow::GoOn
            },
        );
        let watch = capture.watch();
        wait_until(&watch, |status| status.bytes == all);
        watch.stop_within(Duration::ZERO);
        drop(go);
        let status = capture.stop();
        assert!(is_ended(&status), "{status:?}");
        assert!(status.tally.events > 0);
        assert!(status.undecoded > all / 2, "{status:?}");
        let saved = status.saved.unwrap();
        assert_eq!((saved.bytes, saved.missing, saved.fault), (all, 0, None));
        // What was not decoded may have told names: its segments are not removed.
        let recording = Recording::open(&at).unwrap();
        assert!(recording.segments()[0].offset <= all - status.undecoded);
        assert!(segments.is_some() || recording.bytes() == all);
    }
    // With the time it needs, all is decoded.
    let capture = Capture::start(
        script([Act::Bytes(stream.clone())]),
        settings(u64::MAX, None),
        |_| Flow::GoOn,
    );
    wait_until(&capture.watch(), |status| status.bytes > 0);
    capture.watch().stop_within(PATIENCE);
    let status = capture.stop();
    assert_eq!(status.undecoded, 0);
    assert_eq!(status.tally.events, whole(&stream).events.len() as u64);
}

#[test]
fn a_capture_ends_when_the_listener_says_so() {
    let stream = stream();
    let (_go, wait) = mpsc::channel();
    let acts = pieces(&stream, 500).chain([Act::Wait(wait)]);
    let capture = Capture::start(script(acts), settings(u64::MAX, None), |told| match told {
        Told::News(_) => Flow::Stop,
        _ => Flow::GoOn,
    });
    let status = wait_until(&capture.watch(), is_ended);
    assert!(status.tally.events > 0);
}

#[test]
fn the_last_events_are_kept() {
    let stream = stream();
    let expected = whole(&stream);
    let (go, wait) = mpsc::channel();
    let acts = pieces(&stream, 300).chain([Act::Wait(wait)]);
    let capture = Capture::start(script(acts), settings(100, None), |_| Flow::GoOn);
    let watch = capture.watch();
    let all = expected.events.len() as u64;
    wait_until(&watch, |status| status.tally.events == all);
    let (cut, _) = watch.cut(50).unwrap();
    let part = cut.decode().unwrap().trace;
    let first = usize::try_from(part.base.event).unwrap();
    assert_eq!(first + part.events.len(), expected.events.len());
    assert!(
        (50..1000).contains(&part.events.len()),
        "{}",
        part.events.len()
    );
    assert_eq!(part.events.kind, expected.events.kind[first..]);
    assert_eq!(part.base.time.0, expected.events.time[first]);
    for (one, other) in part.events.iter().zip(expected.events.iter().skip(first)) {
        let name = part.context_name(one.context);
        assert_eq!(name, expected.context_name(other.context));
    }
    drop(go);
    let status = capture.stop();
    assert!(is_ended(&status));
}

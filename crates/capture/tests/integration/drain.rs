//! What the target has sent when a capture ends.

use rtoscope_capture::{
    Capture, CaptureControl, CaptureEvent, CaptureOptions, CaptureStatus, HostClock, Source,
    SourceEvent, Unread,
};
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::LiveOptions;
use rtoscope_recording::{Recorder, RecorderOptions, Recording, RecordingItem};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

static PIECE: [u8; 100_000] = [0x55; 100_000];

/// More than any system buffers, in pieces.
const ENDLESS: usize = usize::MAX;

/// The number of bytes that every source leaves unread.
const LEFT: u64 = 7;

/// A source whose bytes are delivered once the capture is to end.
struct QueuedSource {
    /// Number of pieces that the system holds.
    queued: usize,
    /// Number of pieces that arrive when it holds nothing.
    later: usize,
    is_announced: bool,
    is_ending: bool,
}

impl Source for QueuedSource {
    fn next(&mut self, _: Duration) -> SourceEvent<'_> {
        if !self.is_announced {
            self.is_announced = true;
            return SourceEvent::Connected("a target".to_owned());
        }
        let pieces = match self.queued {
            0 => &mut self.later,
            _ => &mut self.queued,
        };
        if !self.is_ending || *pieces == 0 {
            return SourceEvent::Nothing;
        }
        *pieces -= 1;
        SourceEvent::Bytes(&PIECE)
    }

    fn prepare_end(&mut self) -> bool {
        self.is_ending = true;
        true
    }

    fn queued_bytes(&self) -> u64 {
        self.queued as u64
    }

    fn unread(&mut self) -> Option<Unread> {
        Some(Unread::Bytes(LEFT))
    }
}

/// Captures into a folder until `stop`, and returns the end.
fn capture(
    [queued, later]: [usize; 2],
    folder: &Path,
    listen: impl FnMut(CaptureEvent<'_>) -> CaptureControl + Send + 'static,
    stop: impl FnOnce(&Capture),
) -> CaptureStatus {
    let source = QueuedSource {
        queued,
        later,
        is_announced: false,
        is_ending: false,
    };
    let recorder = RecorderOptions {
        folder: folder.to_owned(),
        source: "a test".to_owned(),
        segment_bytes: None,
        segment_time: None,
        max_segments: None,
    };
    let settings = CaptureOptions {
        live_options: LiveOptions {
            options: DecodeOptions::default(),
            format: None,
            max_events: u64::MAX,
        },
        recorder: Some(Recorder::create(recorder, HostClock::new().now()).unwrap()),
        max_queued_bytes: 1 << 20,
        commands: Vec::new(),
        is_writable: false,
    };
    let capture = Capture::start(Box::new(source), settings, listen);
    stop(&capture);
    capture.stop()
}

fn interrupt(capture: &Capture) {
    capture.watch().stop_within(Duration::ZERO);
}

/// The saved bytes, and what the recording says was not read.
fn saved(folder: &Path) -> (u64, Vec<Unread>) {
    let recording = Recording::open(folder).unwrap();
    let mut unread = Vec::new();
    let read = recording.read(0, |item| {
        if let RecordingItem::Unread(item) = item {
            unread.push(item);
        }
        ControlFlow::Continue(())
    });
    read.unwrap();
    (recording.bytes(), unread)
}

#[test]
fn sent_bytes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let listen = |_: CaptureEvent<'_>| CaptureControl::Continue;
    let status = capture([10, 0], folder.path(), listen, interrupt);
    assert_eq!(status.bytes, 10 * PIECE.len() as u64);
    // They have been sent since.
    assert_eq!(status.unread_bytes, 0);
    assert_eq!(saved(folder.path()), (status.bytes, Vec::new()));
}

#[test]
fn targets_that_never_pause_are_left() {
    for (pieces, unread) in [([ENDLESS, 0], LEFT), ([0, ENDLESS], 0)] {
        let folder = tempfile::tempdir().unwrap();
        let listen = |_: CaptureEvent<'_>| CaptureControl::Continue;
        let status = capture(pieces, folder.path(), listen, interrupt);
        assert!(status.bytes > 0);
        assert_eq!(status.unread_bytes, unread);
        let recorded = (unread > 0).then_some(Unread::Bytes(unread));
        let recorded: Vec<_> = recorded.into_iter().collect();
        assert_eq!(saved(folder.path()), (status.bytes, recorded));
    }
}

#[test]
fn captures_that_have_enough_read_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let listen = |event: CaptureEvent<'_>| match event {
        CaptureEvent::Connection(_) => CaptureControl::Stop,
        _ => CaptureControl::Continue,
    };
    let has_ended = |capture: &Capture| {
        let watch = capture.watch();
        while !watch.has_read() {
            let status = watch.status();
            watch.wait(status.version, Duration::from_millis(100));
        }
    };
    let status = capture([10, 0], folder.path(), listen, has_ended);
    assert_eq!((status.bytes, status.unread_bytes), (0, 0));
}

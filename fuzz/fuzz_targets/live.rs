//! Recordings of any format decoded as they come, in pieces, with breaks of the
//! connection between, and read again from their marks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::live::{Checkpoint, HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_decode::{DecodeOptions, DecodedRecording, Format};

/// Bytes that choose the format and how many events are kept.
const CHOICE: usize = 2;

/// A piece begins with its length, or with this.
const BREAK: u8 = 0xFF;

/// Looks at what is new after this many pieces.
const STEP: usize = 3;

fuzz_target!(|data: &[u8]| {
    let Some((&[format, kept], bytes)) = data.split_first_chunk::<CHOICE>() else {
        return;
    };
    let settings = LiveOptions {
        options: DecodeOptions::default(),
        format: match format % 4 {
            0 => Some(Format::ThreadX),
            1 => Some(Format::Rkh),
            2 => Some(Format::Cswitch),
            _ => None,
        },
        max_events: u64::from(kept) * 4,
    };
    let mut live = LiveDecoder::new(settings.clone());
    live.load_metadata(Format::Rkh, bytes.get(..64).unwrap_or(bytes));
    let mut live = LiveDecoder::new(settings.clone());
    let mut course = Course::default();
    let mut pushed = Vec::new();
    let mut mark: Option<Checkpoint> = None;
    for (number, piece) in pieces(bytes).enumerate() {
        match piece {
            Some(piece) => {
                live.push(piece, HostTime(number as u64 * 1_000_000));
                pushed.extend_from_slice(piece);
            }
            None => live.connection_lost(),
        }
        if number % STEP == 0
            && let Ok(Some(news)) = live.next_update()
        {
            course.follow(&news);
            if mark.is_none() {
                mark = live.checkpoint_before(course.next / 2).cloned();
            }
        }
    }
    assert!(live.stats().events >= course.next);
    if let Some(cut) = live.window(u64::from(kept))
        && let Ok(recording) = cut.decode()
    {
        let base = recording.trace.origin.event;
        assert_eq!(base + recording.trace.events.len() as u64, course.next);
        sound(&recording);
    }
    if let Some(mark) = mark {
        assert!(mark.offset() <= pushed.len() as u64);
        let rest = usize::try_from(mark.offset())
            .ok()
            .and_then(|at| pushed.get(at..));
        let mut again = LiveDecoder::resume(settings.clone(), &mark);
        again.push(rest.unwrap_or_default(), HostTime(0));
        if let Ok(Some(news)) = again.next_update() {
            assert!(news.recording.trace.origin.event >= mark.event);
            sound(&news.recording);
        }
    }
    let preface = live.metadata();
    if let Some(format) = live.format() {
        LiveDecoder::new(settings).load_metadata(format, &preface);
    }
});

/// What came, so far.
#[derive(Default)]
struct Course {
    next: u64,
    time: u64,
}

impl Course {
    /// Events are given out once each, in order, and times never fall.
    fn follow(&mut self, news: &LiveUpdate) {
        let trace = &news.recording.trace;
        let first = trace.origin.event + u64::from(news.overlaps);
        assert!(first >= self.next, "event {first} came again");
        assert!(trace.origin.time.0 >= self.time || !news.overlaps);
        self.next = trace.origin.event + trace.events.len() as u64;
        self.time = trace.recording_time(trace.events.span()).0;
        sound(&news.recording);
    }
}

fn sound(recording: &DecodedRecording) {
    let trace = &recording.trace;
    assert!(trace.events.time.is_sorted());
    assert!(trace.events.time.first().is_none_or(|first| *first == 0));
    for event in trace.events.iter() {
        assert!(!trace.context_name(event.context).is_empty());
    }
    for gap in &trace.gaps {
        assert!(gap.next_event.index() < trace.events.len());
    }
}

/// Pieces of up to 254 bytes, and `None` for breaks.
fn pieces(mut bytes: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    std::iter::from_fn(move || {
        let (&length, rest) = bytes.split_first()?;
        if length == BREAK {
            bytes = rest;
            return Some(None);
        }
        let (piece, rest) = rest.split_at(usize::from(length).min(rest.len()));
        bytes = rest;
        Some(Some(piece))
    })
}

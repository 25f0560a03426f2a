//! Recordings of any format decoded as they come, in pieces, with breaks of the
//! connection between, and read again from their marks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::live::{Live, Mark, Moment, News, Settings};
use rtoscope_decode::{Format, Options, Recording};

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
    let settings = Settings {
        options: Options::default(),
        format: match format % 4 {
            0 => Some(Format::ThreadX),
            1 => Some(Format::Rkh),
            2 => Some(Format::Cswitch),
            _ => None,
        },
        most_events: u64::from(kept) * 4,
    };
    let mut live = Live::new(settings.clone());
    live.teach(Format::Rkh, bytes.get(..64).unwrap_or(bytes));
    let mut live = Live::new(settings.clone());
    let mut course = Course::default();
    let mut pushed = Vec::new();
    let mut mark: Option<Mark> = None;
    for (number, piece) in pieces(bytes).enumerate() {
        match piece {
            Some(piece) => {
                live.push(piece, Moment(number as u64 * 1_000_000));
                pushed.extend_from_slice(piece);
            }
            None => live.interrupt(),
        }
        if number % STEP == 0
            && let Ok(Some(news)) = live.advance()
        {
            course.follow(&news);
            if mark.is_none() {
                mark = live.mark(course.next / 2).cloned();
            }
        }
    }
    assert!(live.tally().events >= course.next);
    if let Some(cut) = live.cut(u64::from(kept))
        && let Ok(recording) = cut.decode()
    {
        let base = recording.trace.base.event;
        assert_eq!(base + recording.trace.events.len() as u64, course.next);
        sound(&recording);
    }
    if let Some(mark) = mark {
        assert!(mark.offset() <= pushed.len() as u64);
        let rest = usize::try_from(mark.offset()).ok().and_then(|at| pushed.get(at..));
        let mut again = Live::resume(settings.clone(), &mark);
        again.push(rest.unwrap_or_default(), Moment(0));
        if let Ok(Some(news)) = again.advance() {
            assert!(news.recording.trace.base.event >= mark.event);
            sound(&news.recording);
        }
    }
    let preface = live.preface();
    if let Some(format) = live.format() {
        Live::new(settings).teach(format, &preface);
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
    fn follow(&mut self, news: &News) {
        let trace = &news.recording.trace;
        let first = trace.base.event + u64::from(news.overlaps);
        assert!(first >= self.next, "event {first} came again");
        assert!(trace.base.time.0 >= self.time || !news.overlaps);
        self.next = trace.base.event + trace.events.len() as u64;
        self.time = trace.moment(trace.events.span()).0;
        sound(&news.recording);
    }
}

fn sound(recording: &Recording) {
    let trace = &recording.trace;
    assert!(trace.events.time.is_sorted());
    assert!(trace.events.time.first().is_none_or(|first| *first == 0));
    for event in trace.events.iter() {
        assert!(!trace.context_name(event.context).is_empty());
    }
    for gap in &trace.gaps {
        assert!(gap.before.index() < trace.events.len());
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

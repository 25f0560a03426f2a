//! A recording, decoded as it comes.

use super::Moment;
use super::detect;
use super::marks::{Mark, Marks};
use super::stream::{Knowledge, Piece, Stream, Tally};
use crate::{DecodeError, Format, Options, Recording, cswitch, rkh, threadx};
use rtoscope_trace::clock::Quality;
use rtoscope_trace::{Base, Ticks};

/// How a recording is decoded as it comes.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the user knows better than the recording.
    pub options: Options,
    /// Its format; found out from the first bytes if not given.
    pub format: Option<Format>,
    /// Events that are kept: the last ones, somewhat more for a while, and fewer
    /// if they are uncommonly large. [`u64::MAX`] is all of them, whatever memory
    /// that takes.
    pub most_events: u64,
}

/// A recording, decoded as it comes, of which the last events are kept.
pub struct Live {
    settings: Settings,
    state: State,
    marks: Marks,
    /// The events before that were given out.
    done: u64,
    is_clock_settled: bool,
}

enum State {
    /// Bytes that do not tell their format yet, and how many went before them.
    Undecided { held: Vec<u8>, dropped: u64 },
    Decided {
        format: Format,
        stream: Box<dyn Stream>,
    },
}

/// What has come since the last time that somebody asked.
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    /// The new events, perhaps behind one that is not new, so that the time
    /// between them is known.
    pub recording: Recording,
    /// Whether the first event was already given out.
    pub overlaps: bool,
}

/// The last events of a recording, to be decoded.
pub struct Cut {
    piece: Box<dyn Piece>,
    base: Base,
}

/// Bytes that are held while nothing tells their format: as many as RKH may need.
const MOST_HELD: usize = 1 << 20;

/// Of those, what is kept to look at again.
const LOOKED_AT_AGAIN: usize = 1 << 16;

/// Events that tell enough of a clock.
const TELLING_EVENTS: usize = 64;

impl Live {
    /// At the start of a recording.
    pub fn new(settings: Settings) -> Self {
        let state = match settings.format {
            Some(format) => State::Decided {
                format,
                stream: stream(format, &settings.options, 0),
            },
            None => State::Undecided {
                held: Vec::new(),
                dropped: 0,
            },
        };
        Self {
            settings,
            state,
            marks: Marks::default(),
            done: 0,
            is_clock_settled: false,
        }
    }

    /// At a mark of a recording that another has decoded: bytes are expected
    /// from [`Mark::offset`] on, and events and times count as there.
    pub fn resume(settings: Settings, mark: &Mark) -> Self {
        let (format, stream): (_, Box<dyn Stream>) = match &mark.point.knowledge {
            Knowledge::ThreadX(_) => (
                Format::ThreadX,
                Box::new(threadx::live::Stream::resume(
                    &settings.options.threadx,
                    &mark.point,
                )),
            ),
            Knowledge::Rkh(_) => (
                Format::Rkh,
                Box::new(rkh::live::Stream::resume(
                    &settings.options.rkh,
                    &mark.point,
                )),
            ),
            Knowledge::Cswitch(_) => (
                Format::Cswitch,
                Box::new(cswitch::live::Stream::resume(
                    &settings.options.cswitch,
                    &mark.point,
                )),
            ),
        };
        let mut marks = Marks::default();
        marks.push(mark.clone());
        Self {
            settings,
            state: State::Decided { format, stream },
            marks,
            done: mark.event,
            is_clock_settled: false,
        }
    }

    /// Takes the next bytes, in pieces of any size.
    pub fn push(&mut self, bytes: &[u8], at: Moment) {
        match &mut self.state {
            State::Decided { stream, .. } => stream.push(bytes, at),
            State::Undecided { held, dropped } => {
                held.extend_from_slice(bytes);
                if let Some(format) = detect::format(held) {
                    let mut stream = stream(format, &self.settings.options, *dropped);
                    stream.push(held, at);
                    self.state = State::Decided { format, stream };
                } else if held.len() > MOST_HELD {
                    let old = held.len() - LOOKED_AT_AGAIN;
                    *dropped += old as u64;
                    held.drain(..old);
                }
            }
        }
        self.forget();
    }

    /// The connection broke: what was begun is not completed.
    pub fn interrupt(&mut self) {
        match &mut self.state {
            State::Decided { stream, .. } => stream.interrupt(),
            State::Undecided { held, dropped } => {
                *dropped += held.len() as u64;
                held.clear();
            }
        }
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        match &self.state {
            State::Decided { format, .. } => Some(*format),
            State::Undecided { .. } => None,
        }
    }

    /// What came and what did not.
    pub fn tally(&self) -> Tally {
        match &self.state {
            State::Decided { stream, .. } => stream.tally(),
            State::Undecided { dropped, .. } => Tally {
                bad_bytes: *dropped,
                ..Tally::default()
            },
        }
    }

    /// The events that came since the last call; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If what came cannot be decoded.
    pub fn advance(&mut self) -> Result<Option<News>, DecodeError> {
        let State::Decided { stream, .. } = &mut self.state else {
            return Ok(None);
        };
        let numbers = stream.numbers();
        if numbers.end <= self.done {
            let refusal = stream.refusal().filter(|_| numbers.end == 0);
            return refusal.map_or(Ok(None), Err);
        }
        let base = match self.marks.last() {
            Some(mark) if mark.event + 1 >= self.done && numbers.contains(&mark.event) => {
                mark.base()
            }
            // The first events, or what came before is gone or was not decoded.
            _ => Base {
                event: numbers.start.max(self.done),
                time: self.marks.last().map(|mark| mark.time).unwrap_or_default(),
            },
        };
        let point = stream.point();
        let cut = Cut {
            piece: stream.cut(base.event..numbers.end),
            base,
        };
        let overlaps = base.event < self.done;
        // What cannot be decoded is not tried again.
        self.done = numbers.end;
        let recording = cut.decode()?;
        let trace = &recording.trace;
        if !self.is_clock_settled
            && trace.clock.quality == Quality::Good
            && trace.events.len() >= TELLING_EVENTS
        {
            stream.settle(&trace.clock);
            self.is_clock_settled = true;
        }
        if let Some(point) = point {
            self.marks.push(Mark {
                event: point.event,
                time: Ticks(base.time.0.saturating_add(trace.events.span().0)),
                point,
            });
        }
        self.forget();
        Ok(Some(News {
            recording,
            overlaps,
        }))
    }

    /// The last events that were given out, as many as are wanted or a few more,
    /// to be decoded elsewhere.
    pub fn cut(&self, events: u64) -> Option<Cut> {
        let State::Decided { stream, .. } = &self.state else {
            return None;
        };
        let numbers = stream.numbers();
        let end = numbers.end.min(self.done);
        let wanted = self.marks.before(end.saturating_sub(events));
        let kept = wanted.filter(|mark| mark.event >= numbers.start);
        let base = match kept.or_else(|| self.marks.from(numbers.start)) {
            Some(mark) if numbers.start > 0 || wanted.is_some() => mark.base(),
            _ => Base {
                event: numbers.start,
                time: Ticks(0),
            },
        };
        (base.event < end).then(|| Cut {
            piece: stream.cut(base.event..end),
            base,
        })
    }

    /// The last mark at or before an event.
    pub fn mark(&self, event: u64) -> Option<&Mark> {
        self.marks.before(event)
    }

    /// The first mark from which on nothing has to be read again that lies before
    /// an offset.
    pub fn mark_behind(&self, offset: u64) -> Option<&Mark> {
        self.marks.behind(offset)
    }

    /// What came once and is needed to understand what comes later: names, the
    /// configuration. Empty where everything that comes says this itself.
    pub fn preface(&self) -> Vec<u8> {
        match &self.state {
            State::Decided { stream, .. } => stream.preface(),
            State::Undecided { .. } => Vec::new(),
        }
    }

    /// Learns the preface of a recording of a format whose start is gone, before
    /// anything is pushed.
    pub fn teach(&mut self, format: Format, preface: &[u8]) {
        if let State::Undecided { dropped, .. } = &self.state {
            let stream = stream(format, &self.settings.options, *dropped);
            self.state = State::Decided { format, stream };
        }
        if let State::Decided { stream, .. } = &mut self.state {
            stream.teach(preface);
        }
    }

    /// Lets go of events before one of that number: of those that were given out,
    /// as far as the times of the others stay known.
    pub fn forget_before(&mut self, event: u64) {
        if let State::Decided { stream, .. } = &mut self.state
            && let Some(mark) = self.marks.before(event)
        {
            stream.forget(mark.event);
        }
    }

    /// Lets go of what is more than is kept.
    fn forget(&mut self) {
        let State::Decided { stream, .. } = &mut self.state else {
            return;
        };
        if self.settings.most_events == u64::MAX {
            return;
        }
        stream.bound();
        let end = stream.numbers().end;
        self.forget_before(end.saturating_sub(self.settings.most_events));
    }
}

impl Cut {
    /// Decodes it.
    ///
    /// # Errors
    ///
    /// If nothing usable is in it.
    pub fn decode(self) -> Result<Recording, DecodeError> {
        let mut recording = self.piece.decode()?;
        recording.trace.base = self.base;
        Ok(recording)
    }
}

/// A stream at the start of a recording, behind so many bytes that were of no
/// use.
fn stream(format: Format, options: &Options, offset: u64) -> Box<dyn Stream> {
    match format {
        Format::ThreadX => Box::new(threadx::live::Stream::new(&options.threadx, offset)),
        Format::Rkh => Box::new(rkh::live::Stream::new(&options.rkh, offset)),
        Format::Cswitch => Box::new(cswitch::live::Stream::new(&options.cswitch, offset)),
    }
}

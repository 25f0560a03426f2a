//! Text logs: lines that a target prints with stamps of the trace's counter.
//!
//! A [`TextLogFormat`] says how a line begins. [`TextLog::read`] parses the lines and
//! places them on the time of a trace. A line whose time cannot be derived without a
//! doubt has none.

mod alignment;
mod lines;
mod pattern;
#[cfg(test)]
mod tests;

pub use pattern::{LogLevel, Pattern, PatternError, TextLogFormat};

use crate::diagnostic::pluralise;
use crate::{Diagnostic, DiagnosticKind, Diagnostics, NoTime, TextEncoding, Ticks, Trace};
use lines::RawLines;
use pattern::Stamp;
use std::io::BufRead;
use std::ops::Range;

/// The number of lines from which the format is detected.
const SAMPLE_LINES: usize = 200;

/// A text log on the time of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLog {
    /// Its name, shown to users.
    pub name: String,
    /// The name of its format, or its own pattern.
    pub format: String,
    /// What is wrong with it, or limits its evidence.
    pub diagnostics: Diagnostics,
    content: String,
    lines: Vec<StoredLine>,
    /// The lines with a time, by time.
    order: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct StoredLine {
    number: u64,
    time: Option<SignedTicks>,
    level: Option<LogLevel>,
    is_continuation: bool,
    source: Range<u32>,
    text: Range<u32>,
}

/// A line of a [`TextLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLogLine<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its time since the first event of the trace, if known. A line without a stamp has
    /// the time of the last line with one.
    pub time: Option<SignedTicks>,
    /// Its level, if it has one.
    pub level: Option<LogLevel>,
    /// The module, tag or other source that it names; empty if it names none.
    pub source: &'a str,
    /// Its text after the stamp, level and source.
    pub text: &'a str,
    /// Whether it has no stamp and follows a line with one.
    pub is_continuation: bool,
}

/// A time in ticks since the first event of a trace; negative before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SignedTicks(pub i64);

impl SignedTicks {
    /// The time as a time of the trace; `None` before its first event.
    pub fn in_trace(self) -> Option<Ticks> {
        u64::try_from(self.0).ok().map(Ticks)
    }
}

/// How a text log is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextLogOptions {
    /// Its format; detected if `None`.
    pub format: Option<TextLogFormat>,
    /// What the trace's counter shows at time 0 of the log, in nanoseconds; of logs whose
    /// stamps are times.
    pub offset_ns: i64,
    /// The encoding of lines that are not UTF-8.
    pub encoding: TextEncoding,
}

/// A text log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TextLogError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// No line fits.
    #[error("no line of the first {SAMPLE_LINES} fits a format; tried {tried}")]
    NoFormat {
        /// The formats that were tried.
        tried: String,
    },
    /// The file is not text.
    #[error("not a text log: no line fits a format, and it has NUL bytes; tried {tried}")]
    Binary {
        /// The formats that were tried.
        tried: String,
    },
    /// Lines fit several formats.
    #[error("its lines fit several formats: {fitting}; set one with -O text-log-format")]
    SeveralFormats {
        /// The formats that fit.
        fitting: String,
    },
    /// The stamps are times, and the trace has no times.
    #[error("its stamps are times, but {0}")]
    NoTime(NoTime),
}

impl TextLog {
    /// Reads a log and places its lines on the time of a trace. Blank lines are skipped.
    ///
    /// # Errors
    ///
    /// If reading fails, no format or more than one fits the first lines, or the stamps
    /// are times and the trace's clock has no frequency.
    pub fn read(
        name: impl Into<String>,
        input: impl BufRead,
        options: &TextLogOptions,
        trace: &Trace,
    ) -> Result<Self, TextLogError> {
        let raw = RawLines::read(input, options.encoding)?;
        let format = match &options.format {
            Some(format) => detect(&raw, std::slice::from_ref(format))?,
            None => detect(&raw, &TextLogFormat::known())?,
        };
        let mut diagnostics = raw.diagnostics();
        let mut lines = Vec::with_capacity(raw.lines.len());
        let mut stamps = Vec::new();
        for (number, range) in &raw.lines {
            let text = raw.text(range);
            let index = |part: &str| {
                let start = part.as_ptr().addr() - text.as_ptr().addr();
                let start = range.start + u32::try_from(start).unwrap_or_default();
                start..start + u32::try_from(part.len()).unwrap_or_default()
            };
            let mut line = StoredLine {
                number: *number,
                time: None,
                level: None,
                is_continuation: !stamps.is_empty(),
                source: range.start..range.start,
                text: range.clone(),
            };
            if let Some(found) = format.parse(text) {
                stamps.push((lines.len(), found.stamp));
                line.level = found.level;
                line.is_continuation = false;
                line.source = found.source.map_or(line.source, index);
                line.text = index(found.text);
            }
            lines.push(line);
        }
        let first = stamps.first().map_or(lines.len(), |(line, _)| *line);
        if let Some(line) = lines.first().filter(|_| first > 0) {
            let count = pluralise(first as u64, "line has", "lines have");
            let message = format!(
                "{count} no stamp and no line with one before, so that the time is not known; \
                 the first is line {}",
                line.number
            );
            let found = Diagnostic::new(DiagnosticKind::TextLogTime, message);
            diagnostics.push(found.with_count(first as u64));
        }
        let values: Vec<Stamp> = stamps.iter().map(|(_, stamp)| *stamp).collect();
        let times = alignment::align(&values, options.offset_ns, trace, &mut diagnostics)?;
        let mut times = stamps.iter().map(|(line, _)| *line).zip(times).peekable();
        let mut current = None;
        for (number, line) in lines.iter_mut().enumerate() {
            if let Some((_, time)) = times.next_if(|(line, _)| *line == number) {
                current = time;
            }
            line.time = current;
        }
        let timed = (0..).zip(&lines);
        let mut order: Vec<u32> = timed
            .filter(|(_, line)| line.time.is_some())
            .map(|(number, _)| number)
            .collect();
        order.sort_by_key(|number| lines.get(*number as usize).and_then(|line| line.time));
        Ok(Self {
            name: name.into(),
            format: format.name().to_owned(),
            diagnostics,
            content: raw.content,
            lines,
            order,
        })
    }

    /// The number of lines, without blank ones.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines, in the order of the file.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = TextLogLine<'_>> {
        self.lines.iter().map(|line| self.line(line))
    }

    /// The lines with a known time, by time; lines of the same time in the order of the
    /// file.
    pub fn timed_lines(&self) -> impl DoubleEndedIterator<Item = TextLogLine<'_>> {
        let lines = self.order.iter();
        lines.filter_map(|number| Some(self.line(self.lines.get(*number as usize)?)))
    }

    /// The line of a number among those with a known time, from 0.
    pub fn timed_line(&self, number: usize) -> Option<TextLogLine<'_>> {
        let line = self.lines.get(*self.order.get(number)? as usize)?;
        Some(self.line(line))
    }

    /// The number of lines with a known time.
    pub fn timed_len(&self) -> usize {
        self.order.len()
    }

    /// The times of the first and the last line, if times are known.
    pub fn span(&self) -> Option<[SignedTicks; 2]> {
        let mut lines = self.timed_lines();
        let first = lines.next()?.time?;
        Some([
            first,
            lines.next_back().map_or(Some(first), |line| line.time)?,
        ])
    }

    /// The number of lines from the first to the last event of a trace.
    pub fn lines_within(&self, trace: &Trace) -> usize {
        let span = trace.events.span();
        let times = self.timed_lines().filter_map(|line| line.time?.in_trace());
        times.filter(|time| *time <= span).count()
    }

    fn line<'a>(&'a self, line: &StoredLine) -> TextLogLine<'a> {
        TextLogLine {
            number: line.number,
            time: line.time,
            level: line.level,
            source: lines::slice(&self.content, &line.source),
            text: lines::slice(&self.content, &line.text),
            is_continuation: line.is_continuation,
        }
    }
}

/// The only format that fits the first lines.
fn detect(raw: &RawLines, formats: &[TextLogFormat]) -> Result<TextLogFormat, TextLogError> {
    let list = |formats: &[&TextLogFormat]| {
        let names = formats.iter().map(|format| format.name());
        names.collect::<Vec<_>>().join(", ")
    };
    let fits = |format: &&TextLogFormat| {
        let mut sample = raw.lines.iter().take(SAMPLE_LINES);
        sample.any(|(_, range)| format.parse(raw.text(range)).is_some())
    };
    let fitting: Vec<_> = formats.iter().filter(fits).collect();
    match &fitting[..] {
        [only] => Ok((*only).clone()),
        [] => {
            let tried = list(&formats.iter().collect::<Vec<_>>());
            Err(if raw.has_nul {
                TextLogError::Binary { tried }
            } else {
                TextLogError::NoFormat { tried }
            })
        }
        several => Err(TextLogError::SeveralFormats {
            fitting: list(several),
        }),
    }
}

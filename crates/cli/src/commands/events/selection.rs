//! Selects the events of a listing.

use anyhow::anyhow;
use rtoscope_trace::filter::{BoundFilter, Filter, FilterProblem};
use rtoscope_trace::text_log::SignedTicks;
use rtoscope_trace::{Event, EventIndex, NoTime, TextLog, TextLogLine, Trace, parallel};
use std::io::Write;
use std::ops::Range;
use std::str::FromStr;

/// A range of event numbers, in Rust's syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl FromStr for IndexRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a range such as 100..200, 100..=200, 100.. or ..200".to_owned();
        let (start, end) = text.split_once("..").ok_or_else(expected)?;
        let number = |text: &str, otherwise| match text {
            "" => Ok(otherwise),
            _ => text.parse::<u32>().map_err(|_| expected()),
        };
        let end = match end.strip_prefix('=') {
            Some("") => return Err(expected()),
            Some(last) => number(last, u32::MAX)?.saturating_add(1),
            None => number(end, u32::MAX)?,
        };
        let start = number(start, 0)?;
        if start > end {
            return Err(format!("the range starts at {start}, after its end {end}"));
        }
        Ok(Self { start, end })
    }
}

/// A line of a text log, and its time.
type TimedLine<'a> = (SignedTicks, &'a TextLog, TextLogLine<'a>);

/// Number of events that are read at a time.
const PART_EVENTS: u32 = 1 << 11;

/// A row of the list.
pub(crate) enum Row<'a> {
    /// An event.
    Event(Event),
    /// A line of a text log, at its time.
    Line(SignedTicks, &'a TextLog, TextLogLine<'a>),
}

/// The selected events.
pub(crate) struct EventSelection<'a> {
    trace: &'a Trace,
    range: Range<u32>,
    filter: Option<BoundFilter<'a>>,
    limit: usize,
    text_logs: &'a [TextLog],
}

impl<'a> EventSelection<'a> {
    pub(crate) fn new(
        trace: &'a Trace,
        filter: Option<&str>,
        range: Option<IndexRange>,
        limit: Option<u64>,
    ) -> anyhow::Result<Self> {
        let filter = filter
            .map(|text| Filter::parse(text).and_then(|filter| filter.bind(trace)))
            .transpose()
            .map_err(|error| {
                let hint = match error.problem() {
                    FilterProblem::NoTime(NoTime::UnknownFrequency) => {
                        "\nset it with --clock".to_owned()
                    }
                    FilterProblem::NoTime(why) => format!("\n{why}"),
                    _ => String::new(),
                };
                anyhow!("--filter: {error}{hint}")
            })?;
        let count = u32::try_from(trace.events.len()).unwrap_or(u32::MAX);
        let range = range.map_or(0..count, |range| {
            range.start.min(count)..range.end.min(count)
        });
        let limit = limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        Ok(Self {
            trace,
            range,
            filter,
            limit,
            text_logs: &[],
        })
    }

    /// Selects the events from `first` that match a filter, if there is one.
    pub(crate) fn live_part(
        trace: &'a Trace,
        from: u32,
        filter: Option<BoundFilter<'a>>,
        limit: usize,
    ) -> Self {
        let count = u32::try_from(trace.events.len()).unwrap_or(u32::MAX);
        Self {
            trace,
            range: from.min(count)..count,
            filter,
            limit,
            text_logs: &[],
        }
    }

    #[cfg(feature = "mcp")]
    /// Begins so that at most `before` of the selected events precede `event`.
    pub(crate) fn around(mut self, event: EventIndex, before: usize) -> Self {
        let event = event.0.clamp(self.range.start, self.range.end);
        let preceding = (self.range.start..event).rev();
        let selected = preceding.filter(|index| self.is_selected(EventIndex(*index)));
        self.range.start = selected.take(before).last().unwrap_or(event);
        self
    }

    fn is_selected(&self, index: EventIndex) -> bool {
        let filter = self.filter.as_ref();
        filter.is_none_or(|filter| filter.matches(index))
    }

    /// Adds the lines of text logs. A filter selects events only, and a range the lines
    /// from the time of its first event to that of the event after it.
    pub(crate) fn with_text_logs(mut self, text_logs: &'a [TextLog]) -> Self {
        self.text_logs = text_logs;
        self
    }

    /// The events and the lines of text logs, oldest first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let lines = self.lines();
        let rows = self
            .parts()
            .flat_map(move |part| self.rows_of(part, &lines));
        rows.take(self.limit)
    }

    /// Writes the rows, oldest first; `write` writes some of them, on several threads at a time.
    /// Returns their number.
    pub(crate) fn write(
        &self,
        mut output: impl Write,
        write: impl Fn(&[Row<'a>], &mut Vec<u8>) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<u64> {
        let lines = self.lines();
        let mut parts = self.parts();
        let mut rest = self.limit;
        // How many rows of a part the limit leaves depends on the part before.
        let parts_at_a_time = match rest {
            usize::MAX => 2 * parallel::threads(),
            _ => 1,
        };
        while rest > 0 {
            let some: Vec<_> = parts.by_ref().take(parts_at_a_time).collect();
            if some.is_empty() {
                break;
            }
            let texts = parallel::map(some, |part| {
                let mut rows = self.rows_of(part, &lines);
                rows.truncate(rest);
                let mut text = Vec::new();
                write(&rows, &mut text).map(|()| (rows.len(), text))
            });
            for text in texts {
                let (count, text) = text?;
                output.write_all(&text)?;
                rest -= count;
            }
        }
        output.flush()?;
        Ok((self.limit - rest) as u64)
    }

    /// The selected lines, by time.
    fn lines(&self) -> Vec<TimedLine<'a>> {
        if self.filter.is_some() {
            return Vec::new();
        }
        let start = Some(self.range.start).filter(|start| *start > 0);
        let start = start.and_then(|start| self.time_of(start));
        let end = self.time_of(self.range.end);
        let mut lines: Vec<_> = self
            .text_logs
            .iter()
            .flat_map(|log| {
                let timed = log.timed_lines();
                timed.filter_map(move |line| Some((line.time?, log, line)))
            })
            .filter(|(time, ..)| start.is_none_or(|start| *time >= start))
            .filter(|(time, ..)| end.is_none_or(|end| *time < end))
            .collect();
        lines.sort_by_key(|(time, ..)| *time);
        lines
    }

    fn time_of(&self, event: u32) -> Option<SignedTicks> {
        let time = self.trace.events.time(EventIndex(event))?;
        Some(SignedTicks(i64::try_from(time.0).unwrap_or(i64::MAX)))
    }

    /// The range in parts; at least one.
    fn parts(&self) -> impl Iterator<Item = Range<u32>> + use<> {
        let Range { start, end } = self.range;
        let starts = (start..end.max(start.saturating_add(1))).step_by(PART_EVENTS as usize);
        starts.map(move |first| first..end.min(first.saturating_add(PART_EVENTS)).max(first))
    }

    /// The rows of a part, oldest first; `lines` are all selected ones.
    fn rows_of(&self, part: Range<u32>, lines: &[TimedLine<'a>]) -> Vec<Row<'a>> {
        let lines_until = |event: u32| {
            let time = self.time_of(event).filter(|_| event < self.range.end);
            time.map_or(lines.len(), |time| {
                lines.partition_point(|(of_line, ..)| *of_line < time)
            })
        };
        let first = match part.start == self.range.start {
            true => 0,
            false => lines_until(part.start),
        };
        let lines = lines.get(first..lines_until(part.end)).unwrap_or_default();
        let mut lines = lines.iter().copied().peekable();
        let mut rows = Vec::with_capacity(part.len() + lines.len());
        let numbers = part.start as usize..part.end as usize;
        self.trace.events.visit(numbers, |event| {
            if !self.is_selected(event.index) {
                return;
            }
            let is_before =
                |(time, ..): &TimedLine<'_>| time.in_trace().is_none_or(|time| time < event.time);
            while let Some((time, log, line)) = lines.next_if(is_before) {
                rows.push(Row::Line(time, log, line));
            }
            rows.push(Row::Event(event));
        });
        rows.extend(lines.map(|(time, log, line)| Row::Line(time, log, line)));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_use_rust_syntax() {
        let range = |text: &str| text.parse::<IndexRange>().map(|it| (it.start, it.end));
        assert_eq!(range("10..20"), Ok((10, 20)));
        assert_eq!(range("10..=20"), Ok((10, 21)));
        assert_eq!(range("10.."), Ok((10, u32::MAX)));
        assert_eq!(range("..5"), Ok((0, 5)));
        assert_eq!(range(".."), Ok((0, u32::MAX)));
        for bad in ["", "5", "5..=", "a..b", "9..3", "1...2"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}

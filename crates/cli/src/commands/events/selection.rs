//! Selects the events of a listing.

use anyhow::anyhow;
use rtoscope_analysis::Scope;
use rtoscope_trace::filter::{BoundFilter, Filter, FilterProblem};
use rtoscope_trace::{Event, EventIndex, NoTime, Trace};
use std::ops::Range;
use std::str::FromStr;

/// A range of event numbers, in Rust's syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexRange {
    start: u32,
    end: u32,
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

/// The selected events.
pub(crate) struct EventSelection<'a> {
    trace: &'a Trace,
    range: Range<u32>,
    filter: Option<BoundFilter<'a>>,
    scope: Option<&'a Scope>,
    limit: usize,
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
            scope: None,
            limit,
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
            scope: None,
            limit,
        }
    }

    /// Selects the events of a scope.
    pub(crate) fn from_scope(trace: &'a Trace, scope: &'a Scope) -> Self {
        let events = scope.events(trace);
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            trace,
            range: number(events.start)..number(events.end),
            filter: None,
            scope: Some(scope),
            limit: usize::MAX,
        }
    }

    /// The events, oldest first.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> {
        let wanted = self.range.clone().map(EventIndex).filter(|index| {
            let filter = self.filter.as_ref();
            filter.is_none_or(|filter| filter.matches(*index))
        });
        wanted
            .filter_map(|index| self.trace.events.get(index))
            .filter(|event| self.scope.is_none_or(|scope| scope.includes(event)))
            .take(self.limit)
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

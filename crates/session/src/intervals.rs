//! User-defined intervals: their figures, and their bars in a window.

use crate::axis::{Pixels, partition_point};
use crate::error::QueryError;
use crate::query::{Axis, IntervalFilters, Window};
use crate::response::IntervalBars;
use crate::search::MAX_FILTER_BYTES;
use crate::session::Session;
use rtoscope_analysis::View;
use rtoscope_analysis::intervals::{
    Interval, IntervalDefinition, IntervalSeries, Pairing, RepeatedStart,
};
use rtoscope_analysis::report::intervals::{IntervalRow, interval_row};
use rtoscope_trace::Ticks;
use rtoscope_trace::filter::Filter;
use std::sync::Arc;

/// The intervals of a definition, for queries of windows.
#[derive(Debug)]
pub(crate) struct IndexedIntervals {
    definition: IntervalDefinition,
    pub(crate) series: IntervalSeries,
    /// For each interval, the latest end of those up to it: its time and its event.
    latest: Vec<(u64, u32)>,
}

impl IndexedIntervals {
    fn new(session: &Session, definition: IntervalDefinition, series: IntervalSeries) -> Self {
        let mut latest = (0, 0);
        let ends = series.intervals.iter().map(|interval| {
            let event = session.last_event_of(interval);
            latest = (latest.0.max(interval.until.0), latest.1.max(event));
            latest
        });
        Self {
            latest: ends.collect(),
            definition,
            series,
        }
    }

    fn memory_bytes(&self) -> usize {
        let series = &self.series;
        let events = [
            &series.repeated,
            &series.unmatched,
            &series.start_unknown,
            &series.unpaired,
        ];
        size_of_val(self.latest.as_slice())
            + size_of_val(series.intervals.as_slice())
            + events
                .map(|all| size_of_val(all.as_slice()))
                .iter()
                .sum::<usize>()
    }
}

impl Session {
    /// The event at which an interval ends or, if that is not recorded, the last one before.
    fn last_event_of(&self, interval: &Interval) -> u32 {
        let before = || {
            let after = self.recording.trace.events.index_after(interval.until);
            after.0.saturating_sub(1)
        };
        interval.last.map_or_else(before, |event| event.0)
    }

    /// The intervals between the events that two filters select.
    pub(crate) fn intervals(
        &self,
        filters: &IntervalFilters,
    ) -> Result<Arc<IndexedIntervals>, QueryError> {
        let texts = [&filters.from, &filters.to, &filters.by];
        if let Some(text) = texts.into_iter().find(|text| text.len() > MAX_FILTER_BYTES) {
            return Err(QueryError::OutOfRange {
                parameter: "the filter",
                value: format!("{} bytes long", text.len()),
                expected: format!("at most {MAX_FILTER_BYTES}"),
            });
        }
        let repeated = RepeatedStart::from_name(&filters.repeated);
        let repeated = repeated.ok_or_else(|| QueryError::OutOfRange {
            parameter: "repeated",
            value: filters.repeated.chars().take(MAX_NAME).collect(),
            expected: "`restart`, `first` or `nested`".to_owned(),
        })?;
        let key = (filters.clone(), self.frequency_hz());
        self.caches.intervals.get_or_insert(key, |(filters, _)| {
            let parse = |side: &str, text: &str| {
                let parsed = Filter::parse(text);
                parsed.map_err(|error| QueryError::Filter(format!("{side}: {error}")))
            };
            let definition = IntervalDefinition {
                from: parse("from", &filters.from)?,
                to: parse("to", &filters.to)?,
                pairing: Pairing::parse(&filters.by),
                repeated,
            };
            let series = definition.find(&self.recording.trace);
            let series = series.map_err(QueryError::Filter)?;
            let indexed = IndexedIntervals::new(self, definition, series);
            let bytes = indexed.memory_bytes();
            Ok((indexed, bytes))
        })
    }

    /// The figures of intervals in a scope.
    pub(crate) fn interval_figures(
        &self,
        filters: &IntervalFilters,
        name: &str,
        deadline: Option<u64>,
        [start, end]: [Option<u64>; 2],
    ) -> Result<IntervalRow, QueryError> {
        let indexed = self.intervals(filters)?;
        let scope = self.time_scope(start, end)?;
        let view = View {
            scope: &scope,
            ..self.recording.view()
        };
        let deadline = deadline.map(Ticks);
        let IndexedIntervals {
            definition, series, ..
        } = &*indexed;
        Ok(interval_row(&view, name, definition, deadline, series))
    }

    /// The bars of intervals in a window: each interval if there are at most as many as
    /// pixels, else the pixels in which intervals are open.
    pub(crate) fn interval_bars(
        &self,
        filters: &IntervalFilters,
        window: &Window,
        width: u32,
    ) -> Result<IntervalBars, QueryError> {
        let indexed = self.intervals(filters)?;
        let intervals = indexed.series.intervals.as_slice();
        let axis = window.axis;
        let start = |index: usize| {
            let interval = intervals.get(index);
            interval.map_or(f64::INFINITY, |it| self.position(axis, it.first.0))
        };
        let latest = |index: usize| match (axis, indexed.latest.get(index)) {
            (Axis::Time, Some((time, _))) => *time as f64,
            (Axis::Index, Some((_, event))) => self.position(axis, *event),
            (_, None) => f64::INFINITY,
        };
        let first = partition_point(intervals.len(), |index| latest(index) < window.start);
        let after = partition_point(intervals.len(), |index| start(index) <= window.end);
        let origin = self.axis_origin(axis);
        let number = |interval: &Interval| self.event_number(interval.first.0);
        let mut bars = IntervalBars::default();
        if after.saturating_sub(first) <= width as usize {
            for interval in intervals.get(first..after).unwrap_or_default() {
                let end = match axis {
                    Axis::Time => interval.until.0 as f64,
                    Axis::Index => self.position(axis, self.last_event_of(interval)),
                };
                if end >= window.start {
                    let start = self.position(axis, interval.first.0);
                    let is_ended = interval.last.is_some();
                    let ends = [start, end].map(|at| origin + at);
                    bars.push(ends, number(interval), 1, is_ended);
                }
            }
            return Ok(bars);
        }
        let pixels = Pixels::new(window, width);
        let mut begun = first;
        for pixel in 0..width as usize {
            let [left, right] = [pixel, pixel + 1].map(|edge| pixels.edge(edge));
            let before = begun;
            begun += partition_point(after.saturating_sub(begun), |more| {
                start(before + more) < right
            });
            let is_open = begun
                .checked_sub(1)
                .is_some_and(|last| latest(last) >= left);
            if let Some(interval) = intervals
                .get(before.min(begun.saturating_sub(1)))
                .filter(|_| is_open)
            {
                let count = u32::try_from(begun - before).unwrap_or(u32::MAX);
                let ends = [left, right].map(|at| origin + at);
                bars.push(ends, number(interval), count, true);
            }
        }
        Ok(bars)
    }
}

impl IntervalBars {
    fn push(&mut self, [start, end]: [f64; 2], event: u64, count: u32, is_ended: bool) {
        self.starts.push(start);
        self.ends.push(end);
        self.events.push(event);
        self.counts.push(count);
        self.ended.push(is_ended);
    }
}

/// Maximum number of characters of an invalid name in an error.
const MAX_NAME: usize = 40;

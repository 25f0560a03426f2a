//! Plots: durations and values of events over time, one point each.

use crate::axis::{Pixels, partition_point};
use crate::error::QueryError;
use crate::query::{IsrMeasure, MarkerMeasure, PlotSource, ThreadMeasure, Window};
use crate::response::Plot;
use crate::session::Session;
use rtoscope_analysis::event_value::event_values;
use rtoscope_analysis::markers::MarkerId;
use rtoscope_analysis::report::latency::MeasuredDuration;
use rtoscope_analysis::report::markers;
use rtoscope_analysis::report::periods::{
    ActivationSource, isr_activations, runs, thread_activations,
};
use rtoscope_analysis::{Scope, View};
use rtoscope_trace::{ContextId, EventIndex, EventKindId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A duration in ticks and the event at which it ended, or a value of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlotPoint {
    event: u32,
    value: i128,
}

impl Session {
    /// All points of a plot, in the order of their events.
    fn plot_points(&self, source: &PlotSource) -> Result<Arc<Vec<PlotPoint>>, QueryError> {
        if !self.recording.trace.clock.measures_time() && source.is_duration() {
            return Ok(Arc::default());
        }
        let key = (source.clone(), self.frequency_hz());
        self.caches.plots.get_or_insert(key, |(source, _)| {
            let mut points = match source {
                PlotSource::Thread { context, measure } => {
                    self.thread_points(*context, *measure)?
                }
                PlotSource::Isr { number, measure } => self.isr_points(*number, *measure),
                PlotSource::Intervals { filters } => {
                    let found = self.intervals(filters)?;
                    let ended = found.series.intervals.iter();
                    let ended = ended.filter_map(|it| Some(point(it.duration()?.0, it.last?)));
                    ended.collect()
                }
                PlotSource::Marker { marker, measure } => self.marker_points(*marker, *measure)?,
                PlotSource::Event { number, argument } => {
                    let view = self.recording.view();
                    let values = event_values(&view, EventKindId(*number), argument);
                    values.into_iter().map(|it| point(it.1, it.0)).collect()
                }
            };
            points.sort_unstable();
            points.shrink_to_fit();
            let bytes = size_of_val(points.as_slice());
            Ok((points, bytes))
        })
    }

    /// A duration of each activation of a thread, as in the report on latencies.
    fn thread_points(
        &self,
        context: u32,
        measure: ThreadMeasure,
    ) -> Result<Vec<PlotPoint>, QueryError> {
        let thread: ContextId = self.checked_context(context)?;
        let scope = Scope {
            threads: Some(BTreeSet::from([thread])),
            ..Scope::default()
        };
        let view = View {
            scope: &scope,
            ..self.recording.view()
        };
        if measure == ThreadMeasure::Run {
            let runs = runs(&view, ActivationSource::Thread(thread));
            return Ok(runs.into_iter().map(duration).collect());
        }
        let found = thread_activations(&view).into_iter();
        let found = found.filter_map(|activation| match measure {
            ThreadMeasure::Response => activation.response,
            ThreadMeasure::WakeUp => activation.wake_up,
            ThreadMeasure::Period => activation.period,
            ThreadMeasure::Jitter => activation.jitter,
            ThreadMeasure::Run => None,
        });
        Ok(found.map(duration).collect())
    }

    /// A duration of each activation of an interrupt service routine, as in the report on
    /// periods.
    fn isr_points(&self, number: u32, measure: IsrMeasure) -> Vec<PlotPoint> {
        let view = self.recording.view();
        if measure == IsrMeasure::Run {
            let runs = runs(&view, ActivationSource::Isr(Some(number)));
            return runs.into_iter().map(duration).collect();
        }
        let Some(stream) = isr_activations(&view).remove(&number) else {
            return Vec::new();
        };
        let found = stream
            .activations
            .iter()
            .filter_map(|activation| match measure {
                IsrMeasure::Duration => activation.response.map(duration),
                IsrMeasure::Period => Some(point(activation.period?.0, activation.event)),
                IsrMeasure::Run => None,
            });
        found.collect()
    }

    /// A duration or value of each event of a marker, as in the report on markers.
    fn marker_points(
        &self,
        marker: u32,
        measure: MarkerMeasure,
    ) -> Result<Vec<PlotPoint>, QueryError> {
        let view = self.recording.view();
        let count = view.markers.names.len();
        let marker = MarkerId(marker);
        if marker.index() >= count {
            return Err(QueryError::OutOfRange {
                parameter: "marker",
                value: marker.0.to_string(),
                expected: format!("below {count}"),
            });
        }
        let durations = match measure {
            MarkerMeasure::Duration => markers::durations(&view, marker),
            MarkerMeasure::Period => markers::periods(&view, marker),
            MarkerMeasure::Value => {
                let values = markers::values(&view, marker).into_iter();
                return Ok(values.map(|(event, value)| point(value, event)).collect());
            }
        };
        Ok(durations.into_iter().map(duration).collect())
    }

    /// The points of a plot in a window: all, or the smallest and the largest of each
    /// pixel.
    pub(crate) fn plot(
        &self,
        source: &PlotSource,
        window: &Window,
        width: u32,
    ) -> Result<Plot, QueryError> {
        let points = self.plot_points(source)?;
        let position = |index: usize| {
            let point = points.get(index);
            point.map_or(f64::INFINITY, |it| self.position(window.axis, it.event))
        };
        let first = partition_point(points.len(), |index| position(index) < window.start);
        let after = partition_point(points.len(), |index| position(index) <= window.end);
        let inside = points.get(first..after).unwrap_or_default();
        let origin = self.axis_origin(window.axis);
        let mut plot = Plot {
            total: u32::try_from(inside.len()).unwrap_or(u32::MAX),
            ..Plot::default()
        };
        let mut push = |point: &PlotPoint| {
            let position = self.position(window.axis, point.event);
            plot.positions.push(origin + position);
            plot.values.push(point.value);
            plot.events.push(self.event_number(point.event));
        };
        if inside.len() <= 2 * width as usize {
            inside.iter().for_each(push);
            return Ok(plot);
        }
        let mut next = first;
        for edge in Pixels::new(window, width).edges().skip(1) {
            let start = next;
            let is_before = |index: usize| match edge < window.end {
                true => position(start + index) < edge,
                false => position(start + index) <= edge,
            };
            next += partition_point(after - start, is_before);
            let pixel = points.get(start..next).unwrap_or_default();
            let least = pixel.iter().min_by_key(|point| point.value);
            // Of equal ones the first, as in reports.
            let largest = pixel.iter().rev().max_by_key(|point| point.value);
            let mut both = [least, largest];
            both.sort_unstable();
            for point in both.into_iter().flatten() {
                push(point);
            }
        }
        Ok(plot)
    }
}

fn duration(
    MeasuredDuration {
        duration: ticks,
        event,
    }: MeasuredDuration,
) -> PlotPoint {
    point(ticks.0, event)
}

fn point(value: impl Into<i128>, event: EventIndex) -> PlotPoint {
    PlotPoint {
        event: event.0,
        value: value.into(),
    }
}

//! Plots: durations over time, one point each.

use crate::axis::{Pixels, partition_point};
use crate::error::QueryError;
use crate::query::{IsrMeasure, PlotSource, ThreadMeasure, Window};
use crate::response::Plot;
use crate::session::Session;
use rtoscope_analysis::report::latency::{MeasuredDuration, activations};
use rtoscope_analysis::report::periods::isr_activations;
use rtoscope_analysis::{Scope, View};
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A duration, and the event at which it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlotPoint {
    event: u32,
    ticks: u64,
}

impl Session {
    /// All points of a plot, in the order of their events.
    fn plot_points(&self, source: &PlotSource) -> Result<Arc<Vec<PlotPoint>>, QueryError> {
        if !self.recording.trace.clock.measures_time() {
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
                    let ended = ended.filter_map(|it| Some(point(it.duration()?, it.last?)));
                    ended.collect()
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
        let found = activations(&view).into_iter();
        let found = found.filter_map(|activation| match measure {
            ThreadMeasure::Response => activation.response,
            ThreadMeasure::WakeUp => activation.wake_up,
            ThreadMeasure::Period => activation.period,
            ThreadMeasure::Jitter => activation.jitter,
        });
        let found = found.map(|MeasuredDuration { ticks, event }| point(ticks, event));
        Ok(found.collect())
    }

    /// A duration of each activation of an interrupt service routine, as in the report on
    /// periods.
    fn isr_points(&self, number: u32, measure: IsrMeasure) -> Vec<PlotPoint> {
        let streams = isr_activations(&self.recording.view());
        let stream = streams.into_iter().find(|(routine, _)| *routine == number);
        let activations = stream
            .into_iter()
            .flat_map(|(_, stream)| stream.activations);
        let found = activations.filter_map(|activation| match measure {
            IsrMeasure::Duration => {
                let MeasuredDuration { ticks, event } = activation.response?;
                Some(point(ticks, event))
            }
            IsrMeasure::Period => Some(point(activation.period?, activation.event)),
        });
        found.collect()
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
        let mut plot = Plot {
            total: u32::try_from(inside.len()).unwrap_or(u32::MAX),
            ..Plot::default()
        };
        let mut push = |point: &PlotPoint| {
            plot.positions.push(self.position(window.axis, point.event));
            plot.values.push(point.ticks);
            plot.events.push(point.event);
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
            let least = pixel.iter().min_by_key(|point| point.ticks);
            // Of equal ones the first, as in reports.
            let largest = pixel.iter().rev().max_by_key(|point| point.ticks);
            let mut both = [least, largest];
            both.sort_unstable();
            for point in both.into_iter().flatten() {
                push(point);
            }
        }
        Ok(plot)
    }
}

fn point(ticks: Ticks, event: EventIndex) -> PlotPoint {
    PlotPoint {
        event: event.0,
        ticks: ticks.0,
    }
}

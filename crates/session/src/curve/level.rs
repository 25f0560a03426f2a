//! How full objects are.

use super::line::Line;
use super::pyramid::Pyramid;
use crate::answer::Curve;
use crate::pixels::Pixels;
use crate::place::partition;
use crate::query::{Axis, Window};
use crate::session::{AskError, Session};
use rtoscope_analysis::levels::{History, Step};
use rtoscope_trace::ResourceId;
use std::sync::Arc;

impl Session {
    /// An object's level over a window: every change if there are no more of
    /// them than pixels, else the lowest and the highest in each pixel.
    pub(super) fn level_curve(
        &self,
        resource: u32,
        window: &Window,
        width: u32,
    ) -> Result<Curve, AskError> {
        let pyramid = self.pyramid(resource)?;
        let history = &pyramid.history;
        let position = |at: usize| {
            let step = history.step(at);
            step.map_or(f64::INFINITY, |step| self.step_position(window.axis, step))
        };
        let before = |edge: f64| partition(history.len(), |at| position(at) < edge);
        let [first, behind] = [window.from, window.to].map(before);
        let value = |first: usize, behind: usize| {
            let bounds = pyramid.bounds(first, behind);
            bounds.map(|(low, high)| (f64::from(low), f64::from(high)))
        };
        // What holds where a part begins is the last that began before, unless
        // another begins just there.
        let in_force =
            |first: usize, edge: f64| first.saturating_sub(usize::from(position(first) > edge));
        let mut line = Line::default();
        if behind - first <= width as usize {
            let mut at = in_force(first, window.from);
            line.add(window.from, None);
            while at < behind {
                let start = position(at);
                // Those that did not last are shown with what followed.
                let next = at + partition(behind - at, |later| position(at + later) <= start);
                line.add(start.max(window.from), value(at, next));
                at = next;
            }
        } else {
            let mut start = None;
            for edge in Pixels::of(window, width).edges() {
                let last = before(edge);
                if let Some((from, first)) = start.replace((edge, last)) {
                    line.add(from, value(in_force(first, from), last));
                }
            }
        }
        let end = self.extent(window.axis).end.max(window.from);
        let end = (end < window.to).then_some(end);
        Ok(line.finish(end, history.capacity().map(|most| most as f64)))
    }

    /// The whole history of an object of which a level is known.
    fn pyramid(&self, resource: u32) -> Result<Arc<Pyramid>, AskError> {
        let id = ResourceId(resource);
        let usage = self.analysis.levels.get(id);
        if usage.is_none_or(|usage| usage.course.first().is_none()) {
            return Err(AskError::OutOfRange {
                what: "resource",
                value: resource.to_string(),
                expected: "the number of one of the overview's levels".to_owned(),
            });
        }
        self.caches.levels.get(resource, |_| {
            let mut interpreter = self.interpreter();
            let pyramid = Pyramid::of(History::of(&self.trace, &mut interpreter, id));
            let bytes = pyramid.bytes();
            Ok((pyramid, bytes))
        })
    }

    /// Where a level begins.
    fn step_position(&self, axis: Axis, step: Step) -> f64 {
        let times = &self.trace.events.time;
        let start = step.start.0;
        match axis {
            Axis::Time => start as f64,
            Axis::Index if self.time_of(step.event.index()) == start => {
                self.position(axis, step.event.0)
            }
            // At no call: at the last event before a gap.
            Axis::Index => {
                let behind = times.partition_point(|time| *time <= start);
                behind as f64 - 0.5
            }
        }
    }
}

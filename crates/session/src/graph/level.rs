//! Graphs of object levels.

use super::builder::GraphBuilder;
use crate::axis::{Pixels, partition_point};
use crate::error::QueryError;
use crate::index::level_pyramid::LevelPyramid;
use crate::query::{Axis, Window};
use crate::response::Graph;
use crate::session::Session;
use rtoscope_analysis::levels::{LevelHistory, LevelStep};
use rtoscope_trace::ResourceId;
use std::sync::Arc;

impl Session {
    /// An object's level over a window: every change if there are at most as many as
    /// pixels, else the minimum and maximum per pixel.
    pub(super) fn level_graph(
        &self,
        resource: u32,
        window: &Window,
        width: u32,
    ) -> Result<Graph, QueryError> {
        let (history, pyramid) = self.level_history(resource)?;
        let position = |at: usize| {
            let step = history.step(at);
            step.map_or(f64::INFINITY, |step| self.step_position(window.axis, step))
        };
        let before = |edge: f64| partition_point(history.len(), |at| position(at) < edge);
        let [first, end] = [window.start, window.end].map(before);
        let value = |first: usize, end: usize| {
            let bounds = pyramid.bounds_between(history, first, end);
            bounds.map(|(low, high)| (f64::from(low), f64::from(high)))
        };
        // At the start of a part, the last change before it applies, unless one starts
        // exactly there.
        let in_force =
            |first: usize, edge: f64| first.saturating_sub(usize::from(position(first) > edge));
        let mut line = GraphBuilder::default();
        if end - first <= width as usize {
            let mut at = in_force(first, window.start);
            line.push(window.start, None);
            while at < end {
                let start = position(at);
                // Changes without duration are merged with the next.
                let next = at + partition_point(end - at, |later| position(at + later) <= start);
                line.push(start.max(window.start), value(at, next));
                at = next;
            }
        } else {
            let mut start = None;
            for edge in Pixels::new(window, width).edges() {
                let last = before(edge);
                if let Some((from, first)) = start.replace((edge, last)) {
                    line.push(from, value(in_force(first, from), last));
                }
            }
        }
        let end = self.extent(window.axis).end.max(window.start);
        let end = (end < window.end).then_some(end);
        Ok(line.finish(end, history.capacity().map(|capacity| capacity as f64)))
    }

    /// The session's number of an object with a level.
    pub(crate) fn level_resource(&self, level: u32) -> Result<u32, QueryError> {
        self.ids.levels.own(level).ok_or(QueryError::NotInPart)
    }

    /// The whole level history of an object.
    pub(crate) fn level_history(
        &self,
        resource: u32,
    ) -> Result<(&LevelHistory, Arc<LevelPyramid>), QueryError> {
        let history = self.recording.level_histories.get(ResourceId(resource));
        let known = history.filter(|history| history.iter().any(|step| step.level.is_some()));
        let history = known.ok_or_else(|| QueryError::OutOfRange {
            parameter: "resource",
            value: resource.to_string(),
            expected: "the number of one of the overview's levels".to_owned(),
        })?;
        let pyramid = self.caches.levels.get_or_insert(resource, |_| {
            let pyramid = LevelPyramid::of(history);
            let bytes = pyramid.memory_bytes();
            Ok((pyramid, bytes))
        })?;
        Ok((history, pyramid))
    }

    /// The position at which a level starts.
    fn step_position(&self, axis: Axis, step: LevelStep) -> f64 {
        let start = step.start.0;
        match axis {
            Axis::Time => start as f64,
            Axis::Index if self.time_of(step.event.index()) == start => {
                self.position(axis, step.event.0)
            }
            // Not at a call: use the last event before a gap.
            Axis::Index => {
                let after = self.recording.trace.events.index_after(step.start);
                f64::from(after.0) - 0.5
            }
        }
    }
}

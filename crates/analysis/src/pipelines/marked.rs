//! Items that the application marks with points of interest.

use super::{ItemOutcome, Pipeline, PipelineStage, StageTime, StageWorker};
use crate::AnalyzedRecording;
use crate::markers::{MarkerId, MarkerSpan, SpanEnding};
use rtoscope_trace::ContextId;
use std::collections::HashMap;

/// Follows the items that the spans of a marker show. The item's marker becomes the first
/// stage, which it leaves at once.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    mut pipeline: Pipeline,
    item: MarkerId,
) -> Pipeline {
    let name = recording.markers.name(item).to_owned();
    let first = PipelineStage::new(name, StageWorker::Marker(item), None);
    pipeline.stages.insert(0, first);
    let stages = pipeline.stages.iter().zip(0..);
    let stages: HashMap<MarkerId, usize> = stages
        .filter_map(|(stage, index)| match stage.worker {
            StageWorker::Marker(marker) => Some((marker, index)),
            _ => None,
        })
        .collect();
    let mut follower = Follower {
        recording,
        pipeline,
        current: HashMap::new(),
        newest: vec![None; stages.len()],
    };
    // In the order of their first events.
    for span in &recording.markers.spans {
        match stages.get(&span.marker) {
            Some(0) => follower.begin(span),
            Some(stage) => follower.visit(span, *stage),
            None => {}
        }
    }
    follower.finish()
}

struct Follower<'r> {
    recording: &'r AnalyzedRecording,
    pipeline: Pipeline,
    /// The last item of each value.
    current: HashMap<u64, usize>,
    /// The item that began last among those that reached each stage.
    newest: Vec<Option<usize>>,
}

impl Follower<'_> {
    fn begin(&mut self, span: &MarkerSpan) {
        let Some(start) = begin_of(span) else {
            self.pipeline.unknown_starts += 1;
            return;
        };
        let item = self.pipeline.begin(Some(span.value), start);
        self.pipeline.arrive(item, 0, start, self.context(span));
        self.pipeline.receive(item, 0, start);
        self.pipeline.leave(item, 0, start);
        self.current.insert(span.value, item);
        let (outcome, end) = match (span.ending, span.end) {
            (SpanEnding::Ended, Some(event)) => {
                let time = span.until;
                (ItemOutcome::Completed, StageTime { time, event })
            }
            (SpanEnding::Lost, _) => (ItemOutcome::Unknown, start),
            _ => (ItemOutcome::InProgress, start),
        };
        self.pipeline.finish(item, outcome, end);
    }

    fn visit(&mut self, span: &MarkerSpan, stage: usize) {
        let item = self.current.get(&span.value).copied();
        let (Some(item), Some(received)) = (item, begin_of(span)) else {
            return;
        };
        // The value can be that of an item which is over, or of one that is missing.
        let start = self
            .pipeline
            .items
            .get(item)
            .map(|it| (it.start, it.end, it.outcome));
        let is_over = start.is_none_or(|(start, end, outcome)| {
            let has_ended = outcome == ItemOutcome::Completed && end.event < received.event;
            let view = self.recording.view();
            has_ended || view.has_gap_between(None, start.event, received.event)
        });
        if is_over || self.pipeline.visit(item, stage).is_some() {
            return;
        }
        let before = self.pipeline.visits(item).get(..stage);
        let before = before.unwrap_or_default().iter().rev().flatten();
        let left = before.filter_map(|visit| visit.left).next();
        // A stage may begin before the one before it has ended.
        let arrived = left.filter(|left| left.time <= received.time);
        let arrived = arrived.unwrap_or(received);
        let outcome = self.pipeline.items.get(item).map(|it| (it.outcome, it.end));
        let context = self.context(span);
        self.pipeline.arrive(item, stage, arrived, context);
        self.pipeline.receive(item, stage, received);
        if let (SpanEnding::Ended, Some(event)) = (span.ending, span.end) {
            let time = span.until;
            self.pipeline.leave(item, stage, StageTime { time, event });
        }
        if let Some((ItemOutcome::Completed, end)) = outcome {
            self.pipeline.finish(item, ItemOutcome::Completed, end);
        }
        if let Some(newest) = self.newest.get_mut(stage) {
            *newest = (*newest).max(Some(item));
        }
    }

    fn context(&self, span: &MarkerSpan) -> ContextId {
        let event = span
            .begin
            .and_then(|event| self.recording.trace.events.get(event));
        event.map_or(ContextId::UNKNOWN, |event| event.context)
    }

    fn finish(mut self) -> Pipeline {
        for (item, index) in self.pipeline.items.iter_mut().zip(0..) {
            let newest = self.newest.get(item.stage + 1).copied().flatten();
            if item.outcome == ItemOutcome::InProgress && newest > Some(index) {
                item.outcome = ItemOutcome::Overtaken;
            }
        }
        self.pipeline
    }
}

fn begin_of(span: &MarkerSpan) -> Option<StageTime> {
    Some(StageTime {
        time: span.start,
        event: span.begin?,
    })
}

//! Tracks of the stages of declared pipelines.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::{LaneStep, StepTrack};
use rtoscope_analysis::View;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, PipelineItem, StageTime};
use rtoscope_analysis::report::pipeline::{PipelineMiss, pipelines};
use std::collections::{BTreeSet, HashMap};

/// The tracks of all stages, and the late and dropped items.
#[derive(Debug, Default)]
pub(crate) struct PipelineTracks {
    /// By pipeline, then by stage.
    stages: Vec<Vec<StepTrack>>,
    /// By pipeline, then by item.
    misses: Vec<HashMap<u32, PipelineMiss>>,
}

/// What an item does in a stage. In the order of several at one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Passage {
    Leaves,
    Arrives,
    IsTaken,
}

impl PipelineTracks {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let mut tracks = Self::default();
        for (pipeline, report) in view.pipelines.iter().zip(pipelines(view)) {
            let by_start = report.misses.into_iter();
            // Several items can start with the same event.
            let mut by_start: HashMap<_, _> = by_start
                .map(|miss| ((miss.item, miss.event), miss))
                .collect();
            let misses = pipeline.items.iter().zip(0..);
            let misses: HashMap<u32, PipelineMiss> = misses
                .filter_map(|(item, index)| {
                    let key = (item.number, item.start.event.0);
                    Some((index, by_start.remove(&key)?))
                })
                .collect();
            let stages = 0..pipeline.stages.len();
            let stages = stages.map(|stage| stage_track(pipeline, stage, &misses));
            tracks.stages.push(stages.collect());
            tracks.misses.push(misses);
        }
        tracks
    }

    /// All stages, each with the numbers of its pipeline and of itself.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ((u32, u32), &StepTrack)> {
        let pipelines = self.stages.iter().zip(0..);
        pipelines.flat_map(|(stages, pipeline)| {
            let stages = stages.iter().zip(0..);
            stages.map(move |(track, stage)| ((pipeline, stage), track))
        })
    }

    pub(crate) fn get(&self, pipeline: u32, stage: u32) -> Option<&StepTrack> {
        self.stages.get(pipeline as usize)?.get(stage as usize)
    }

    /// Why an item is late or was dropped, if it is.
    pub(crate) fn miss(&self, pipeline: u32, item: u32) -> Option<&PipelineMiss> {
        self.misses.get(pipeline as usize)?.get(&item)
    }
}

/// The items in a stage over time: the one that it works on, or else one that is queued. Of
/// several, the one that arrived last. The subject of a step is the index of the item.
fn stage_track(
    pipeline: &Pipeline,
    stage: usize,
    misses: &HashMap<u32, PipelineMiss>,
) -> StepTrack {
    let mut passages: Vec<(StageTime, Passage, u32)> = Vec::new();
    for (item, index) in pipeline.items.iter().zip(0..) {
        let Some(visit) = pipeline.visit(index as usize, stage) else {
            continue;
        };
        let left = visit.left.or_else(|| lost_at(item));
        if left.is_some_and(|left| left.event == visit.arrived.event) {
            // It passes the stage at once.
            continue;
        }
        passages.push((visit.arrived, Passage::Arrives, index));
        passages.extend(visit.received.map(|at| (at, Passage::IsTaken, index)));
        passages.extend(left.map(|at| (at, Passage::Leaves, index)));
    }
    passages.sort_unstable_by_key(|(at, passage, item)| (at.event, *passage, *item));
    let mut track = StepTrack::default();
    let (mut queued, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for (at, passage, item) in passages {
        match passage {
            Passage::Leaves => {
                queued.remove(&item);
                taken.remove(&item);
            }
            Passage::Arrives => {
                queued.insert(item);
            }
            Passage::IsTaken => {
                queued.remove(&item);
                taken.insert(item);
            }
        }
        let (class, subject) = match (taken.last(), queued.last()) {
            (Some(item), _) if misses.contains_key(item) => (BarClass::LATE_ITEM, *item),
            (Some(item), _) => (BarClass::ITEM, *item),
            (None, Some(item)) => (BarClass::QUEUED_ITEM, *item),
            (None, None) => (BarClass::NOTHING, TOO_MANY),
        };
        let last = track.last();
        if last.is_some_and(|last| (last.class, last.subject) == (class, subject)) {
            continue;
        }
        track.push(LaneStep {
            // Time can step back between cores.
            start: at.time.0.max(last.map_or(0, |last| last.start)),
            event: at.event.0,
            subject,
            class,
            owns_event: true,
        });
    }
    track.shrink_to_fit();
    track
}

/// When an item that no stage sent on left its last one.
fn lost_at(item: &PipelineItem) -> Option<StageTime> {
    (item.outcome != ItemOutcome::InProgress).then_some(item.end)
}

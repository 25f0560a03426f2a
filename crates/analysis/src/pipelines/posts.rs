//! Items that are events of active objects.

use super::{ItemOutcome, Pipeline, StageTime};
use crate::AnalyzedRecording;
use crate::active::{Post, PostId, RtcStep, StepEnding, StepId};
use rtoscope_trace::{ContextId, Endpoint, EventIndex, Signal};
use std::collections::HashMap;

/// A stage's active object, and the only signal with which it receives items, if any.
pub(super) type Receiver = (ContextId, Option<Signal>);

/// Follows the events that active objects post to each other. A stage sends an item on
/// with its first post to the next stage in the step that handles the item. `end` are the
/// events that end an item in the last stage; without them, the end of the step does.
///
/// # Errors
///
/// If an active object occurs twice with the same signal, or with any.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    mut pipeline: Pipeline,
    receivers: &[Receiver],
    end: Option<&[EventIndex]>,
) -> Result<Pipeline, String> {
    for (stage, (receiver, index)) in pipeline.stages.iter().zip(receivers.iter().zip(0..)) {
        let others = receivers.get(..index).unwrap_or_default().iter();
        let mut same = others.filter(|(object, _)| *object == receiver.0);
        if same.any(|(_, signal)| signal.is_none() || *signal == receiver.1 || receiver.1.is_none())
        {
            return Err(format!(
                "{:?} occurs twice in the chain: name different signals, as in SIGNAL@{}",
                stage.name, stage.name
            ));
        }
    }
    let active = &recording.active;
    let stage_of = |post: &Post| {
        receivers.iter().position(|(object, signal)| {
            *object == post.to && signal.is_none_or(|signal| signal == post.signal)
        })
    };
    // The items that wait for the posts of the steps that handle them, by these.
    let mut handled: HashMap<StepId, (usize, usize)> = HashMap::new();
    let steps = StepsByObject::new(recording, receivers);
    let certain = active.posts.iter().filter(|post| post.step.is_some());
    let last_handled: HashMap<_, _> = certain.map(|post| (post.to, post.event)).collect();
    let last_gap = recording.trace.gaps.last().map(|gap| gap.next_event);
    let recalls = active.deferrals.iter();
    let recalls = recalls.filter_map(|it| Some((it.recalled?, (it.object?, it.event))));
    let recalls: HashMap<PostId, _> = recalls.collect();
    for (post, id) in active.posts.iter().zip(0..) {
        let Some(stage) = stage_of(post) else {
            continue;
        };
        let at = StageTime {
            time: post.time,
            event: post.event,
        };
        if post.recalled {
            // The step that deferred it still has the item.
            let deferral = recalls.get(&PostId(id));
            let step = deferral.and_then(|(object, event)| steps.at(*object, *event));
            let item = step.and_then(|step| handled.remove(&step));
            match (
                item,
                post.step
                    .and_then(|id| Some((id, active.steps.get(id.index())?))),
            ) {
                (Some((item, stage)), Some((id, step))) => {
                    pipeline.receive(item, stage, start_of(step));
                    handled.insert(id, (item, stage));
                }
                (Some((item, _)), None) => pipeline.finish(item, ItemOutcome::Unknown, at),
                (None, _) => pipeline.unknown_starts += 1,
            }
            continue;
        }
        let item = match stage {
            0 => pipeline.begin(None, at),
            _ => {
                let sender = match post.from {
                    Endpoint::Object(sender) => Some(sender),
                    Endpoint::Other(_) => None,
                    // In the step that runs, whoever it is.
                    Endpoint::Unknown => receivers.get(stage - 1).map(|it| it.0),
                };
                let step = sender.and_then(|sender| steps.at(sender, post.event));
                let is_before = |(_, its_stage): &(usize, usize)| its_stage + 1 == stage;
                let Some(step) = step.filter(|it| handled.get(it).is_some_and(is_before)) else {
                    let origin = step.and_then(|step| active.steps.get(step.index()));
                    if origin.is_some_and(|step| step.post.is_none() && !step.initial) {
                        // What the step handles is not known.
                        pipeline.unknown_starts += 1;
                    }
                    continue;
                };
                let Some((item, _)) = handled.remove(&step) else {
                    continue;
                };
                pipeline.leave(item, stage - 1, at);
                item
            }
        };
        pipeline.arrive(item, stage, at, post.to);
        match post
            .step
            .and_then(|id| Some((id, active.steps.get(id.index())?)))
        {
            Some((id, step)) => {
                pipeline.receive(item, stage, start_of(step));
                handled.insert(id, (item, stage));
            }
            // Still queued at the end of the trace: nothing later is known to be handled.
            None if last_handled.get(&post.to) < Some(&post.event)
                && last_gap <= Some(post.event) => {}
            None => pipeline.finish(item, ItemOutcome::Unknown, at),
        }
    }
    let last = receivers.len().saturating_sub(1);
    for (id, (item, stage)) in handled {
        let Some(step) = active.steps.get(id.index()) else {
            continue;
        };
        let step_end = StageTime {
            time: step.end,
            event: step.last,
        };
        let marked_end = end.map(|events| {
            let first = events.partition_point(|event| *event < step.first);
            let event = events.get(first).filter(|event| **event <= step.last);
            let event = *event?;
            let time = recording.trace.events.time(event)?;
            Some(StageTime { time, event })
        });
        let (outcome, at) = match (step.ending, stage == last, marked_end) {
            (_, true, Some(Some(at))) => (ItemOutcome::Completed, at),
            (StepEnding::Recorded(_), true, None) => (ItemOutcome::Completed, step_end),
            (StepEnding::Recorded(_), ..) => (ItemOutcome::NotForwarded, step_end),
            (StepEnding::Open, ..) => continue,
            _ => (ItemOutcome::Unknown, step_end),
        };
        pipeline.leave(item, stage, at);
        pipeline.finish(item, outcome, at);
    }
    Ok(pipeline)
}

fn start_of(step: &RtcStep) -> StageTime {
    StageTime {
        time: step.start,
        event: step.first,
    }
}

/// The steps of the stages' active objects, in trace order.
struct StepsByObject<'r> {
    recording: &'r AnalyzedRecording,
    steps: HashMap<ContextId, Vec<StepId>>,
}

impl<'r> StepsByObject<'r> {
    fn new(recording: &'r AnalyzedRecording, receivers: &[Receiver]) -> Self {
        let objects = receivers.iter().map(|(object, _)| (*object, Vec::new()));
        let mut steps: HashMap<_, Vec<_>> = objects.collect();
        for (step, id) in recording.active.steps.iter().zip(0..) {
            if let Some(all) = steps.get_mut(&step.object) {
                all.push(StepId(id));
            }
        }
        Self { recording, steps }
    }

    /// The step of an object at an event.
    fn at(&self, object: ContextId, event: EventIndex) -> Option<StepId> {
        let all = self.steps.get(&object)?;
        let step = |id: &StepId| self.recording.active.steps.get(id.index());
        let begun = all.partition_point(|id| step(id).is_some_and(|it| it.first <= event));
        let id = all.get(begun.checked_sub(1)?)?;
        (step(id)?.last >= event).then_some(*id)
    }
}

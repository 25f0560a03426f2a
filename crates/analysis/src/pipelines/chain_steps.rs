//! What happens to messages in the queues and semaphores of a chain.

use super::{Pipeline, StageWorker};
use crate::AnalyzedRecording;
use crate::levels::{CallDirection, CallOutcome};
use crate::schedule::{IsrActivation, UntakenReason};
use rtoscope_trace::{Contexts, EventIndex, ResourceId};

/// What happens to the items at an event. In the order in which several happen at one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChainStep {
    /// Events before this one are missing.
    Gap,
    /// The item in the last stage ends.
    End,
    /// A stage asks for the next item from this link.
    Request { link: usize, answer: Answer },
    /// A link is emptied.
    Flush { link: usize },
    /// The stage before a link puts a message into it; whether it was refused.
    Put { link: usize, refused: bool },
    /// A stage gave up waiting for room: what the call put is not in the link.
    GiveUp { link: usize, put: EventIndex },
    /// What a call put is taken.
    Take {
        link: usize,
        put: EventIndex,
        /// By the stage, not by another context.
        by_stage: bool,
        /// The stage before put it, not another context.
        from_stage: bool,
    },
}

/// What a stage gets that asks for the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    /// An item at once.
    Item,
    /// An item later, or none.
    Wait,
    /// None.
    Nothing,
}

/// The steps of the chain, in trace order.
pub(super) fn steps(
    recording: &AnalyzedRecording,
    pipeline: &Pipeline,
    links: &[ResourceId],
    end: Option<&[EventIndex]>,
) -> Vec<(EventIndex, ChainStep)> {
    let mut steps: Vec<(EventIndex, ChainStep)> = Vec::new();
    let gaps = recording.trace.gaps.iter();
    steps.extend(gaps.map(|gap| (gap.next_event, ChainStep::Gap)));
    steps.extend(
        end.into_iter()
            .flatten()
            .map(|event| (*event, ChainStep::End)),
    );
    let all = 0..recording.trace.events.len();
    for (resource, link) in links.iter().zip(0..) {
        let Some(history) = recording.level_histories.get(*resource) else {
            continue;
        };
        let by = |stage: usize, event: EventIndex| {
            let stage = pipeline.stages.get(stage);
            stage.is_some_and(|stage| is_worker(recording, stage.worker, event))
        };
        steps.extend(history.calls(all.clone()).filter_map(|call| {
            let (event, outcome) = (call.event, call.outcome);
            let refused = outcome == CallOutcome::Refused;
            let step = match call.direction {
                CallDirection::Put if by(link, event) => ChainStep::Put { link, refused },
                CallDirection::Take if by(link + 1, event) => {
                    let answer = match outcome {
                        CallOutcome::Served => Answer::Item,
                        CallOutcome::Blocked => Answer::Wait,
                        CallOutcome::Refused => Answer::Nothing,
                    };
                    ChainStep::Request { link, answer }
                }
                CallDirection::Flush => ChainStep::Flush { link },
                _ => return None,
            };
            Some((event, step))
        }));
    }
    let untaken = recording.schedule.untaken_puts.iter();
    for given_up in untaken.filter(|it| it.reason == UntakenReason::GaveUp) {
        let put = given_up.put;
        let link = links.iter().position(|it| *it == given_up.resource);
        steps.extend(link.map(|link| (given_up.end, ChainStep::GiveUp { link, put })));
    }
    for transfer in &recording.schedule.transfers {
        let link = links.iter().position(|it| *it == transfer.resource);
        steps.extend(link.map(|link| {
            let (put, take) = (transfer.put, transfer.take);
            let stage = pipeline.stages.get(link + 1).map(|it| it.worker);
            let by_stage = match stage {
                Some(StageWorker::Thread(thread)) => thread == transfer.taker,
                Some(worker) => is_worker(recording, worker, take),
                None => false,
            };
            let sender = pipeline.stages.get(link).map(|it| it.worker);
            let from_stage = sender.is_some_and(|it| is_worker(recording, it, put));
            let step = ChainStep::Take {
                link,
                put,
                by_stage,
                from_stage,
            };
            (take, step)
        }));
    }
    steps.sort_unstable();
    steps
}

/// Whether the call at an event is one of a stage's worker.
fn is_worker(recording: &AnalyzedRecording, worker: StageWorker, event: EventIndex) -> bool {
    let context = recording.trace.events.get(event).map(|it| it.context);
    match worker {
        StageWorker::Thread(thread) => context == Some(thread),
        StageWorker::Isr(number) => {
            let isr = isr_at(recording, event);
            isr.is_some_and(|isr| isr.number == Some(number))
        }
        StageWorker::ActiveObject(_) | StageWorker::Marker(_) | StageWorker::Logger => false,
    }
}

/// The interrupt service routine that runs at an event.
pub(super) fn isr_at(recording: &AnalyzedRecording, event: EventIndex) -> Option<IsrActivation> {
    let call = recording.trace.events.get(event)?;
    if call.context != Contexts::INTERRUPT {
        return None;
    }
    let routine = recording.schedule.isr_at(event, call.core);
    routine.map(|(_, activation)| activation)
}

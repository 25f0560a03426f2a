//! Items that are messages: they pass through queues and semaphores.

use super::{ItemOutcome, Pipeline, StageTime, StageWorker};
use crate::AnalyzedRecording;
use crate::levels::{CallDirection, CallOutcome};
use crate::schedule::IsrActivation;
use rtoscope_trace::{ContextId, Contexts, EventIndex, ResourceId, Ticks};
use std::collections::BTreeMap;

/// Follows messages through the stages. `end` are the events that end an item in the last
/// stage; without them, the stage's next request does.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    pipeline: Pipeline,
    end: Option<&[EventIndex]>,
) -> Pipeline {
    let links = pipeline.stages.iter().skip(1);
    let links: Vec<_> = links.filter_map(|stage| stage.input).collect();
    let steps = steps(recording, &pipeline, &links, end);
    let mut follower = Follower {
        recording,
        ends_by_event: end.is_some(),
        holding: vec![None; pipeline.stages.len()],
        served: vec![None; pipeline.stages.len()],
        stored: vec![BTreeMap::new(); links.len()],
        last_taken: vec![None; links.len()],
        pipeline,
    };
    for (event, step) in steps {
        follower.apply(event, step);
    }
    follower.finish()
}

/// What happens to the items at an event. In the order in which several happen at one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ChainStep {
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
    /// What a call put is taken by a context.
    Take {
        link: usize,
        put: EventIndex,
        taker: ContextId,
    },
}

/// What a stage gets that asks for the next item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// An item at once.
    Item,
    /// An item later, or none.
    Wait,
    /// None.
    Nothing,
}

/// The steps of the chain, in trace order.
fn steps(
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
        steps.extend(
            history
                .calls(all.clone())
                .filter_map(|(event, direction, outcome)| {
                    let refused = outcome == CallOutcome::Refused;
                    let step = match direction {
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
                }),
        );
    }
    for abandoned in &recording.schedule.abandoned_puts {
        let put = abandoned.put;
        let link = links.iter().position(|it| *it == abandoned.resource);
        steps.extend(link.map(|link| (abandoned.end, ChainStep::GiveUp { link, put })));
    }
    for transfer in &recording.schedule.transfers {
        let link = links.iter().position(|it| *it == transfer.resource);
        steps.extend(link.map(|link| {
            let (put, taker) = (transfer.put, transfer.taker);
            (transfer.take, ChainStep::Take { link, put, taker })
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
        StageWorker::ActiveObject(_) | StageWorker::Marker(_) => false,
    }
}

/// The interrupt service routine that runs at an event.
fn isr_at(recording: &AnalyzedRecording, event: EventIndex) -> Option<&IsrActivation> {
    let call = recording.trace.events.get(event)?;
    if call.context != Contexts::INTERRUPT {
        return None;
    }
    let activations = &recording.schedule.activations;
    let after = activations.partition_point(|it| it.first <= event);
    let before = activations.get(..after).unwrap_or_default();
    let of_core = before.iter().rev().filter(|it| it.core == call.core);
    // Nothing before an outermost one that has ended can still run.
    let mut candidates = of_core.scan(false, |is_over, it| {
        let was_over = std::mem::replace(is_over, it.depth <= 1);
        (!was_over).then_some(it)
    });
    candidates.find(|it| it.last >= event)
}

struct Follower<'r> {
    recording: &'r AnalyzedRecording,
    pipeline: Pipeline,
    /// Whether events end the items in the last stage.
    ends_by_event: bool,
    /// The item that each stage works on.
    holding: Vec<Option<usize>>,
    /// The last call of each stage that got an item at once.
    served: Vec<Option<EventIndex>>,
    /// The items in each link, by the calls that put them.
    stored: Vec<BTreeMap<EventIndex, usize>>,
    /// The last call whose message was taken from each link.
    last_taken: Vec<Option<EventIndex>>,
}

impl Follower<'_> {
    fn apply(&mut self, event: EventIndex, step: ChainStep) {
        let time = self.recording.trace.events.time(event).unwrap_or(Ticks(0));
        let at = StageTime { time, event };
        match step {
            ChainStep::Gap => self.lose(at),
            ChainStep::End => {
                let last = self.pipeline.stages.len() - 1;
                self.release(last, ItemOutcome::Completed, at);
            }
            ChainStep::Request { link, answer } => self.request(link + 1, answer, at),
            ChainStep::Flush { link } => {
                for item in self.empty(link) {
                    self.pipeline.finish(item, ItemOutcome::Flushed, at);
                }
            }
            ChainStep::Put { link, refused } => self.put(link, refused, at),
            ChainStep::GiveUp { link, put } => {
                let stored = self.stored.get_mut(link);
                if let Some(item) = stored.and_then(|stored| stored.remove(&put)) {
                    self.pipeline.turn_back(item, link + 1);
                    self.pipeline.finish(item, ItemOutcome::Refused, at);
                }
            }
            ChainStep::Take { link, put, taker } => self.take(link, put, taker, at),
        }
    }

    /// A stage asks for its next item, and thus has finished the previous one.
    fn request(&mut self, stage: usize, answer: Answer, at: StageTime) {
        let is_last = stage + 1 == self.pipeline.stages.len();
        match (is_last, self.ends_by_event) {
            (true, false) => self.release(stage, ItemOutcome::Completed, at),
            _ if answer == Answer::Nothing => {}
            _ => self.release(stage, ItemOutcome::NotForwarded, at),
        }
        if answer == Answer::Item {
            // Until the call that put it is found.
            self.pipeline.unknown_starts += 1;
            if let Some(served) = self.served.get_mut(stage) {
                *served = Some(at.event);
            }
        }
    }

    /// The item that a stage works on ends.
    fn release(&mut self, stage: usize, outcome: ItemOutcome, at: StageTime) {
        if let Some(item) = self.holding.get_mut(stage).and_then(Option::take) {
            self.pipeline.leave(item, stage, at);
            self.pipeline.finish(item, outcome, at);
        }
    }

    fn put(&mut self, stage: usize, refused: bool, at: StageTime) {
        let item = match stage {
            0 => self.begin(at),
            _ => self.holding.get_mut(stage).and_then(Option::take),
        };
        let Some(item) = item else { return };
        self.pipeline.leave(item, stage, at);
        if refused {
            self.pipeline.finish(item, ItemOutcome::Refused, at);
            return;
        }
        let next = self.pipeline.stages.get(stage + 1).map(|it| it.worker);
        let context = worker_context(next);
        self.pipeline.arrive(item, stage + 1, at, context);
        if let Some(stored) = self.stored.get_mut(stage) {
            stored.insert(at.event, item);
        }
    }

    /// An item starts with the interrupt service routine, or with the thread's call.
    fn begin(&mut self, at: StageTime) -> Option<usize> {
        let worker = self.pipeline.stages.first().map(|it| it.worker);
        let start = match worker {
            Some(StageWorker::Isr(_)) => {
                let isr = isr_at(self.recording, at.event);
                isr.filter(|isr| isr.entered).map(|isr| StageTime {
                    time: isr.start,
                    event: isr.first,
                })
            }
            _ => Some(at),
        };
        let Some(start) = start else {
            self.pipeline.unknown_starts += 1;
            return None;
        };
        let item = self.pipeline.begin(None, start);
        let context = worker_context(worker);
        self.pipeline.arrive(item, 0, start, context);
        self.pipeline.receive(item, 0, start);
        Some(item)
    }

    fn take(&mut self, link: usize, put: EventIndex, taker: ContextId, at: StageTime) {
        let item = self
            .stored
            .get_mut(link)
            .and_then(|stored| stored.remove(&put));
        if let Some(last) = self.last_taken.get_mut(link) {
            *last = (*last).max(Some(put));
        }
        let stage = link + 1;
        let worker = self.pipeline.stages.get(stage).map(|it| it.worker);
        let is_ours = match worker {
            Some(StageWorker::Thread(thread)) => thread == taker,
            Some(worker) => is_worker(self.recording, worker, at.event),
            None => false,
        };
        if !is_ours {
            // Another context works on it.
            if let Some(item) = item {
                self.pipeline.finish(item, ItemOutcome::NotForwarded, at);
            }
            return;
        }
        // The call that asked for it is not recorded.
        self.release(stage, ItemOutcome::Unknown, at);
        if self.served.get(stage) == Some(&Some(at.event)) {
            self.pipeline.unknown_starts -= 1;
        }
        if let Some(item) = item {
            self.pipeline.receive(item, stage, at);
        }
        if let Some(holding) = self.holding.get_mut(stage) {
            *holding = item;
        }
    }

    fn empty(&mut self, link: usize) -> Vec<usize> {
        let stored = self.stored.get_mut(link).map(std::mem::take);
        stored.unwrap_or_default().into_values().collect()
    }

    /// Events are missing: what happens to the items on their way is not known.
    fn lose(&mut self, at: StageTime) {
        let held = self.holding.iter_mut().filter_map(Option::take);
        let mut items: Vec<_> = held.collect();
        for link in 0..self.stored.len() {
            items.extend(self.empty(link));
        }
        for item in items {
            self.pipeline.finish(item, ItemOutcome::Unknown, at);
        }
        self.last_taken.fill(None);
    }

    fn finish(mut self) -> Pipeline {
        for (stored, last) in self.stored.iter().zip(&self.last_taken) {
            for (put, item) in stored {
                // A later message was taken before it.
                if *last > Some(*put)
                    && let Some(item) = self.pipeline.items.get_mut(*item)
                {
                    item.outcome = ItemOutcome::Unknown;
                }
            }
        }
        self.pipeline
    }
}

/// The thread that works on a stage's items.
fn worker_context(worker: Option<StageWorker>) -> ContextId {
    match worker {
        Some(StageWorker::Thread(thread)) => thread,
        _ => ContextId::UNKNOWN,
    }
}

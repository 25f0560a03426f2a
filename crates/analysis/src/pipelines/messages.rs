//! Items that are messages: they pass through queues and semaphores.

use super::chain_steps::{Answer, ChainStep, isr_at, steps};
use super::held::{HeldItems, earlier_messages, is_followed_by_take};
use super::{ItemOutcome, Pipeline, StageProblem, StageTime, StageWorker};
use crate::AnalyzedRecording;
use crate::timing::StageHolding;
use rtoscope_trace::{ContextId, EventIndex, Ticks};
use std::collections::BTreeSet;

/// Follows messages through the stages. `end` are the events that end an item in the last
/// stage; without them, the stage's next request does.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    mut pipeline: Pipeline,
    holdings: &[StageHolding],
    end: Option<&[EventIndex]>,
) -> Pipeline {
    let links = pipeline.stages.iter().skip(1);
    let links: Vec<_> = links.filter_map(|stage| stage.input).collect();
    let steps = steps(recording, &pipeline, &links, end);
    let earlier = earlier_messages(&steps, holdings);
    for (stage, earlier) in pipeline.stages.iter_mut().zip(&earlier) {
        let is_unknown = earlier.iter().any(Option::is_none);
        stage.problem = is_unknown.then_some(StageProblem::UnknownContent);
    }
    loop {
        let is_opaque = |index: usize| {
            let stage = pipeline.stages.get(index);
            stage.is_some_and(|stage| stage.problem == Some(StageProblem::Overlap))
        };
        let held = holdings.iter().zip(&earlier).enumerate();
        let held = held.map(|(index, (holding, earlier))| {
            HeldItems::new(*holding, earlier.clone(), is_opaque(index))
        });
        let mut follower = Follower {
            recording,
            ends_by_event: end.is_some(),
            held: held.collect(),
            stored: vec![BTreeSet::new(); links.len()],
            last_taken: vec![None; links.len()],
            items: Vec::new(),
            pipeline: pipeline.clone(),
        };
        for (number, (event, step)) in steps.iter().enumerate() {
            let is_known = |link| is_followed_by_take(&steps, number, link);
            follower.apply(*event, *step, is_known);
        }
        // A stage that takes an item while it has another can send on either of them, here
        // and wherever else it has one.
        let mut overlaps = false;
        for (stage, held) in pipeline.stages.iter_mut().zip(&follower.held) {
            if held.has_overlap {
                stage.problem = Some(StageProblem::Overlap);
                overlaps = true;
            }
        }
        if !overlaps {
            return follower.finish();
        }
    }
}

struct Follower<'r> {
    recording: &'r AnalyzedRecording,
    pipeline: Pipeline,
    /// Whether events end the items in the last stage.
    ends_by_event: bool,
    /// The items that each stage has.
    held: Vec<HeldItems>,
    /// The items in each link, with the calls that put them.
    stored: Vec<BTreeSet<(EventIndex, usize)>>,
    /// The last call whose message was taken from each link.
    last_taken: Vec<Option<EventIndex>>,
    /// The items of the current step.
    items: Vec<usize>,
}

impl Follower<'_> {
    fn apply(&mut self, event: EventIndex, step: ChainStep, is_known: impl Fn(usize) -> bool) {
        let time = self.recording.trace.events.time(event).unwrap_or(Ticks(0));
        let at = StageTime { time, event };
        self.items.clear();
        match step {
            ChainStep::Gap => self.lose(at),
            ChainStep::End => {
                let last = self.pipeline.stages.len() - 1;
                if let Some(held) = self.held.get_mut(last) {
                    held.send(&mut self.items);
                }
                self.end_items(last, ItemOutcome::Completed, at);
            }
            ChainStep::Request { link, answer } => {
                // The call that put it is not recorded.
                let is_unknown = answer == Answer::Item && !is_known(link);
                self.pipeline.unknown_starts += u64::from(is_unknown);
                self.request(link + 1, answer, at);
            }
            ChainStep::Flush { link } => {
                self.empty(link);
                self.finish_items(ItemOutcome::Flushed, at);
            }
            ChainStep::Put { link, refused } => self.put(link, refused, at),
            ChainStep::GiveUp { link, put } => {
                self.unstore(link, put);
                for item in &self.items {
                    self.pipeline.turn_back(*item, link + 1);
                }
                self.finish_items(ItemOutcome::Refused, at);
            }
            ChainStep::Take {
                link,
                put,
                by_stage,
                from_stage,
            } => {
                if let Some(last) = self.last_taken.get_mut(link) {
                    *last = (*last).max(Some(put));
                }
                self.unstore(link, put);
                match by_stage {
                    true => self.take(link + 1, from_stage, at),
                    // Another context works on it.
                    false => self.finish_items(ItemOutcome::NotForwarded, at),
                }
            }
        }
    }

    /// A stage asks for its next item.
    fn request(&mut self, stage: usize, answer: Answer, at: StageTime) {
        let ends_here = self.ends_by_request(stage);
        let Some(held) = self.held.get_mut(stage) else {
            return;
        };
        match held.holding() {
            _ if ends_here => {
                held.clear(&mut self.items);
                self.end_items(stage, ItemOutcome::Completed, at);
            }
            _ if answer == Answer::Nothing => {}
            StageHolding::Discards => {
                held.clear(&mut self.items);
                self.end_items(stage, ItemOutcome::NotForwarded, at);
            }
            _ => held.has_asked = true,
        }
    }

    /// Whether a stage finishes its item when it asks for the next one.
    fn ends_by_request(&self, stage: usize) -> bool {
        stage + 1 == self.pipeline.stages.len() && !self.ends_by_event
    }

    fn put(&mut self, stage: usize, refused: bool, at: StageTime) {
        match (stage, self.held.get_mut(stage)) {
            (0, _) => {
                let item = self.begin(at);
                self.items.extend(item);
            }
            (_, Some(held)) => held.send(&mut self.items),
            _ => {}
        }
        let next = self.pipeline.stages.get(stage + 1).map(|it| it.worker);
        let context = worker_context(next);
        for item in self.items.iter().copied() {
            self.pipeline.leave(item, stage, at);
            if refused {
                continue;
            }
            self.pipeline.arrive(item, stage + 1, at, context);
            if let Some(stored) = self.stored.get_mut(stage) {
                stored.insert((at.event, item));
            }
        }
        if refused {
            self.finish_items(ItemOutcome::Refused, at);
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

    /// A stage takes the current items with a message.
    fn take(&mut self, stage: usize, from_stage: bool, at: StageTime) {
        let taken = std::mem::take(&mut self.items);
        let ends_here = self.ends_by_request(stage);
        if let Some(held) = self.held.get_mut(stage)
            && (ends_here || held.holding() == StageHolding::Discards)
        {
            // The call that asked for it is not recorded.
            held.clear(&mut self.items);
            self.end_items(stage, ItemOutcome::Unknown, at);
        }
        for item in &taken {
            self.pipeline.receive(*item, stage, at);
        }
        self.items = taken;
        let held = self.held.get_mut(stage).filter(|_| from_stage);
        if held.is_some_and(|held| !held.take(&self.items)) {
            self.finish_items(ItemOutcome::Unknown, at);
        }
    }

    /// The current items leave a stage and end.
    fn end_items(&mut self, stage: usize, outcome: ItemOutcome, at: StageTime) {
        for item in &self.items {
            self.pipeline.leave(*item, stage, at);
        }
        self.finish_items(outcome, at);
    }

    /// The current items end.
    fn finish_items(&mut self, outcome: ItemOutcome, at: StageTime) {
        for item in self.items.drain(..) {
            self.pipeline.finish(item, outcome, at);
        }
    }

    /// The items of a message become the current ones.
    fn unstore(&mut self, link: usize, put: EventIndex) {
        if let Some(stored) = self.stored.get_mut(link) {
            let of_message = stored.range((put, 0)..=(put, usize::MAX));
            self.items.extend(of_message.map(|(_, item)| *item));
            for item in &self.items {
                stored.remove(&(put, *item));
            }
        }
    }

    /// The items in a link become the current ones.
    fn empty(&mut self, link: usize) {
        let stored = self.stored.get_mut(link).map(std::mem::take);
        let stored = stored.into_iter().flatten();
        self.items.extend(stored.map(|(_, item)| item));
    }

    /// Events are missing: what happens to the items on their way is not known.
    fn lose(&mut self, at: StageTime) {
        for held in &mut self.held {
            held.lose(&mut self.items);
        }
        for link in 0..self.stored.len() {
            self.empty(link);
        }
        self.finish_items(ItemOutcome::Unknown, at);
        self.last_taken.fill(None);
    }

    fn finish(mut self) -> Pipeline {
        self.items.clear();
        for held in self.held.iter_mut().filter(|held| held.has_asked) {
            // Whether it still has them is not known.
            held.clear(&mut self.items);
        }
        for item in self.items.drain(..) {
            if let Some(item) = self.pipeline.items.get_mut(item) {
                item.outcome = ItemOutcome::Unknown;
            }
        }
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

//! Items whose number is an argument of the events that they cause.

use super::{ItemOutcome, Pipeline, StageTime};
use crate::AnalyzedRecording;
use crate::event_value::events_with_number;
use crate::timing::EventElement;
use rtoscope_trace::{ContextId, EventIndex, Trace};
use std::collections::HashMap;

/// An event of the chain.
struct LoggedEvent {
    event: EventIndex,
    stage: usize,
    role: EventRole,
    item: u64,
    context: ContextId,
}

/// What an event says of an item. In the order of several at one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EventRole {
    /// It leaves a stage.
    End,
    /// It enters a stage.
    Begin,
}

/// Follows the items that the events of a chain name. A stage lasts from its event to its
/// end, or else to the next event of the item.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    pipeline: Pipeline,
    chain: &[EventElement],
) -> Result<Pipeline, String> {
    let mut logged = Vec::new();
    for (element, stage) in chain.iter().zip(0..) {
        let names = [
            (EventRole::Begin, Some(&element.begin)),
            (EventRole::End, element.end.as_ref()),
        ];
        for (role, name) in names {
            if let Some(name) = name {
                find(
                    &recording.trace,
                    name,
                    &element.id,
                    (stage, role),
                    &mut logged,
                )?;
            }
        }
    }
    // An event that occurs twice in the chain ends a stage before it begins one.
    logged.sort_by_key(|it| (it.event, it.role, it.stage));
    let mut follower = Follower {
        recording,
        newest: vec![None; pipeline.stages.len()],
        has_end: chain.iter().map(|element| element.end.is_some()).collect(),
        pipeline,
        current: HashMap::new(),
    };
    for event in &logged {
        follower.event(event);
    }
    Ok(follower.finish())
}

/// Adds the events with a name.
fn find(
    trace: &Trace,
    name: &str,
    id: &str,
    (stage, role): (usize, EventRole),
    logged: &mut Vec<LoggedEvent>,
) -> Result<(), String> {
    let found = events_with_number(trace, name, id)?;
    logged.extend(found.into_iter().map(|(event, item)| LoggedEvent {
        event: event.index,
        stage,
        role,
        item,
        context: event.context,
    }));
    Ok(())
}

struct Follower<'r> {
    recording: &'r AnalyzedRecording,
    pipeline: Pipeline,
    /// Whether each stage has events at its end.
    has_end: Vec<bool>,
    /// The item that has each number, as far as is known.
    current: HashMap<u64, NumberedItem>,
    /// The item that began last among those that reached each stage.
    newest: Vec<Option<usize>>,
}

/// Which item has a number, and since when.
#[derive(Debug, Clone, Copy)]
struct NumberedItem {
    holder: NumberHolder,
    /// The last event of the number.
    last: EventIndex,
}

#[derive(Debug, Clone, Copy)]
enum NumberHolder {
    /// This item is on its way.
    Item(usize),
    /// No item: the last one ended.
    Ended,
    /// An item whose start is not known, or whose way was lost.
    Unknown,
    /// Several items, `newest` started last: their events cannot be distinguished.
    Several { newest: usize, count: u32 },
}

impl Follower<'_> {
    fn event(&mut self, logged: &LoggedEvent) {
        let Some(time) = self.recording.trace.events.time(logged.event) else {
            return;
        };
        let at = StageTime {
            time,
            event: logged.event,
        };
        let mut before = self.current.get(&logged.item).map(|it| it.holder);
        if self.has_gap_since(logged) {
            if let Some(NumberHolder::Item(item)) = before {
                self.lose(item);
            }
            before = match before {
                None | Some(NumberHolder::Ended) => None,
                Some(_) => Some(NumberHolder::Unknown),
            };
        }
        let holder = match (logged.stage, logged.role) {
            (0, EventRole::Begin) => self.begin(before, logged, at),
            _ => self.advance(before, logged, at),
        };
        let last = logged.event;
        self.current
            .insert(logged.item, NumberedItem { holder, last });
    }

    fn has_gap_since(&self, logged: &LoggedEvent) -> bool {
        let view = self.recording.view();
        let current = self.current.get(&logged.item);
        current.is_some_and(|it| view.has_gap_between(None, it.last, logged.event))
    }

    /// An event after an item's first one. Returns the new holder of its number.
    fn advance(
        &mut self,
        before: Option<NumberHolder>,
        logged: &LoggedEvent,
        at: StageTime,
    ) -> NumberHolder {
        let is_last = self.is_last(logged);
        match before {
            // Logged again.
            Some(NumberHolder::Ended) => NumberHolder::Ended,
            Some(NumberHolder::Several { newest, count }) => NumberHolder::Several {
                newest,
                count: count.saturating_sub(is_last.into()),
            },
            Some(NumberHolder::Item(item)) => {
                let is_on_its_way = match logged.role {
                    EventRole::Begin => self.enter(item, logged, at),
                    EventRole::End => self.leave(item, logged.stage, logged.context, at),
                };
                if !is_on_its_way || !is_last {
                    return NumberHolder::Item(item);
                }
                self.pipeline.leave(item, logged.stage, at);
                self.pipeline.finish(item, ItemOutcome::Completed, at);
                NumberHolder::Ended
            }
            None | Some(NumberHolder::Unknown) => {
                // Further events of the item do not count again.
                self.pipeline.unknown_starts += u64::from(before.is_none());
                match is_last {
                    true => NumberHolder::Ended,
                    false => NumberHolder::Unknown,
                }
            }
        }
    }

    /// Whether an event ends its item.
    fn is_last(&self, logged: &LoggedEvent) -> bool {
        let has_end = self.has_end.get(logged.stage).is_some_and(|has| *has);
        logged.stage + 1 == self.has_end.len() && (logged.role == EventRole::End || !has_end)
    }

    /// An item starts. Returns the new holder of its number.
    fn begin(
        &mut self,
        before: Option<NumberHolder>,
        logged: &LoggedEvent,
        at: StageTime,
    ) -> NumberHolder {
        let item = self.pipeline.begin(Some(logged.item), at);
        self.pipeline.arrive(item, 0, at, logged.context);
        self.pipeline.receive(item, 0, at);
        let others = match before {
            Some(NumberHolder::Item(other)) if !self.is_overtaken(other) => {
                self.lose(other);
                1
            }
            Some(NumberHolder::Several { newest, count }) if !self.is_past(newest) => count,
            _ => 0,
        };
        if others == 0 {
            return NumberHolder::Item(item);
        }
        self.lose(item);
        NumberHolder::Several {
            newest: item,
            count: others + 1,
        }
    }

    /// What happens to an item from now on is not known.
    fn lose(&mut self, item: usize) {
        if let Some(item) = self.pipeline.items.get_mut(item) {
            item.outcome = ItemOutcome::Unknown;
        }
    }

    /// Whether a later item has reached the stage after that of an item.
    fn is_overtaken(&self, item: usize) -> bool {
        let stage = self.pipeline.items.get(item).map(|item| item.stage + 1);
        let newest = stage.and_then(|stage| self.newest.get(stage).copied().flatten());
        newest > Some(item)
    }

    /// Whether a later item has reached the last stage.
    fn is_past(&self, item: usize) -> bool {
        self.newest.last().copied().flatten() > Some(item)
    }

    /// An item enters a stage. False if it has been there.
    fn enter(&mut self, item: usize, logged: &LoggedEvent, at: StageTime) -> bool {
        let Some(before) = self.pipeline.items.get(item).map(|item| item.stage) else {
            return false;
        };
        if before >= logged.stage {
            return false;
        }
        if self.has_end.get(before) == Some(&false) {
            self.leave(item, before, logged.context, at);
        }
        let left = self.pipeline.visit(item, before);
        let left = left.and_then(|visit| visit.left);
        let arrived = left.unwrap_or(at);
        self.pipeline
            .arrive(item, logged.stage, arrived, logged.context);
        self.pipeline.receive(item, logged.stage, at);
        if let Some(newest) = self.newest.get_mut(logged.stage) {
            *newest = (*newest).max(Some(item));
        }
        true
    }

    /// An item leaves a stage. False if it is not there.
    fn leave(&mut self, item: usize, stage: usize, context: ContextId, at: StageTime) -> bool {
        match self.pipeline.visit_mut(item, stage) {
            Some(visit) if visit.left.is_none() => {
                // Which thread had it at what time is not known.
                if visit.context != context {
                    visit.context = ContextId::UNKNOWN;
                }
                self.pipeline.leave(item, stage, at);
                true
            }
            _ => false,
        }
    }

    fn finish(mut self) -> Pipeline {
        let view = self.recording.view();
        let end = self.recording.trace.events.len().saturating_sub(1);
        let end = EventIndex(u32::try_from(end).unwrap_or(u32::MAX));
        for item in 0..self.pipeline.items.len() {
            let is_overtaken = self.is_overtaken(item);
            let Some(item) = self.pipeline.items.get_mut(item) else {
                continue;
            };
            if item.outcome != ItemOutcome::InProgress {
                continue;
            }
            if view.has_gap_between(None, item.end.event, end) {
                item.outcome = ItemOutcome::Unknown;
            } else if is_overtaken {
                item.outcome = ItemOutcome::Overtaken;
            }
        }
        self.pipeline
    }
}

//! Stepping from event to event.

mod switch;

use crate::error::QueryError;
use crate::query::{Direction, StepBy};
use crate::session::Session;
use rtoscope_analysis::active::StateInterval;
use rtoscope_trace::{ContextId, EventIndex, EventKindId};

impl Session {
    /// The nearest matching event in a direction, excluding `from`.
    pub(crate) fn step_event(
        &self,
        from: u32,
        direction: Direction,
        by: &StepBy,
    ) -> Result<Option<u32>, QueryError> {
        Ok(match by {
            StepBy::Event => self.nearest(from, direction, |_| true),
            StepBy::Context { context } => {
                let context = self.checked_context(*context)?;
                self.step_context(from, direction, context)
            }
            StepBy::Object { object } => {
                let references = self.object_references(*object)?;
                self.nearest(from, direction, |event| references.contains(event))
            }
            StepBy::Switch => self.step_switch(from, direction),
            StepBy::Kind { kind } => {
                let events = &self.recording.trace.events;
                let wanted = Some(EventKindId(*kind));
                let is_wanted = |event| events.kind(EventIndex(event)) == wanted;
                self.nearest(from, direction, is_wanted)
            }
            StepBy::Transition { context } => {
                let context = self.checked_active_object(*context)?;
                self.step_transition(from, direction, context)
            }
            StepBy::State { context, state } => {
                self.step_state(from, direction, *context, *state)?
            }
            StepBy::Search { search } => nearest_number(&self.hits(search)?, from, direction),
        })
    }

    fn step_transition(&self, from: u32, direction: Direction, of: ContextId) -> Option<u32> {
        let all = &self.recording.active.transitions;
        nearest_item(
            all,
            from,
            direction,
            |one| one.event,
            |one| one.object == of,
        )
    }

    fn step_state(
        &self,
        from: u32,
        direction: Direction,
        context: u32,
        state: u32,
    ) -> Result<Option<u32>, QueryError> {
        let context = self.checked_active_object(context)?;
        let machine = self.machines.find(context).map(|(_, machine)| machine);
        let found = machine.and_then(|machine| machine.state(state));
        let state = found.ok_or_else(|| match self.ids.is_live() {
            true => QueryError::NotInPart,
            false => QueryError::OutOfRange {
                parameter: "state",
                value: state.to_string(),
                expected: format!("less than {}", machine.map_or(0, |it| it.states.len())),
            },
        })?;
        let intervals = self.recording.active.state_intervals.get(context.index());
        let intervals = intervals.map(Vec::as_slice).unwrap_or_default();
        let is_wanted = |interval: &StateInterval| interval.state == state.vertex;
        Ok(nearest_item(
            intervals,
            from,
            direction,
            |interval| interval.first,
            is_wanted,
        ))
    }

    fn step_context(&self, from: u32, direction: Direction, context: ContextId) -> Option<u32> {
        let lists = self.events_by_context.by_core(context);
        let nearest = lists.filter_map(|list| nearest_number(list, from, direction));
        direction.nearest_event(nearest)
    }

    /// The nearest event for which `wanted` is true, by linear search.
    fn nearest(
        &self,
        from: u32,
        direction: Direction,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        match direction {
            Direction::Next => {
                (from.checked_add(1)?..self.event_count()).find(|event| wanted(*event))
            }
            Direction::Previous => {
                let mut before = (0..from.min(self.event_count())).rev();
                before.find(|event| wanted(*event))
            }
        }
    }
}

impl Direction {
    /// The event that a step in this direction reaches first.
    fn nearest_event(self, events: impl Iterator<Item = u32>) -> Option<u32> {
        match self {
            Self::Next => events.min(),
            Self::Previous => events.max(),
        }
    }
}

/// The event of the nearest wanted item; items are sorted by event.
fn nearest_item<T>(
    items: &[T],
    from: u32,
    direction: Direction,
    event: impl Fn(&T) -> EventIndex,
    wanted: impl Fn(&T) -> bool,
) -> Option<u32> {
    let from = EventIndex(from);
    let found = match direction {
        Direction::Next => {
            let after = items.partition_point(|item| event(item) <= from);
            items.iter().skip(after).find(|item| wanted(item))
        }
        Direction::Previous => {
            let before = items.partition_point(|item| event(item) < from);
            items.iter().take(before).rfind(|item| wanted(item))
        }
    };
    found.map(|item| event(item).0)
}

/// The nearest of some sorted numbers.
fn nearest_number(numbers: &[u32], from: u32, direction: Direction) -> Option<u32> {
    let at = match direction {
        Direction::Next => numbers.partition_point(|number| *number <= from),
        Direction::Previous => numbers
            .partition_point(|number| *number < from)
            .checked_sub(1)?,
    };
    numbers.get(at).copied()
}

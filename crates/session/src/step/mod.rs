//! Neighbours of an event.

mod switch;

use crate::query::{By, Direction};
use crate::session::{AskError, Session};
use rtoscope_analysis::active::Stay;
use rtoscope_trace::{ContextId, EventIndex, KindId};

impl Session {
    /// The nearest event that counts, in a direction; `from` itself does not.
    pub(crate) fn step(
        &self,
        from: u32,
        direction: Direction,
        by: &By,
    ) -> Result<Option<u32>, AskError> {
        Ok(match by {
            By::Event => self.nearest(from, direction, |_| true),
            By::Context { context } => {
                let context = self.checked_context(*context)?;
                self.step_context(from, direction, context)
            }
            By::Object { object } => {
                let mentions = self.mentions(*object)?;
                self.nearest(from, direction, |event| mentions.has(event))
            }
            By::Switch => self.step_switch(from, direction),
            By::Kind { kind } => {
                let kinds = &self.trace.events.kind;
                let wanted = Some(&KindId(*kind));
                self.nearest(from, direction, |event| kinds.get(event as usize) == wanted)
            }
            By::Transition { context } => {
                let context = self.checked_object(*context)?;
                self.step_transition(from, direction, context)
            }
            By::State { context, state } => self.step_state(from, direction, *context, *state)?,
            By::Search { search } => nearest_of(&self.hits(search)?, from, direction),
        })
    }

    fn step_transition(&self, from: u32, direction: Direction, of: ContextId) -> Option<u32> {
        let all = &self.analysis.active.transitions;
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
    ) -> Result<Option<u32>, AskError> {
        let context = self.checked_object(context)?;
        let machine = self.machines.find(context);
        let states = machine.map(|(_, machine)| machine.states.as_slice());
        let states = states.unwrap_or_default();
        let found = states.get(state as usize);
        let state = found.ok_or_else(|| AskError::OutOfRange {
            what: "state",
            value: state.to_string(),
            expected: format!("less than {}", states.len()),
        })?;
        let stays = self.analysis.active.stays.get(context.index());
        let stays = stays.map(Vec::as_slice).unwrap_or_default();
        let is_wanted = |stay: &Stay| stay.state == state.vertex;
        Ok(nearest_item(
            stays,
            from,
            direction,
            |stay| stay.first,
            is_wanted,
        ))
    }

    fn step_context(&self, from: u32, direction: Direction, context: ContextId) -> Option<u32> {
        let lists = self.postings.of_context(context);
        let nearest = lists.filter_map(|list| nearest_of(list, from, direction));
        direction.first(nearest)
    }

    /// The nearest event that is wanted, one after the other.
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
    /// Of some events the first that is met.
    fn first(self, events: impl Iterator<Item = u32>) -> Option<u32> {
        match self {
            Self::Next => events.min(),
            Self::Previous => events.max(),
        }
    }
}

/// The event of the nearest item that is wanted; those of all rise.
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
            let behind = items.partition_point(|item| event(item) <= from);
            items.iter().skip(behind).find(|item| wanted(item))
        }
        Direction::Previous => {
            let before = items.partition_point(|item| event(item) < from);
            items.iter().take(before).rfind(|item| wanted(item))
        }
    };
    found.map(|item| event(item).0)
}

/// The nearest of some numbers that rise.
fn nearest_of(numbers: &[u32], from: u32, direction: Direction) -> Option<u32> {
    let at = match direction {
        Direction::Next => numbers.partition_point(|number| *number <= from),
        Direction::Previous => numbers
            .partition_point(|number| *number < from)
            .checked_sub(1)?,
    };
    numbers.get(at).copied()
}

//! Neighbours of an event.

mod switch;

use crate::query::{By, Direction};
use crate::session::{AskError, Session};
use rtoscope_trace::{ContextId, KindId};

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
            By::Search { search } => nearest_of(&self.hits(search)?, from, direction),
        })
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

//! Levels of objects over time.
//!
//! A record of a call has the object's level before the call, and every change
//! of a level is a call. The level between two calls is therefore the one that
//! the later call recorded, which is evidence and not a guess. After the last
//! call, and where records have no level, it is derived from the calls before,
//! as far as that is certain; the rest is unknown. So is the time between two
//! records that contradict each other, as when calls in between were not
//! recorded.

mod history;
mod part;
mod stats;
mod tracker;

pub(crate) use history::{CallDirection, CallOutcome, RecordedCall};
pub use history::{LevelHistories, LevelHistory, LevelStep};
pub use stats::{GraphPoint, LevelExtreme, LevelStats};
pub(crate) use tracker::LevelHistoriesBuilder;

use crate::report::Scope;
use part::HistoryPart;
use rtoscope_trace::{ObjectClass, ResourceId, Trace};

/// The levels of the used objects, by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels(Vec<ObjectUsage>);

/// How an object was used in a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectUsage {
    /// The object.
    pub resource: ResourceId,
    /// Its class.
    pub class: ObjectClass,
    /// The level that it cannot exceed, if recorded: messages, blocks or bytes.
    pub capacity: Option<u64>,
    /// Calls that add to the object: messages, blocks, bytes, flags.
    pub puts: u64,
    /// Calls that take from it.
    pub takes: u64,
    /// Other calls.
    pub other_calls: u64,
    /// Calls that the level did not allow, and that waited.
    pub blocked: u64,
    /// Calls that the level did not allow, and that did not wait.
    pub refused: u64,
    /// Of the puts, those that the level did not allow: a queue was full.
    pub unserved_puts: u64,
    /// Of the takes, those that the level did not allow: a pool was empty.
    pub unserved_takes: u64,
    /// The level over time, whichever context called.
    pub level: LevelStats,
}

impl Levels {
    /// The levels of the objects in a scope of a trace, from the histories of
    /// the whole trace: calls before and after the scope show the level within
    /// it.
    pub fn in_scope(trace: &Trace, histories: &LevelHistories, scope: &Scope) -> Self {
        let part = HistoryPart::new(trace, scope);
        let usages = histories.iter();
        Self(
            usages
                .map(|(id, history)| part.usage(id, history))
                .collect(),
        )
    }

    /// The used objects, by their numbers.
    pub fn iter(&self) -> std::slice::Iter<'_, ObjectUsage> {
        self.0.iter()
    }

    /// How an object was used; `None` if it was not.
    pub fn get(&self, resource: ResourceId) -> Option<&ObjectUsage> {
        let found = self.0.binary_search_by_key(&resource, |one| one.resource);
        found.ok().and_then(|at| self.0.get(at))
    }
}

impl<'a> IntoIterator for &'a Levels {
    type Item = &'a ObjectUsage;
    type IntoIter = std::slice::Iter<'a, ObjectUsage>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;

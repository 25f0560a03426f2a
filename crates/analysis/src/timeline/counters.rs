//! Counters.

use crate::levels::{LevelHistory, LevelStep};
use crate::report::View;
use rtoscope_trace::{Resource, ResourceId};

/// The level of an object over time.
#[derive(Debug, Clone, Copy)]
pub struct Counter<'a> {
    /// The number of the object.
    pub id: ResourceId,
    /// The object.
    pub resource: &'a Resource,
    history: &'a LevelHistory,
}

/// The objects whose level is known at some time.
pub fn counters<'a>(view: &View<'a>) -> impl Iterator<Item = Counter<'a>> + use<'a> {
    let schedule = view.schedule;
    let known = view.level_histories.iter().filter(|(_, history)| {
        let mut steps = history.iter();
        steps.any(|step| step.level.is_some())
    });
    known.filter_map(|(id, history)| {
        Some(Counter {
            id,
            resource: schedule.resources.get(id.index())?,
            history,
        })
    })
}

impl<'a> Counter<'a> {
    /// The class and the name of its object.
    pub fn name(&self, view: &View<'_>) -> String {
        format!("{} {}", self.resource.class, view.resource_name(self.id))
    }

    /// Its levels from the first known one on.
    pub fn steps(&self) -> impl Iterator<Item = LevelStep> + use<'a> {
        let steps = self.history.iter();
        steps.skip_while(|step| step.level.is_none())
    }
}

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

/// The used objects with levels, even if none of them is known.
pub fn counters<'a>(view: &View<'a>) -> impl Iterator<Item = Counter<'a>> + use<'a> {
    let schedule = view.schedule;
    let histories = view.level_histories.iter();
    let used = histories.filter(|(_, history)| !history.is_empty());
    used.filter_map(|(id, history)| {
        Some(Counter {
            id,
            resource: schedule.resources.get(id.index())?,
            history,
        })
    })
}

/// The names of all objects, by number.
pub fn resource_names<'v>(view: &'v View<'_>) -> impl Iterator<Item = String> + 'v {
    let all = (0..).map(ResourceId).take(view.schedule.resources.len());
    all.map(|id| view.resource_name(id))
}

impl<'a> Counter<'a> {
    /// The class and the name of its object.
    pub fn name(&self, view: &View<'_>) -> String {
        format!("{} {}", self.resource.class, view.resource_name(self.id))
    }

    /// Its levels from the first known one on; none if no level is known.
    pub fn steps(&self) -> impl Iterator<Item = LevelStep> + use<'a> {
        let steps = self.history.iter();
        steps.skip_while(|step| step.level.is_none())
    }
}

//! Levels of objects.

use rtoscope_analysis::View;
use rtoscope_analysis::levels::{LevelHistory, LevelStep};
use rtoscope_trace::{Resource, ResourceId};

/// An object with a known level.
pub(crate) struct KnownLevel<'a> {
    pub(crate) id: ResourceId,
    pub(crate) resource: &'a Resource,
    /// Its class and name.
    pub(crate) name: String,
    history: &'a LevelHistory,
}

/// The objects whose level is known at some time.
pub(crate) fn known_levels<'a>(view: &View<'a>) -> impl Iterator<Item = KnownLevel<'a>> {
    let view = *view;
    view.level_histories
        .iter()
        .filter_map(move |(id, history)| {
            let resource = view.schedule.resources.get(id.index())?;
            history.iter().find(|step| step.level.is_some())?;
            let name = format!("{} {}", resource.class, view.resource_name(id));
            Some(KnownLevel {
                id,
                resource,
                name,
                history,
            })
        })
}

impl<'a> KnownLevel<'a> {
    /// Its levels from the first known one on.
    pub(crate) fn steps(&self) -> impl Iterator<Item = LevelStep> + use<'a> {
        let steps = self.history.iter();
        steps.skip_while(|step| step.level.is_none())
    }
}

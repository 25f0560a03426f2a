//! What a thread does.

use super::Class;
use super::answer::MANY;
use super::track::Track;
use rtoscope_analysis::schedule::{State, Stretch};
use rtoscope_trace::ContextId;

/// What a thread does.
#[derive(Clone, Copy)]
pub(super) struct ThreadTrack<'a> {
    pub(super) thread: ContextId,
    pub(super) stretches: &'a [Stretch],
    /// The context of each event.
    pub(super) contexts: &'a [ContextId],
}

impl Track for ThreadTrack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.stretches.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.stretches.get(step).map_or(0, |one| one.start.0)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.stretches.get(step).map_or(0, |one| one.event.0)
    }

    #[inline]
    fn class(&self, step: usize) -> Class {
        let stretch = self.stretches.get(step);
        stretch.map_or(Class::NOTHING, |one| Class::of_state(one.state))
    }

    #[inline]
    fn what(&self, step: usize) -> u32 {
        match self.stretches.get(step).map(|one| one.state) {
            Some(State::Waiting {
                resource: Some(resource),
                ..
            }) => resource.0,
            _ => MANY,
        }
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        let Some(stretch) = self.stretches.get(step) else {
            return false;
        };
        let logged_by = self.contexts.get(stretch.event.index());
        stretch.state == State::Running && logged_by == Some(&self.thread)
    }

    fn seen(&self, step: usize) -> bool {
        self.stretches.get(step).is_some_and(|one| one.seen)
    }
}

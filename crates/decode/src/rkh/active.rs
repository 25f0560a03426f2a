//! What is known of active objects while their events are read.

use rtoscope_trace::ContextId;

/// What is known of an active object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ActiveObject {
    /// Since when: how often everything had been forgotten.
    epoch: u32,
    /// Events in its queue.
    pub(super) queued: Option<u32>,
    pub(super) stage: Stage,
    /// Whether it has ended, but for the step that it is in.
    pub(super) terminated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Records are missing.
    #[default]
    Unknown,
    /// It waits for an event, or does not exist.
    Waiting,
    /// Its queue holds events.
    Ready,
    /// It processes one.
    Busy,
    /// It has processed one; what follows belongs to it still.
    Done,
}

impl ActiveObject {
    /// It has just been created: its queue is empty, and its machine is at work.
    pub(super) fn created() -> Self {
        Self {
            queued: Some(0),
            stage: Stage::Busy,
            ..Self::default()
        }
    }
}

/// All active objects of a trace.
#[derive(Debug, Clone)]
pub(super) struct ActiveObjects {
    /// Index: context.
    known: Vec<ActiveObject>,
    /// What those are of which nothing is known since `epoch`.
    others: Stage,
    epoch: u32,
    /// Those that do not wait, or may not.
    awake: usize,
    count: usize,
}

impl ActiveObjects {
    /// Nothing is known of so many objects of so many contexts.
    pub(super) fn new(count: usize, contexts: usize) -> Self {
        Self {
            known: vec![ActiveObject::default(); contexts],
            others: Stage::Unknown,
            epoch: 0,
            awake: count,
            count,
        }
    }

    /// How many do not wait, or may not.
    pub(super) fn awake(&self) -> usize {
        self.awake
    }

    pub(super) fn get(&self, object: ContextId) -> ActiveObject {
        let known = self.known.get(object.index()).copied().unwrap_or_default();
        if known.epoch == self.epoch {
            return known;
        }
        ActiveObject {
            epoch: self.epoch,
            stage: self.others,
            ..ActiveObject::default()
        }
    }

    pub(super) fn set(&mut self, object: ContextId, state: ActiveObject) {
        let before = self.get(object).stage;
        if let Some(known) = self.known.get_mut(object.index()) {
            *known = ActiveObject {
                epoch: self.epoch,
                ..state
            };
            self.awake += usize::from(before == Stage::Waiting);
            self.awake -= usize::from(state.stage == Stage::Waiting).min(self.awake);
        }
    }

    pub(super) fn set_stage(&mut self, object: ContextId, stage: Stage) {
        let state = self.get(object);
        self.set(object, ActiveObject { stage, ..state });
    }

    /// Forgets what was known of all: they wait, or nothing is known of them.
    pub(super) fn forget(&mut self, others: Stage) {
        self.epoch = self.epoch.wrapping_add(1);
        self.others = others;
        self.awake = match others {
            Stage::Waiting => 0,
            _ => self.count,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_do_not_wait_are_counted() {
        let [one, other] = [3, 4].map(ContextId);
        let mut objects = ActiveObjects::new(2, 5);
        assert_eq!(objects.awake(), 2);
        objects.set_stage(one, Stage::Waiting);
        objects.set_stage(one, Stage::Waiting);
        assert_eq!(objects.awake(), 1);
        objects.forget(Stage::Waiting);
        assert_eq!(
            (objects.awake(), objects.get(other).stage),
            (0, Stage::Waiting)
        );
        objects.set_stage(other, Stage::Busy);
        assert_eq!(objects.awake(), 1);
        objects.forget(Stage::Unknown);
        assert_eq!(
            (objects.awake(), objects.get(other).stage),
            (2, Stage::Unknown)
        );
    }
}

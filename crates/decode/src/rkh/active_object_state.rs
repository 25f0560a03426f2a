//! What is known of active objects while their events are read.

use rtoscope_trace::ContextId;

/// What is known of an active object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ActiveObjectState {
    /// Since when: how often everything had been forgotten.
    epoch: u32,
    /// Events in its queue.
    pub(super) queued_events: Option<u32>,
    pub(super) activity: Activity,
    /// Whether it has ended, but for the step that it is in.
    pub(super) is_terminated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Activity {
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
    StepEnded,
}

impl ActiveObjectState {
    /// It has just been created: its queue is empty, and its machine is at work.
    pub(super) fn created() -> Self {
        Self {
            queued_events: Some(0),
            activity: Activity::Busy,
            ..Self::default()
        }
    }
}

/// All active objects of a trace.
#[derive(Debug, Clone)]
pub(super) struct ActiveObjectTable {
    /// Index: context.
    objects: Vec<ActiveObjectState>,
    /// What those are of which nothing is known since `epoch`.
    default_activity: Activity,
    epoch: u32,
    /// Those that do not wait, or may not.
    awake_count: usize,
    count: usize,
}

impl ActiveObjectTable {
    /// Nothing is known of so many objects of so many contexts.
    pub(super) fn new(count: usize, contexts: usize) -> Self {
        Self {
            objects: vec![ActiveObjectState::default(); contexts],
            default_activity: Activity::Unknown,
            epoch: 0,
            awake_count: count,
            count,
        }
    }

    /// How many do not wait, or may not.
    pub(super) fn awake_count(&self) -> usize {
        self.awake_count
    }

    pub(super) fn get(&self, object: ContextId) -> ActiveObjectState {
        let known = self
            .objects
            .get(object.index())
            .copied()
            .unwrap_or_default();
        if known.epoch == self.epoch {
            return known;
        }
        ActiveObjectState {
            epoch: self.epoch,
            activity: self.default_activity,
            ..ActiveObjectState::default()
        }
    }

    pub(super) fn set(&mut self, object: ContextId, state: ActiveObjectState) {
        let before = self.get(object).activity;
        if let Some(known) = self.objects.get_mut(object.index()) {
            *known = ActiveObjectState {
                epoch: self.epoch,
                ..state
            };
            self.awake_count += usize::from(before == Activity::Waiting);
            self.awake_count -=
                usize::from(state.activity == Activity::Waiting).min(self.awake_count);
        }
    }

    pub(super) fn set_activity(&mut self, object: ContextId, stage: Activity) {
        let state = self.get(object);
        self.set(
            object,
            ActiveObjectState {
                activity: stage,
                ..state
            },
        );
    }

    /// Forgets what was known of all: they wait, or nothing is known of them.
    pub(super) fn reset(&mut self, others: Activity) {
        self.epoch = self.epoch.wrapping_add(1);
        self.default_activity = others;
        self.awake_count = match others {
            Activity::Waiting => 0,
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
        let mut objects = ActiveObjectTable::new(2, 5);
        assert_eq!(objects.awake_count(), 2);
        objects.set_activity(one, Activity::Waiting);
        objects.set_activity(one, Activity::Waiting);
        assert_eq!(objects.awake_count(), 1);
        objects.reset(Activity::Waiting);
        assert_eq!(
            (objects.awake_count(), objects.get(other).activity),
            (0, Activity::Waiting)
        );
        objects.set_activity(other, Activity::Busy);
        assert_eq!(objects.awake_count(), 1);
        objects.reset(Activity::Unknown);
        assert_eq!(
            (objects.awake_count(), objects.get(other).activity),
            (2, Activity::Unknown)
        );
    }
}

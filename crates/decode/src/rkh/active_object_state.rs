//! Tracks the states of active objects while their events are interpreted.

use rtoscope_trace::ContextId;

/// The known state of an active object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ActiveObjectState {
    /// The number of resets at its last update.
    epoch: u32,
    /// Events in its queue.
    pub(super) queued_events: Option<u32>,
    pub(super) activity: Activity,
    /// Whether it has terminated, except for its current step.
    pub(super) is_terminated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Activity {
    /// Unknown, because records are missing.
    #[default]
    Unknown,
    /// It waits for an event, or does not exist.
    Waiting,
    /// Its queue contains events.
    Ready,
    /// It processes an event.
    Busy,
    /// It has processed an event; the following records may still belong to the
    /// step.
    StepEnded,
}

impl ActiveObjectState {
    /// The state after creation: its queue is empty, and its state machine is
    /// running.
    pub(super) fn created() -> Self {
        Self {
            queued_events: Some(0),
            activity: Activity::Busy,
            ..Self::default()
        }
    }
}

/// The states of all active objects of a trace.
#[derive(Debug, Clone)]
pub(super) struct ActiveObjectTable {
    /// Index: context.
    objects: Vec<ActiveObjectState>,
    /// The activity of objects that were not updated since the last reset.
    default_activity: Activity,
    epoch: u32,
    /// Number of objects that are not waiting, or may not be.
    awake_count: usize,
    count: usize,
}

impl ActiveObjectTable {
    /// Creates a table for `count` objects and `contexts` contexts, all in an
    /// unknown state.
    pub(super) fn new(count: usize, contexts: usize) -> Self {
        Self {
            objects: vec![ActiveObjectState::default(); contexts],
            default_activity: Activity::Unknown,
            epoch: 0,
            awake_count: count,
            count,
        }
    }

    /// Number of objects that are not waiting, or may not be.
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

    /// Resets the state of all objects to `others`.
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

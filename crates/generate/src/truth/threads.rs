//! Time accounting of threads.

use super::ThreadTruth;
use super::states::{StateTracker, ThreadStateTruth};

/// The activity of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadActivity {
    /// Not created yet.
    Absent,
    Suspended,
    Ready,
    Running,
    /// On the core, while a handler runs.
    Interrupted,
}

/// A thread with its accounts so far.
#[derive(Debug)]
pub(super) struct ThreadTracker {
    pub(super) truth: ThreadTruth,
    /// The core that it is pinned to.
    pub(super) core: u8,
    /// The current priority.
    pub(super) priority: u8,
    pub(super) activity: ThreadActivity,
    pub(super) states: StateTracker,
    /// Start of the current activity.
    activity_start: u64,
}

impl ThreadTracker {
    pub(super) fn new(truth: ThreadTruth, core: u8) -> Self {
        Self {
            priority: truth.priority,
            truth,
            core,
            activity: ThreadActivity::Absent,
            states: StateTracker::new(),
            activity_start: 0,
        }
    }

    /// Ends the current activity at `now` and adds its time.
    pub(super) fn change(&mut self, activity: ThreadActivity, now: u64) {
        let ticks = now - self.activity_start;
        match self.activity {
            ThreadActivity::Absent => {}
            ThreadActivity::Suspended => self.truth.suspended_ticks += ticks,
            ThreadActivity::Ready => self.truth.ready_ticks += ticks,
            ThreadActivity::Running => self.truth.running_ticks += ticks,
            ThreadActivity::Interrupted => self.truth.interrupted_ticks += ticks,
        }
        self.activity = activity;
        self.activity_start = now;
    }

    /// Whether it runs, not interrupted.
    pub(super) fn runs(&self) -> bool {
        self.activity == ThreadActivity::Running
    }

    /// CPU time up to `now`, without interrupts.
    pub(super) fn running_ticks(&self, now: u64) -> u64 {
        let ticks = if self.runs() {
            now - self.activity_start
        } else {
            0
        };
        self.truth.running_ticks + ticks
    }

    /// The core switches to another thread.
    pub(super) fn leave_core(&mut self, event: Option<u64>, now: u64) {
        if self.activity != ThreadActivity::Suspended {
            self.change(ThreadActivity::Ready, now);
            self.states.enter(ThreadStateTruth::Ready, 0, event, now);
        }
    }

    /// The thread enters a state that is not ready. Returns whether it was
    /// ready before.
    pub(super) fn stop(
        &mut self,
        state: ThreadStateTruth,
        object: u64,
        event: Option<u64>,
        now: u64,
    ) -> bool {
        let was_ready = !matches!(
            self.activity,
            ThreadActivity::Absent | ThreadActivity::Suspended
        );
        self.change(
            match state {
                ThreadStateTruth::Deleted => ThreadActivity::Absent,
                _ => ThreadActivity::Suspended,
            },
            now,
        );
        self.states.enter(state, object, event, now);
        was_ready
    }

    /// Ends the buffer.
    pub(super) fn finish(mut self, now: u64) -> ThreadTruth {
        self.change(self.activity, now);
        self.truth.states = self.states.finish();
        self.truth
    }
}

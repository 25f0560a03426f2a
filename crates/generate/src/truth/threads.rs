//! What each thread did with its time.

use super::ThreadTruth;
use super::states::{StateTracker, ThreadStateTruth};

/// What the kernel has a thread do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadActivity {
    /// It does not exist yet.
    Absent,
    Suspended,
    Ready,
    Running,
    /// It has the core, but a handler executes.
    Interrupted,
}

/// A thread, with what is known of it so far.
#[derive(Debug)]
pub(super) struct ThreadTracker {
    pub(super) truth: ThreadTruth,
    /// The core that it is pinned to.
    pub(super) core: u8,
    /// The priority that it has now.
    pub(super) priority: u8,
    pub(super) activity: ThreadActivity,
    pub(super) states: StateTracker,
    /// Since when.
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

    /// Charges the time up to `now` to what the thread did, which is now over.
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

    /// The core goes on with another thread.
    pub(super) fn leave_core(&mut self, event: Option<u64>, now: u64) {
        if self.activity != ThreadActivity::Suspended {
            self.change(ThreadActivity::Ready, now);
            self.states.enter(ThreadStateTruth::Ready, 0, event, now);
        }
    }

    /// The thread is in a state in which it is not ready, and was perhaps ready
    /// before. Returns whether it was.
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

    /// The account of a buffer that ends now.
    pub(super) fn finish(mut self, now: u64) -> ThreadTruth {
        self.change(self.activity, now);
        self.truth.states = self.states.finish();
        self.truth
    }
}

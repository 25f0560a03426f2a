//! Positions in the trace at which knowledge about active objects ends.

use rtoscope_trace::{EventIndex, Ticks, Trace};

/// A gap, or a restart of the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discontinuity {
    /// The time of the last event before it.
    pub(super) time: Ticks,
    /// Whether the target restarted, so that nothing continues after it.
    pub(super) restart: bool,
}

/// All discontinuities so far. Trackers catch up with them lazily, at their
/// next event.
#[derive(Debug, Clone, Default)]
pub(super) struct Discontinuities {
    all: Vec<Discontinuity>,
    gaps: usize,
}

impl Discontinuities {
    /// Passes the gaps up to and including the one before an event. Returns
    /// whether there were any.
    pub(super) fn pass_gaps(&mut self, trace: &Trace, event: EventIndex) -> bool {
        let before = self.gaps;
        while let Some(gap) = trace.gaps.get(self.gaps)
            && gap.next_event <= event
        {
            self.add(trace, gap.next_event, false);
            self.gaps += 1;
        }
        self.gaps > before
    }

    /// Adds a discontinuity before an event.
    pub(super) fn add(&mut self, trace: &Trace, event: EventIndex, restart: bool) {
        let last = event.0.checked_sub(1).map(EventIndex);
        let time = last.and_then(|last| trace.events.time(last));
        self.all.push(Discontinuity {
            time: time.unwrap_or_default(),
            restart,
        });
    }

    /// Whether the trace is complete since a restart.
    pub(super) fn complete_since_restart(&self) -> bool {
        self.all
            .last()
            .is_some_and(|discontinuity| discontinuity.restart)
    }

    /// Returns the first discontinuity that a tracker has not passed, and
    /// advances it past all of them.
    pub(super) fn catch_up(&self, noted: &mut usize) -> Option<Discontinuity> {
        let first = self.all.get(*noted).copied();
        *noted = self.all.len();
        first
    }
}

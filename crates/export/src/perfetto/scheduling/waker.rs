//! Wakers of threads.

use super::tasks::CoreTask;
use crate::perfetto::ftrace::Waker;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::IsrActivation;
use rtoscope_trace::EventIndex;
use std::collections::BTreeMap;

/// The maximum number of activations that are open at an event: routines do not
/// nest deeper.
const MAX_DEPTH: usize = 64;

/// The origin of the event that woke a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakeCause {
    pub(super) task: CoreTask,
    /// The core that logged it.
    pub(super) core: u8,
    pub(super) waker: Waker,
}

/// The interrupt service routines of each core, sorted by start.
pub(super) struct IsrActivations<'a> {
    cores: BTreeMap<u8, Vec<&'a IsrActivation>>,
}

impl<'a> IsrActivations<'a> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        let mut cores: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for activation in &schedule.activations {
            cores.entry(activation.core).or_default().push(activation);
        }
        Self { cores }
    }

    /// The number of the innermost routine at an event; `None` outside routines.
    pub(super) fn innermost_routine(&self, core: u8, event: EventIndex) -> Option<Option<u32>> {
        let all = self.cores.get(&core)?;
        let started = all.partition_point(|one| one.first <= event);
        let started = all.get(..started)?.iter().rev().take(MAX_DEPTH);
        let innermost = started.into_iter().find(|one| event <= one.last)?;
        Some(innermost.number)
    }
}

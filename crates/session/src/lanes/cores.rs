//! Tracks of what a core runs.

use super::BarClass;
use super::track::Track;
use rtoscope_analysis::PackedVec;
use rtoscope_analysis::schedule::{CoreSlices, IsrActivation, Running, RunningContext, Slice};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Events};

/// The part of a core's activity that a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoreLaneFilter {
    /// Everything.
    All,
    /// Interrupt service routines.
    Interrupts,
    /// Initialisation and idle time.
    InitializeIdle,
}

/// What a core runs.
#[derive(Clone, Copy)]
pub(crate) struct CoreTrack<'a> {
    pub(crate) slices: &'a CoreSlices,
    pub(crate) activations: &'a PackedVec<IsrActivation>,
    pub(crate) events: &'a Events,
    pub(crate) filter: CoreLaneFilter,
}

impl CoreTrack<'_> {
    #[inline]
    fn slice(&self, step: usize) -> Option<Slice> {
        self.slices.slices.get(step)
    }

    #[inline]
    fn running(&self, step: usize) -> RunningContext {
        let running = self.slice(step).map_or(Running::UNKNOWN, |it| it.running);
        running.running_context()
    }

    /// The running context; [`ContextId::UNKNOWN`] if unknown.
    pub(crate) fn context(&self, step: usize) -> ContextId {
        match self.running(step) {
            RunningContext::Thread(thread) => thread,
            RunningContext::Isr(_) | RunningContext::Kernel => Contexts::INTERRUPT,
            RunningContext::Idle => Contexts::IDLE,
            RunningContext::Initialize => Contexts::INITIALIZE,
            RunningContext::Unknown => ContextId::UNKNOWN,
        }
    }
}

impl Track for CoreTrack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.slices.slices.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.slice(step).map_or(0, |slice| slice.start.0)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.slice(step).map_or(0, |slice| slice.event.0)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        let executing = self.running(step);
        let depth = match executing {
            RunningContext::Isr(id) => self.activations.get(id.index()).map_or(1, |one| one.depth),
            _ => 0,
        };
        BarClass::for_core(executing, depth)
    }

    #[inline]
    fn visible_class(&self, class: BarClass) -> BarClass {
        let shown = match self.filter {
            CoreLaneFilter::All => true,
            CoreLaneFilter::Interrupts => class.is_isr() || class == BarClass::UNKNOWN,
            CoreLaneFilter::InitializeIdle => {
                matches!(
                    class,
                    BarClass::IDLE | BarClass::INITIALIZE | BarClass::UNKNOWN
                )
            }
        };
        if shown { class } else { BarClass::NOTHING }
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        match self.running(step) {
            RunningContext::Isr(activation) => activation.0,
            _ => self.context(step).0,
        }
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        let event = EventIndex(self.event(step));
        let core = self.events.core(event).unwrap_or_default();
        let logged_by = self.events.context(event);
        core == self.slices.core && logged_by == Some(self.context(step))
    }
}

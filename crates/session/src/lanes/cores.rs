//! What a core executes.

use super::Class;
use super::answer::MANY;
use super::track::Track;
use rtoscope_analysis::schedule::{Activation, Executing, Slices};
use rtoscope_trace::{ContextId, Contexts, Events};

/// What of a core's time a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    All,
    /// Interrupt service routines.
    Interrupts,
    /// What is neither a thread nor an interrupt.
    InitializeIdle,
}

/// What a core executes.
#[derive(Clone, Copy)]
pub(super) struct CoreTrack<'a> {
    pub(super) slices: &'a Slices,
    pub(super) activations: &'a [Activation],
    pub(super) events: &'a Events,
    pub(super) part: Part,
}

impl CoreTrack<'_> {
    #[inline]
    fn executing(&self, step: usize) -> Executing {
        let slice = self.slices.all.get(step);
        slice.map_or(Executing::Unknown, |slice| slice.who.executing())
    }

    /// The context that a core executes; [`ContextId::UNKNOWN`] if that is not known.
    pub(super) fn context(&self, step: usize) -> ContextId {
        match self.executing(step) {
            Executing::Thread(thread) => thread,
            Executing::Isr(_) | Executing::Kernel => Contexts::INTERRUPT,
            Executing::Idle => Contexts::IDLE,
            Executing::Initialize => Contexts::INITIALIZE,
            Executing::Unknown => ContextId::UNKNOWN,
        }
    }
}

impl Track for CoreTrack<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.slices.all.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.slices.all.get(step).map_or(0, |slice| slice.start.0)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.slices.all.get(step).map_or(0, |slice| slice.event.0)
    }

    #[inline]
    fn class(&self, step: usize) -> Class {
        let executing = self.executing(step);
        let depth = match executing {
            Executing::Isr(id) => self.activations.get(id.index()).map_or(1, |one| one.depth),
            _ => 0,
        };
        Class::of_core(executing, depth)
    }

    #[inline]
    fn shown(&self, class: Class) -> Class {
        let shown = match self.part {
            Part::All => true,
            Part::Interrupts => class.is_isr() || class == Class::UNKNOWN,
            Part::InitializeIdle => {
                matches!(class, Class::IDLE | Class::INITIALIZE | Class::UNKNOWN)
            }
        };
        if shown { class } else { Class::NOTHING }
    }

    #[inline]
    fn what(&self, step: usize) -> u32 {
        match self.executing(step) {
            Executing::Thread(thread) => thread.0,
            Executing::Isr(activation) => activation.0,
            Executing::Kernel => Contexts::INTERRUPT.0,
            Executing::Idle => Contexts::IDLE.0,
            Executing::Initialize => Contexts::INITIALIZE.0,
            Executing::Unknown => MANY,
        }
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        let event = self.event(step) as usize;
        let core = self.events.core.get(event).copied().unwrap_or_default();
        let logged_by = self.events.context.get(event).copied();
        core == self.slices.core && logged_by == Some(self.context(step))
    }
}

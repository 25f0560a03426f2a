//! Threads given a core.

use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// Why the core went to another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchCause {
    /// The scheduler started.
    Start,
    /// The core was idle.
    Idle,
    /// The thread that executed before stopped being ready.
    Suspension,
    /// The thread that executed before is still ready, and made another ready,
    /// or changed priorities, by a call of its own.
    Solicited,
    /// The thread that executed before is still ready; an interrupt, or on
    /// several cores another core, made another ready.
    Interrupt,
    /// The time slice of the thread that executed before was over.
    TimeSlice,
    /// The thread that executed before let others go first.
    Yield,
    /// The trace does not say who executed before.
    Unknown,
}

/// A thread begins to execute on a core where another thread or idle executed
/// before; interrupts in between do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatch {
    /// When.
    pub time: Ticks,
    /// The event that caused it, or the last before it.
    pub event: EventIndex,
    /// The thread that begins to execute.
    pub thread: ContextId,
    /// Who executed before: a thread, idle or initialisation, or
    /// [`ContextId::UNKNOWN`].
    pub previous: ContextId,
    /// The last thread that executed before, if idle stood in between.
    pub last_thread: ContextId,
    /// The core.
    pub core: u8,
    /// Why.
    pub cause: SwitchCause,
}

impl Dispatch {
    /// Whether the core executes another thread than the last one it executed.
    /// Idle in between does not matter.
    pub fn is_switch(&self) -> bool {
        self.last_thread != ContextId::UNKNOWN && self.last_thread != self.thread
    }
}

/// A ready thread that executes, or is about to, gives way to another.
///
/// A preemption is counted as the kernel's own counters do: when the other
/// becomes ready, whether or not that gives way in its turn before it executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preemption {
    /// When.
    pub time: Ticks,
    /// The event that caused it, or the last before the switch.
    pub event: EventIndex,
    /// The thread that gives way.
    pub thread: ContextId,
    /// The thread it gives way to; itself if it yields to nobody.
    pub to: ContextId,
    /// The core.
    pub core: u8,
    /// One of [`SwitchCause::Solicited`], [`SwitchCause::Interrupt`], [`SwitchCause::TimeSlice`]
    /// and [`SwitchCause::Yield`].
    pub cause: SwitchCause,
}

/// The kernel changes the priority of a thread that stays as ready as it was,
/// as with priority inheritance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityChange {
    /// When.
    pub time: Ticks,
    /// The record that ends the change.
    pub event: EventIndex,
    /// The thread.
    pub thread: ContextId,
}

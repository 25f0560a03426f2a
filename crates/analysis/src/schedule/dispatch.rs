//! Dispatches and preemptions.

use crate::packed_vec::{Columns, Pack, columns, pack_id, unpack_id};
use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// Why a core switched to another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchCause {
    /// The scheduler started.
    Start,
    /// The core was idle.
    Idle,
    /// The previous thread stopped being ready.
    Suspension,
    /// The previous thread is still ready, and made another thread ready, or
    /// changed priorities, by its own call.
    Solicited,
    /// The previous thread is still ready; an interrupt, or on several cores
    /// another core, made another thread ready.
    Interrupt,
    /// The time slice of the previous thread expired.
    TimeSlice,
    /// The previous thread let others run first.
    Yield,
    /// The previous context is unknown.
    Unknown,
}

impl SwitchCause {
    const ALL: [Self; 8] = [
        Self::Start,
        Self::Idle,
        Self::Suspension,
        Self::Solicited,
        Self::Interrupt,
        Self::TimeSlice,
        Self::Yield,
        Self::Unknown,
    ];
}

/// A core and a cause in one column.
const fn pack_cause(core: u8, cause: SwitchCause) -> u64 {
    (core as u64) << 3 | cause as u64
}

const fn unpack_cause(column: u64) -> (u8, SwitchCause) {
    ((column >> 3) as u8, SwitchCause::ALL[column as usize & 7])
}

/// An event dispatches a thread explicitly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumption {
    /// The event.
    pub event: EventIndex,
    /// Whether the thread continues where an interrupt had preempted it: it has run before,
    /// and was ready ever since.
    pub continues: bool,
}

impl Pack for Resumption {
    const COLUMNS: usize = 2;

    fn pack(&self) -> Columns {
        columns([self.event.0.into(), self.continues.into()])
    }

    fn unpack([event, continues, ..]: Columns) -> Self {
        Self {
            event: EventIndex(event as u32),
            continues: continues != 0,
        }
    }
}

/// A thread starts to run on a core where another thread or idle ran before;
/// interrupts in between do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatch {
    /// Its time.
    pub time: Ticks,
    /// The event that caused it, or the last before it.
    pub event: EventIndex,
    /// The thread that starts to run.
    pub thread: ContextId,
    /// The previous context: a thread, idle or initialisation, or
    /// [`ContextId::UNKNOWN`].
    pub previous: ContextId,
    /// The last thread that ran before, if idle was in between.
    pub last_thread: ContextId,
    /// The core.
    pub core: u8,
    /// The cause.
    pub cause: SwitchCause,
}

impl Dispatch {
    /// Whether the core runs another thread than the last one. Idle in between
    /// does not matter.
    pub fn is_switch(&self) -> bool {
        self.last_thread != ContextId::UNKNOWN && self.last_thread != self.thread
    }
}

impl Pack for Dispatch {
    const COLUMNS: usize = 6;

    fn pack(&self) -> Columns {
        columns([
            self.time.0,
            self.event.0.into(),
            pack_id(self.thread.0),
            pack_id(self.previous.0),
            pack_id(self.last_thread.0),
            pack_cause(self.core, self.cause),
        ])
    }

    fn unpack([time, event, thread, previous, last_thread, cause, ..]: Columns) -> Self {
        let (core, cause) = unpack_cause(cause);
        Self {
            time: Ticks(time),
            event: EventIndex(event as u32),
            thread: ContextId(unpack_id(thread)),
            previous: ContextId(unpack_id(previous)),
            last_thread: ContextId(unpack_id(last_thread)),
            core,
            cause,
        }
    }
}

/// A ready thread that runs, or is about to run, gives way to another.
///
/// Counted like the kernel's own counters: when the other thread becomes ready,
/// whether or not that one gives way in turn before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preemption {
    /// Its time.
    pub time: Ticks,
    /// The event that caused it, or the last before the switch.
    pub event: EventIndex,
    /// The thread that gives way.
    pub thread: ContextId,
    /// The thread it gives way to; itself if it yields and no other thread is
    /// ready.
    pub to: ContextId,
    /// The core.
    pub core: u8,
    /// One of [`SwitchCause::Solicited`], [`SwitchCause::Interrupt`],
    /// [`SwitchCause::TimeSlice`] and [`SwitchCause::Yield`].
    pub cause: SwitchCause,
}

impl Pack for Preemption {
    const COLUMNS: usize = 5;

    fn pack(&self) -> Columns {
        columns([
            self.time.0,
            self.event.0.into(),
            pack_id(self.thread.0),
            pack_id(self.to.0),
            pack_cause(self.core, self.cause),
        ])
    }

    fn unpack([time, event, thread, to, cause, ..]: Columns) -> Self {
        let (core, cause) = unpack_cause(cause);
        Self {
            time: Ticks(time),
            event: EventIndex(event as u32),
            thread: ContextId(unpack_id(thread)),
            to: ContextId(unpack_id(to)),
            core,
            cause,
        }
    }
}

/// The kernel changes the priority of a thread without making it ready or
/// suspending it, as with priority inheritance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityChange {
    /// Its time.
    pub time: Ticks,
    /// The record that ends the change.
    pub event: EventIndex,
    /// The thread.
    pub thread: ContextId,
}

//! The tables, and what is in their columns.

use crate::Column;
use crate::rows::{
    activations, active, arguments, contexts, dispatches, events, flows, interrupts_off,
    inversions, isrs, levels, locks, mutex_holds, notes, objects, recordings, slices, stacks,
    states,
};
use std::fmt;

macro_rules! tables {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $columns:expr;)*) => {
        /// A table of a trace.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Table {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Table {
            /// All tables.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in SQL and of files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What a row is, for people.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }

            /// Its columns. The first two of every table are `file` and `recording_id`.
            pub const fn columns(self) -> &'static [Column] {
                match self { $(Self::$variant => $columns,)* }
            }
        }
    };
}

tables! {
    /// the recordings, a row each
    Recordings "trace" recordings::COLUMNS;
    /// what happened
    Events "events" events::COLUMNS;
    /// the arguments of events, a row each, with their types
    Arguments "arguments" arguments::COLUMNS;
    /// who executes: threads, active objects, and the three contexts that every trace has
    Contexts "contexts" contexts::COLUMNS;
    /// what the recording names
    Objects "objects" objects::COLUMNS;
    /// what each core executed, without gaps
    Slices "slices" slices::COLUMNS;
    /// what each thread did or waited for, without gaps
    ThreadStates "thread_states" states::COLUMNS;
    /// activations of threads: wake-up latency, response time, period, jitter
    Activations "activations" activations::COLUMNS;
    /// every time that a thread was given a core
    Dispatches "dispatches" dispatches::COLUMNS;
    /// activations of interrupt service routines
    Isrs "isrs" isrs::COLUMNS;
    /// times in which a core took no interrupts, where that is recorded
    InterruptsOff "masked" interrupts_off::COLUMNS;
    /// from cause to effect: a thread is woken and executes, something is put and taken
    Flows "flows" flows::COLUMNS;
    /// every time that a thread owned a mutex
    MutexHolds "holds" mutex_holds::COLUMNS;
    /// mutexes: acquisitions, contention, hold and wait times
    Locks "locks" locks::COLUMNS;
    /// times in which a thread waited for a mutex of one of lower priority
    Inversions "inversions" inversions::COLUMNS;
    /// stacks of threads, and how much of each stayed free
    Stacks "stacks" stacks::COLUMNS;
    /// how full objects were
    Levels "levels" levels::COLUMNS;
    /// events put into the queues of active objects
    Posts "posts" active::posts::COLUMNS;
    /// run-to-completion steps: an active object handles an event
    Steps "steps" active::steps::COLUMNS;
    /// the states in which machines stayed between steps
    StateIntervals "stays" active::state_intervals::COLUMNS;
    /// transitions that machines took
    Transitions "transitions" active::transitions::COLUMNS;
    /// timers of active objects, from start to end
    Timers "timers" active::timers::COLUMNS;
    /// what an engineer should look at first, the gravest first
    Findings "findings" notes::findings::COLUMNS;
    /// where events are missing
    Gaps "gaps" notes::gaps::COLUMNS;
    /// what is wrong with the recording, or limits what it can say
    Diagnostics "diagnostics" notes::diagnostics::COLUMNS;
}

impl Table {
    /// The table of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| table.name() == name)
    }

    /// The place of the column of that name.
    pub fn column_index(self, name: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.name == name)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

//! The tables and their columns.

use crate::Column;
use crate::rows::{
    activations, active_objects, arguments, call_stack_frames, contexts, dispatches, events, flows,
    hardware, interrupts_off, inversions, isrs, levels, markers, mutex_holds, objects, periods,
    problems, recordings, report_rows, slices, states, text_log_lines, timing,
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

            /// A description of a row.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }

            /// The columns. The first two columns of every table are `file` and
            /// `recording_id`.
            pub fn columns(self) -> &'static [Column] {
                match self { $(Self::$variant => &$columns,)* }
            }
        }
    };
}

tables! {
    /// One row per recording
    Recordings "recordings" recordings::COLUMNS;
    /// One row per event
    Events "events" events::COLUMNS;
    /// One row per argument of an event, with its type
    Arguments "arguments" arguments::COLUMNS;
    /// Contexts: threads, active objects, and the three contexts that every
    /// trace has
    Contexts "contexts" contexts::COLUMNS;
    /// Objects that the recording names
    Objects "objects" objects::COLUMNS;
    /// Slices: spans in which a core ran one context, without gaps
    Slices "slices" slices::COLUMNS;
    /// Intervals in which a thread was in one state, without gaps
    ThreadStates "thread_states" states::COLUMNS;
    /// Activations of threads: wake-up latency, response time, period, jitter
    Activations "activations" activations::COLUMNS;
    /// Dispatches: a core switches to a thread
    Dispatches "dispatches" dispatches::COLUMNS;
    /// Activations of interrupt service routines
    Isrs "isrs" isrs::COLUMNS;
    /// Interrupts-off sections: spans in which a core had interrupts disabled,
    /// if recorded
    InterruptsOff "interrupts_off" interrupts_off::COLUMNS;
    /// Points of interest that the application marks: spans and instants
    Markers "markers" markers::COLUMNS;
    /// Busy times of declared hardware, from a kick to its end, with the down
    /// time before and the CPU time meanwhile
    HardwareSpans "hardware_spans" hardware::HARDWARE_SPANS;
    /// Spans of hardware and markers that have declared slots, with the planned
    /// times
    SlotSpans "slot_spans" hardware::SLOT_SPANS;
    /// Frames of recorded call stacks
    CallStackFrames "call_stack_frames" call_stack_frames::COLUMNS;
    /// Lines of text logs beside the recording
    TextLogLines "text_log_lines" text_log_lines::COLUMNS;
    /// Activations of threads, interrupt service routines, active objects and
    /// states, and of events with declared deadlines: period, response and CPU
    /// time
    Periods "periods" periods::COLUMNS;
    /// Cycles that differ from the median one, of the most regular source
    Cycles "cycles" report_rows::CYCLES;
    /// Activations that missed a declared period or deadline
    DeadlineMisses "deadline_misses" timing::DEADLINE_MISSES;
    /// Items of declared pipelines
    PipelineItems "pipeline_items" timing::PIPELINE_ITEMS;
    /// Time of the items of declared pipelines in each stage
    PipelineVisits "pipeline_visits" timing::PIPELINE_VISITS;
    /// Declared intervals, from one event to another
    Intervals "intervals" timing::INTERVALS;
    /// Flows from cause to effect: a thread is resumed and runs, a message is
    /// put and taken, an event is posted and handled
    Flows "flows" flows::COLUMNS;
    /// Mutex holds: spans in which a thread owned a mutex
    MutexHolds "mutex_holds" mutex_holds::COLUMNS;
    /// Mutex statistics: acquisitions, contention, hold and wait times
    Locks "locks" report_rows::LOCKS;
    /// Priority inversions: spans in which a thread waited for a mutex owned by
    /// a thread of lower priority
    Inversions "inversions" inversions::COLUMNS;
    /// Stacks of threads, and how much of each stayed free
    Stacks "stacks" report_rows::STACKS;
    /// Intervals in which an object had one level
    Levels "levels" levels::COLUMNS;
    /// Events posted to the queues of active objects
    Posts "posts" active_objects::POSTS;
    /// Run-to-completion steps: an active object handles an event
    Steps "steps" active_objects::STEPS;
    /// Intervals in which a state machine was in one state
    StateIntervals "state_intervals" active_objects::STATE_INTERVALS;
    /// Transitions of state machines
    Transitions "transitions" active_objects::TRANSITIONS;
    /// Runs of active objects' timers, from start to end
    Timers "timers" active_objects::TIMERS;
    /// Findings: what the analysis points out, the most severe first
    Findings "findings" problems::FINDINGS;
    /// Gaps: places where events are missing
    Gaps "gaps" problems::GAPS;
    /// Diagnostics: problems of the input
    Diagnostics "diagnostics" problems::DIAGNOSTICS;
}

impl Table {
    /// The table with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| table.name() == name)
    }

    /// Whether its rows are problems, so that a sound recording has none.
    pub const fn is_of_problems(self) -> bool {
        matches!(
            self,
            Self::Cycles
                | Self::DeadlineMisses
                | Self::Inversions
                | Self::Findings
                | Self::Gaps
                | Self::Diagnostics
        )
    }

    /// Whether it describes a recording rather than what happened on the target: damage of a
    /// recording does not make it incomplete.
    pub const fn is_of_recording(self) -> bool {
        matches!(self, Self::Recordings | Self::Gaps | Self::Diagnostics)
    }

    /// Whether it has rows only if the clock measures time.
    pub const fn needs_time(self) -> bool {
        matches!(self, Self::Cycles | Self::DeadlineMisses)
    }

    /// The index of the column with a name.
    pub fn column_index(self, name: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.name == name)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

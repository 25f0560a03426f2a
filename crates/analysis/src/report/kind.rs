//! The kinds of reports.

use super::View;
use crate::hardware::HardwareActivity;
use rtoscope_trace::{Clock, NoTime, SwitchModel};
use std::fmt;
use std::str::FromStr;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $title:literal;)*) => {
        /// A report.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ReportKind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl ReportKind {
            /// All reports, in display order.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name in output and on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Its title in all front ends.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// What it contains.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

kinds! {
    /// CPU time by context
    Profile "profile" "CPU time";
    /// scheduler event counts
    Performance "performance" "Scheduler counts";
    /// counts, priorities, states and stack of each thread
    Threads "threads" "Threads";
    /// stack usage of the threads
    Stacks "stacks" "Stack usage";
    /// calls and other events by frequency
    Services "services" "Services and events";
    /// threads that waited for a mutex owned by a thread of lower priority
    Inversions "inversions" "Priority inversions";
    /// which threads preempt which others, how often and for how long
    Preemptions "preemptions" "Preemptions";
    /// wake-up latency, response time, period and waits of threads
    Latency "latency" "Latency";
    /// how regularly threads, interrupts, active objects and states recur, and how long
    /// they run
    Periods "periods" "Periods";
    /// cycles that begin with something periodic: which differ from the median one, and by
    /// what
    Cycles "cycles" "Cycles";
    /// declared periods and deadlines, the activations that missed them, and why
    Deadlines "deadlines" "Deadlines";
    /// declared pipelines: the time of items in each stage, the late and the dropped ones,
    /// and why
    Pipeline "pipeline" "Pipelines";
    /// user-defined intervals from one event to another: durations, late and open ones
    Intervals "intervals" "Intervals";
    /// interrupt service routines: durations, activations, nesting
    Isr "isr" "Interrupt service routines";
    /// mutexes: hold times, contention and waits
    Locks "locks" "Mutexes";
    /// levels of queues, semaphores and pools
    Objects "objects" "Queues, semaphores and pools";
    /// which contexts use which objects, and who sends to, posts to and wakes whom
    Communication "communication" "Communication";
    /// CPU load over time
    Load "load" "CPU load";
    /// switches, interrupts-off sections, handlers and idle of a context-switch
    /// log
    ContextSwitches "context-switches" "Context switches";
    /// points of interest: spans and instants that the application marks
    Markers "markers" "Points of interest";
    /// declared hardware and slots: busy time, down time, overlap with the CPU
    Hardware "hardware" "Hardware";
    /// events and run-to-completion steps of active objects
    Active "active" "Active objects";
    /// events by receiver, signal and sender, with queueing and response times
    Signals "signals" "Signals";
    /// state residency of state machines
    States "states" "States";
    /// transitions taken, states never entered, signals never received
    Transitions "transitions" "Transitions";
    /// timers of active objects: runs, endings and accuracy
    Timers "timers" "Timers";
    /// activity of the file system
    Filex "filex" "FileX statistics";
    /// activity of the network stack
    Netx "netx" "NetX statistics";
    /// activity of the USB stack
    Usbx "usbx" "USBX statistics";
    /// completeness and reliability of the trace
    Health "health" "Recording health";
}

impl ReportKind {
    /// Whether it is skipped for traces without active objects.
    pub const fn is_about_active_objects(self) -> bool {
        use ReportKind::{Active, Signals, States, Timers, Transitions};
        matches!(self, Active | Signals | States | Transitions | Timers)
    }

    /// Whether it is skipped for traces whose format has no events of its
    /// component.
    pub const fn is_about_component(self) -> bool {
        matches!(self, Self::Filex | Self::Netx | Self::Usbx)
    }

    /// Whether it is skipped for context-switch logs: these have no objects,
    /// priorities or stacks, and do not record why a thread gives way.
    pub const fn needs_calls(self) -> bool {
        use ReportKind::{
            Communication, Filex, Inversions, Locks, Netx, Objects, Performance, Preemptions,
            Stacks, Usbx,
        };
        matches!(
            self,
            Performance
                | Stacks
                | Inversions
                | Preemptions
                | Locks
                | Objects
                | Communication
                | Filex
                | Netx
                | Usbx
        )
    }

    /// Whether it consists of durations, so that it is skipped if the clock
    /// does not measure time.
    pub const fn needs_time(self) -> bool {
        matches!(
            self,
            Self::Latency
                | Self::Periods
                | Self::Cycles
                | Self::Deadlines
                | Self::Pipeline
                | Self::Intervals
                | Self::Load
        )
    }

    /// Why the clock does not measure the durations, or shares of time, that the report
    /// shows; then it is skipped.
    pub fn missing_time(self, clock: &Clock) -> Option<NoTime> {
        match self {
            Self::Load => clock.quality.no_shares(),
            kind if kind.needs_time() => clock.quality.no_time(),
            _ => None,
        }
    }

    /// Whether it applies to a trace; otherwise it is skipped.
    pub fn applies_to(self, view: &View<'_>) -> bool {
        let is_explicit = view.trace.switch_model != SwitchModel::Inferred;
        match self {
            kind if kind.missing_time(&view.trace.clock).is_some() => false,
            Self::ContextSwitches => is_explicit,
            Self::Deadlines => !view.deadlines.is_empty(),
            Self::Pipeline => !view.pipelines.is_empty(),
            Self::Intervals => !view.intervals.is_empty(),
            Self::Markers => !view.markers.is_empty(),
            Self::Hardware => *view.hardware != HardwareActivity::default(),
            kind if kind.is_about_active_objects() => !view.active.is_empty(),
            kind if kind.is_about_component() && view.statistics.is_empty() => false,
            kind => !(is_explicit && kind.needs_calls()) || kind.has_calls(view),
        }
    }

    /// Whether a trace that need not record calls has some for this report.
    fn has_calls(self, view: &View<'_>) -> bool {
        match self {
            Self::Objects | Self::Communication => view.level_histories.iter().len() > 0,
            Self::Locks => !view.schedule.mutex_holds.is_empty(),
            Self::Inversions => view.shows_inversions(),
            _ => false,
        }
    }
}

impl fmt::Display for ReportKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ReportKind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.name() == name).ok_or(())
    }
}

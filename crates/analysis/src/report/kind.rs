//! Which reports there are.

use super::View;
use rtoscope_trace::SwitchModel;
use std::fmt;
use std::str::FromStr;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// A report.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Kind {
            /// All reports, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name, and its key in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it tells.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}

kinds! {
    /// who had the processors, and for how long
    Profile "profile";
    /// how often what happened in the scheduler
    Performance "performance";
    /// each thread by itself: counts, priorities, states, stack
    Threads "threads";
    /// how full the stacks are
    Stacks "stacks";
    /// which calls and events there were, and how often
    Services "services";
    /// which threads waited for a mutex of a thread of lower priority
    Inversions "inversions";
    /// how long threads take to wake up, to respond and to wait
    Latency "latency";
    /// interrupt service routines: how long, how often, how deep
    Isr "isr";
    /// mutexes: how long they are held and waited for
    Locks "locks";
    /// queues, semaphores and pools: how full they are
    Objects "objects";
    /// the load of the processors over time
    Load "load";
    /// what a log of context switches tells: switches, interrupts off, handlers, idle
    ContextSwitches "cswitch";
    /// what active objects received, and how long they took for it
    Active "active";
    /// which events active objects were sent by whom, and how long they were on their way
    Signals "signals";
    /// in which states machines were, and for how long
    States "states";
    /// which transitions machines took, and what they never did
    Transitions "transitions";
    /// timers of active objects: how they ended, and how exact they are
    Timers "timers";
    /// what the file system did
    Filex "filex";
    /// what the network stack did
    Netx "netx";
    /// what the USB stack did
    Usbx "usbx";
    /// what of the trace can be trusted
    Health "health";
}

impl Kind {
    /// Whether it is left out of traces without active objects.
    pub const fn is_about_active_objects(self) -> bool {
        use Kind::{Active, Signals, States, Timers, Transitions};
        matches!(self, Active | Signals | States | Transitions | Timers)
    }

    /// Whether it is left out of traces whose format has no events of such a
    /// component.
    pub const fn is_about_component(self) -> bool {
        matches!(self, Self::Filex | Self::Netx | Self::Usbx)
    }

    /// Whether it is left out of logs of context switches: these name no
    /// object, no priority and no stack, and do not say why a thread gives way.
    pub const fn needs_calls(self) -> bool {
        use Kind::{
            Filex, Inversions, Latency, Locks, Netx, Objects, Performance, Stacks, Threads, Usbx,
        };
        matches!(
            self,
            Performance
                | Threads
                | Stacks
                | Inversions
                | Latency
                | Locks
                | Objects
                | Filex
                | Netx
                | Usbx
        )
    }

    /// Whether it consists of durations, so that it is left out where the clock
    /// does not measure time.
    pub const fn needs_time(self) -> bool {
        matches!(self, Self::Latency | Self::Load)
    }

    /// Whether a trace can tell anything of it, so that it is not left out.
    pub fn applies_to(self, view: &View<'_>) -> bool {
        let tells_switches = view.trace.switch_model != SwitchModel::Inferred;
        match self {
            kind if kind.needs_time() && !view.trace.clock.measures_time() => false,
            Self::ContextSwitches => tells_switches,
            kind if kind.is_about_active_objects() => !view.active.is_empty(),
            kind if kind.is_about_component() && view.statistics.is_empty() => false,
            kind => !(tells_switches && kind.needs_calls()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.name() == name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
            assert!(!kind.about().is_empty());
        }
        assert_eq!("profiles".parse::<Kind>(), Err(()));
    }
}

//! What the application's state machines are made of.

use super::address;
use rtoscope_record::rkh::Address;

/// A kind of state machine.
#[derive(Debug)]
pub(super) struct Machine {
    /// Which kind: vertices of different ones lie apart.
    pub(super) number: u32,
    /// The states, composite ones before those in them.
    pub(super) states: &'static [State],
    /// The pseudostates, numbered behind the states.
    pub(super) pseudostates: &'static [&'static str],
    /// Where it begins.
    pub(super) initial: usize,
    pub(super) initial_action: Effect,
}

/// A state.
#[derive(Debug)]
pub(super) struct State {
    pub(super) name: &'static str,
    /// The composite state that it is in.
    pub(super) parent: Option<usize>,
    /// The state that is entered with it.
    pub(super) child: Option<usize>,
}

impl Machine {
    /// Where a state or pseudostate lies.
    pub(super) fn vertex(&self, number: usize) -> Address {
        address::vertex(self.number, number)
    }

    /// A state and those that it is in, the innermost first.
    pub(super) fn with_parents(&self, state: usize) -> Vec<usize> {
        let parent = |state: &usize| self.states.get(*state)?.parent;
        std::iter::successors(Some(state), parent).collect()
    }

    /// A state and those that are entered with it, the outermost first.
    pub(super) fn with_children(&self, state: usize) -> Vec<usize> {
        let child = |state: &usize| self.states.get(*state)?.child;
        std::iter::successors(Some(state), child).collect()
    }
}

/// How a machine reacts to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MachineResponse {
    /// Guards that were false on the way to it.
    pub(super) guards_false: u32,
    pub(super) transition: SelectedTransition,
}

/// The transition that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SelectedTransition {
    /// None waits for the event.
    Nothing,
    /// An internal one of that state.
    Internal { source: usize, effect: Effect },
    /// One that leaves `source`, through a pseudostate or not.
    External {
        source: usize,
        through: Option<usize>,
        target: usize,
        effect: Effect,
    },
}

impl SelectedTransition {
    /// Right away.
    pub(super) fn unguarded(self) -> MachineResponse {
        MachineResponse {
            guards_false: 0,
            transition: self,
        }
    }

    /// Where a guard was false before.
    pub(super) fn after_false_guard(self) -> MachineResponse {
        MachineResponse {
            guards_false: 1,
            transition: self,
        }
    }
}

macro_rules! effects {
    ($($name:ident $text:literal,)*) => {
        /// An action; its place in the list says where its function lies.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Effect {
            $($name,)*
        }

        impl Effect {
            /// All, with the names of their functions.
            pub(super) const ALL: &[(Self, &str)] = &[$((Self::$name, $text),)*];
        }
    };
}

effects! {
    StartStation "station_init",
    Grant "station_grant",
    PutAside "station_put_aside",
    NextPump "station_next_pump",
    GiveUp "station_give_up",
    Watch "station_watch",
    Close "station_close",
    Wait "station_wait",
    Reopen "station_reopen",
    StartPump "pump_init",
    Ask "pump_ask",
    AskAgain "pump_ask_again",
    Begin "pump_begin",
    End "pump_end",
    Drain "pump_drain",
}

impl Effect {
    /// Where its function lies.
    pub(super) fn function(self) -> Address {
        address::function(self as u32)
    }
}

//! The elements of the application's state machines.

use super::address;
use rtoscope_record::rkh::Address;

/// A kind of state machine.
#[derive(Debug)]
pub(super) struct Machine {
    /// The number of the kind, which determines the addresses of its vertices.
    pub(super) number: u32,
    /// The states; composite states precede their substates.
    pub(super) states: &'static [State],
    /// The pseudostates, numbered after the states.
    pub(super) pseudostates: &'static [&'static str],
    /// The initial state.
    pub(super) initial: usize,
    pub(super) initial_action: Effect,
}

/// A state.
#[derive(Debug)]
pub(super) struct State {
    pub(super) name: &'static str,
    /// The composite state that contains it.
    pub(super) parent: Option<usize>,
    /// The initial substate.
    pub(super) child: Option<usize>,
}

impl Machine {
    /// The address of a state or pseudostate.
    pub(super) fn vertex(&self, number: usize) -> Address {
        address::vertex(self.number, number)
    }

    /// A state and its ancestors, the innermost first.
    pub(super) fn with_parents(&self, state: usize) -> Vec<usize> {
        let parent = |state: &usize| self.states.get(*state)?.parent;
        std::iter::successors(Some(state), parent).collect()
    }

    /// A state and the substates entered with it, the outermost first.
    pub(super) fn with_children(&self, state: usize) -> Vec<usize> {
        let child = |state: &usize| self.states.get(*state)?.child;
        std::iter::successors(Some(state), child).collect()
    }
}

/// The response of a machine to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MachineResponse {
    /// Guards that evaluated to false before it.
    pub(super) guards_false: u32,
    pub(super) transition: SelectedTransition,
}

/// The selected transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SelectedTransition {
    /// No transition handles the event.
    Nothing,
    /// An internal transition of a state.
    Internal { source: usize, effect: Effect },
    /// A transition that exits `source`, optionally through a pseudostate.
    External {
        source: usize,
        through: Option<usize>,
        target: usize,
        effect: Effect,
    },
}

impl SelectedTransition {
    /// A response without a guard.
    pub(super) fn unguarded(self) -> MachineResponse {
        MachineResponse {
            guards_false: 0,
            transition: self,
        }
    }

    /// A response after a guard evaluated to false.
    pub(super) fn after_false_guard(self) -> MachineResponse {
        MachineResponse {
            guards_false: 1,
            transition: self,
        }
    }
}

macro_rules! effects {
    ($($name:ident $text:literal,)*) => {
        /// An action; its position in the list determines the address of its
        /// function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Effect {
            $($name,)*
        }

        impl Effect {
            /// All actions, with the names of their functions.
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
    /// The address of its function.
    pub(super) fn function(self) -> Address {
        address::function(self as u32)
    }
}

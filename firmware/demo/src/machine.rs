//! The state machines of the two active objects.

use crate::observers::rkh;
use core::ffi::CStr;

/// The signals of both machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Signal {
    /// The sensor has a new sample.
    Sample,
    /// The alarm was triggered.
    Alarm,
    /// There is something to display.
    Show,
}

impl Signal {
    pub(crate) const ALL: [Self; 3] = [Self::Sample, Self::Alarm, Self::Show];

    pub(crate) fn name(self) -> &'static CStr {
        match self {
            Self::Sample => c"SAMPLE",
            Self::Alarm => c"ALARM",
            Self::Show => c"SHOW",
        }
    }
}

/// A state, identified by its address.
pub(crate) struct State(&'static CStr);

impl State {
    pub(crate) fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    pub(crate) fn name(&self) -> &'static CStr {
        self.0
    }
}

static CALM: State = State(c"calm");
static ALARMED: State = State(c"alarmed");

/// All states, of both machines.
pub(crate) static STATES: [&State; 2] = [&CALM, &ALARMED];

/// An action of a machine.
#[derive(Clone, Copy)]
pub(crate) enum MachineEvent {
    Started,
    Dispatched(u32),
    NotFound(u32),
    InternalTransition,
    Transition(&'static State),
}

/// A machine that leaves the state `calm` at an alarm, until the next sample or display.
pub(crate) struct Machine {
    owner: usize,
    state: &'static State,
}

impl Machine {
    /// The machine of a thread, in its initial state.
    pub(crate) fn new(owner: usize) -> Self {
        let machine = Self {
            owner,
            state: &CALM,
        };
        rkh::record_machine(&machine, MachineEvent::Started);
        machine
    }

    pub(crate) fn owner(&self) -> usize {
        self.owner
    }

    pub(crate) fn state(&self) -> &'static State {
        self.state
    }

    /// Dispatches a signal to the machine. Returns whether the state changed.
    pub(crate) fn dispatch(&mut self, signal: u32) -> bool {
        rkh::record_machine(self, MachineEvent::Dispatched(signal));
        let calm = core::ptr::eq(self.state, &CALM);
        let target = if signal == Signal::Alarm as u32 && calm {
            &ALARMED
        } else if signal == Signal::Alarm as u32 {
            rkh::record_machine(self, MachineEvent::NotFound(signal));
            return false;
        } else if calm {
            rkh::record_machine(self, MachineEvent::InternalTransition);
            return false;
        } else {
            &CALM
        };
        rkh::record_machine(self, MachineEvent::Transition(target));
        self.state = target;
        true
    }
}

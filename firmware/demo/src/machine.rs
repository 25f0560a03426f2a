//! The state machines of the two active objects.

use crate::observers::rkh;
use core::ffi::CStr;

/// What machines are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Signal {
    /// The sensor has something new.
    Sample,
    /// The alarm went off.
    Alarm,
    /// There is something to be shown.
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

/// A state, known by its address.
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

/// What a machine does.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Begins,
    Gets(u32),
    DoesNotKnow(u32),
    Stays,
    Goes(&'static State),
}

/// A machine that an alarm makes leave its calm until the next sample or
/// picture.
pub(crate) struct Machine {
    owner: usize,
    state: &'static State,
}

impl Machine {
    /// The machine of a thread, in its first state.
    pub(crate) fn new(owner: usize) -> Self {
        let machine = Self {
            owner,
            state: &CALM,
        };
        rkh::step(&machine, Step::Begins);
        machine
    }

    pub(crate) fn owner(&self) -> usize {
        self.owner
    }

    pub(crate) fn state(&self) -> &'static State {
        self.state
    }

    /// Tells the machine a signal; whether that changed something.
    pub(crate) fn dispatch(&mut self, signal: u32) -> bool {
        rkh::step(self, Step::Gets(signal));
        let calm = core::ptr::eq(self.state, &CALM);
        let target = if signal == Signal::Alarm as u32 && calm {
            &ALARMED
        } else if signal == Signal::Alarm as u32 {
            rkh::step(self, Step::DoesNotKnow(signal));
            return false;
        } else if calm {
            rkh::step(self, Step::Stays);
            return false;
        } else {
            &CALM
        };
        rkh::step(self, Step::Goes(target));
        self.state = target;
        true
    }
}

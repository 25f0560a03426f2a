//! Pumps: request permission from the station, run, and rest.

use super::address;
use super::application::{Application, STATION};
use super::events::{RkhEvent, Signal};
use super::machine::{Effect, Machine, MachineResponse, SelectedTransition, State};
use super::start::DRAINED;
use fastrand::Rng;
use rtoscope_record::rkh::item;

const RESTING: usize = 0;
const ASKING: usize = 1;
const PUMPING: usize = 2;

pub(super) static MACHINE: Machine = Machine {
    number: 1,
    states: &[
        State {
            name: "resting",
            parent: None,
            child: None,
        },
        State {
            name: "asking",
            parent: None,
            child: None,
        },
        State {
            name: "pumping",
            parent: None,
            child: None,
        },
    ],
    pseudostates: &[],
    initial: RESTING,
    initial_action: Effect::StartPump,
};

/// Durations in timer interrupts.
const REST_TICKS: std::ops::Range<u16> = 3..30;
const REQUEST_TIMEOUT_TICKS: std::ops::Range<u16> = 15..25;
const RUN_TICKS: std::ops::Range<u16> = 1..6;

pub(super) fn respond(state: usize, event: &RkhEvent, random: &mut Rng) -> MachineResponse {
    let external = |source, target, effect| SelectedTransition::External {
        source,
        through: None,
        target,
        effect,
    };
    let internal = |source| SelectedTransition::Internal {
        source,
        effect: Effect::Drain,
    };
    match (state, event.signal) {
        (RESTING, Signal::Timeout) => external(RESTING, ASKING, Effect::Ask).unguarded(),
        (ASKING, Signal::Timeout) => external(ASKING, ASKING, Effect::AskAgain).unguarded(),
        (ASKING, Signal::Grant) => external(ASKING, PUMPING, Effect::Begin).unguarded(),
        (PUMPING, Signal::Timeout) => external(PUMPING, RESTING, Effect::End).unguarded(),
        (RESTING, Signal::Alarm) if random.bool() => internal(RESTING).unguarded(),
        (RESTING, Signal::Alarm) => SelectedTransition::Nothing.after_false_guard(),
        (PUMPING, Signal::Alarm) => internal(PUMPING).unguarded(),
        _ => SelectedTransition::Nothing.unguarded(),
    }
}

impl Application<'_> {
    pub(super) fn pump_effect(&mut self, pump: u8, effect: Effect) {
        match effect {
            Effect::StartPump => self.start_timer_in(pump, REST_TICKS),
            Effect::Ask | Effect::AskAgain => {
                self.post_new(0, Signal::Request, pump, STATION, pump);
                self.start_timer_in(pump, REQUEST_TIMEOUT_TICKS);
            }
            Effect::Begin => {
                self.stop_timer(pump);
                self.start_timer_in(pump, RUN_TICKS);
            }
            Effect::End => {
                self.post_done(pump);
                self.start_timer_in(pump, REST_TICKS);
            }
            Effect::Drain => self.drain(pump),
            _ => {}
        }
    }

    fn start_timer_in(&mut self, pump: u8, ticks: std::ops::Range<u16>) {
        let ticks = self.random.u16(ticks);
        self.start_timer(pump, ticks, 0);
    }

    fn drain(&mut self, pump: u8) {
        let litres = self.random.u16(..);
        let of = address::object(pump);
        let memory = litres.to_le_bytes();
        let (number, name) = DRAINED;
        self.tracer.put(name, |recorder| {
            let items = [
                item::object(of),
                item::u16(5, litres),
                item::text(b"litres"),
                item::memory(&memory),
            ];
            recorder.user(number, &items);
        });
    }
}

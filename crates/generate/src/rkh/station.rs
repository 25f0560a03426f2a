//! The station: lets one pump run at a time.

use super::application::{Application, STATION};
use super::events::{RkhEvent, Signal};
use super::machine::{Effect, Machine, MachineResponse, SelectedTransition, State};
use super::start::GRANTED;
use rtoscope_record::rkh::item;

const OPEN: usize = 0;
const FREE: usize = 1;
const BUSY: usize = 2;
const PAUSED: usize = 3;
const NEXT: usize = 4;

pub(super) static MACHINE: Machine = Machine {
    number: 0,
    states: &[
        State {
            name: "open",
            parent: None,
            child: Some(FREE),
        },
        State {
            name: "free",
            parent: Some(OPEN),
            child: None,
        },
        State {
            name: "busy",
            parent: Some(OPEN),
            child: None,
        },
        State {
            name: "paused",
            parent: None,
            child: None,
        },
    ],
    pseudostates: &["next"],
    initial: OPEN,
    initial_action: Effect::StartStation,
};

/// The station's variables.
#[derive(Debug, Default)]
pub(super) struct Station {
    /// The pump that may run.
    granted: u8,
    /// Ticks since the grant.
    waited: u32,
    /// Ticks in total.
    ticks: u32,
    /// Ticks until the pause ends.
    pause: u32,
}

/// Timer interrupts between two ticks of the station.
const TICK: u16 = 10;
/// Ticks after which the station cancels a pump.
const GRANT_TIMEOUT_TICKS: u32 = 3;
/// Ticks between two alarms, and between two pauses.
const ALARM_PERIOD_TICKS: u32 = 4;
const PAUSE_PERIOD_TICKS: u32 = 37;
/// Duration of a pause in ticks.
const PAUSE_TICKS: u32 = 3;

impl Station {
    pub(super) fn respond(&self, state: usize, event: &RkhEvent) -> MachineResponse {
        let external = |source, target, effect| SelectedTransition::External {
            source,
            through: None,
            target,
            effect,
        };
        let internal = |source, effect| SelectedTransition::Internal { source, effect };
        match (state, event.signal) {
            (FREE, Signal::Request) => external(FREE, BUSY, Effect::Grant).unguarded(),
            (BUSY, Signal::Request) => internal(BUSY, Effect::PutAside).unguarded(),
            (BUSY, Signal::Done) if event.about == self.granted => SelectedTransition::External {
                source: BUSY,
                through: Some(NEXT),
                target: FREE,
                effect: Effect::NextPump,
            }
            .unguarded(),
            (BUSY, Signal::Done) => SelectedTransition::Nothing.after_false_guard(),
            (BUSY, Signal::Tick) if self.waited >= GRANT_TIMEOUT_TICKS => {
                external(BUSY, FREE, Effect::GiveUp).unguarded()
            }
            (BUSY, Signal::Tick) => internal(OPEN, Effect::Watch).after_false_guard(),
            (FREE, Signal::Tick) => internal(OPEN, Effect::Watch).unguarded(),
            (FREE | BUSY, Signal::Close) => external(OPEN, PAUSED, Effect::Close).unguarded(),
            (PAUSED, Signal::Tick) => internal(PAUSED, Effect::Wait).unguarded(),
            (PAUSED, Signal::Open) => external(PAUSED, OPEN, Effect::Reopen).unguarded(),
            _ => SelectedTransition::Nothing.unguarded(),
        }
    }
}

impl Application<'_> {
    pub(super) fn station_effect(&mut self, effect: Effect, event: &mut RkhEvent) {
        match effect {
            Effect::StartStation => self.start_timer(STATION, TICK, TICK),
            Effect::Grant => self.grant(event.about),
            Effect::PutAside => self.defer(event),
            Effect::NextPump | Effect::GiveUp | Effect::Reopen => self.recall(),
            Effect::Watch => self.watch(),
            Effect::Close => self.station.pause = PAUSE_TICKS,
            Effect::Wait => {
                self.station.pause = self.station.pause.saturating_sub(1);
                if self.station.pause == 0 {
                    self.post_constant(STATION, Signal::Open, STATION, false);
                }
            }
            _ => {}
        }
    }

    fn grant(&mut self, pump: u8) {
        (self.station.granted, self.station.waited) = (pump, 0);
        let aside = self.deferred.len() as u8;
        let (number, name) = GRANTED;
        self.tracer.put(name, |recorder| {
            recorder.user(number, &[item::u8(3, pump), item::u8(0, aside)]);
        });
        self.post_new(1, Signal::Grant, STATION, pump, pump);
    }

    fn watch(&mut self) {
        self.station.ticks += 1;
        self.station.waited += 1;
        if self.station.ticks.is_multiple_of(ALARM_PERIOD_TICKS) {
            for pump in 1..self.objects.len() as u8 {
                self.post_constant(pump, Signal::Alarm, STATION, false);
            }
        }
        if self.station.ticks.is_multiple_of(PAUSE_PERIOD_TICKS) {
            self.post_constant(STATION, Signal::Close, STATION, true);
        }
    }
}

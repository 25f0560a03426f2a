//! Records before the scheduler starts: names and creations.

use super::address;
use super::application::{Application, STATION};
use super::events::Signal;
use super::machine::{Effect, Machine};
use super::tracer::Target;
use rtoscope_record::rkh::Address;

/// The name of an object.
pub(super) fn name(number: u8) -> String {
    match number {
        STATION => "station".into(),
        pump => format!("pump{pump}"),
    }
}

/// The application's own records: their numbers and names.
pub(super) const DRAINED: (u32, &str) = (0, "DRAINED");
pub(super) const GRANTED: (u32, &str) = (1, "GRANTED");
pub(super) const REFUSED: (u32, &str) = (2, "REFUSED");

/// The name of the interrupt that posts timer events.
pub(super) const TICK_INTERRUPT: &str = "tick_isr";

impl Application<'_> {
    /// Names everything, creates pools and starts the objects.
    pub(super) fn start(&mut self) {
        self.name_objects();
        self.name_numbers();
        for pool in &self.pools {
            let (at, number) = (address::pool(pool.number), pool.number);
            let name = format!("event pool {number}");
            let (blocks, bytes) = (u32::from(pool.blocks), u32::from(pool.event_bytes));
            let tracer = &mut self.tracer;
            tracer.put("FWK OBJ", |recorder| recorder.fwk_obj(at, name.as_bytes()));
            tracer.put("MP INIT", |recorder| recorder.mp_init(at, blocks, bytes));
            tracer.put("FWK EPREG", |recorder| {
                recorder.fwk_epreg(number + 1, blocks * bytes, bytes, blocks);
            });
        }
        let (aside, size) = (self.deferred.address, self.deferred.size.into());
        self.tracer.put("QUE INIT", |recorder| {
            recorder.que_init(aside, Address::NONE, size);
        });
        for number in 0..self.objects.len() as u8 {
            self.activate(number);
        }
        self.tracer.put("FWK EN", Target::fwk_en);
    }

    fn activate(&mut self, number: u8) {
        let Some(object) = self.objects.get(usize::from(number)) else {
            return;
        };
        let (ao, queue, size) = (object.ao(), object.queue.address, object.queue.size);
        let tracer = &mut self.tracer;
        tracer.put("QUE INIT", |recorder| {
            recorder.que_init(queue, ao.address, size.into());
        });
        tracer.put("SMA REG", |recorder| recorder.sma_reg(ao, number));
        if let Some(timer) = self.timers.get(usize::from(number)) {
            let (at, signal) = (address::timer(number), timer.signal.number());
            tracer.put("TMR INIT", |recorder| recorder.tmr_init(at, signal));
        }
        self.initialise(number);
        self.tracer
            .put("SMA ACT", |recorder| recorder.sma_act(ao, number, size));
    }

    fn name_objects(&mut self) {
        let tracer = &mut self.tracer;
        tracer.put("FWK ACTOR", |recorder| {
            recorder.fwk_actor(address::TICK_INTERRUPT, TICK_INTERRUPT.as_bytes());
        });
        for object in &self.objects {
            let (ao, name) = (object.ao().address, name(object.number));
            let timer = format!("{name} timer");
            let queue = format!("{name} queue");
            tracer.put("FWK AO", |recorder| recorder.fwk_ao(ao, name.as_bytes()));
            tracer.put("FWK QUEUE", |recorder| {
                recorder.fwk_queue(object.queue.address, queue.as_bytes());
            });
            tracer.put("FWK TIMER", |recorder| {
                recorder.fwk_timer(address::timer(object.number), timer.as_bytes());
            });
        }
        tracer.put("FWK QUEUE", |recorder| {
            recorder.fwk_queue(address::DEFERRED_QUEUE, b"put aside");
        });
        // The pumps share their states.
        let machines: Vec<(Address, &Machine)> = self
            .objects
            .iter()
            .take(2)
            .map(|object| (object.ao().address, object.machine))
            .collect();
        for (ao, machine) in machines {
            for (state, number) in machine.states.iter().zip(0..) {
                let vertex = machine.vertex(number);
                self.tracer.put("FWK STATE", |recorder| {
                    recorder.fwk_state(ao, vertex, state.name.as_bytes());
                });
            }
            for (name, number) in machine.pseudostates.iter().zip(machine.states.len()..) {
                let vertex = machine.vertex(number);
                self.tracer.put("FWK PSTATE", |recorder| {
                    recorder.fwk_pstate(ao, vertex, name.as_bytes());
                });
            }
        }
    }

    fn name_numbers(&mut self) {
        let tracer = &mut self.tracer;
        for pool in &self.pools {
            let name = format!("events {}", pool.number);
            tracer.put("FWK EPOOL", |recorder| {
                recorder.fwk_epool(pool.number, name.as_bytes());
            });
        }
        for (signal, name) in Signal::ALL {
            tracer.put("FWK SIG", |recorder| {
                recorder.fwk_sig(signal.number(), name.as_bytes());
            });
        }
        for (effect, name) in Effect::ALL {
            tracer.put("FWK FUN", |recorder| {
                recorder.fwk_fun(effect.function(), name.as_bytes());
            });
        }
        for (event, name) in [DRAINED, GRANTED, REFUSED] {
            tracer.put("FWK TUSR", |recorder| {
                recorder.fwk_tusr(event, name.as_bytes());
            });
        }
    }
}

//! The application: its objects and their interaction.

use super::address;
use super::events::{EventPool, RkhEvent, Signal};
use super::machine::{Effect, MachineResponse};
use super::object::{ObjectQueue, RkhObject};
use super::start::REFUSED;
use super::station::Station;
use super::timers::Timer;
use super::tracer::Tracer;
use super::{RkhOptions, pump, station};
use fastrand::Rng;
use rtoscope_record::rkh::Address;

/// The station's number; the pumps follow.
pub(super) const STATION: u8 = 0;

pub(super) struct Application<'a> {
    pub(super) tracer: Tracer<'a>,
    pub(super) objects: Vec<RkhObject>,
    pub(super) timers: Vec<Timer>,
    pub(super) pools: [EventPool; 2],
    /// The station's deferred events.
    pub(super) deferred: ObjectQueue,
    pub(super) station: Station,
    pub(super) random: Rng,
}

/// Maximum number of deferred events.
const MAX_DEFERRED: u8 = 16;
/// Capacity of a pump's queue.
const PUMP_QUEUE_LEN: u8 = 16;
/// Maximum number of pending requests of a pump.
const MAX_REQUESTS: u8 = 4;

impl<'a> Application<'a> {
    pub(super) fn new(options: &RkhOptions, tracer: Tracer<'a>) -> Self {
        let pumps = options.pumps;
        let queue = 8 + (MAX_REQUESTS + 2) * pumps;
        let mut objects = vec![RkhObject::new(STATION, &station::MACHINE, queue)];
        let mut timers = vec![Timer::new(STATION, Signal::Tick)];
        for pump in 1..=pumps {
            objects.push(RkhObject::new(pump, &pump::MACHINE, PUMP_QUEUE_LEN));
            timers.push(Timer::new(pump, Signal::Timeout));
        }
        Self {
            tracer,
            objects,
            timers,
            pools: [
                EventPool::new(0, MAX_REQUESTS * pumps + MAX_DEFERRED, 4),
                EventPool::new(1, 2 * pumps, 12),
            ],
            deferred: ObjectQueue::new(address::DEFERRED_QUEUE, MAX_DEFERRED),
            station: Station::default(),
            random: Rng::with_seed(options.seed),
        }
    }

    /// The response of an object to an event.
    pub(super) fn respond(&mut self, number: u8, event: &RkhEvent) -> MachineResponse {
        let object = self.objects.get(usize::from(number));
        let state = object.map_or(0, |object| object.state);
        match number {
            STATION => self.station.respond(state, event),
            _ => pump::respond(state, event, &mut self.random),
        }
    }

    /// Runs an action and records it.
    pub(super) fn execute(&mut self, number: u8, effect: Effect, event: &mut RkhEvent) {
        match number {
            STATION => self.station_effect(effect, event),
            _ => self.pump_effect(number, effect),
        }
    }

    pub(super) fn start_timer(&mut self, owner: u8, ticks: u16, period: u16) {
        if let Some(timer) = self.timers.get_mut(usize::from(owner)) {
            timer.start(&mut self.tracer, ticks, period);
        }
    }

    pub(super) fn stop_timer(&mut self, owner: u8) {
        if let Some(timer) = self.timers.get_mut(usize::from(owner)) {
            timer.stop(&mut self.tracer);
        }
    }

    /// Posts an event in constant memory.
    pub(super) fn post_constant(&mut self, to: u8, signal: Signal, from: u8, front: bool) {
        self.post(to, RkhEvent::constant(signal), address::object(from), front);
    }

    /// A pump has run.
    pub(super) fn post_done(&mut self, pump: u8) {
        let event = RkhEvent {
            about: pump,
            ..RkhEvent::constant(Signal::Done)
        };
        self.post(STATION, event, address::object(pump), false);
    }

    /// Allocates an event and posts it, unless its pool is empty.
    pub(super) fn post_new(&mut self, pool: usize, signal: Signal, from: u8, to: u8, about: u8) {
        let actor = address::object(from);
        let tracer = &mut self.tracer;
        let pool = self.pools.get_mut(pool);
        if let Some(event) = pool.and_then(|pool| pool.make(tracer, signal, about, actor)) {
            self.post(to, event, actor, false);
        }
    }

    /// Puts an event into the queue of an object.
    pub(super) fn post(&mut self, to: u8, mut event: RkhEvent, sender: Address, front: bool) {
        let tracer = &mut self.tracer;
        let Some(object) = self.objects.get_mut(usize::from(to)) else {
            return;
        };
        if object.queue.is_full() {
            let queue = object.queue.address;
            tracer.put("QUE FULL", |recorder| recorder.que_full(queue));
            self.release(&event, sender);
            return;
        }
        event.hold();
        object.queue.put(tracer, event, front);
        let (references, pool) = (event.references, event.pool_from_one());
        let (ao, signal) = (object.ao(), event.signal.number());
        let (used, min_free) = (object.queue.len(), object.queue.min_free.into());
        let posted = if front {
            tracer.put("SMA LIFO", |recorder| {
                recorder.sma_lifo(ao, signal, sender, pool, references, used, min_free);
            })
        } else {
            tracer.put("SMA FIFO", |recorder| {
                recorder.sma_fifo(ao, signal, sender, pool, references, used, min_free);
            })
        };
        if posted.is_some() {
            tracer.truth.post(to, event.signal, sender, front, used);
        }
    }

    /// Defers an event of the station.
    pub(super) fn defer(&mut self, event: &mut RkhEvent) {
        if self.deferred.is_full() {
            let (number, name) = REFUSED;
            self.tracer.put(name, |recorder| {
                recorder.user(number, &[]);
            });
            return;
        }
        let aside = RkhEvent {
            references: 1,
            ..*event
        };
        event.hold();
        let tracer = &mut self.tracer;
        self.deferred.put(tracer, aside, false);
        let (queue, signal) = (self.deferred.address, event.signal.number());
        let put = tracer.put("SMA DEFER", |recorder| recorder.sma_defer(queue, signal));
        if put.is_some() {
            tracer.truth.defer(STATION);
        }
    }

    /// Recalls the oldest deferred event of the station.
    pub(super) fn recall(&mut self) {
        let tracer = &mut self.tracer;
        let Some(event) = self.deferred.take(tracer, true) else {
            return;
        };
        // The queue of deferred events releases it after this.
        self.post(STATION, event, address::object(STATION), true);
        let (tracer, signal) = (&mut self.tracer, event.signal.number());
        if let Some(object) = self.objects.get_mut(usize::from(STATION)) {
            object.queue.discard_first();
            let ao = object.ao();
            let back = tracer.put("SMA RCALL", |recorder| {
                recorder.sma_rcall(ao.address, signal);
            });
            if back.is_some() {
                tracer.truth.recall(STATION);
            }
        }
    }

    /// An event is not needed any more.
    pub(super) fn release(&mut self, event: &RkhEvent, actor: Address) {
        let pool = event
            .pool
            .and_then(|pool| self.pools.get_mut(usize::from(pool)));
        if let Some(pool) = pool {
            pool.release(&mut self.tracer, event, actor);
        }
    }
}

//! The RKH stream, as RKH's framework would write it if `control` and `display` were its
//! active objects.

use super::{sample_clock, truth};
use crate::machine::{Machine, MachineEvent, STATES, Signal};
use crate::threads::{CONTROL, CONTROL_SIGNALS, DISPLAY, DISPLAY_SIGNALS};
use crate::{KERNEL, limits};
use core::mem::MaybeUninit;
use kernel::{Event, Shared, Thread};
use recorders::EventClock;
use rtoscope_record::port::Primask;
use rtoscope_record::rkh::{
    ActiveObject, Address, RkhRecorder, StreamConfiguration, StreamSetup, Unfiltered, item,
};

/// The configuration of the stream: RKH's defaults, with senders.
enum DemoSetup {}

impl StreamSetup for DemoSetup {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration {
        sender: true,
        ..StreamConfiguration::DEFAULT
    };
    const FILTERS: bool = false;
    const TIMESTAMP_HZ: u32 = board::FREQUENCY;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
}

// SAFETY: one core, and neither NMI nor HardFault records.
static RECORDER: RkhRecorder<DemoSetup, Primask, EventClock> =
    RkhRecorder::new(unsafe { Primask::new() }, EventClock);

/// Bytes buffered until the idle thread sends them.
const BYTES: usize = 8192;
static mut BUFFER: [MaybeUninit<u8>; BYTES] = [MaybeUninit::uninit(); BYTES];

/// The two queues: their current and maximum numbers of messages. A message handed
/// directly to a waiting thread counts until that thread runs.
static LEVELS: Shared<[Level; 2]> = Shared::new([Level { used: 0, max: 0 }; 2]);

#[derive(Clone, Copy)]
struct Level {
    used: u32,
    max: u32,
}

/// User records.
const SEMAPHORE_PUT: u8 = 0;
const SLICE_OVER: u8 = 1;

/// Ids of the records, the first byte of a frame.
mod id {
    pub(super) const QUE_INIT: u8 = 0x20;
    pub(super) const QUE_GET: u8 = 0x21;
    pub(super) const QUE_FIFO: u8 = 0x22;
    pub(super) const QUE_GET_LAST: u8 = 0x26;
    pub(super) const SMA_ACT: u8 = 0x40;
    pub(super) const SMA_GET: u8 = 0x42;
    pub(super) const SMA_FIFO: u8 = 0x43;
    pub(super) const SMA_REG: u8 = 0x45;
    pub(super) const SM_INIT: u8 = 0x60;
    pub(super) const SM_TRN: u8 = 0x62;
    pub(super) const SM_STATE: u8 = 0x63;
    pub(super) const SM_ENSTATE: u8 = 0x64;
    pub(super) const SM_EXSTATE: u8 = 0x65;
    pub(super) const SM_NENEX: u8 = 0x66;
    pub(super) const SM_TS_STATE: u8 = 0x68;
    pub(super) const SM_EVT_PROC: u8 = 0x69;
    pub(super) const SM_EVT_NFOUND: u8 = 0x6A;
    pub(super) const SM_DCH: u8 = 0x71;
    pub(super) const FWK_EN: u8 = 0xA0;
    pub(super) const FWK_SIG: u8 = 0xA7;
    pub(super) const FWK_TUSR: u8 = 0xAB;
    pub(super) const FWK_TCFG: u8 = 0xAC;
    pub(super) const FWK_AO: u8 = 0xAE;
    pub(super) const FWK_STATE: u8 = 0xAF;
    pub(super) const FWK_QUEUE: u8 = 0xB3;
    pub(super) const FWK_ACTOR: u8 = 0xB4;
    pub(super) const USER: u8 = 0xC0;
}

pub(super) fn start() {
    // SAFETY: `start` is called once, before anything else.
    let buffer = unsafe { &mut *core::ptr::addr_of_mut!(BUFFER) };
    let buffer = limits::truncate(buffer, |limits| limits.stream_bytes);
    if RECORDER.start(buffer).is_err() {
        return;
    }
    truth::record(id::FWK_TCFG);
    register_names();
    record(id::FWK_EN, |recorder| recorder.fwk_en());
}

/// Names all signals and objects in records.
fn register_names() {
    for signal in Signal::ALL {
        record(id::FWK_SIG, |to| {
            to.fwk_sig(signal as u32, signal.name().to_bytes())
        });
    }
    for (number, name) in [(SEMAPHORE_PUT, "semaphore put"), (SLICE_OVER, "slice over")] {
        record(id::FWK_TUSR, |to| {
            to.fwk_tusr(number.into(), name.as_bytes());
        });
    }
    for (index, thread) in KERNEL.threads().iter().enumerate() {
        let (address, name) = (wire_address(thread.address()), thread.name().to_bytes());
        if index == CONTROL || index == DISPLAY {
            record(id::FWK_AO, |to| to.fwk_ao(address, name));
        } else {
            record(id::FWK_ACTOR, |to| to.fwk_actor(address, name));
        }
    }
    for (queue, thread) in queues() {
        let name = if queue == CONTROL_SIGNALS.address() {
            CONTROL_SIGNALS.name()
        } else {
            DISPLAY_SIGNALS.name()
        };
        let (queue, object) = (wire_address(queue), object(thread));
        record(id::FWK_QUEUE, |to| to.fwk_queue(queue, name.to_bytes()));
        for state in STATES {
            let (address_of_state, name) = (wire_address(state.address()), state.name().to_bytes());
            record(id::FWK_STATE, |to| {
                to.fwk_state(object.address, address_of_state, name)
            });
        }
        let capacity = crate::threads::SIGNALS as u32;
        record(id::QUE_INIT, |to| {
            to.que_init(queue, object.address, capacity)
        });
        record(id::SMA_REG, |to| to.sma_reg(object, object.priority));
    }
}

/// Stops the stream; recorded bytes can still be sent.
pub(super) fn stop() {
    RECORDER.stop();
}

/// Number of lost records.
pub(super) fn lost() -> u32 {
    RECORDER.lost()
}

/// Sends all available bytes in blocks.
pub(crate) fn drain(send: fn(&[u8])) {
    let mut block = [0; 64];
    loop {
        let taken = RECORDER.take(&mut block);
        let Some(bytes) = block.get(..taken).filter(|bytes| !bytes.is_empty()) else {
            return;
        };
        KERNEL.without_interrupts(|| truth::total(|totals| totals.rkh_bytes += bytes.len() as u32));
        send(bytes);
    }
}

pub(super) fn observe(running: Option<&Thread>, depth: u32, event: &Event<'_>) {
    match *event {
        Event::QueueSend {
            queue,
            message,
            capacity,
            ..
        } => {
            let Some((object, level)) = change(queue, 1) else {
                return;
            };
            let sender = running.filter(|_| depth == 0).map_or(0, Thread::address);
            let (queue, free) = (wire_address(queue), capacity.saturating_sub(level.max));
            record(id::QUE_FIFO, |to| to.que_fifo(queue, level.used, free));
            record(id::SMA_FIFO, |to| {
                to.sma_fifo(
                    object,
                    message,
                    wire_address(sender),
                    0,
                    0,
                    level.used,
                    free,
                );
            });
        }
        Event::QueueReceived {
            queue,
            message,
            capacity,
            ..
        } => {
            let Some((object, level)) = change(queue, -1) else {
                return;
            };
            let (queue, free) = (wire_address(queue), capacity.saturating_sub(level.max));
            if level.used == 0 {
                record(id::QUE_GET_LAST, |to| to.que_get_last(queue));
            } else {
                record(id::QUE_GET, |to| to.que_get(queue, level.used));
            }
            record(id::SMA_GET, |to| {
                to.sma_get(object, message, 0, 0, level.used, free)
            });
        }
        Event::SemaphorePut {
            semaphore, count, ..
        } => {
            let items = [item::object(wire_address(semaphore)), item::u32(0, count)];
            record(id::USER + SEMAPHORE_PUT, |to| {
                to.user(SEMAPHORE_PUT.into(), &items);
            });
        }
        Event::TimeSliceExpired { thread, .. } => {
            let items = [item::text(thread.name().to_bytes())];
            record(id::USER + SLICE_OVER, |to| {
                to.user(SLICE_OVER.into(), &items);
            });
        }
        _ => {}
    }
}

/// Records an action of a machine.
pub(crate) fn record_machine(machine: &Machine, event: MachineEvent) {
    let Some((_, thread)) = queues()
        .into_iter()
        .find(|(_, thread)| thread.address() == machine.owner())
    else {
        return;
    };
    let object = object(thread);
    let record_now = |id: u8, write: &dyn Fn(&RkhRecorder<DemoSetup, Primask, EventClock>)| {
        KERNEL.without_interrupts(|| {
            if super::is_recording() {
                sample_clock();
                record(id, write);
            }
        });
    };
    let state = wire_address(machine.state().address());
    match event {
        MachineEvent::Started => {
            record_now(id::SM_INIT, &|to| to.sm_init(object, state));
            record_now(id::SM_TRN, &|to| to.sm_trn(object, state, state));
            record_now(id::SM_TS_STATE, &|to| to.sm_ts_state(object, state));
            record_now(id::SM_ENSTATE, &|to| to.sm_enstate(object, state));
            record_now(id::SM_NENEX, &|to| to.sm_nenex(object, 1, 0));
            record_now(id::SM_STATE, &|to| to.sm_state(object, state));
            record_now(id::SM_EVT_PROC, &|to| to.sm_evt_proc(object));
            let capacity = crate::threads::SIGNALS as u8;
            record_now(id::SMA_ACT, &|to| {
                to.sma_act(object, object.priority, capacity)
            });
        }
        MachineEvent::Dispatched(signal) => {
            record_now(id::SM_DCH, &|to| to.sm_dch(object, signal, state))
        }
        MachineEvent::NotFound(signal) => {
            record_now(id::SM_EVT_NFOUND, &|to| to.sm_evt_nfound(object, signal));
        }
        MachineEvent::InternalTransition => {
            record_now(id::SM_TRN, &|to| to.sm_trn(object, state, Address::NONE));
            record_now(id::SM_EVT_PROC, &|to| to.sm_evt_proc(object));
        }
        MachineEvent::Transition(target) => {
            let target = wire_address(target.address());
            record_now(id::SM_TRN, &|to| to.sm_trn(object, state, target));
            record_now(id::SM_TS_STATE, &|to| to.sm_ts_state(object, target));
            record_now(id::SM_EXSTATE, &|to| to.sm_exstate(object, state));
            record_now(id::SM_ENSTATE, &|to| to.sm_enstate(object, target));
            record_now(id::SM_NENEX, &|to| to.sm_nenex(object, 1, 1));
            record_now(id::SM_STATE, &|to| to.sm_state(object, target));
            record_now(id::SM_EVT_PROC, &|to| to.sm_evt_proc(object));
        }
    }
}

/// Records an event and counts it.
fn record(id: u8, write: impl FnOnce(&RkhRecorder<DemoSetup, Primask, EventClock>)) {
    truth::record(id);
    write(&RECORDER);
}

/// The queues of the active objects, with their threads.
fn queues() -> [(usize, &'static Thread); 2] {
    let threads = KERNEL.threads();
    [
        (CONTROL_SIGNALS.address(), &threads[CONTROL]),
        (DISPLAY_SIGNALS.address(), &threads[DISPLAY]),
    ]
}

/// Adds `by` messages to a queue. Returns its active object and the new level.
fn change(queue: usize, by: i32) -> Option<(ActiveObject, Level)> {
    let index = queues().iter().position(|(known, _)| *known == queue)?;
    let (_, thread) = queues().into_iter().nth(index)?;
    let level = LEVELS.with(|levels| {
        let level = levels.get_mut(index)?;
        level.used = level.used.saturating_add_signed(by);
        level.max = level.max.max(level.used);
        Some(*level)
    })?;
    Some((object(thread), level))
}

fn object(thread: &Thread) -> ActiveObject {
    ActiveObject::new(wire_address(thread.address()), thread.own_priority())
}

fn wire_address(address: usize) -> Address {
    Address(address as u32)
}

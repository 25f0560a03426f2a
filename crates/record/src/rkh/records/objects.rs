//! Memory pools, queues, active objects and timers.

use super::widths::Widths;
use super::{passes, records};
use crate::port::{Clock, Mask};
use crate::rkh::packed::PackedArguments;
use crate::rkh::value::WireNumber;
use crate::rkh::{ActiveObject, Address, RkhRecorder, StreamSetup};

records! {
    /// `RKH_TR_MP_INIT`: a pool was created.
    mp_init = 0x00 Group {
        pool: Address = Object(Pool), blocks: u32 = Blocks, block_size: u32 = BlockSize,
    }
    /// `RKH_TR_MP_GET`: a block was taken from a pool, or the pool was empty.
    mp_get = 0x01 Group {
        pool: Address = Object(Pool), free: u32 = Blocks, minimum: u32 = BlocksMinimum,
    }
    /// `RKH_TR_MP_PUT`: a block was returned.
    mp_put = 0x02 Group { pool: Address = Object(Pool), free: u32 = Blocks }

    /// `RKH_TR_QUE_INIT`: a queue was created, with or without an active object.
    que_init = 0x20 Group {
        queue: Address = Object(Queue), ao: Address = Object(ActiveObject),
        size: u32 = Elements,
    }
    /// `RKH_TR_QUE_GET`: an element was taken; `left` elements remain.
    que_get = 0x21 Group { queue: Address = Object(Queue), left: u32 = Elements }
    /// `RKH_TR_QUE_FIFO`: an element was put at the end. `minimum` is the low-water mark
    /// of free elements.
    que_fifo = 0x22 Group {
        queue: Address = Object(Queue), used: u32 = Elements,
        minimum: u32 = ElementsMinimum,
    }
    /// `RKH_TR_QUE_LIFO`: an element was put at the front.
    que_lifo = 0x23 Group {
        queue: Address = Object(Queue), used: u32 = Elements,
        minimum: u32 = ElementsMinimum,
    }
    /// `RKH_TR_QUE_FULL`: the queue was full.
    que_full = 0x24 Group { queue: Address = Object(Queue) }
    /// `RKH_TR_QUE_DPT`: a queue was depleted.
    que_dpt = 0x25 Group { queue: Address = Object(Queue) }
    /// `RKH_TR_QUE_GET_LAST`: the last element was taken.
    que_get_last = 0x26 Group { queue: Address = Object(Queue) }

    /// `RKH_TR_SMA_ACT`: an active object was activated.
    sma_act = 0x40 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), priority: u8 = Priority,
        queue_size: u8 = QueueSize,
    }
    /// `RKH_TR_SMA_TERM`: an active object was terminated.
    sma_term = 0x41 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), priority: u8 = Priority,
    }
    /// `RKH_TR_SMA_GET`: an active object took an event. Its pool is counted from 1; 0
    /// for a static event.
    sma_get = 0x42 Signal(ao, signal) {
        ao: ActiveObject = Object(ActiveObject), signal: u32 = Signal,
        pool: u8 = EventPool1, references: u8 = References, left: u32 = Elements,
        minimum: u32 = ElementsMinimum,
    }
    /// `RKH_TR_SMA_FIFO`: an event was posted to an active object.
    sma_fifo = 0x43 Signal(ao, signal) {
        ao: ActiveObject = Object(ActiveObject), signal: u32 = Signal,
        sender: Address = Sender(Actor), pool: u8 = EventPool1,
        references: u8 = References, used: u32 = Elements,
        minimum: u32 = ElementsMinimum,
    }
    /// `RKH_TR_SMA_LIFO`: an event was posted to the front of the queue.
    sma_lifo = 0x44 Signal(ao, signal) {
        ao: ActiveObject = Object(ActiveObject), signal: u32 = Signal,
        sender: Address = Sender(Actor), pool: u8 = EventPool1,
        references: u8 = References, used: u32 = Elements,
        minimum: u32 = ElementsMinimum,
    }
    /// `RKH_TR_SMA_REG`: an active object was registered.
    sma_reg = 0x45 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), priority: u8 = Priority,
    }
    /// `RKH_TR_SMA_UNREG`: an active object was unregistered.
    sma_unreg = 0x46 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), priority: u8 = Priority,
    }
    /// `RKH_TR_SMA_DEFER`: an event was deferred.
    sma_defer = 0x47 Group { queue: Address = Object(Queue), signal: u32 = Signal }
    /// `RKH_TR_SMA_RCALL`: a deferred event was recalled.
    sma_rcall = 0x48 Group { ao: Address = Object(ActiveObject), signal: u32 = Signal }

    /// `RKH_TR_TMR_INIT`: a timer was created.
    tmr_init = 0x80 Group { timer: Address = Object(Timer), signal: u32 = Signal }
    /// `RKH_TR_TMR_START`: a timer was started.
    tmr_start = 0x81 Group {
        timer: Address = Object(Timer), ao: Address = Object(ActiveObject),
        ticks: u32 = Ticks, period: u32 = Ticks,
    }
    /// `RKH_TR_TMR_STOP`: a timer was stopped, whether or not it was running.
    tmr_stop = 0x82 Group {
        timer: Address = Object(Timer), left: u32 = Ticks, period: u32 = Ticks,
    }
    /// `RKH_TR_TMR_TOUT`: a timer expired.
    tmr_tout = 0x83 Signal(ao, signal) {
        timer: Address = Object(Timer), signal: u32 = Signal,
        ao: ActiveObject = Object(ActiveObject),
    }
    /// `RKH_TR_TMR_REM`: a timer was removed from the list of running timers.
    tmr_rem = 0x84 Group { timer: Address = Object(Timer) }
}

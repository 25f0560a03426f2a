//! The framework.

use super::widths::Widths;
use super::{passes, records};
use crate::port::{Clock, Mask};
use crate::rkh::packed::PackedArguments;
use crate::rkh::value::WireNumber;
use crate::rkh::{Address, RkhRecorder, StreamSetup};

records! {
    /// `RKH_TR_FWK_EN`: the framework was started.
    fwk_en = 0xA0 Group {}
    /// `RKH_TR_FWK_EX`: the framework was stopped.
    fwk_ex = 0xA1 Group {}
    /// `RKH_TR_FWK_EPREG`: an event pool, counted from 1, was registered.
    fwk_epreg = 0xA2 Group {
        pool: u8 = EventPool1, bytes: u32 = StorageSize, event_size: u32 = EventSize,
        blocks: u32 = Blocks,
    }
    /// `RKH_TR_FWK_AE`: an event was allocated. Its pool is counted from 0.
    fwk_ae = 0xA3 Group {
        event_size: u32 = EventSize, signal: u32 = Signal, pool: u8 = EventPool0,
        references: u8 = References, used: u32 = Blocks, minimum: u32 = BlocksMinimum,
        actor: Address = Object(Actor),
    }
    /// `RKH_TR_FWK_GC`: an event was kept, because it still has references. Its pool is
    /// counted from 1.
    fwk_gc = 0xA4 Group {
        signal: u32 = Signal, pool: u8 = EventPool1, references: u8 = References,
    }
    /// `RKH_TR_FWK_GCR`: an event was recycled. Its pool is counted from 0.
    fwk_gcr = 0xA5 Group {
        signal: u32 = Signal, pool: u8 = EventPool0, references: u8 = References,
        used: u32 = Blocks, minimum: u32 = BlocksMinimum, actor: Address = Object(Actor),
    }
    /// `RKH_TR_FWK_EXE_FUN`: a function was called.
    fwk_exe_fun = 0xA9 Never { function: Address = Function }
    /// `RKH_TR_FWK_SYNC_EVT`: a function of another object was called, like a synchronous
    /// event.
    fwk_sync_evt = 0xAA Never {
        function: Address = Function, sender: Address = Sender(Actor),
        receiver: Address = Sender(ActiveObject),
    }
}

/// `RKH_TE_FWK_ASSERT` of RKH 3.
const ASSERT: u8 = 0xAD;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TR_FWK_ASSERT`: an assertion failed. RKH passes the name of the source file
    /// without `.c`.
    pub fn fwk_assert(&self, module: &[u8], line: u16) {
        if self.passing.event(ASSERT) {
            self.record_with(ASSERT, 3, |cursor| {
                cursor.text(module);
                cursor.bytes(&line.to_le_bytes());
            });
        }
    }
}

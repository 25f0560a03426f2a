//! The context-switch log.

use crate::limits;
use core::mem::MaybeUninit;
use recorders::EventClock;
use rtoscope_record::cswitch::{BufferMode, LogEntry, SwitchLog};
use rtoscope_record::port::Primask;

/// Number of entries in the log.
const ENTRIES: usize = 4400;

/// `rtoscope` finds the log by this symbol.
// SAFETY: one core, and neither NMI nor HardFault records.
#[unsafe(export_name = "rtoscope_cswitch_log")]
pub(super) static CONTEXT_SWITCH_LOG: SwitchLog<Primask, EventClock> =
    SwitchLog::new(unsafe { Primask::new() }, EventClock);

static mut BUFFER: [MaybeUninit<LogEntry>; ENTRIES] = [const { MaybeUninit::uninit() }; ENTRIES];

pub(super) fn start() {
    // SAFETY: `start` is called once, before anything else.
    let buffer = unsafe { &mut *core::ptr::addr_of_mut!(BUFFER) };
    let mode = if limits::limits().is_some() || cfg!(feature = "endless") {
        BufferMode::Cyclic
    } else {
        BufferMode::OneShot
    };
    CONTEXT_SWITCH_LOG.start(limits::truncate(buffer, |limits| limits.log_entries), mode);
}

/// Number of lost entries.
pub(super) fn lost() -> u32 {
    CONTEXT_SWITCH_LOG.lost() as u32
}

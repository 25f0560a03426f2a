//! The context-switch log.

use super::EventClock;
use crate::limits;
use core::mem::MaybeUninit;
use kernel::{Event, Thread};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, LogEntry, SwitchLog};
use rtoscope_record::port::Primask;

/// Number of entries in the log.
const ENTRIES: usize = 4400;

/// `rtoscope` finds the log by this symbol.
// SAFETY: one core, and neither NMI nor HardFault records.
#[unsafe(export_name = "rtoscope_cswitch_log")]
static CONTEXT_SWITCH_LOG: SwitchLog<Primask, EventClock> =
    SwitchLog::new(unsafe { Primask::new() }, EventClock);

static mut BUFFER: [MaybeUninit<LogEntry>; ENTRIES] = [const { MaybeUninit::uninit() }; ENTRIES];

pub(super) fn start() {
    // SAFETY: `start` is called once, before anything else.
    let buffer = unsafe { &mut *core::ptr::addr_of_mut!(BUFFER) };
    let max_entries = limits::log_entries();
    let mode = if max_entries.is_some() || cfg!(feature = "endless") {
        BufferMode::Cyclic
    } else {
        BufferMode::OneShot
    };
    CONTEXT_SWITCH_LOG.start(limits::truncate(buffer, max_entries), mode);
}

/// Number of lost entries.
pub(super) fn lost() -> u32 {
    CONTEXT_SWITCH_LOG.lost() as u32
}

/// Records the event. Returns whether the log has an entry for it.
pub(super) fn observe(running: Option<&Thread>, depth: u32, event: &Event<'_>) -> bool {
    let log = &CONTEXT_SWITCH_LOG;
    let context = match running {
        _ if depth > 0 => Name::ISR,
        Some(thread) => name(thread),
        None => rtoscope_record::name!("idle"),
    };
    match *event {
        Event::Dispatched {
            thread,
            interrupted: true,
            address,
        } => {
            log.async_resume(address, name(thread));
        }
        Event::Dispatched {
            thread,
            interrupted: false,
            address,
        } => {
            log.sync_resume(address, name(thread));
        }
        Event::IdleEntered => log.sleep(kernel::address_here(), context),
        Event::IdleLeft => log.wake(kernel::address_here(), context),
        Event::InterruptEntered { handler, .. } => log.isr_enter(handler),
        Event::InterruptLeft { handler, .. } => log.isr_exit(handler),
        Event::Returned { thread, address } => log.isr_return(address, name(thread)),
        Event::InterruptsDisabled { already, address } => {
            log.interrupts_disabled(already, address, context);
        }
        Event::InterruptsRestored { still, address } => {
            log.interrupts_restored(still, address, context);
        }
        _ => return false,
    }
    true
}

fn name(thread: &Thread) -> Name {
    Name::from_ptr(thread.name().as_ptr().cast())
}

//! The context-switch log.

use kernel::{Event, Thread};
use rtoscope_record::Name;
use rtoscope_record::cswitch::SwitchLog;
use rtoscope_record::port::{Clock, Mask};

/// Records the event. Returns whether the log has an entry for it.
pub fn observe<M: Mask, C: Clock>(
    log: &SwitchLog<M, C>,
    running: Option<&Thread>,
    depth: u32,
    event: &Event<'_>,
) -> bool {
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

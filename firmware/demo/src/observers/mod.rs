//! Everybody who observes the kernel: three recorders, and what they are
//! compared with.

mod cswitch;
pub(crate) mod rkh;
mod threadx;
pub(crate) mod truth;

use crate::board;
use crate::shared::Shared;
use kernel::{Event, Observer, Thread};
use rtoscope_record::port::Clock;

/// The moment of what is being observed: the board's counter, read once, so
/// that all observers say the same.
static MOMENT: Shared<u32> = Shared::new(0);

static RECORDING: Shared<bool> = Shared::new(false);

/// The clock of the recorders.
pub(crate) struct Stamp;

impl Clock for Stamp {
    fn now(&self) -> u32 {
        MOMENT.with(|moment| *moment)
    }
}

/// The kernel's observer.
pub(crate) struct Observers;

impl Observers {
    /// Starts all recorders, with interrupts off.
    pub(crate) fn start(&self) {
        take_moment();
        cswitch::start();
        let events = threadx::start();
        truth::total(|totals| totals.txtb_events = events);
        rkh::start();
        RECORDING.with(|recording| *recording = true);
    }

    /// Ends all recordings, with interrupts off. What they hold stays.
    pub(crate) fn stop(&self) {
        RECORDING.with(|recording| *recording = false);
        threadx::stop();
        rkh::stop();
        truth::total(|totals| {
            totals.cswitch_lost = cswitch::lost();
            totals.rkh_lost = rkh::lost();
        });
    }
}

impl Observer for Observers {
    fn observe(&self, executing: Option<&Thread>, depth: u32, event: Event<'_>) {
        if !is_recording() {
            return;
        }
        let now = take_moment();
        truth::observe(now, executing, depth, &event);
        if cswitch::observe(executing, depth, &event) {
            truth::total(|totals| totals.cswitch_entries += 1);
        }
        let events = threadx::observe(executing, depth, &event);
        truth::total(|totals| totals.txtb_events += events);
        rkh::observe(executing, depth, &event);
    }
}

/// Whether there is still something to be recorded, with interrupts off.
fn is_recording() -> bool {
    RECORDING.with(|recording| *recording)
}

/// Something that only the stream has a record for is about to happen.
pub(crate) fn take_moment() -> u32 {
    let now = board::counter();
    MOMENT.with(|moment| *moment = now);
    now
}

//! The observers of the kernel: three recorders, and the counters with which they are
//! compared.

mod cswitch;
pub(crate) mod rkh;
mod threadx;
pub(crate) mod truth;

use crate::board;
use crate::shared::Shared;
use kernel::{Event, Observer, Thread};
use rtoscope_record::port::Clock;

/// The timestamp of the observed event: the board's counter, read once, so that all
/// observers use the same value.
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

    /// Stops all recorders, with interrupts off. The recordings remain.
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

/// Whether events are being recorded. Call it with interrupts off.
fn is_recording() -> bool {
    RECORDING.with(|recording| *recording)
}

/// Reads the counter for the next event. Call it before an event that only the stream
/// records.
pub(crate) fn take_moment() -> u32 {
    let now = board::counter();
    MOMENT.with(|moment| *moment = now);
    now
}

//! The observers of the kernel: three recorders, and the counters with which they are
//! compared.

mod cswitch;
pub(crate) mod rkh;
mod threadx;
pub(crate) mod truth;

use kernel::{Event, Observer, Shared, Thread};
use recorders::EventClock;

static RECORDING: Shared<bool> = Shared::new(false);

/// The kernel's observer.
pub(crate) struct Observers;

impl Observers {
    /// Starts all recorders, with interrupts off.
    pub(crate) fn start(&self) {
        sample_clock();
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
    fn observe(&self, running: Option<&Thread>, depth: u32, event: Event<'_>) {
        if !is_recording() {
            return;
        }
        let now = sample_clock();
        truth::observe(now, running, depth, &event);
        if recorders::cswitch::observe(&cswitch::CONTEXT_SWITCH_LOG, running, depth, &event) {
            truth::total(|totals| totals.cswitch_entries += 1);
        }
        let events = recorders::threadx::observe(&threadx::RECORDER, running, depth, &event);
        truth::total(|totals| totals.txtb_events += events);
        rkh::observe(running, depth, &event);
    }
}

/// Whether events are being recorded. Call it with interrupts off.
fn is_recording() -> bool {
    RECORDING.with(|recording| *recording)
}

/// Reads the counter for the next event. Call it before an event that only the stream
/// records.
pub(crate) fn sample_clock() -> u32 {
    let now = board::counter();
    EventClock::set(now);
    now
}

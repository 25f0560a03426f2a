//! The observers of the kernel: two recorders, and the truth about each frame.

mod recording;
pub(crate) mod truth;

use crate::KERNEL;
use kernel::{Event, Observer, Shared, Thread};
use recorders::EventClock;
use recording::{LOG, RECORDER};

static RECORDING: Shared<bool> = Shared::new(false);

/// The kernel's observer.
pub(crate) struct Observers;

impl Observers {
    /// Starts both recorders, with interrupts off.
    pub(crate) fn start(&self) {
        sample_clock();
        let events = recording::start();
        truth::start(events);
        RECORDING.with(|recording| *recording = true);
    }

    /// Stops both recorders, with interrupts off. The recordings remain.
    pub(crate) fn stop(&self) {
        RECORDING.with(|recording| *recording = false);
        recording::stop();
        truth::total(|totals| totals.cswitch_lost = LOG.lost() as u32);
    }
}

impl Observer for Observers {
    fn observe(&self, running: Option<&Thread>, depth: u32, event: Event<'_>) {
        if !RECORDING.with(|recording| *recording) {
            return;
        }
        let now = sample_clock();
        truth::observe(now, depth, &event);
        let entries = u32::from(recorders::cswitch::observe(&LOG, running, depth, &event));
        let entries = entries + recording::mark(&event);
        let events = recorders::threadx::observe(&RECORDER, running, depth, &event);
        truth::total(|totals| {
            totals.cswitch_entries += entries;
            totals.txtb_events += events;
        });
    }
}

/// Records that a frame is on the display.
pub(crate) fn frame_shown(frame: u32) {
    KERNEL.without_interrupts(|| {
        let now = sample_clock();
        let entries = recording::frame_shown(frame);
        truth::total(|totals| {
            totals.txtb_events += 1;
            totals.cswitch_entries += entries;
        });
        truth::shown(now, frame);
    });
}

/// Reads the counter for the next event.
fn sample_clock() -> u32 {
    let now = board::counter();
    EventClock::set(now);
    now
}

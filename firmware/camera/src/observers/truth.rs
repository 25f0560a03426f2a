//! The truth about each frame, independent of the recorders.

use crate::KERNEL;
use crate::plan::{DEADLINE, INJECTIONS, PERIOD};
use crate::threads::{CAMERA_INTERRUPT, DECODED, RAW, READY};
use kernel::{Event, Shared};
use truth::DONE;
use truth::camera::{CameraTruth, Frame, Totals, Verdict};

/// The host finds it by its symbol.
#[unsafe(no_mangle)]
static GROUND_TRUTH: Shared<CameraTruth> = Shared::new(CameraTruth::ZERO);

/// When the camera's latest interrupt began.
static CAPTURED: Shared<u32> = Shared::new(0);

/// Numbers the frames and stores what is injected.
pub(super) fn start(events: u32) {
    GROUND_TRUTH.with(|truth| {
        truth.totals.frequency = board::FREQUENCY;
        truth.totals.period = PERIOD;
        truth.totals.deadline = DEADLINE;
        truth.totals.txtb_events = events;
        for (number, frame) in (1..).zip(&mut truth.frames) {
            frame.number = number;
        }
        for injection in &INJECTIONS {
            if let Some(frame) = frame(truth, injection.frame) {
                frame.cause = injection.cause as u32;
                frame.stage = injection.stage;
                let culprit = injection.culprit;
                let culprit = culprit.and_then(|index| KERNEL.threads().get(index));
                frame.culprit = culprit.map_or(0, |thread| thread.name().as_ptr() as u32);
            }
        }
    });
}

/// Changes a global figure.
pub(super) fn total(change: impl FnOnce(&mut Totals)) {
    GROUND_TRUTH.with(|truth| change(&mut truth.totals));
}

/// Marks the end of the program.
pub(crate) fn finish() {
    GROUND_TRUTH.with(|truth| truth.done = DONE);
}

pub(super) fn observe(now: u32, depth: u32, event: &Event<'_>) {
    match *event {
        Event::InterruptEntered { number, .. } if number == CAMERA_INTERRUPT => {
            CAPTURED.with(|captured| *captured = now);
        }
        Event::QueueSend {
            queue,
            message,
            used,
            capacity,
            ..
        } => change(message, |frame| {
            if queue == RAW.address() {
                frame.captured = CAPTURED.with(|captured| *captured);
                frame.camera_sent = now;
            } else if queue == DECODED.address() {
                frame.decoder_sent = now;
            } else {
                frame.filter_sent = now;
            }
            if depth > 0 && used == capacity {
                frame.verdict = Verdict::Dropped as u32;
            }
        }),
        Event::QueueReceived { queue, message, .. } => change(message, |frame| {
            if queue == RAW.address() {
                frame.decoder_received = now;
            } else if queue == DECODED.address() {
                frame.filter_received = now;
            } else if queue == READY.address() {
                frame.display_received = now;
            }
        }),
        _ => {}
    }
}

/// The frame is on the display.
pub(super) fn shown(now: u32, number: u32) {
    change(number, |frame| {
        frame.shown = now;
        let is_late = now.wrapping_sub(frame.captured) > DEADLINE;
        let verdict = if is_late {
            Verdict::Late
        } else {
            Verdict::OnTime
        };
        frame.verdict = verdict as u32;
    });
}

fn change(number: u32, change: impl FnOnce(&mut Frame)) {
    GROUND_TRUTH.with(|truth| {
        if let Some(frame) = frame(truth, number) {
            change(frame);
        }
    });
}

fn frame(truth: &mut CameraTruth, number: u32) -> Option<&mut Frame> {
    let index = number.checked_sub(1)?;
    truth.frames.get_mut(index as usize)
}

//! What is done to which frame.

use crate::threads::{NETWORK, STATISTICS, STORAGE};
use crate::{KERNEL, TICKS};
use board::Timing;
use truth::camera::Cause;

/// Cycles from one frame to the next: 10 ms.
pub(crate) const PERIOD: u32 = PERIOD_TICKS * (board::FREQUENCY / TICKS);
const PERIOD_TICKS: u32 = 10;

/// The camera's interrupts: frame n comes 0.3 ms after tick 10 n.
pub(crate) const CAMERA: Timing = Timing {
    first: PERIOD + 3 * (board::FREQUENCY / TICKS) / 10,
    period: PERIOD,
};

/// The display's interrupts, half a period after the camera's.
pub(crate) const DISPLAY: Timing = Timing {
    first: CAMERA.first + PERIOD / 2,
    period: PERIOD,
};

/// Cycles from the camera's interrupt until the frame has to be on the display: 8 ms.
/// An undisturbed frame needs 5.3 ms.
pub(crate) const DEADLINE: u32 = 8 * (board::FREQUENCY / TICKS);

/// Frame during whose decoding `network` runs for 6 ms.
pub(crate) const PREEMPTED: u32 = 6;
/// Frame for whose filtering `statistics` holds the mutex.
pub(crate) const BLOCKED: u32 = 10;
/// Frame during whose decoding `network` runs for more than two periods. The next frame
/// waits in the queue, and there is no room for the one after it.
pub(crate) const STALLED: u32 = 14;
/// Frame during whose display `storage` turns off interrupts.
pub(crate) const UNREFRESHED: u32 = 20;

/// What happens to a frame.
pub(crate) struct Injection {
    pub(crate) frame: u32,
    pub(crate) cause: Cause,
    /// Index of the stage where it happens.
    pub(crate) stage: u32,
    /// Index of the thread that does it.
    pub(crate) culprit: Option<usize>,
}

/// Indices of the stages.
mod stage {
    pub(super) const CAMERA: u32 = 0;
    pub(super) const DECODER: u32 = 1;
    pub(super) const FILTER: u32 = 2;
    pub(super) const DISPLAY: u32 = 3;
}

pub(crate) const INJECTIONS: [Injection; 6] = [
    injection(PREEMPTED, Cause::Preempted, stage::DECODER, Some(NETWORK)),
    injection(BLOCKED, Cause::Blocked, stage::FILTER, Some(STATISTICS)),
    injection(STALLED, Cause::Preempted, stage::DECODER, Some(NETWORK)),
    injection(STALLED + 1, Cause::Busy, stage::DECODER, Some(NETWORK)),
    injection(STALLED + 2, Cause::QueueFull, stage::CAMERA, None),
    injection(
        UNREFRESHED,
        Cause::InterruptsOff,
        stage::DISPLAY,
        Some(STORAGE),
    ),
];

const fn injection(frame: u32, cause: Cause, stage: u32, culprit: Option<usize>) -> Injection {
    Injection {
        frame,
        cause,
        stage,
        culprit,
    }
}

/// Sleeps until `ticks` after the tick before the camera's interrupt of a frame, or before
/// that tick if negative.
pub(crate) fn sleep_until(frame: u32, ticks: i32) {
    let target = (frame * PERIOD_TICKS).wrapping_add_signed(ticks);
    KERNEL.sleep(target.wrapping_sub(KERNEL.ticks()));
}

//! The numbers of thread states.

use rtoscope_analysis::schedule::ThreadState;
use rtoscope_trace::WaitReason;

/// The numbers of thread states: [`RUNNING`], [`READY`], then the wait reasons.
pub(super) const FIRST_WAIT: u32 = 2;
pub(super) const RUNNING: u32 = 0;
pub(super) const READY: u32 = 1;

/// The numbers and names of thread states.
pub(crate) fn names() -> impl Iterator<Item = (u32, &'static str)> {
    let waits = WaitReason::ALL.iter().map(|wait| wait.name());
    (0..).zip(["running", "ready"].into_iter().chain(waits))
}

/// The width of a state number in bits.
pub(crate) const BITS: u32 = (FIRST_WAIT + WaitReason::ALL.len() as u32 - 1).ilog2() + 1;

pub(super) fn number(state: ThreadState) -> Option<u32> {
    match state {
        ThreadState::Unknown | ThreadState::Deleted => None,
        ThreadState::Running => Some(RUNNING),
        ThreadState::Ready => Some(READY),
        ThreadState::Waiting {
            wait_reason: wait, ..
        } => Some(FIRST_WAIT + wait as u32),
    }
}

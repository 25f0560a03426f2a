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
        ThreadState::Unknown => None,
        ThreadState::Running => Some(RUNNING),
        ThreadState::Ready => Some(READY),
        ThreadState::Waiting {
            wait_reason: wait, ..
        } => Some(FIRST_WAIT + wait as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_their_names() {
        let name = |state| {
            let number = number(state).unwrap();
            names().find(|(each, _)| *each == number).unwrap().1
        };
        assert_eq!(name(ThreadState::Running), "running");
        assert_eq!(name(ThreadState::Ready), "ready");
        for wait in WaitReason::ALL {
            let state = ThreadState::Waiting {
                wait_reason: *wait,
                resource: None,
            };
            assert_eq!(name(state), wait.name());
        }
        let highest = names().map(|(number, _)| number).max();
        assert!(highest.unwrap() < 1 << BITS);
    }
}

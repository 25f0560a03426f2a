//! Recordings as signals and their changes, as on a logic analyser.
//!
//! Each signal gets its changes from a stream, and the streams are merged while
//! they are read, so the memory use does not grow with the length of a recording.

mod change_merge;
mod clock;
mod cpu_state;
mod signal_plan;
mod signal_table;
mod spans;
mod stream;
mod unique_names;

pub(crate) use change_merge::write_changes;
pub(crate) use clock::{CommonClock, gcd};
pub(crate) use signal_table::{
    Signal, SignalGroup, SignalKind, SignalSelection, SignalTable, SignalText, TextId,
};
pub(crate) use unique_names::UniqueNames;

use rtoscope_analysis::schedule::ThreadState;
use rtoscope_trace::WaitReason;
use std::io;

/// A signal of the table: index into its signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignalId(pub(crate) u32);

impl SignalId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalValue {
    /// Unknown.
    Unknown,
    Line(bool),
    Number(u32),
    /// A text, and the object it refers to.
    Text(TextId, Option<TextId>),
}

/// Receives the changes of the table's signals.
pub(crate) trait SignalSink {
    /// Starts a new time, after the previous one; the following changes happen
    /// there.
    fn advance_to(&mut self, time: u64) -> io::Result<()>;

    /// Changes a signal to another value. All signals start as unknown.
    fn set(&mut self, signal: SignalId, value: SignalValue) -> io::Result<()>;
}

/// The numbers of thread states: [`RUNNING`], [`READY`], then the wait reasons.
const FIRST_WAIT: u32 = 2;
const RUNNING: u32 = 0;
const READY: u32 = 1;

/// The numbers and names of thread states.
pub(crate) fn thread_states() -> impl Iterator<Item = (u32, &'static str)> {
    let waits = WaitReason::ALL.iter().map(|wait| wait.name());
    (0..).zip(["running", "ready"].into_iter().chain(waits))
}

/// The width of a state number in bits.
pub(crate) const STATE_BITS: u32 = (FIRST_WAIT + WaitReason::ALL.len() as u32 - 1).ilog2() + 1;

fn state_number(state: ThreadState) -> Option<u32> {
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
    fn state_numbers_match_their_names() {
        let name = |state| {
            let number = state_number(state).unwrap();
            thread_states().find(|(each, _)| *each == number).unwrap().1
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
        let highest = thread_states().map(|(number, _)| number).max();
        assert!(highest.unwrap() < 1 << STATE_BITS);
    }
}

//! Recordings as a logic analyser would see them: signals, and how they change.
//!
//! Every signal gets its changes from a stream of its own kind, and the streams
//! are merged as they are read, so that what is held does not grow with the
//! length of a recording.

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
use rtoscope_trace::Wait;
use std::io;

/// A signal of a board: index into its signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignalId(pub(crate) u32);

impl SignalId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a signal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalValue {
    /// The trace does not say.
    Unknown,
    Line(bool),
    Number(u32),
    /// A text, and what it speaks of.
    Text(TextId, Option<TextId>),
}

/// Takes the changes of a board's signals.
pub(crate) trait SignalSink {
    /// What is set from here on happens at that time, which is behind the last.
    fn advance_to(&mut self, time: u64) -> io::Result<()>;

    /// A signal gets another value than it has. All begin unknown.
    fn set(&mut self, signal: SignalId, value: SignalValue) -> io::Result<()>;
}

/// The numbers of the states of threads: [`RUNNING`], [`READY`], then the reasons to wait.
const FIRST_WAIT: u32 = 2;
const RUNNING: u32 = 0;
const READY: u32 = 1;

/// The numbers that signals of states have, and their names.
pub(crate) fn thread_states() -> impl Iterator<Item = (u32, &'static str)> {
    let waits = Wait::ALL.iter().map(|wait| wait.name());
    (0..).zip(["running", "ready"].into_iter().chain(waits))
}

/// How many bits the numbers of states have.
pub(crate) const STATE_BITS: u32 = (FIRST_WAIT + Wait::ALL.len() as u32 - 1).ilog2() + 1;

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
    fn states_have_the_numbers_of_their_names() {
        let name = |state| {
            let number = state_number(state).unwrap();
            thread_states().find(|(each, _)| *each == number).unwrap().1
        };
        assert_eq!(name(ThreadState::Running), "running");
        assert_eq!(name(ThreadState::Ready), "ready");
        for wait in Wait::ALL {
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

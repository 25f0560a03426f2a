//! A guessed configuration, guessed again where records of further kinds come
//! that do not fit it.

use crate::rkh::guess::{self, Guess};
use crate::rkh::losses::Losses;
use rtoscope_wire::rkh::Configuration;

/// What is watched of a guess.
#[derive(Debug, Default)]
pub(super) struct Guessing {
    /// The last bytes of the stream.
    recent: Vec<u8>,
    /// Records and bad frames before those that count.
    passed: [u64; 2],
    /// Bad frames that let it be guessed again.
    patience: u64,
}

/// Bad frames after which it is guessed again first; then after twice as many.
const PATIENCE: u64 = 8;

/// One frame of so many may be damaged.
const DAMAGED: u64 = 20;

/// Bytes that are looked at again, or twice as many.
const RECENT: usize = 1 << 15;

impl Guessing {
    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let old = bytes.len().saturating_sub(RECENT);
        self.recent
            .extend_from_slice(bytes.get(old..).unwrap_or_default());
        if self.recent.len() > 2 * RECENT {
            self.recent.drain(..self.recent.len() - RECENT);
        }
    }

    /// Another guess, where too many frames do not fit the configuration.
    pub(super) fn again(
        &mut self,
        records: u64,
        losses: &Losses,
        configuration: &Configuration,
    ) -> Option<Guess> {
        let bad = losses.bad_frames();
        let [records_before, bad_before] = self.passed;
        let (new, new_bad) = (records - records_before, bad - bad_before);
        if new_bad < self.patience.max(PATIENCE) || new_bad * DAMAGED < new + new_bad {
            return None;
        }
        self.passed = [records, bad];
        self.patience = self.patience.max(PATIENCE).saturating_mul(2);
        let guess = guess::infer(&self.recent)?;
        (guess.configuration != *configuration).then_some(guess)
    }
}

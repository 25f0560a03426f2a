//! A guessed configuration, guessed again where records of further kinds come
//! that do not fit it.

use crate::rkh::guess::{self, ConfigurationGuess};
use crate::rkh::losses::StreamLosses;
use rtoscope_wire::rkh::StreamConfiguration;

/// What is watched of a guess.
#[derive(Debug, Default)]
pub(super) struct GuessMonitor {
    /// The last bytes of the stream.
    recent: Vec<u8>,
    /// Records and bad frames before those that count.
    passed: [u64; 2],
    /// Bad frames that let it be guessed again.
    bad_frame_limit: u64,
}

/// Bad frames after which it is guessed again first; then after twice as many.
const INITIAL_BAD_FRAME_LIMIT: u64 = 8;

/// One frame of so many may be damaged.
const DAMAGE_TOLERANCE_DIVISOR: u64 = 20;

/// Bytes that are looked at again, or twice as many.
const RECENT_BYTES: usize = 1 << 15;

impl GuessMonitor {
    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let old = bytes.len().saturating_sub(RECENT_BYTES);
        self.recent
            .extend_from_slice(bytes.get(old..).unwrap_or_default());
        if self.recent.len() > 2 * RECENT_BYTES {
            self.recent.drain(..self.recent.len() - RECENT_BYTES);
        }
    }

    /// Another guess, where too many frames do not fit the configuration.
    pub(super) fn reguess(
        &mut self,
        records: u64,
        losses: &StreamLosses,
        configuration: &StreamConfiguration,
    ) -> Option<ConfigurationGuess> {
        let bad = losses.bad_frames();
        let [records_before, bad_before] = self.passed;
        let (new, new_bad) = (records - records_before, bad - bad_before);
        if new_bad < self.bad_frame_limit.max(INITIAL_BAD_FRAME_LIMIT)
            || new_bad * DAMAGE_TOLERANCE_DIVISOR < new + new_bad
        {
            return None;
        }
        self.passed = [records, bad];
        self.bad_frame_limit = self
            .bad_frame_limit
            .max(INITIAL_BAD_FRAME_LIMIT)
            .saturating_mul(2);
        let guess = guess::infer(&self.recent)?;
        (guess.configuration != *configuration).then_some(guess)
    }
}

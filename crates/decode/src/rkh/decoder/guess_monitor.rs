//! Monitors a guessed configuration, and guesses again if records of further
//! kinds do not fit it.

use crate::rkh::guess::{self, ConfigurationGuess};
use crate::rkh::losses::StreamLosses;
use crate::rkh::own_records::OwnRecords;
use rtoscope_wire::rkh::StreamConfiguration;

/// The state of the monitor.
#[derive(Debug, Default)]
pub(super) struct GuessMonitor {
    /// The last bytes of the stream.
    recent: Vec<u8>,
    /// Records and bad frames before the current period.
    passed: [u64; 2],
    /// Number of bad frames that triggers another guess.
    bad_frame_limit: u64,
}

/// Initial number of bad frames before another guess; doubles after each
/// attempt.
const INITIAL_BAD_FRAME_LIMIT: u64 = 8;

/// One frame in this many may be damaged.
const DAMAGE_TOLERANCE_DIVISOR: u64 = 20;

/// Bytes to examine again; up to twice as many are retained.
const RECENT_BYTES: usize = 1 << 15;

impl GuessMonitor {
    /// Appends the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let old = bytes.len().saturating_sub(RECENT_BYTES);
        self.recent
            .extend_from_slice(bytes.get(old..).unwrap_or_default());
        if self.recent.len() > 2 * RECENT_BYTES {
            self.recent.drain(..self.recent.len() - RECENT_BYTES);
        }
    }

    /// Makes another guess if too many frames do not fit the configuration.
    pub(super) fn reguess(
        &mut self,
        records: u64,
        losses: &StreamLosses,
        configuration: &StreamConfiguration,
        own_records: &OwnRecords,
    ) -> Option<ConfigurationGuess> {
        let bad = losses.bad_frames();
        let [records_before, bad_before] = self.passed;
        let (new, new_bad) = (records - records_before, bad - bad_before);
        // Some bad frames are line noise: only an unusual share of them since the last
        // attempt suggests that the guess is wrong.
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
        let guess = guess::infer(&self.recent, own_records)?;
        (guess.configuration != *configuration).then_some(guess)
    }
}

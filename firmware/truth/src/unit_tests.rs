//! The results of the unit tests that wait for the host.

use crate::counters::counters;

/// Commands for the filter that the program waits for.
pub const FILTER_COMMANDS: u32 = 3;

counters! {
    /// The results as the program knows them from the host's answers.
    UnitTestResults {
        /// [`DONE`](crate::DONE) at the end.
        done,
        /// Tests that passed.
        passed,
        /// Tests that failed.
        failed,
        /// The line of the first failure.
        failed_line,
        /// Records that were sent and answered.
        records,
        /// Those before the first command: the filter suppressed them.
        records_before_filter,
        /// Commands for the filter.
        filter_commands,
        /// Damaged or unknown messages of the host.
        invalid_messages,
    }
}

impl UnitTestResults {
    /// Length in bytes.
    pub const BYTES: usize = size_of::<Self>();

    /// Reads them from memory in little-endian order; [`None`] if there is too little.
    pub fn from_memory(memory: &[u8]) -> Option<Self> {
        let (words, _) = memory.as_chunks::<4>();
        Self::read(&mut words.iter().map(|word| u32::from_le_bytes(*word)))
    }
}

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

//! The counters of the program that tests the ports.

use crate::counters::counters;

counters! {
    /// What the program did. The host finds it by its symbol.
    PortsTruth {
        /// [`crate::DONE`] after the end.
        done,
        /// Interrupts of the timer.
        timer,
        /// Interrupts that the program requested itself.
        software,
        /// Those of them that interrupted the handler of the timer.
        nested,
        /// Marks of the threads, of the timer's handler, of the other handler.
        thread_marks,
        /// See `thread_marks`.
        timer_marks,
        /// See `thread_marks`.
        software_marks,
        /// Dispatches of a thread.
        dispatches,
        /// Entries of the log and of the trace during which an interrupt was requested.
        requested,
        /// Entries during which an interrupt of the timer was pending.
        timer_waited,
        /// Interrupts while a recorder wrote.
        violations,
        /// Times that interrupts were on instead of off, or off instead of on.
        wrong_states,
        /// Entries that the recorders counted as lost.
        lost,
    }
}

//! How a recording says who executes.

/// How the events of a trace say who executes.
///
/// Recordings of calls and recordings of context switches are read in opposite
/// ways: there whoever logs an event executed up to it, here an event says who
/// executes from it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SwitchModel {
    /// By their contexts: whoever logs an event executes. What
    /// [`Act`](crate::Act) says of threads is evidence beside that.
    #[default]
    Inferred,
    /// By [`Act::Switch`](crate::Act::Switch) and
    /// [`Act::Return`](crate::Act::Return) alone: nothing changes in between,
    /// whatever the contexts of other events are. An event's context is the
    /// thread on whose behalf it was logged, even within an interrupt.
    Explicit {
        /// Whether the recording tells the returns of interrupts
        /// ([`Act::Return`](crate::Act::Return)) anywhere. Then from the end of
        /// a routine to that, or to a switch, the interrupt goes on. Else
        /// whatever was interrupted goes on from the end of the outermost
        /// routine, which is the last that is known of the interrupt.
        records_returns: bool,
    },
}

//! How the running context follows from the events of a trace.

/// How the running context follows from the events of a trace.
///
/// Recordings of calls and context-switch logs are read in opposite ways: in
/// the former, the context that logs an event ran up to it; in the latter, an
/// event names the context that runs from it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SwitchModel {
    /// From the contexts of events: the context that logs an event runs. What
    /// [`SchedEvent`](crate::SchedEvent) contains about threads is further
    /// evidence.
    #[default]
    Inferred,
    /// From [`SchedEvent::Switch`](crate::SchedEvent::Switch) and
    /// [`SchedEvent::Return`](crate::SchedEvent::Return) alone: the running
    /// context stays the same in between, whatever the contexts of other events
    /// are. The context of an event is the thread on whose behalf it was
    /// logged, even within an interrupt.
    Explicit {
        /// Whether the recording has interrupt returns
        /// ([`SchedEvent::Return`](crate::SchedEvent::Return)). If so, the
        /// interrupt continues after the exit of an ISR up to the return, or to
        /// a switch. If not, the interrupted context continues at the exit of
        /// the outermost ISR, which is the last known event of the interrupt.
        records_returns: bool,
    },
}

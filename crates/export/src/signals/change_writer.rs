//! The receiver of signal changes.

use super::signal::{SignalId, SignalValue};
use std::io;

/// Receives the changes of the table's signals.
pub(crate) trait SignalSink {
    /// Starts a new time, after the previous one; the following changes happen
    /// there.
    fn advance_to(&mut self, time: u64) -> io::Result<()>;

    /// Changes a signal to another value. All signals start as unknown.
    fn set(&mut self, signal: SignalId, value: SignalValue) -> io::Result<()>;
}

/// Passes on only actual changes.
pub(super) struct ChangeWriter<'s, S> {
    sink: &'s mut S,
    /// The last values, by signal.
    written: Vec<SignalValue>,
}

impl<'s, S: SignalSink> ChangeWriter<'s, S> {
    /// Creates a writer of this many signals.
    pub(super) fn new(sink: &'s mut S, signals: usize) -> Self {
        Self {
            sink,
            written: vec![SignalValue::Unknown; signals],
        }
    }

    pub(super) fn advance_to(&mut self, time: u64) -> io::Result<()> {
        self.sink.advance_to(time)
    }

    #[inline]
    pub(super) fn set(&mut self, signal: Option<SignalId>, value: SignalValue) -> io::Result<()> {
        let shown = signal.and_then(|signal| Some((signal, self.written.get_mut(signal.index())?)));
        match shown {
            Some((signal, shown)) if *shown != value => {
                *shown = value;
                self.sink.set(signal, value)
            }
            _ => Ok(()),
        }
    }
}

//! Messages from the host: answers to unit tests, and commands that set the filter.

use super::filter::FilterError;
use super::{RkhRecorder, StreamSetup};
use crate::port::{Clock, Mask};
use rtoscope_wire::rkh::host::HostMessage;
pub use rtoscope_wire::rkh::host::{HostMessageError, HostMessageParser, MAX_KEPT_TEXT_BYTES};

/// A message that the host sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received<'a> {
    /// The unit test passes, or passes so far.
    Success {
        /// A line of the test's source, or 0.
        line: u32,
    },
    /// The unit test does not pass.
    Fail {
        /// The line that failed, or 0.
        line: u32,
        /// The reason, at most [`MAX_KEPT_TEXT_BYTES`].
        text: &'a [u8],
    },
    /// A command set the filter, or could not.
    Filter(Result<(), FilterError>),
    /// The message is damaged or unknown.
    Refused(HostMessageError),
}

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// Takes a byte that the host sent over the stream's connection. Returns the message
    /// that it completes. Commands for the filter are already applied.
    ///
    /// The program keeps the parser, one a connection.
    pub fn receive<'p>(&self, parser: &'p mut HostMessageParser, byte: u8) -> Option<Received<'p>> {
        Some(match parser.push(byte)? {
            Ok(HostMessage::Success { line }) => Received::Success { line },
            Ok(HostMessage::Fail { line, text }) => Received::Fail { line, text },
            Ok(HostMessage::Filter {
                selection,
                pass: true,
            }) => Received::Filter(self.pass(selection)),
            Ok(HostMessage::Filter { selection, .. }) => Received::Filter(self.suppress(selection)),
            Err(error) => Received::Refused(error),
        })
    }
}

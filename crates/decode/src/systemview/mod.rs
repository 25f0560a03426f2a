//! Decodes the streams of SEGGER SystemView's target code.
//!
//! ```text
//! bytes ──alignment──▶ packets ──event_reader──▶ page (columns, gaps), target (names, tasks)
//!       ──trace_builder──▶ DecodedRecording
//! ```

mod alignment;
mod catalogue;
pub(crate) mod descriptions;
mod event_reader;
mod format;
mod interpret;
mod probe;
mod stream_info;
mod target;
mod trace_builder;

pub use descriptions::Descriptions;
pub use format::FORMAT;

use crate::DecodeError;
use crate::clock::ClockOptions;
use rtoscope_trace::TextEncoding;
use rtoscope_wire::systemview::Framing;
use rtoscope_wire::systemview::header::TextHeader;
use std::sync::Arc;

/// Options for a SystemView stream.
#[derive(Debug, Clone, Default)]
pub struct SystemViewOptions {
    /// The clock options: only the frequency matters.
    pub clock: ClockOptions,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
    /// The calls of the operating system, in place of the built-in ones.
    pub descriptions: Option<Arc<Descriptions>>,
}

/// How ids are written in a file with this header.
const fn framing(header: TextHeader) -> Framing {
    match header.has_cores {
        true => Framing::TwoCores,
        false => Framing::Plain,
    }
}

/// The error for bytes without a packet.
fn no_packet(bytes: u64) -> DecodeError {
    FORMAT.no_event(bytes, "no byte is the start of a packet")
}

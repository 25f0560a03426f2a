//! Decodes the streams of Percepio TraceRecorder, and the memory images of its ring buffer.
//!
//! ```text
//! image ──ring──▶ stream ──alignment──▶ events ──event_reader──▶ page (columns, gaps), target (names)
//!                                              ──trace_builder──▶ DecodedRecording
//! ```

mod alignment;
mod event_content;
mod event_reader;
mod format;
mod interpret;
mod kernel;
mod probe;
mod ring;
mod stream_format;
mod stream_info;
mod target;
mod timestamps;
mod trace_builder;

pub use format::FORMAT;

use crate::clock::ClockOptions;
use rtoscope_trace::TextEncoding;

/// Options for a recording of TraceRecorder.
#[derive(Debug, Clone, Default)]
pub struct PercepioOptions {
    /// The clock options: only the frequency matters.
    pub clock: ClockOptions,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
    /// Whether the table of entries is from the end of the recording: in a memory image.
    pub(crate) is_image: bool,
}

impl PercepioOptions {
    /// The options for any recording.
    pub fn new(clock: ClockOptions, text_encoding: TextEncoding) -> Self {
        Self {
            clock,
            text_encoding,
            is_image: false,
        }
    }
}

/// What one and several records are called.
const EVENT: [&str; 2] = ["event", "events"];

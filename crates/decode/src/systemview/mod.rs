//! Decodes the streams of SEGGER SystemView's target code.
//!
//! ```text
//! bytes ──alignment──▶ packets ──event_reader──▶ pages (columns, gaps), target (names, tasks)
//!       ──trace_builder──▶ DecodedRecording
//! ```

mod alignment;
mod catalogue;
mod decoder;
mod descriptions;
mod event_page;
mod event_reader;
mod format;
mod interpret;
mod probe;
mod stream_info;
mod target;
mod trace_builder;

pub use format::FORMAT;

use crate::clock::ClockOptions;
use crate::{DecodeError, DecodeOptions};
use rtoscope_trace::TextEncoding;
use rtoscope_wire::systemview::Framing;
use rtoscope_wire::systemview::header::TextHeader;

/// The options that apply to a stream.
#[derive(Debug, Clone)]
struct StreamOptions {
    clock: ClockOptions,
    text_encoding: TextEncoding,
}

impl StreamOptions {
    fn new(options: &DecodeOptions) -> Self {
        // All formats have the same clock and text options.
        let common = &options.cswitch;
        Self {
            clock: common.clock,
            text_encoding: common.text_encoding,
        }
    }
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
    DecodeError::NoBuffer {
        container: "raw",
        bytes,
        problem: Some("no SystemView packet".to_owned()),
    }
}

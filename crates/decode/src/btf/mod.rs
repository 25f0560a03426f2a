//! Decodes files in the Best Trace Format.
//!
//! ```text
//! bytes ──packet_stream──▶ lines ──line_reader──▶ pages (columns, gaps), entities (tasks, ISRs, cores …)
//!       ──trace_builder──▶ DecodedRecording
//! ```

mod catalogue;
mod entities;
mod file_info;
mod format;
mod interpret;
mod line_reader;
mod probe;
mod trace_builder;

pub use format::FORMAT;

use crate::clock::ClockOptions;
use rtoscope_trace::TextEncoding;

/// Options for a file in the Best Trace Format.
#[derive(Debug, Clone, Copy, Default)]
pub struct BtfOptions {
    /// The clock options: only the frequency matters.
    pub clock: ClockOptions,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
}

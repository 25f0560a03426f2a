//! Decodes captures of logic analysers: value change dumps (VCD), sigrok sessions, and CSV files.
//!
//! ```text
//! VCD, CSV ──StreamDecoder──▶ CaptureReader (vcd_reader, csv_reader) ─┐
//! session  ──sigrok (ZIP, runs of equal samples)──────────────────────┴─▶ EdgeWriter ──▶ page
//!          ──trace_builder──▶ DecodedRecording
//! ```
//!
//! Each signal becomes a marker. A digital one has a span for each time that it is high, whose
//! value is the number of the pulse, so that everything that shows markers shows signals, and an
//! edge is an event. A level that is neither 0 nor 1 is unknown.
//!
//! The readers of texts are written for this: the crate `vcd` allocates for each change of a vector
//! and each scope, and reports neither offsets nor more than one error; `wellen` is several times as
//! much code as this module and reads whole files in its own threads. Neither decodes a stream that
//! arrives in parts.

mod capture_info;
mod capture_reader;
mod catalogue;
mod csv_header;
mod csv_reader;
mod edge_writer;
mod format;
mod interpret;
mod probe;
mod signal_table;
mod sigrok;
mod text_lines;
mod trace_builder;
mod vcd_header;
mod vcd_reader;

pub use format::FORMAT;

use crate::clock::ClockOptions;
use rtoscope_trace::TextEncoding;

/// Options for captures of logic analysers.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogicOptions {
    /// The clock options: only the frequency matters.
    pub clock: ClockOptions,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
}

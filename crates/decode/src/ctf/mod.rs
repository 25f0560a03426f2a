//! Decodes traces in the Common Trace Format (CTF), versions 1.8 and 2.
//!
//! ```text
//! metadata ──tsdl or json──▶ field classes ──layout──▶ tree of fields, references resolved
//! streams  ──stream──▶ packets, event headers ──merge by time──▶ record (values)
//!          ──mapping──▶ DecodedRecording
//! ```
//!
//! The metadata of a trace describe each bit of its streams; what events mean says
//! [`mapping`](crate::mapping). An input is a folder or an archive with one or several traces, or a
//! stream of Zephyr alone, whose metadata are built in.
//!
//! `barectf-parser` was considered for reading streams: it reads the configuration of barectf in
//! place of the metadata, and so only what barectf writes. No other crate reads CTF's metadata.

mod bit_reader;
mod enum_names;
mod field_class;
mod format;
mod info;
mod json;
mod layout;
mod lexer;
mod packetised;
mod record;
mod stream;
mod trace_set;
mod tsdl;
mod zephyr;

pub use format::FORMAT;

use crate::DecodeError;

/// The error for an input without an event.
fn no_event(bytes: u64, problem: Option<&str>) -> DecodeError {
    FORMAT.no_event(bytes, problem.unwrap_or("no stream has an event"))
}

//! Decodes RKH trace streams.
//!
//! ```text
//! bytes ──deframer──▶ frames ──record_reader──▶ pages (columns, runs, losses)
//!       ──trace_builder──▶ DecodedStream (Trace, StreamInfo)
//! ```

mod active_object_contexts;
mod active_object_events;
mod active_object_state;
mod argument_values;
mod attribution;
pub mod catalogue;
mod columns;
pub mod configuration;
mod configuration_check;
mod configuration_choice;
mod decoder;
mod deframer;
mod facts;
mod filter_command;
mod format;
mod glued_frames;
pub mod guess;
mod interpret;
mod kind_semantics;
pub mod losses;
mod objects;
mod own_records;
mod probe;
mod record_content;
mod record_layout;
mod record_members;
mod record_page;
mod record_reader;
mod stream_diagnostics;
mod stream_info;
mod stream_state;
mod survey;
mod timing;
mod trace_builder;
mod transfer_fault;
pub mod unit_test;

pub use argument_values::WireArgument;
pub use format::FORMAT;
pub use interpret::RkhInterpreter;
pub use losses::{ProblemKind, StreamLosses, StreamProblem};
pub use own_records::{OwnRecords, OwnRecordsError};
pub use probe::is_stream;
pub use stream_info::{Provenance, StreamInfo, StreamRun};

use crate::DecodeError;
use rtoscope_symbols::{Firmware, Symbols};
use rtoscope_trace::{Frequency, TextEncoding, Trace, text_encoding};
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration};
use std::sync::Arc;

/// Options for an RKH stream: properties that it does not contain, or
/// overrides.
#[derive(Debug, Clone, Default)]
pub struct RkhOptions {
    /// The configuration of records before the target sends one.
    pub configuration: Option<StreamConfiguration>,
    /// The keys of `configuration` that the user set, to compare with the
    /// configuration in the stream.
    pub given: Vec<&'static str>,
    /// The size of a function's address, which no target sends; by default that
    /// of an object's address.
    pub function_width: Option<FieldWidth>,
    /// Whether checksums cover timestamps, which no target sends; by default they
    /// do, as in RKH's code.
    pub checksum_covers_timestamp: Option<bool>,
    /// The frequency of the clock, if the stream does not contain it.
    pub clock_frequency: Option<Frequency>,
    /// Whether `clock_frequency` replaces that of the stream, too.
    pub overrides_frequency: bool,
    /// Whether to guess the configuration if it is unknown or fits few records.
    pub guess: bool,
    /// Whether to read all records with `configuration`, and ignore the
    /// target's configuration.
    pub ignores_target: bool,
    /// Whether to split frames that were glued by a lost flag.
    pub split_glued: bool,
    /// Names for objects that the stream does not name itself.
    pub symbols: Symbols,
    /// The firmware's ELF files, for the texts of formatted events.
    pub firmware: Vec<Arc<Firmware>>,
    /// The application's own records.
    pub own_records: Arc<OwnRecords>,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
}

impl RkhOptions {
    fn unsent(&self) -> UnsentSettings {
        UnsentSettings {
            function_width: self.function_width,
            checksum_covers_timestamp: self.checksum_covers_timestamp,
            own_records: Arc::clone(&self.own_records),
        }
    }
}

/// The user's settings that no stream contains: they also apply after a target has
/// sent its configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct UnsentSettings {
    function_width: Option<FieldWidth>,
    checksum_covers_timestamp: Option<bool>,
    own_records: Arc<OwnRecords>,
}

impl UnsentSettings {
    fn apply(&self, configuration: StreamConfiguration) -> StreamConfiguration {
        StreamConfiguration {
            function: self.function_width.unwrap_or(configuration.function),
            checksum_covers_timestamp: self
                .checksum_covers_timestamp
                .unwrap_or(configuration.checksum_covers_timestamp),
            ..configuration
        }
    }
}

/// A decoded stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedStream {
    /// The trace.
    pub trace: Trace,
    /// The positions of its records, and the losses.
    pub stream_info: StreamInfo,
}

/// Reads the names in a file: see [`Symbols::read`]. A file that is neither an
/// ELF file nor the output of `nm` is a stream, to which `options` apply.
///
/// # Errors
///
/// If the file is damaged, or is no stream either.
pub fn read_symbols(bytes: &[u8], options: &RkhOptions) -> Result<Symbols, DecodeError> {
    match Symbols::read(bytes)? {
        Some(symbols) => Ok(symbols),
        None => Ok(objects::symbols(&decode(bytes, options)?.trace.objects)),
    }
}

/// Decodes a whole stream.
pub fn decode(bytes: &[u8], options: &RkhOptions) -> Result<DecodedStream, DecodeError> {
    let mut recording =
        configuration_check::check_configuration(read(bytes, options), bytes, options);
    let names = recording.trace.objects.iter().map(|object| &object.name);
    let unreadable = text_encoding::unreadable_names(names);
    recording.trace.diagnostics.extend(unreadable);
    let stream = &recording.stream_info;
    if stream.is_empty() {
        return Err(DecodeError::NoRkhRecord {
            bytes: stream.total_bytes,
            frames: stream.losses.bad_frames(),
        });
    }
    let (records, frames) = (stream.len(), stream.losses.bad_frames());
    match stream.provenance {
        Provenance::Default if configuration_check::is_doubtful(&recording) => {
            Err(DecodeError::NoRkhConfiguration {
                records,
                frames,
                guessed: options.guess,
            })
        }
        Provenance::User if configuration_check::is_wrong(&recording) => {
            Err(DecodeError::WrongRkhConfiguration { records, frames })
        }
        _ => Ok(recording),
    }
}

/// Decodes a whole stream, however few of its frames are records.
pub fn read(bytes: &[u8], options: &RkhOptions) -> DecodedStream {
    decoder::StreamDecoder::decode_file(bytes, options)
}

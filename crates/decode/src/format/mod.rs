//! The registry of trace formats: what each format is called, how it is
//! recognised, and how it is decoded.
//!
//! ```text
//! bytes ──detection (probes)──▶ Format ──┬─open────▶ UnpackedInput ──decode──▶ DecodedRecording
//!                                        └─decoder─▶ FormatDecoder (live)         └─ FormatInfo ──▶ facts
//! ```
//!
//! A format is a `FormatDefinition` in its own module and one line in
//! [`FORMATS`]. Everything else asks a [`Format`], or the [`FormatInfo`] of a
//! recording, and names no format.

mod conversion;
pub(crate) mod detection;
pub(crate) mod facts;
mod filter_setting;
mod info;
mod interpreter;
mod registry_types;
mod table;
mod target_command;
mod transmissions;
mod unpacked_input;

pub use conversion::{Conversion, ConvertedBytes};
pub use facts::{FactColumn, FactSection, FactTable, FormatFacts, FormatMembers};
pub use filter_setting::FilterSettingError;
pub(crate) use filter_setting::split_setting;
pub(crate) use info::FormatDetails;
pub use info::{DecodedRecording, FormatInfo};
pub use interpreter::EventInterpreter;
pub use registry_types::{RegistryType, RegistryTypes};
pub use table::FORMATS;
pub use target_command::{TargetCommand, TargetCommandError, encode_commands};
pub use transmissions::Transmissions;
pub use unpacked_input::UnpackedInput;
pub(crate) use unpacked_input::{FormatInput, no_trace};

use crate::container::MemoryImage;
use crate::live::{FormatDecoder, NoLiveStream};
use crate::mapping::MappingOptions;
use crate::{BufferChoice, DecodeError, btf, cswitch, logic, percepio, rkh, systemview, threadx};
use detection::ProbeWindow;
use rtoscope_symbols::Firmware;
use rtoscope_trace::{Catalogue, Progress};
use schemars::{Schema, SchemaGenerator};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A trace format: a handle into [`FORMATS`].
#[derive(Clone, Copy)]
pub struct Format(&'static dyn FormatDefinition);

/// The names and properties of a format.
#[derive(Debug)]
pub struct FormatDescription {
    /// The name in machine-readable output and on the command line.
    pub name: &'static str,
    /// The name for people, without an article; in lower case unless it starts
    /// with a proper name.
    pub title: &'static str,
    /// The plural of the title.
    pub plural: &'static str,
    /// The indefinite article of the title.
    pub article: &'static str,
    /// Usual extensions of its files, without a dot and in lower case, that few other files have.
    pub extensions: &'static [&'static str],
    /// Usual extensions of its files that more files of other programs have.
    pub shared_extensions: &'static [&'static str],
    /// Its code in capture recordings on disk. Never changes.
    pub code: u8,
    /// The settings that apply to it, but not to every format.
    pub settings: &'static [&'static str],
    /// The tables that have no row in any of its recordings, because it does not record what they
    /// contain, in groups.
    pub(crate) unrecorded_tables: &'static [&'static [&'static str]],
    /// Whether recordings may be unpacked from containers of memory: hex text,
    /// ELF cores.
    pub is_in_memory_images: bool,
    /// Whether an input may contain several buffers, so that one is selected.
    pub has_buffers: bool,
    /// Whether each record is a message with an offset of its own, and consumers
    /// of messages log when they take one.
    pub is_record_stream: bool,
    /// Where the trace is in the memory of a running target.
    pub target_memory: TargetMemory,
}

impl FormatDescription {
    /// The tables of active objects.
    pub(crate) const ACTIVE_OBJECTS: &[&str] =
        &["posts", "steps", "state_intervals", "transitions", "timers"];

    /// The tables of locks.
    pub(crate) const LOCKS: &[&str] = &["mutex_holds", "locks", "inversions"];

    /// The error for a recording without an event; `problem` says why.
    pub(crate) fn no_event(&self, bytes: u64, problem: &str) -> DecodeError {
        DecodeError::NoEvent {
            format: self.title,
            bytes,
            problem: problem.to_owned(),
        }
    }

    /// Whether a recording can have rows in a table.
    pub fn records_table(&self, table: &str) -> bool {
        !self
            .unrecorded_tables
            .iter()
            .any(|group| group.contains(&table))
    }

    /// What formats of files and streams that a target sends have in common; the rest is empty.
    pub(crate) const SENT: Self = Self {
        name: "",
        title: "",
        plural: "",
        article: "a",
        extensions: &[],
        shared_extensions: &[],
        code: 0,
        settings: &[],
        unrecorded_tables: &[],
        is_in_memory_images: false,
        has_buffers: false,
        is_record_stream: false,
        target_memory: TargetMemory::Sent,
    };
}

/// The location of a trace in the memory of a running target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetMemory {
    /// Nowhere: the target sends it.
    Sent,
    /// A buffer that starts with a header, so that it can be searched for; the
    /// variable with this name points to it.
    Buffer {
        /// The name of the pointer.
        pointer: &'static str,
    },
    /// A log whose recorder has one of these variables.
    Log {
        /// The names of the variables.
        variables: &'static [&'static str],
    },
}

/// Options of all formats: properties of an input that it does not contain
/// itself, or overrides.
#[derive(Debug, Clone, Default)]
pub struct DecodeOptions {
    /// Options for ThreadX trace buffers.
    pub threadx: threadx::ThreadXOptions,
    /// Options for RKH streams.
    pub rkh: rkh::RkhOptions,
    /// Options for context-switch logs.
    pub cswitch: cswitch::CswitchOptions,
    /// Options for SystemView streams.
    pub systemview: systemview::SystemViewOptions,
    /// Options for TraceRecorder recordings.
    pub percepio: percepio::PercepioOptions,
    /// Options for files in the Best Trace Format.
    pub btf: btf::BtfOptions,
    /// Options for captures of logic analysers.
    pub logic: logic::LogicOptions,
    /// Options of the formats with named events.
    pub mapping: MappingOptions,
    /// Where decoding a whole input reports its progress.
    pub progress: Progress,
}

impl DecodeOptions {
    /// The firmware's files, to find a trace in the memory of a target.
    pub fn firmware(&self) -> &[Arc<Firmware>] {
        &self.cswitch.firmware
    }
}

/// The implementation of a format.
pub(crate) trait FormatDefinition: Sync {
    /// Its names and properties.
    fn description(&self) -> &'static FormatDescription;

    /// The schema of the members that `info` has of its recordings only.
    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// The event kinds that may occur in a recording; none if each recording has its own.
    fn catalogue(&self, _options: &DecodeOptions) -> Catalogue {
        Catalogue::default()
    }

    /// The types of objects in its registry, if its targets keep one.
    fn registry_types(&self) -> Option<RegistryTypes> {
        None
    }

    /// Encodes a setting of the filter of a running target as a command for it;
    /// `None` if its targets take none.
    fn filter_command(&self, _setting: &str) -> Option<Result<Vec<u8>, FilterSettingError>> {
        None
    }

    /// Encodes a command for a running target; `None` if its targets take none.
    fn target_command(&self, _command: TargetCommand) -> Option<Vec<u8>> {
        None
    }

    /// What a host sends first, so that a target sends its recording; empty if targets send it
    /// by themselves.
    fn greeting(&self) -> &'static [u8] {
        &[]
    }

    /// How many bytes of the window prove this format: `None` if the window does
    /// not. The result depends on no byte after the proof, so that more bytes
    /// never change it; see [`detection`].
    fn probe(&self, _window: &ProbeWindow<'_>) -> Option<usize> {
        None
    }

    /// Whether the bytes of a whole input look like this format although no part
    /// of them proves it. Only asked if nothing proves another format.
    fn resembles(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Whether the bytes of a whole input begin as a file of this format, so that they are neither
    /// a text of bytes nor an archive to unpack.
    fn is_text(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Opens an unpacked input; `choice` selects one of several buffers.
    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError>;

    /// Creates a live decoder; `offset` unusable bytes precede it. Without one, a live stream is
    /// refused.
    fn decoder(&self, _options: &DecodeOptions, _offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(NoLiveStream::new(self.description()))
    }
}

impl Format {
    pub(crate) const fn new(format: &'static dyn FormatDefinition) -> Self {
        Self(format)
    }

    /// The format with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name() == name)
    }

    /// The format with that code in capture recordings.
    pub fn from_code(code: u8) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.code() == code)
    }

    /// The names and properties.
    pub fn description(self) -> &'static FormatDescription {
        self.0.description()
    }

    /// The name in machine-readable output and on the command line.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The name for people, without an article.
    pub fn title(self) -> &'static str {
        self.description().title
    }

    /// The name for people, with an indefinite article.
    pub fn title_with_article(self) -> String {
        let FormatDescription { article, title, .. } = self.description();
        format!("{article} {title}")
    }

    /// The error for a recording without an event; `problem` says why.
    pub(crate) fn no_event(self, bytes: u64, problem: &str) -> DecodeError {
        self.description().no_event(bytes, problem)
    }

    /// The code in capture recordings on disk.
    pub fn code(self) -> u8 {
        self.description().code
    }

    /// The schema of the members that `info` has of its recordings only.
    fn members_schema(self, generator: &mut SchemaGenerator) -> Schema {
        self.0.members_schema(generator)
    }

    /// The event kinds that may occur in a recording.
    pub fn catalogue(self, options: &DecodeOptions) -> Catalogue {
        self.0.catalogue(options)
    }

    /// The types of objects in its registry; `None` if its targets keep none.
    pub fn registry_types(self) -> Option<RegistryTypes> {
        self.0.registry_types()
    }

    /// Encodes a setting of the filter of a running target, such as `SM=on`, as a
    /// command for it. `None` if targets of this format take no commands.
    pub fn filter_command(self, setting: &str) -> Option<Result<Vec<u8>, FilterSettingError>> {
        self.0.filter_command(setting)
    }

    /// Encodes a command for a running target. `None` if targets of this format do not
    /// take it.
    pub fn target_command(self, command: TargetCommand) -> Option<Vec<u8>> {
        self.0.target_command(command)
    }

    /// What a host sends first, so that a target sends its recording; empty if targets send it
    /// by themselves.
    pub fn greeting(self) -> &'static [u8] {
        self.0.greeting()
    }

    /// All formats in a sentence: their texts, the last two joined by
    /// `conjunction`.
    pub fn list(text: impl Fn(&FormatDescription) -> String, conjunction: &str) -> String {
        let texts: Vec<_> = FORMATS
            .into_iter()
            .map(|it| text(it.description()))
            .collect();
        match texts.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("{} {conjunction} {last}", before.join(", "))
            }
            _ => texts.concat(),
        }
    }

    pub(crate) fn probe(self, window: &ProbeWindow<'_>) -> Option<usize> {
        self.0.probe(window)
    }

    pub(crate) fn resembles(self, bytes: &[u8]) -> bool {
        self.0.resembles(bytes)
    }

    pub(crate) fn is_text(self, bytes: &[u8]) -> bool {
        self.0.is_text(bytes)
    }

    pub(crate) fn open(
        self,
        image: MemoryImage<'_>,
        choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + '_>, DecodeError> {
        self.0.open(image, choice)
    }

    pub(crate) fn decoder(self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        self.0.decoder(options, offset)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_are_unique() {
        for (number, format) in FORMATS.into_iter().enumerate() {
            assert_eq!(Format::from_name(format.name()), Some(format));
            assert_eq!(Format::from_code(format.code()), Some(format));
            let others = FORMATS.into_iter().skip(number + 1);
            assert!(others.clone().all(|other| other.title() != format.title()));
        }
        assert_eq!(Format::from_name(""), None);
        assert_eq!(Format::from_code(0), None);
    }
}

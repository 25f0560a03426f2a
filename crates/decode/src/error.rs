use crate::BufferChoice;
use rtoscope_symbols::SymbolError;
use rtoscope_trace::printable::Printable;
use std::io;
use std::path::PathBuf;

/// Errors that leave no trace to show.
///
/// Damage that leaves something to show is a
/// [`Diagnostic`](rtoscope_trace::Diagnostic), not an error. Offsets are bytes
/// from the start of the input; lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The input is empty.
    #[error("the input is empty, expected a recorded trace")]
    Empty,
    /// A file cannot be opened or read.
    #[error("cannot read {}", Printable::path(&path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The path is a directory.
    #[error("{} is a directory, expected a file", Printable::path(&path))]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// A pipe or device does not end.
    #[error("{} is longer than {limit} bytes; save it to a file first", Printable::path(&path))]
    EndlessStream {
        /// The pipe or device.
        path: PathBuf,
        /// Maximum size of the input.
        limit: u64,
    },
    /// A text container has no valid data line.
    #[error(
        "no usable {container} record in {lines} lines; {problem}; choose another format with --input-format"
    )]
    NoRecord {
        /// The text format, e.g. `Intel HEX`.
        container: &'static str,
        /// Number of lines of the input.
        lines: u64,
        /// The problem with the first rejected line.
        problem: String,
    },
    /// A compressed stream is damaged before its first byte of content.
    #[error("the {compression} stream cannot be decompressed at offset {offset:#x}: {problem}")]
    Decompression {
        /// The method, e.g. `gzip`.
        compression: &'static str,
        /// The offset in the compressed stream.
        offset: u64,
        /// The decompressor's message.
        problem: String,
    },
    /// The layers of a compressed input expand beyond the limit.
    #[error(
        "layer {layer} ({compression}) of the input of {input_bytes} bytes expands beyond the \
         limit of {limit} bytes for all layers; decompress it to a file first"
    )]
    ExpandedTooLarge {
        /// The number of the layer, from the outermost one, which is 1.
        layer: usize,
        /// Its method, e.g. `gzip`.
        compression: &'static str,
        /// Size of the compressed input.
        input_bytes: u64,
        /// Maximum size of all decompressed layers together.
        limit: u64,
    },
    /// There is no memory for what a compressed input expands to.
    #[error(
        "there is not enough memory to decompress layer {layer} ({compression}) of the input; \
         decompress it to a file first"
    )]
    OutOfMemory {
        /// The number of the layer, from the outermost one, which is 1.
        layer: usize,
        /// Its method, e.g. `gzip`.
        compression: &'static str,
    },
    /// The input is an archive, or compressed with a method that is not supported.
    #[error("this is {kind}: unpack it first")]
    Archive {
        /// The kind with its article, e.g. `a ZIP archive`.
        kind: &'static str,
    },
    /// Compressed streams are nested too deeply.
    #[error("the input has more than {limit} layers of compression")]
    NestedTooDeep {
        /// Maximum number of layers.
        limit: usize,
    },
    /// The headers of an ELF file are unusable.
    #[error("the ELF file is damaged: {problem}")]
    ElfDamaged {
        /// The problem with its position, and the expected value.
        problem: String,
    },
    /// The symbols of a target's program cannot be read.
    #[error(transparent)]
    Symbols(#[from] SymbolError),
    /// An ELF file holds a program, not the memory of a running target.
    #[error(
        "the ELF file is {kind} without the target's memory, expected a core file or another image \
         of its RAM"
    )]
    ElfWithoutMemory {
        /// The kind of file, e.g. `an executable`.
        kind: &'static str,
    },
    /// There is no header where one was expected.
    #[error("no ThreadX control header (id TXTB, 0x54585442) at offset {offset:#x}")]
    NoHeader {
        /// The expected offset.
        offset: u64,
    },
    /// The input ends within the control header.
    #[error(
        "the control header at offset {offset:#x} takes {needed} bytes, but the input ends after {available}"
    )]
    HeaderTooShort {
        /// The offset of the header.
        offset: u64,
        /// Bytes available.
        available: usize,
        /// Size of a header.
        needed: usize,
    },
    /// A pointer of the control header is below its minimum.
    #[error(
        "the control header's {field} at offset {offset:#x} is {value:#x}, expected at least {min:#x}"
    )]
    HeaderPointer {
        /// The name of the pointer.
        field: &'static str,
        /// The offset of the pointer.
        offset: u64,
        /// The pointer.
        value: u64,
        /// The minimum valid address.
        min: u64,
    },
    /// The input contains neither registry nor events.
    #[error(
        "the control header at offset {offset:#x} puts the registry at {registry_start:#x} and the events \
         at {buffer_start:#x}, but the input contains only {available} bytes from its base \
         {base:#x} on"
    )]
    NothingAfterHeader {
        /// The offset of the header.
        offset: u64,
        /// The header's registry start pointer.
        registry_start: u64,
        /// The header's buffer start pointer.
        buffer_start: u64,
        /// The header's own address.
        base: u64,
        /// Bytes from the header to the end of the input.
        available: u64,
    },
    /// There is no control header in the input.
    #[error(
        "no trace found in {bytes} bytes ({container}): there is no ThreadX control header \
         (id TXTB, 0x54585442, ended by 0xaaaaaaaa 0xbbbbbbbb 0xcccccccc), and the input does \
         not look like another format (choose one with --input-format, or set the address of a \
         context-switch log with -O log-start){}",
        problem.as_ref().map_or(String::new(), |problem| format!("; {problem}"))
    )]
    NoBuffer {
        /// The container.
        container: &'static str,
        /// Number of bytes searched.
        bytes: u64,
        /// Damage in the container, if there is any.
        problem: Option<String>,
    },
    /// A recording of a known format has no event that can be read.
    #[error("the {format} of {bytes} bytes has no event: {problem}")]
    NoEvent {
        /// The title of the format.
        format: &'static str,
        /// The size of the recording.
        bytes: u64,
        /// The first problem, or what is missing.
        problem: String,
    },
    /// The input has a trace of another format than the operation requires.
    #[error("this is {found}, expected {expected}")]
    OtherFormat {
        /// The detected format.
        found: String,
        /// The required format.
        expected: String,
    },
    /// A trace cannot be written in another byte order.
    #[error("{format} keeps its byte order, which is {order}")]
    FixedByteOrder {
        /// The format.
        format: String,
        /// The byte order of the trace.
        order: &'static str,
    },
    /// A trace cannot be written without its container.
    #[error("cannot extract the trace: {problem}")]
    Extraction {
        /// The problem.
        problem: String,
    },
    /// No frame of a stream is an RKH record.
    #[error("no RKH record in {bytes} bytes: none of {frames} frames is valid")]
    NoRkhRecord {
        /// Size of the stream.
        bytes: u64,
        /// Number of frames that are not records.
        frames: u64,
    },
    /// A stream is unusable because of bytes that were changed on the way.
    #[error("{error}; {problem}")]
    ChangedStream {
        /// Why it is unusable.
        error: Box<DecodeError>,
        /// What its checksums prove.
        problem: String,
    },
    /// The configuration of a stream's records is unknown.
    #[error(
        "the configuration of the stream's records is unknown, and only {records} of {} frames \
         fit the default: {}",
        *records as u64 + frames,
        match guessed {
            true => "no guess fits either; set it with -O rkh-config",
            false => "set it with -O rkh-config, or guess it with -O guess",
        }
    )]
    NoRkhConfiguration {
        /// Frames that fit the default configuration.
        records: usize,
        /// Frames that do not fit it.
        frames: u64,
        /// Whether a guess was tried, too.
        guessed: bool,
    },
    /// Most of a stream's frames are no records of the user's configuration.
    #[error(
        "only {records} of {} frames of the stream are records of the configuration that was \
         set: correct it, or guess it with -O guess",
        *records as u64 + frames
    )]
    WrongRkhConfiguration {
        /// Frames that fit the configuration.
        records: usize,
        /// Frames that do not fit it.
        frames: u64,
    },
    /// The input contains no context-switch log, or its location is unknown.
    #[error("no context-switch log found: {problem}")]
    NoSwitchLog {
        /// The missing or wrong property.
        problem: String,
    },
    /// The header of a CSWL container is invalid.
    #[error("the header of the CSWL container at offset {offset:#x} is damaged: {problem}")]
    CswlHeader {
        /// The offset of the container.
        offset: u64,
        /// The problem with it.
        problem: String,
    },
    /// The version of a CSWL container is not supported.
    #[error("the CSWL container has version {found}, expected at most {newest}")]
    CswlVersion {
        /// Its version.
        found: u16,
        /// The newest supported version.
        newest: u16,
    },
    /// The requested buffer does not exist.
    #[error("there is no trace buffer {wanted}; available: {buffers}")]
    NoSuchBuffer {
        /// The requested buffer.
        wanted: BufferChoice,
        /// The existing buffers.
        buffers: String,
    },
}

impl DecodeError {
    /// The offset of the problem in the input, if it is at one.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Decompression { offset, .. }
            | Self::NoHeader { offset, .. }
            | Self::HeaderTooShort { offset, .. }
            | Self::HeaderPointer { offset, .. }
            | Self::NothingAfterHeader { offset, .. }
            | Self::CswlHeader { offset, .. } => Some(*offset),
            _ => None,
        }
    }
}

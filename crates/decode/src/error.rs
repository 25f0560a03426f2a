use rtoscope_trace::printable::Printable;
use std::io;
use std::path::PathBuf;

/// Why an input gives no trace at all.
///
/// Damage that leaves something to show is no error but a
/// [`Diagnostic`](rtoscope_trace::Diagnostic). Offsets are bytes from the
/// start of the input, lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// There is not a single byte.
    #[error("the input is empty, expected a recorded trace")]
    Empty,
    /// A file cannot be opened or read.
    #[error("cannot read {}", Printable::path(&path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The path leads to a directory.
    #[error("{} is a directory, expected a file", Printable::path(&path))]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// A pipe or device does not come to an end.
    #[error("{} gives more than {limit} bytes; save it to a file first", Printable::path(&path))]
    EndlessStream {
        /// The pipe or device.
        path: PathBuf,
        /// Bytes that are read at most.
        limit: u64,
    },
    /// A text container has no line that gives bytes.
    #[error("no usable {container} record in {lines} lines; {problem}")]
    NoRecord {
        /// The text format, e.g. `Intel HEX`.
        container: &'static str,
        /// Lines of the input.
        lines: u64,
        /// What is wrong with the first of them.
        problem: String,
    },
    /// A compressed stream is damaged before its first byte of content.
    #[error("the {compression} stream cannot be decompressed at offset {offset:#x}: {problem}")]
    Decompression {
        /// The method, e.g. `gzip`.
        compression: &'static str,
        /// Where in the compressed stream.
        offset: u64,
        /// What the decompressor says.
        problem: String,
    },
    /// A compressed stream grows beyond all proportion.
    #[error(
        "the {compression} stream of {compressed} bytes decompresses to more than the {limit} bytes \
         that are allowed for it; decompress it to a file first"
    )]
    DecompressedTooLarge {
        /// The method, e.g. `gzip`.
        compression: &'static str,
        /// Bytes of the stream.
        compressed: u64,
        /// Bytes that it may decompress to.
        limit: u64,
    },
    /// Compressed streams are packed in each other.
    #[error("the input is compressed more than {limit} times over")]
    NestedTooDeep {
        /// Layers that are unpacked.
        limit: usize,
    },
    /// The headers of an ELF file cannot be used.
    #[error("the ELF file is damaged: {problem}")]
    ElfDamaged {
        /// What is wrong where, and what was expected.
        problem: String,
    },
    /// An ELF file holds a program, not the memory of a running target.
    #[error(
        "the ELF file is {kind} without the target's memory, expected a core file or another image \
         of its RAM"
    )]
    ElfWithoutMemory {
        /// What it is, e.g. `an executable`.
        kind: &'static str,
    },
    /// No header starts where one was expected.
    #[error("no ThreadX control header (id TXTB, 0x54585442) at offset {offset:#x}")]
    NoHeader {
        /// Where it was expected.
        offset: u64,
    },
    /// The input ends within the control header.
    #[error(
        "the control header at offset {offset:#x} takes {needed} bytes, but the input ends after {available}"
    )]
    HeaderTooShort {
        /// Where the header starts.
        offset: u64,
        /// Bytes that are there.
        available: usize,
        /// Bytes of a header.
        needed: usize,
    },
    /// A pointer of the control header leads before what must come before it.
    #[error(
        "the control header's {field} at offset {offset:#x} is {value:#x}, expected at least {least:#x}"
    )]
    HeaderPointer {
        /// Which pointer.
        field: &'static str,
        /// Where the pointer stands.
        offset: u64,
        /// The pointer.
        value: u64,
        /// The lowest address that it could be.
        least: u64,
    },
    /// Neither registry nor events are in the input.
    #[error(
        "the control header at offset {offset:#x} puts the registry at {registry_start:#x} and the events \
         at {buffer_start:#x}, but of the memory from its base {base:#x} on the input holds only \
         {available} bytes"
    )]
    NothingBehindHeader {
        /// Where the header starts.
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
    /// No control header is anywhere in the input.
    #[error(
        "no trace found in {bytes} bytes ({container}): nowhere is there a ThreadX control header \
         (id TXTB, 0x54585442, ended by 0xaaaaaaaa 0xbbbbbbbb 0xcccccccc), and it does not look like an \
         RKH stream or a context-switch log (--log-start says where in memory one lies){}",
        problem.as_ref().map_or(String::new(), |problem| format!("; {problem}"))
    )]
    NoBuffer {
        /// What the bytes were packed in.
        container: &'static str,
        /// Bytes that were searched.
        bytes: u64,
        /// What was damaged on the way there, if anything was.
        problem: Option<String>,
    },
    /// The input holds a trace of another format than an operation is about.
    #[error("this is {found}, expected {expected}")]
    OtherFormat {
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// No frame of a stream is a record of RKH's.
    #[error("no RKH record in {bytes} bytes: none of {frames} frames can be read as one")]
    NoRkhRecord {
        /// Bytes of the stream.
        bytes: u64,
        /// Frames that are no records.
        frames: u64,
    },
    /// Nothing says how the records of a stream are laid out.
    #[error(
        "the stream does not say the configuration of its records, and they are not of the usual \
         one (of {} frames {records} are): give it with --rkh-config, or have it guessed with --guess",
        *records as u64 + frames
    )]
    NoRkhConfiguration {
        /// Frames that can be read with the usual configuration.
        records: usize,
        /// Frames that cannot.
        frames: u64,
    },
    /// Nothing in the input is a context-switch log, or it cannot be told where.
    #[error("no context-switch log found: {problem}")]
    NoSwitchLog {
        /// What is missing or wrong.
        problem: String,
    },
    /// The header of a CSWL container makes no sense.
    #[error("the header of the CSWL container at offset {offset:#x} is damaged: {problem}")]
    CswlHeader {
        /// Where the container starts.
        offset: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A CSWL container is newer than this reader.
    #[error("the CSWL container is of version {found}, expected at most {newest}")]
    CswlVersion {
        /// Its version.
        found: u16,
        /// The newest version that can be read.
        newest: u16,
    },
    /// The buffer asked for is not among those found.
    #[error("no trace buffer {wanted}; there are: {buffers}")]
    NoSuchBuffer {
        /// What was asked for.
        wanted: String,
        /// The buffers that are there.
        buffers: String,
    },
}

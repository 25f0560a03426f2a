//! Containers: compressed streams, hex text of various formats, and memory
//! images. The content alone decides the container.

pub(crate) mod archive;
mod base64;
mod budget;
mod compressed;
mod digits;
mod elf;
mod hex_text;
mod intel_hex;
mod rejected_lines;
mod s_record;
pub(crate) mod swapped;
mod utf16;

pub use compressed::Compression;

use crate::DecodeError;
use crate::format::FORMATS;
use crate::memory::Memory;
use crate::source::Input;
use budget::{ExpansionBudget, ExpansionStop};
use rtoscope_trace::events::records::ByteSource;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, text};
use rtoscope_wire::threadx::BufferLayout;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The container of a recording's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// None: the trace starts at offset 0.
    Raw,
    /// A binary memory image without addresses that contains the trace.
    RamImage,
    /// Intel HEX records.
    IntelHex,
    /// Motorola S-records.
    SRecord,
    /// The output of `xxd`, `hexdump` or a debugger.
    HexText,
    /// An ELF core file.
    ElfCore,
}

impl Container {
    /// The name in machine-readable output, e.g. `intel-hex`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::RamImage => "ram-image",
            Self::IntelHex => "intel-hex",
            Self::SRecord => "s-record",
            Self::HexText => "hex-text",
            Self::ElfCore => "elf-core",
        }
    }
}

/// The unpacked memory image of a recording.
#[derive(Debug, Clone)]
pub struct MemoryImage<'a> {
    /// The container, inside any compression.
    pub container: Container,
    /// The compression layers, the outermost first.
    pub compression: Vec<Compression>,
    /// The contents of memory.
    pub memory: Memory<'a>,
    /// The input as a file, unless it was decompressed.
    pub file: Option<Arc<dyn ByteSource>>,
    /// Offsets in the (decompressed) input that may contain bytes other than
    /// zero.
    pub data_ranges: Vec<Range<u64>>,
    /// Damaged, unusual or missing parts of the container.
    pub diagnostics: Diagnostics,
}

/// Maximum number of compression layers.
const MAX_COMPRESSION_DEPTH: usize = 3;

/// A decompressed input.
#[derive(Debug, Clone)]
pub struct DecompressedInput<'a> {
    /// The bytes; at least one.
    pub input: Input<'a>,
    /// The compression layers, the outermost first.
    pub compression: Vec<Compression>,
    /// Damage in the compressed streams.
    pub diagnostics: Diagnostics,
    /// What the input may still expand to.
    budget: ExpansionBudget,
}

/// Decompresses `input` if it is compressed.
pub fn decompress(mut input: Input<'_>) -> Result<DecompressedInput<'_>, DecodeError> {
    let mut diagnostics = Diagnostics::default();
    let mut compression = Vec::new();
    let mut budget = ExpansionBudget::new(input.bytes().len() as u64);
    while let Some(method) = Compression::detect(input.bytes()) {
        if compression.len() == MAX_COMPRESSION_DEPTH {
            return Err(DecodeError::NestedTooDeep {
                limit: MAX_COMPRESSION_DEPTH,
            });
        }
        compression.push(method);
        let layer = compression.len();
        let bytes = method.decompress(input.bytes(), layer, &mut budget, &mut diagnostics)?;
        input = Input::new(bytes);
    }
    if input.bytes().is_empty() {
        return Err(DecodeError::Empty);
    }
    if is_trace(input.bytes()) {
        // Also archives: sessions of sigrok.
    } else if let Some(traces) = archive::with_traces(&input, &mut budget)? {
        input = traces;
    } else if let Some(kind) = archive::detect(input.bytes()) {
        return Err(DecodeError::Archive { kind });
    }
    Ok(DecompressedInput {
        input,
        compression,
        diagnostics,
        budget,
    })
}

/// Detects the container of `input` and unpacks it.
pub fn read(input: Input<'_>) -> Result<MemoryImage<'_>, DecodeError> {
    unpack_image(decompress(input)?)
}

/// Detects the container of a decompressed input and unpacks it.
pub fn unpack_image(decompressed: DecompressedInput<'_>) -> Result<MemoryImage<'_>, DecodeError> {
    let DecompressedInput {
        input,
        compression,
        mut diagnostics,
        budget,
    } = decompressed;
    let (bytes, data, file) = input.into_parts();
    let (container, memory) = match bytes {
        Cow::Borrowed(bytes) => unpack(bytes, budget, &mut diagnostics)?
            .unwrap_or_else(|| (binary_container(bytes), Memory::from_file_bytes(bytes))),
        Cow::Owned(bytes) => match unpack(&bytes, budget, &mut diagnostics)? {
            Some((container, memory)) => {
                let limit = bytes.len() as u64;
                let memory = into_owned(memory, limit, &mut diagnostics).ok_or_else(|| {
                    let innermost = compression.last().map_or("", |method| method.name());
                    budget.error(ExpansionStop::OutOfMemory, compression.len(), innermost)
                })?;
                (container, memory)
            }
            None => (binary_container(&bytes), Memory::from_file_bytes(bytes)),
        },
    };
    let memory = swapped::restore(memory, &data, &mut diagnostics);
    Ok(MemoryImage {
        container,
        compression,
        memory,
        file,
        data_ranges: data,
        diagnostics,
    })
}

/// Makes the bytes of a decompressed input memory, whatever container they look
/// like, unless they are a text of bytes without addresses.
pub(crate) fn plain_image(decompressed: DecompressedInput<'_>) -> MemoryImage<'_> {
    let DecompressedInput {
        input,
        compression,
        mut diagnostics,
        budget,
    } = decompressed;
    let mut found = Diagnostics::default();
    let text = (looks_like_text(input.bytes()) && !is_trace(input.bytes()))
        .then(|| hex_text::read(input.bytes(), budget.left(), &mut found).ok())
        .flatten()
        .filter(|memory| !memory.has_addresses());
    let (bytes, data_ranges, file) = input.into_parts();
    let (container, memory) = match text {
        Some(memory) => {
            diagnostics.extend(found);
            (Container::HexText, memory)
        }
        None => (binary_container(&bytes), Memory::from_file_bytes(bytes)),
    };
    MemoryImage {
        container,
        compression,
        memory,
        file,
        data_ranges,
        diagnostics,
    }
}

type UnpackedContainer<'a> = Option<(Container, Memory<'a>)>;

/// Unpacks decompressed bytes; `None` if they are a plain binary.
fn unpack<'a>(
    bytes: &'a [u8],
    budget: ExpansionBudget,
    diagnostics: &mut Diagnostics,
) -> Result<UnpackedContainer<'a>, DecodeError> {
    if bytes.starts_with(elf::MAGIC) {
        let memory = elf::read(bytes, diagnostics)?;
        return Ok(Some((Container::ElfCore, memory)));
    }
    if BufferLayout::detect(bytes).is_some() || !looks_like_text(bytes) || is_trace(bytes) {
        return Ok(None);
    }
    let mut found = Diagnostics::default();
    let container = text_container(bytes);
    let memory = match container {
        Container::IntelHex => intel_hex::read(bytes, &mut found),
        Container::SRecord => s_record::read(bytes, &mut found),
        _ => hex_text::read(bytes, budget.left(), &mut found),
    };
    match memory {
        Ok(memory) => {
            diagnostics.extend(found);
            Ok(Some((container, memory)))
        }
        Err(_) if contains_binary(bytes) => Ok(None),
        Err(error) => Err(error),
    }
}

fn binary_container(bytes: &[u8]) -> Container {
    match BufferLayout::detect(bytes) {
        Some(_) => Container::Raw,
        None => Container::RamImage,
    }
}

/// `None` if there is no memory for it.
fn into_owned(
    memory: Memory<'_>,
    limit: u64,
    diagnostics: &mut Diagnostics,
) -> Option<Memory<'static>> {
    let (memory, omitted) = memory.into_owned(limit)?;
    if omitted > 0 {
        let message = format!(
            "skipped {omitted} bytes of overlapping segments: they would take more memory than \
             the {limit} bytes of the input"
        );
        diagnostics
            .push(Diagnostic::new(DiagnosticKind::MissingBytes, message).with_count(omitted));
    }
    Some(memory)
}

/// Size of a sample that decides whether an input is text.
const TEXT_SAMPLE_BYTES: usize = 4096;
/// Number of further samples, because a memory image may start with text.
const TEXT_SAMPLE_COUNT: usize = 16;

fn looks_like_text(bytes: &[u8]) -> bool {
    let text = text::strip_bom(bytes);
    let start = text.get(..TEXT_SAMPLE_BYTES).unwrap_or(text);
    let step = (text.len() / TEXT_SAMPLE_COUNT).max(TEXT_SAMPLE_BYTES);
    // A sample may end within a character.
    let is_utf8 = str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_utf8
        && start.iter().all(|&byte| is_text(byte) || !byte.is_ascii())
        && text.chunks(step).all(|chunk| {
            let sample = chunk.get(..TEXT_SAMPLE_BYTES).unwrap_or(chunk);
            let readable = sample.iter().filter(|&&byte| is_text(byte)).count();
            readable >= sample.len() / 2
        })
}

/// Whether a text or an archive is a trace itself.
fn is_trace(bytes: &[u8]) -> bool {
    FORMATS.into_iter().any(|format| format.is_text(bytes))
}

/// Whether unreadable text is probably binary data.
fn contains_binary(bytes: &[u8]) -> bool {
    let text = text::strip_bom(bytes);
    let unreadable = text.iter().filter(|&&byte| !is_text(byte)).count();
    unreadable > text.len() / 100
}

/// Whether a byte is an ASCII character of a text; terminals add escape sequences.
fn is_text(byte: u8) -> bool {
    const ESCAPE: u8 = 0x1B;
    byte.is_ascii_graphic() || byte.is_ascii_whitespace() || byte == ESCAPE
}

/// The container of a text: that of its first record, unless it has none.
fn text_container(bytes: &[u8]) -> Container {
    /// Number of lines that may precede the first record.
    const MAX_OTHER_LINES: usize = 64;
    let found = text::lines(bytes).take(MAX_OTHER_LINES).find_map(|line| {
        let mut record = Vec::new();
        if intel_hex::parse(line, &mut record).is_ok() {
            return Some(Container::IntelHex);
        }
        record.clear();
        s_record::parse(line, &mut record)
            .ok()
            .map(|_| Container::SRecord)
    });
    found.unwrap_or_else(|| match text::strip_bom(bytes).trim_ascii_start() {
        [b':', ..] => Container::IntelHex,
        [b'S', b'0'..=b'9', ..] => Container::SRecord,
        _ => Container::HexText,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression as Level;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn unpacked(bytes: &[u8]) -> Result<MemoryImage<'_>, DecodeError> {
        read(Input::new(bytes))
    }

    fn name(bytes: &[u8]) -> &'static str {
        unpacked(bytes).unwrap().container.name()
    }

    #[test]
    fn containers_are_detected_by_content() {
        assert_eq!(name(b"BTXT"), "raw");
        assert_eq!(name(b"TXTB and more text"), "raw");
        assert_eq!(name(b"\0\0\0\0TXTB"), "raw");
        assert_eq!(name(b"\x01\x02BTXT"), "ram-image");
        assert_eq!(name(b"\r\n:0100000042BD\r\n:00000001FF"), "intel-hex");
        assert_eq!(name(b"\xEF\xBB\xBFS104000042B9\nS9030000FC"), "s-record");
        assert_eq!(name(b"42 54 58 54"), "hex-text");
    }

    #[test]
    fn memory_that_starts_with_text_is_no_text() {
        let mut bytes = vec![b' '; 8192];
        bytes.resize(1 << 20, 0);
        assert_eq!(name(&bytes), "ram-image");
        let mut bytes = b":this is a banner\n".repeat(300);
        bytes.extend([0x80; 300]);
        assert_eq!(name(&bytes), "ram-image");
    }

    #[test]
    fn text_that_is_no_dump_is_an_error() {
        let error = unpacked(b"Dear reader,\nthis is a letter.\n").unwrap_err();
        assert!(matches!(error, DecodeError::NoRecord { lines: 2, .. }));
        assert!(matches!(unpacked(b""), Err(DecodeError::Empty)));
    }

    #[test]
    fn compression_is_unpacked_in_layers() {
        let pack = |bytes: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let two = pack(&pack(b":0100000042BD\n:00000001FF\n"));
        let image = unpacked(&two).unwrap();
        assert_eq!(image.compression, [Compression::Gzip, Compression::Gzip]);
        assert_eq!(image.container, Container::IntelHex);
        assert_eq!(image.memory.read(0, 1), Some(&b"B"[..]));
        let four = pack(&pack(&two));
        assert!(matches!(
            unpacked(&four),
            Err(DecodeError::NestedTooDeep { limit: 3 })
        ));
    }
}

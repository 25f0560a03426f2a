use super::budget::{ExpansionBudget, ExpansionStop};
use super::{base64, utf16};
use crate::DecodeError;
use flate2::bufread::GzDecoder;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, Read};

/// The compression of an input, or its encoding as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// Zstandard, RFC 8878.
    Zstd,
    /// Base64, RFC 4648.
    Base64,
    /// Text in UTF-16.
    Utf16,
}

/// ID1, ID2 and the only compression method of RFC 1952.
const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B, 0x08];
/// RFC 8878, 3.1.1.
const ZSTD_MAGIC: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

impl Compression {
    /// The name in machine-readable output, e.g. `gzip`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Base64 => "base64",
            Self::Utf16 => "utf-16",
        }
    }

    /// Detects the compression at the start of `bytes`.
    pub(super) fn detect(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(GZIP_MAGIC) {
            Some(Self::Gzip)
        } else if bytes.starts_with(ZSTD_MAGIC) {
            Some(Self::Zstd)
        } else if utf16::detect(bytes) {
            Some(Self::Utf16)
        } else if base64::detect(bytes) {
            Some(Self::Base64)
        } else {
            None
        }
    }

    /// Decompresses all members or frames of a layer, which count from 1. Keeps everything
    /// before damage.
    pub(super) fn decompress(
        self,
        bytes: &[u8],
        layer: usize,
        budget: &mut ExpansionBudget,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<u8>, DecodeError> {
        let mut output = BoundedOutput::new(budget);
        let max_bytes = match self {
            Self::Utf16 => utf16::max_decoded_bytes(bytes),
            Self::Base64 => base64::max_decoded_bytes(bytes),
            Self::Gzip | Self::Zstd => 0,
        };
        let reserved = output.budget.reserve(&mut output.bytes, max_bytes);
        reserved.map_err(|stop| output.budget.error(stop, layer, self.name()))?;
        match self {
            Self::Utf16 => return Ok(utf16::decode(bytes, output.bytes)),
            Self::Base64 => {
                let decoded = base64::decode(bytes, output.bytes);
                return decoded.map_err(|line| DecodeError::Decompression {
                    compression: self.name(),
                    offset: line.offset,
                    problem: format!("line {} breaks the sequence of lines", line.number),
                });
            }
            Self::Gzip | Self::Zstd => {}
        }
        let mut rest = bytes;
        let offset = |rest: &[u8]| (bytes.len() - rest.len()) as u64;
        while !rest.is_empty() {
            let skippable = (self == Self::Zstd).then(|| after_skippable_frame(rest));
            if let Some(following) = skippable.flatten() {
                rest = following;
                continue;
            }
            let stopped = match Self::detect(rest) {
                Some(Self::Gzip) if self == Self::Gzip => gzip_member(&mut rest, &mut output),
                Some(Self::Zstd) if self == Self::Zstd => zstd_frame(&mut rest, &mut output),
                _ => {
                    let (at, left) = (offset(rest), rest.len() as u64);
                    let name = self.name();
                    let message = format!(
                        "ignored {left} bytes after the {name} stream, from its offset {at:#x} on"
                    );
                    let diagnostic = Diagnostic::new(DiagnosticKind::ExtraBytes, message);
                    diagnostics.push(diagnostic.with_count(left));
                    break;
                }
            };
            match stopped {
                Ok(()) => {}
                Err(DecompressStop::Full(stop)) => {
                    return Err(output.budget.error(stop, layer, self.name()));
                }
                Err(DecompressStop::Damaged(problem)) => {
                    let at = offset(rest);
                    if output.bytes.is_empty() {
                        return Err(DecodeError::Decompression {
                            compression: self.name(),
                            offset: at,
                            problem,
                        });
                    }
                    let message = format!(
                        "the {} stream is damaged or truncated at its offset {at:#x} \
                         ({problem}); the {} bytes before that are kept",
                        self.name(),
                        output.bytes.len()
                    );
                    let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
                    diagnostics.push(diagnostic.at_offset(output.bytes.len() as u64));
                    break;
                }
            }
        }
        Ok(output.bytes)
    }
}

enum DecompressStop {
    Full(ExpansionStop),
    Damaged(String),
}

impl DecompressStop {
    fn damaged(error: &impl ToString) -> Self {
        Self::Damaged(error.to_string())
    }
}

struct BoundedOutput<'b> {
    bytes: Vec<u8>,
    budget: &'b mut ExpansionBudget,
    /// What a stream decompresses to at once; taken while it is in use.
    chunk: Vec<u8>,
}

impl<'b> BoundedOutput<'b> {
    fn new(budget: &'b mut ExpansionBudget) -> Self {
        Self {
            bytes: Vec::new(),
            budget,
            chunk: Vec::new(),
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), DecompressStop> {
        let reserved = self.budget.reserve(&mut self.bytes, bytes.len());
        reserved.map_err(DecompressStop::Full)?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn drain(&mut self, stream: impl Read) -> Result<(), DecompressStop> {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.resize(64 << 10, 0);
        let result = self.drain_by(&mut chunk, stream);
        self.chunk = chunk;
        result
    }

    fn drain_by(&mut self, chunk: &mut [u8], mut stream: impl Read) -> Result<(), DecompressStop> {
        loop {
            match stream.read(chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => self.push(chunk.get(..length).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(DecompressStop::damaged(&error)),
            }
        }
    }
}

/// Decompresses a member and advances `rest` past it, or to the damage.
fn gzip_member(rest: &mut &[u8], output: &mut BoundedOutput<'_>) -> Result<(), DecompressStop> {
    let mut decoder = GzDecoder::new(*rest);
    let result = output.drain(&mut decoder);
    *rest = decoder.into_inner();
    result
}

/// Decompresses a frame and advances `rest` past it, or to the damaged block.
fn zstd_frame(rest: &mut &[u8], output: &mut BoundedOutput<'_>) -> Result<(), DecompressStop> {
    let frame = *rest;
    let before = output.bytes.len();
    let mut decoder = FrameDecoder::new();
    let mut ahead = frame;
    decoder
        .init(&mut ahead)
        .map_err(|error| DecompressStop::damaged(&error))?;
    *rest = ahead;
    while !decoder.is_finished() {
        if let Err(error) = decoder.decode_blocks(&mut ahead, BlockDecodingStrategy::UptoBlocks(1))
        {
            let sound = frame.len() - rest.len();
            let collected = output.bytes.len() - before;
            zstd_intact_blocks(frame.get(..sound).unwrap_or_default(), collected, output)?;
            return Err(DecompressStop::damaged(&error));
        }
        *rest = ahead;
        output.drain(&mut decoder)?;
    }
    match (
        decoder.get_checksum_from_data(),
        decoder.get_calculated_checksum(),
    ) {
        (Some(found), Some(expected)) if found != expected => Err(DecompressStop::Damaged(
            format!("its checksum is {found:#010x}, expected {expected:#010x}"),
        )),
        _ => Ok(()),
    }
}

/// Decompresses the intact blocks at the start of a damaged frame.
///
/// A decoder withholds a window of content until it has seen the last block.
/// Therefore this decodes the intact blocks again, followed by an empty last
/// block (RFC 8878, 3.1.1.2) and space for a checksum.
fn zstd_intact_blocks(
    sound: &[u8],
    collected: usize,
    output: &mut BoundedOutput<'_>,
) -> Result<(), DecompressStop> {
    const EMPTY_LAST_BLOCK: &[u8] = &[1, 0, 0];
    const CHECKSUM: &[u8] = &[0; 4];
    let mut blocks = sound.chain(EMPTY_LAST_BLOCK).chain(CHECKSUM);
    let mut decoder = FrameDecoder::new();
    decoder
        .init(&mut blocks)
        .map_err(|error| DecompressStop::damaged(&error))?;
    let mut skipped = 0;
    while !decoder.is_finished() {
        let step = BlockDecodingStrategy::UptoBlocks(1);
        let decoded = decoder.decode_blocks(&mut blocks, step);
        decoded.map_err(|error| DecompressStop::damaged(&error))?;
        let content = decoder.collect().unwrap_or_default();
        let known = content.len().min(collected - skipped);
        skipped += known;
        output.push(content.get(known..).unwrap_or_default())?;
    }
    Ok(())
}

/// The bytes after a frame without content: magic 0x184D2A50 to 0x184D2A5F and
/// a length (RFC 8878, 3.1.2).
fn after_skippable_frame(bytes: &[u8]) -> Option<&[u8]> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    let [low, 0x2A, 0x4D, 0x18, length @ ..] = *head else {
        return None;
    };
    let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
    if low & 0xF0 != 0x50 {
        return None;
    }
    rest.get(length..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// A frame of raw blocks with a window of 1 KiB, no size and no checksum.
    fn zstd(blocks: &[&[u8]]) -> Vec<u8> {
        let mut frame = [ZSTD_MAGIC, &[0, 0]].concat();
        for (index, block) in blocks.iter().enumerate() {
            let last = usize::from(index + 1 == blocks.len());
            let header = (block.len() << 3 | last) as u32;
            frame.extend(&header.to_le_bytes()[..3]);
            frame.extend(*block);
        }
        frame
    }

    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..length).map(|_| next()).collect()
    }

    fn expand(bytes: &[u8]) -> (Vec<u8>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        let method = Compression::detect(bytes).unwrap();
        let mut budget = ExpansionBudget::new(bytes.len() as u64);
        let content = method.decompress(bytes, 1, &mut budget, &mut diagnostics);
        (content.unwrap(), diagnostics)
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        let two = [gzip(b"one, "), gzip(b"two")].concat();
        assert_eq!(expand(&two), (b"one, two".to_vec(), Diagnostics::default()));
        let skippable = [0x53, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9].to_vec();
        let two = [zstd(&[b"one", b", "]), skippable, zstd(&[b"two"])].concat();
        assert_eq!(expand(&two), (b"one, two".to_vec(), Diagnostics::default()));
    }

    #[test]
    fn what_follows_the_stream_is_reported() {
        let (content, diagnostics) = expand(&[gzip(b"one"), b"rubbish".to_vec()].concat());
        assert_eq!(content, b"one");
        let extra = diagnostics.iter().next().unwrap();
        assert_eq!((extra.kind, extra.count), (DiagnosticKind::ExtraBytes, 7));
    }

    #[test]
    fn a_cut_stream_keeps_its_beginning() {
        let whole = noise(300_000);
        let mut cut = gzip(&whole);
        cut.truncate(200_000);
        let (content, diagnostics) = expand(&cut);
        assert!(content.len() > 150_000 && whole.starts_with(&content));
        let kind = diagnostics.iter().next().unwrap().kind;
        assert_eq!(kind, DiagnosticKind::Truncated);

        let mut cut = zstd(&[b"first ", b"second ", b"third"]);
        cut.truncate(cut.len() - 1);
        let (content, diagnostics) = expand(&cut);
        assert_eq!(content, b"first second ");
        let truncated = diagnostics.iter().next().unwrap();
        assert_eq!(truncated.offset, Some(13));
        assert!(truncated.message.contains("offset 0x19"), "{truncated:?}");
    }

    #[test]
    fn a_stream_that_gives_nothing_is_an_error() {
        let mut diagnostics = Diagnostics::default();
        let mut damaged = |method: Compression, bytes: &[u8]| {
            let mut budget = ExpansionBudget::new(bytes.len() as u64);
            let content = method.decompress(bytes, 1, &mut budget, &mut diagnostics);
            content.unwrap_err()
        };
        let error = damaged(Compression::Gzip, GZIP_MAGIC);
        assert!(
            matches!(error, DecodeError::Decompression { .. }),
            "{error}"
        );
        let error = damaged(Compression::Zstd, ZSTD_MAGIC);
        assert!(
            matches!(error, DecodeError::Decompression { .. }),
            "{error}"
        );
    }

    #[test]
    fn growth_is_limited() {
        let mut diagnostics = Diagnostics::default();
        let mut refuse = |method: Compression, bytes: &[u8]| {
            // The first layer has used all but 3 bytes.
            let mut budget = ExpansionBudget::new(2000);
            let used = usize::try_from(budget.left() - 3).unwrap();
            budget.reserve(&mut Vec::new(), used).unwrap();
            let content = method.decompress(bytes, 2, &mut budget, &mut diagnostics);
            content.unwrap_err().to_string()
        };
        assert_eq!(
            refuse(Compression::Gzip, &gzip(b"four")),
            "layer 2 (gzip) of the input of 2000 bytes expands beyond the limit of 67108864 bytes \
             for all layers; decompress it to a file first"
        );
        let message = refuse(Compression::Zstd, &zstd(&[b"four"]));
        assert!(message.starts_with("layer 2 (zstd) "), "{message}");
    }

    #[test]
    fn a_wrong_zstd_checksum_is_said() {
        // A single segment of 4 bytes with a checksum: one raw, last block.
        let frame = b"\x28\xB5\x2F\xFD\x24\x04\x21\x00\x00BTXT\x00\x00\x00\x00";
        let mut diagnostics = Diagnostics::default();
        let mut budget = ExpansionBudget::new(frame.len() as u64);
        let bytes = Compression::Zstd.decompress(frame, 1, &mut budget, &mut diagnostics);
        assert_eq!(bytes.unwrap(), b"BTXT");
        let message = &diagnostics.iter().next().unwrap().message;
        assert!(message.contains("its checksum is 0x00000000"), "{message}");
    }
}

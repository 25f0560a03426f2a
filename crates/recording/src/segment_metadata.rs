//! Metadata needed to start decoding at a segment.
//!
//! ```text
//! 0 magic "rtoprefa" | 8 version u16 | 10 format u8 | 11 zero u8 | 12 checksum u32
//! 16 the metadata, to the end of the file
//! ```
//!
//! The checksum is the CRC-32 of the metadata.

use super::RecordingError;
use super::checksum::checksum;
use super::folder::{self, SegmentFileKind};
use rtoscope_decode::{Format, files};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

const MAGIC: [u8; 8] = *b"rtoprefa";
const VERSION: u16 = 1;
const HEADER_LEN: usize = 16;

/// Maximum size of a metadata file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 26;

/// Information from earlier segments that later ones need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SegmentMetadata {
    pub(super) format: Format,
    pub(super) bytes: Vec<u8>,
}

impl SegmentMetadata {
    /// Writes the metadata beside a segment. The file appears when it is complete and
    /// on disk, so that earlier segments may be removed.
    pub(super) fn write(&self, folder: &Path, segment: u64) -> Result<(), RecordingError> {
        let path = folder::path(folder, segment, SegmentFileKind::Metadata);
        let mut header = [0; HEADER_LEN];
        header[..8].copy_from_slice(&MAGIC);
        header[8..10].copy_from_slice(&VERSION.to_le_bytes());
        header[10] = self.format.code();
        header[12..].copy_from_slice(&checksum(&[&self.bytes]).to_le_bytes());
        let unfinished = path.with_extension("part");
        let write = || {
            let mut file = File::create(&unfinished)?;
            file.write_all(&header)?;
            file.write_all(&self.bytes)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|source| {
            let _ = fs::remove_file(&unfinished);
            RecordingError::io("cannot write", &path, source)
        })
    }

    /// Reads the metadata beside a segment. `None` if there is none, `Err` if it is
    /// damaged.
    pub(super) fn read(folder: &Path, segment: u64) -> Option<Result<Self, DamagedMetadata>> {
        let path = folder::path(folder, segment, SegmentFileKind::Metadata);
        let length = files::length(&path).ok()?;
        let bytes = (length <= MAX_FILE_BYTES)
            .then(|| files::read(&path).ok())
            .flatten();
        Some(bytes.and_then(decode).ok_or(DamagedMetadata))
    }
}

/// Damaged metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedMetadata;

fn decode(mut bytes: Vec<u8>) -> Option<SegmentMetadata> {
    let header: [u8; HEADER_LEN] = bytes.get(..HEADER_LEN)?.try_into().ok()?;
    bytes.drain(..HEADER_LEN);
    let known = header[..8] == MAGIC && header[8..10] == VERSION.to_le_bytes();
    let whole = header[12..] == checksum(&[&bytes]).to_le_bytes();
    let format = Format::from_code(header[10])?;
    (known && whole && header[11] == 0).then_some(SegmentMetadata { format, bytes })
}

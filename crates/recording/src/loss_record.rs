//! Bytes missing at the end of a recording.
//!
//! ```text
//! 0 magic "rtosloss" | 8 version u16 | 10 bytes of the reason u16 | 12 checksum u32
//! 16 offset u64 | 24 time u64 | 32 the reason, 240 bytes | 272 zeros, to byte 512
//! ```
//!
//! `offset` counts all bytes received until then; 0 if none were lost. The checksum is
//! the CRC-32 of all other bytes.
//!
//! The file has its final size from the start of the recording and is rewritten in
//! place, so it needs no free space. It is as small as a disk sector, so a write is
//! never torn, and copy-on-write file systems keep it among their metadata, for which
//! they reserve space.

use super::RecordingError;
use super::checksum::checksum;
use super::entry::{IndexEntry, MAX_OFFSET};
use rtoscope_decode::files;
use rtoscope_decode::live::HostTime;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The name of the file.
pub(super) const FILE_NAME: &str = "rtoscope.loss";

const MAGIC: [u8; 8] = *b"rtosloss";
const VERSION: u16 = 1;
const HEADER_LEN: usize = 32;
const FILE_LEN: usize = 512;

/// Bytes received but not written at the end of a recording, unless a later segment
/// starts at or after `offset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LossRecord {
    /// Offset of the recording after the last lost byte.
    pub(super) offset: u64,
    /// When the last lost byte arrived.
    pub(super) at: HostTime,
    /// Why the bytes could not be written.
    pub(super) reason: String,
}

/// A loss record that is damaged, or does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedLossRecord;

/// The file of a recording being written.
pub(super) struct LossRecordFile {
    file: File,
    path: PathBuf,
}

impl LossRecordFile {
    /// Creates the file with its final size.
    pub(super) fn reserve(folder: &Path) -> Result<Self, RecordingError> {
        let path = folder.join(FILE_NAME);
        let none = LossRecord {
            offset: 0,
            at: HostTime(0),
            reason: String::new(),
        };
        let reserve = || {
            let mut file = File::create_new(&path)?;
            file.write_all(&none.encode())?;
            file.sync_all()?;
            Ok(file)
        };
        match reserve() {
            Ok(file) => Ok(Self { file, path }),
            Err(error) => Err(RecordingError::io("cannot write", path, error)),
        }
    }

    /// Rewrites the record in place.
    pub(super) fn write(&self, loss: &LossRecord) -> Result<(), RecordingError> {
        let mut file = &self.file;
        let written = file.seek(SeekFrom::Start(0));
        let written = written.and_then(|_| file.write_all(&loss.encode()));
        written.map_err(|error| self.failed("cannot write", error))
    }

    /// Flushes the record to disk.
    pub(super) fn sync(&self) -> Result<(), RecordingError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| self.failed("cannot flush to disk", error))
    }

    fn failed(&self, what: &'static str, error: io::Error) -> RecordingError {
        RecordingError::io(what, &self.path, error)
    }
}

impl LossRecord {
    /// Reads the record of a folder. `None` if nothing was lost.
    pub(super) fn read(folder: &Path) -> Option<Result<Self, DamagedLossRecord>> {
        let path = folder.join(FILE_NAME);
        let length = files::length(&path).ok();
        let bytes = length.filter(|length| *length == FILE_LEN as u64);
        let bytes = bytes.and_then(|_| files::read(&path).ok());
        match bytes.and_then(|bytes| Self::decode(&bytes)) {
            Some(loss) => (loss.offset > 0).then_some(Ok(loss)),
            None => Some(Err(DamagedLossRecord)),
        }
    }

    fn encode(&self) -> [u8; FILE_LEN] {
        let mut end = self.reason.len().min(IndexEntry::MAX_TEXT);
        while !self.reason.is_char_boundary(end) {
            end -= 1;
        }
        let mut bytes = [0; FILE_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&(end as u16).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.at.0.to_le_bytes());
        bytes[HEADER_LEN..HEADER_LEN + end].copy_from_slice(&self.reason.as_bytes()[..end]);
        let check = checksum(&[&bytes[..12], &bytes[16..]]);
        bytes[12..16].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; FILE_LEN] = bytes.try_into().ok()?;
        let is_known = bytes[..8] == MAGIC && bytes[8..10] == VERSION.to_le_bytes();
        if !is_known || bytes[12..16] != checksum(&[&bytes[..12], &bytes[16..]]).to_le_bytes() {
            return None;
        }
        let reason_len = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
        let reason_len = reason_len.min(IndexEntry::MAX_TEXT);
        let reason = &bytes[HEADER_LEN..HEADER_LEN + reason_len];
        let number = |at: usize| {
            let mut number = [0; 8];
            number.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(number)
        };
        let offset = number(16);
        (offset <= MAX_OFFSET).then(|| Self {
            offset,
            at: HostTime(number(24)),
            reason: String::from_utf8_lossy(reason).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn loss_records_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let gone = Some(Err(DamagedLossRecord));
        assert_eq!(LossRecord::read(folder.path()), gone);
        let file = LossRecordFile::reserve(folder.path()).unwrap();
        assert_eq!(LossRecord::read(folder.path()), None);
        for reason in ["", "no space", &"\u{e4}".repeat(1000)] {
            let mut loss = LossRecord {
                offset: 17,
                at: HostTime(5),
                reason: reason.to_owned(),
            };
            file.write(&loss).unwrap();
            loss.reason = reason.chars().take(120).collect();
            assert_eq!(LossRecord::read(folder.path()), Some(Ok(loss)));
        }
        let path = folder.path().join(FILE_NAME);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len(), FILE_LEN);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x20;
            fs::write(&path, &damaged).unwrap();
            assert_eq!(
                LossRecord::read(folder.path()),
                Some(Err(DamagedLossRecord)),
                "{at}"
            );
            fs::write(&path, &bytes[..at]).unwrap();
            assert_eq!(
                LossRecord::read(folder.path()),
                Some(Err(DamagedLossRecord))
            );
        }
    }
}

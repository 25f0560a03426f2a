//! Reader of a segment's index.

use super::RecordingError;
use super::entry::{ENTRY_LEN, EntryKind, HEADER_LEN, IndexEntry};
use super::folder::{self, SegmentFileKind};
use rtoscope_decode::files::FileReader;
use std::io::{self, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The index of a segment.
pub(super) struct SegmentIndex {
    file: BufReader<FileReader>,
    path: PathBuf,
    /// The offset of the last valid entry.
    last_offset: u64,
}

impl SegmentIndex {
    /// Opens the index of the segment that starts at `offset` of the recording; `None`
    /// if it does not exist.
    pub(super) fn open(
        folder: &Path,
        number: u64,
        offset: u64,
    ) -> Result<Option<Self>, RecordingError> {
        let path = folder::path(folder, number, SegmentFileKind::Index);
        let Some(file) = folder::open(&path)? else {
            return Ok(None);
        };
        let mut index = Self {
            file: BufReader::with_capacity(1 << 16, file),
            path,
            last_offset: offset,
        };
        index.seek_entry(0).map_err(|error| index.failed(error))?;
        Ok(Some(index))
    }

    /// Seeks to the last entry before an offset, so that all entries at the offset
    /// follow; to the first entry if there is none, or if damage prevents a binary
    /// search.
    pub(super) fn seek(&mut self, offset: u64) -> Result<(), RecordingError> {
        let found = self
            .last_before(offset)
            .and_then(|number| self.seek_entry(number));
        found.map_err(|error| self.failed(error))
    }

    /// The next entry; `Err(DamagedEntry)` if it is damaged, `None` at the end. A
    /// partial entry at the end was being written.
    pub(super) fn next(
        &mut self,
    ) -> Result<Option<Result<IndexEntry, DamagedEntry>>, RecordingError> {
        let mut bytes = [0; ENTRY_LEN];
        match self.file.read_exact(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(self.failed(error)),
            Ok(()) => {}
        }
        let entry = IndexEntry::decode(&bytes).filter(|entry| entry.offset >= self.last_offset);
        if let Some(entry) = entry {
            self.last_offset = entry.offset;
        }
        Ok(Some(entry.ok_or(DamagedEntry)))
    }

    fn last_before(&mut self, offset: u64) -> io::Result<u64> {
        let length = self.file.seek(SeekFrom::End(0))?;
        let count = length.saturating_sub(HEADER_LEN as u64) / ENTRY_LEN as u64;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            self.seek_entry(middle)?;
            let mut bytes = [0; ENTRY_LEN];
            self.file.read_exact(&mut bytes)?;
            match IndexEntry::decode(&bytes) {
                None => return Ok(0),
                Some(entry) if entry.offset < offset => low = middle + 1,
                Some(_) => high = middle,
            }
        }
        Ok(low.saturating_sub(1))
    }

    fn seek_entry(&mut self, number: u64) -> io::Result<()> {
        let place = HEADER_LEN as u64 + number * ENTRY_LEN as u64;
        self.file.seek(SeekFrom::Start(place)).map(drop)
    }

    fn failed(&self, error: io::Error) -> RecordingError {
        RecordingError::io("cannot read", &self.path, error)
    }
}

/// A damaged entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedEntry;

/// What a segment's index says about the segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct IndexSurvey {
    /// Number of damaged entries.
    pub(super) damaged: u64,
    /// Offset in the recording up to which there were bytes.
    pub(super) end: u64,
    /// Whether the writer closed the segment.
    pub(super) is_closed: bool,
}

/// Reads the index of the segment that starts at `offset` of the recording.
pub(super) fn survey(
    folder: &Path,
    number: u64,
    offset: u64,
) -> Result<IndexSurvey, RecordingError> {
    let mut found = IndexSurvey::default();
    if let Some(mut index) = SegmentIndex::open(folder, number, offset)? {
        while let Some(entry) = index.next()? {
            found.damaged += u64::from(entry.is_err());
            if let Ok(entry) = entry {
                found.end = entry.offset;
                found.is_closed = entry.kind == EntryKind::Ended;
            }
        }
    }
    Ok(found)
}

//! Writer of a segment.

use super::entry::{EntryKind, IndexEntry, IndexHeader};
use super::folder::{self, SegmentFileKind};
use super::sync::SegmentFiles;
use super::{RecordingError, Unread};
use crc32fast::Hasher;
use rtoscope_decode::live::HostTime;
use std::fs::File;
#[cfg(unix)]
use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A segment being written.
///
/// When it is dropped, it marks the end of the segment, so that a reader notices a capture
/// that was killed.
pub(super) struct SegmentWriter {
    files: Arc<SegmentFiles>,
    /// Offset in the recording.
    offset: u64,
    bytes: u64,
    started: HostTime,
    group: Option<IndexGroup>,
}

/// Start of a segment.
pub(super) struct SegmentStart<'a> {
    pub(super) folder: &'a Path,
    pub(super) number: u64,
    /// Offset in the recording.
    pub(super) offset: u64,
    pub(super) at: HostTime,
    /// Why bytes are missing before it, if so.
    pub(super) reason: Option<&'a str>,
}

/// Writing failed; the segment accepts no more data.
pub(super) struct SegmentWriteError {
    /// Number of bytes that were written nevertheless.
    pub(super) written: usize,
    pub(super) error: RecordingError,
}

/// Bytes that share an entry of the index, and a checksum.
struct IndexGroup {
    at: HostTime,
    bytes: u64,
    checksum: Hasher,
}

/// Bytes get a new entry this long after the first ones of the previous entry ...
const MIN_ENTRY_INTERVAL_NS: u64 = 1_000_000;

/// ... if that entry has this many bytes, which keeps entries rare ...
const MIN_ENTRY_BYTES: u64 = 2048;

/// ... or in any case after this time ...
const MAX_ENTRY_INTERVAL_NS: u64 = 100_000_000;

/// ... or after this many bytes.
const MAX_ENTRY_BYTES: u64 = 1 << 16;

impl SegmentWriter {
    /// Starts a segment.
    pub(super) fn begin(start: &SegmentStart<'_>) -> Result<Self, RecordingError> {
        let folder = start.folder;
        // A concurrent reader considers a segment to exist if it has bytes.
        let (index, index_path) = create(folder, start.number, SegmentFileKind::Index)?;
        let (bytes, bytes_path) = create(folder, start.number, SegmentFileKind::Bytes)?;
        let mut segment = Self {
            files: Arc::new(SegmentFiles {
                bytes,
                bytes_path,
                index,
                index_path,
                changed: true.into(),
            }),
            offset: start.offset,
            bytes: 0,
            started: start.at,
            group: None,
        };
        let header = IndexHeader {
            offset: start.offset,
            started: start.at,
        };
        let begun = segment.write_index(&header.encode());
        let begun = begun.and_then(|()| match start.reason {
            Some(reason) => segment.write_interruption(start.offset, reason, start.at),
            None => Ok(()),
        });
        begun.map_err(|broken| broken.error)?;
        Ok(segment)
    }

    /// Writes bytes at `offset` of the recording.
    pub(super) fn write(
        &mut self,
        offset: u64,
        bytes: &[u8],
        at: HostTime,
    ) -> Result<(), SegmentWriteError> {
        if self.group.as_ref().is_none_or(|group| group.is_over(at)) {
            // Before the bytes, so that they always have a time.
            let kind = EntryKind::Received(at);
            self.write_entries([IndexEntry { offset, kind }])?;
        }
        let group = self.group.get_or_insert_with(|| IndexGroup {
            at,
            bytes: 0,
            checksum: Hasher::new(),
        });
        let path = &self.files.bytes_path;
        let written = write(&self.files.bytes, path, bytes);
        let count = match &written {
            Ok(()) => bytes.len(),
            Err(broken) => broken.written,
        };
        group.bytes += count as u64;
        group.checksum.update(bytes.get(..count).unwrap_or(bytes));
        self.files.changed.store(true, Ordering::Release);
        self.bytes = self.bytes.saturating_add(count as u64);
        written
    }

    /// Writes the checksum of the last bytes if no others came for a while.
    pub(super) fn write_checksum(&mut self, at: HostTime) -> Result<(), SegmentWriteError> {
        match self.group.as_ref().is_some_and(|group| group.is_over(at)) {
            true => self.write_entries([]),
            false => Ok(()),
        }
    }

    /// Records that the connection was lost here.
    pub(super) fn write_interruption(
        &mut self,
        offset: u64,
        reason: &str,
        at: HostTime,
    ) -> Result<(), SegmentWriteError> {
        self.write_with_text(offset, EntryKind::Disconnected(at), reason)
    }

    /// Records that connections were refused here.
    pub(super) fn write_refusal(
        &mut self,
        offset: u64,
        message: &str,
        at: HostTime,
    ) -> Result<(), SegmentWriteError> {
        self.write_with_text(offset, EntryKind::Refused(at), message)
    }

    /// Records that the target sent more here.
    pub(super) fn write_unread(
        &mut self,
        offset: u64,
        unread: Unread,
    ) -> Result<(), SegmentWriteError> {
        let kind = EntryKind::Unread(unread);
        self.write_entries([IndexEntry { offset, kind }])
    }

    fn write_with_text(
        &mut self,
        offset: u64,
        what: EntryKind,
        reason: &str,
    ) -> Result<(), SegmentWriteError> {
        self.write_entries(IndexEntry::with_text(offset, what, reason))
    }

    /// Writes entries after the checksum of the bytes before. The following bytes get an
    /// entry of their own, so that a reader finds these.
    fn write_entries(
        &mut self,
        entries: impl IntoIterator<Item = IndexEntry>,
    ) -> Result<(), SegmentWriteError> {
        let block = self.group.take().and_then(|group| {
            let length = u32::try_from(group.bytes).ok().filter(|bytes| *bytes > 0)?;
            let kind = EntryKind::Block(length, group.checksum.finalize());
            let offset = self.end();
            Some(IndexEntry { offset, kind })
        });
        let entries = block.into_iter().chain(entries);
        let bytes: Vec<u8> = entries.flat_map(|entry| entry.encode()).collect();
        self.write_index(&bytes)?;
        self.files.changed.store(true, Ordering::Release);
        Ok(())
    }

    /// Offset in the recording after its last byte.
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Time since it was started.
    pub(super) fn age(&self, at: HostTime) -> Duration {
        Duration::from_nanos(at.since(self.started))
    }

    /// The path of its bytes, if the file no longer exists there.
    pub(super) fn removed(&self) -> Option<PathBuf> {
        let SegmentFiles {
            bytes, bytes_path, ..
        } = &*self.files;
        (!is_file_at(bytes, bytes_path)).then(|| bytes_path.clone())
    }

    /// Number of written bytes that its file lacks, because another program truncated it.
    pub(super) fn truncated(&self) -> u64 {
        let length = self.files.bytes.metadata().map(|it| it.len());
        self.bytes.saturating_sub(length.unwrap_or(self.bytes))
    }

    /// The path of its bytes.
    pub(super) fn path(&self) -> &Path {
        &self.files.bytes_path
    }

    /// Its files.
    pub(super) fn files(&self) -> Arc<SegmentFiles> {
        Arc::clone(&self.files)
    }

    fn write_index(&self, bytes: &[u8]) -> Result<(), SegmentWriteError> {
        let written = write(&self.files.index, &self.files.index_path, bytes);
        // A partially written entry does not count as bytes of the recording.
        written.map_err(|broken| SegmentWriteError {
            written: 0,
            ..broken
        })
    }
}

impl Drop for SegmentWriter {
    fn drop(&mut self) {
        let end = IndexEntry {
            offset: self.end(),
            kind: EntryKind::Ended,
        };
        // Without it, the recording is reported as unfinished.
        let _ = self.write_entries([end]);
    }
}

impl IndexGroup {
    fn is_over(&self, at: HostTime) -> bool {
        let passed = at.since(self.at);
        let is_worth_it = passed >= MIN_ENTRY_INTERVAL_NS && self.bytes >= MIN_ENTRY_BYTES;
        is_worth_it || passed >= MAX_ENTRY_INTERVAL_NS || self.bytes >= MAX_ENTRY_BYTES
    }
}

fn create(
    folder: &Path,
    number: u64,
    kind: SegmentFileKind,
) -> Result<(File, PathBuf), RecordingError> {
    let path = folder::path(folder, number, kind);
    // Appended bytes leave no hole in a file that another program truncates.
    match File::options().append(true).create_new(true).open(&path) {
        Ok(file) => Ok((file, path)),
        Err(error) => Err(RecordingError::io("cannot make", path, error)),
    }
}

/// Whether a path refers to an open file.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata().map(id), fs::metadata(path).map(id)) {
        (Ok(open), Ok(found)) => open == found,
        // If the check fails, the file may still exist.
        (_, Err(error)) => error.kind() != ErrorKind::NotFound,
        _ => true,
    }
}

/// Whether a path refers to an open file. On other systems an open file cannot be
/// removed.
#[cfg(not(unix))]
fn is_file_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Writes all bytes, or reports how many were written.
fn write(mut file: &File, path: &Path, bytes: &[u8]) -> Result<(), SegmentWriteError> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let error = match file.write(rest) {
            Ok(count @ 1..) => {
                rest = rest.get(count..).unwrap_or_default();
                continue;
            }
            Ok(0) => ErrorKind::WriteZero.into(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        return Err(SegmentWriteError {
            written: bytes.len() - rest.len(),
            error: RecordingError::io("cannot write", path, error),
        });
    }
    Ok(())
}

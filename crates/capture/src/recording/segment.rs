//! A segment that is being written.

use super::RecordingError;
use super::entry::{Entry, Header, What};
use super::folder::{self, Kind};
use super::sync::Files;
use rtoscope_decode::live::Moment;
use std::fs::File;
#[cfg(unix)]
use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A segment that is being written.
pub(super) struct OpenSegment {
    files: Arc<Files>,
    bytes: u64,
    begun: Moment,
    group: Option<Group>,
}

/// How a segment begins.
pub(super) struct Start<'a> {
    pub(super) folder: &'a Path,
    pub(super) number: u64,
    /// Bytes of the recording before it.
    pub(super) offset: u64,
    pub(super) at: Moment,
    /// Why bytes are missing before it, if some are.
    pub(super) reason: Option<&'a str>,
}

/// It could not be written to; nothing may be added any more.
pub(super) struct Broken {
    /// Bytes that were written all the same.
    pub(super) written: u64,
    pub(super) error: RecordingError,
}

/// Bytes that have an entry of the index together.
#[derive(Clone, Copy)]
struct Group {
    at: Moment,
    bytes: u64,
}

/// When bytes get an entry of their own: so many nanoseconds behind the first of
/// those before ...
const OFTEN: u64 = 1_000_000;

/// ... if those are so many, so that entries are few beside them ...
const WORTH_IT: u64 = 2048;

/// ... or so many nanoseconds in any case ...
const SELDOM: u64 = 100_000_000;

/// ... or if those are so many.
const MOST: u64 = 1 << 16;

impl OpenSegment {
    /// Begins one.
    pub(super) fn begin(start: &Start<'_>) -> Result<Self, RecordingError> {
        let folder = start.folder;
        // Whoever reads meanwhile takes a segment for one that has bytes.
        let (index, index_path) = create(folder, start.number, Kind::Index)?;
        let (bytes, bytes_path) = create(folder, start.number, Kind::Bytes)?;
        let mut segment = Self {
            files: Arc::new(Files {
                bytes,
                bytes_path,
                index,
                index_path,
                changed: true.into(),
            }),
            bytes: 0,
            begun: start.at,
            group: None,
        };
        let header = Header {
            offset: start.offset,
            begun: start.at,
        };
        let begun = segment.index(&header.encode());
        let begun = begun.and_then(|()| match start.reason {
            Some(reason) => segment.interrupt(start.offset, reason, start.at),
            None => Ok(()),
        });
        begun.map_err(|broken| broken.error)?;
        Ok(segment)
    }

    /// Adds bytes, before which the recording has `offset`.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8], at: Moment) -> Result<(), Broken> {
        let group = match self.group {
            Some(group) if !group.is_over(at) => group,
            _ => {
                // Before the bytes, so that none are ever without their moment.
                let what = What::Came(at);
                self.index(&Entry { offset, what }.encode())?;
                Group { at, bytes: 0 }
            }
        };
        let path = &self.files.bytes_path;
        let written = write(&self.files.bytes, path, bytes);
        let count = match &written {
            Ok(()) => bytes.len() as u64,
            Err(broken) => broken.written,
        };
        self.files.changed.store(true, Ordering::Release);
        self.bytes = self.bytes.saturating_add(count);
        self.group = Some(Group {
            at: group.at,
            bytes: group.bytes.saturating_add(count),
        });
        written
    }

    /// Takes down that the connection broke here.
    pub(super) fn interrupt(
        &mut self,
        offset: u64,
        reason: &str,
        at: Moment,
    ) -> Result<(), Broken> {
        self.explain(offset, What::Broke(at), reason)
    }

    /// Takes down that connections were refused while bytes came here.
    pub(super) fn refuse(&mut self, offset: u64, message: &str, at: Moment) -> Result<(), Broken> {
        self.explain(offset, What::Refused(at), message)
    }

    fn explain(&mut self, offset: u64, what: What, reason: &str) -> Result<(), Broken> {
        let entries = Entry::explained(offset, what, reason).flat_map(|entry| entry.encode());
        self.index(&entries.collect::<Vec<u8>>())?;
        // Bytes after it have a moment of their own, so that it is found from there.
        self.group = None;
        self.files.changed.store(true, Ordering::Release);
        Ok(())
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long ago it was begun.
    pub(super) fn age(&self, at: Moment) -> Duration {
        Duration::from_nanos(at.since(self.begun))
    }

    /// The file of its bytes, if that is no longer where it was created.
    pub(super) fn removed(&self) -> Option<PathBuf> {
        let Files {
            bytes, bytes_path, ..
        } = &*self.files;
        (!is_file_at(bytes, bytes_path)).then(|| bytes_path.clone())
    }

    /// Its files.
    pub(super) fn files(&self) -> Arc<Files> {
        Arc::clone(&self.files)
    }

    fn index(&self, bytes: &[u8]) -> Result<(), Broken> {
        let written = write(&self.files.index, &self.files.index_path, bytes);
        // What was written of an entry is no byte of the recording.
        written.map_err(|broken| Broken {
            written: 0,
            ..broken
        })
    }
}

impl Group {
    fn is_over(self, at: Moment) -> bool {
        let passed = at.since(self.at);
        let is_worth_it = passed >= OFTEN && self.bytes >= WORTH_IT;
        is_worth_it || passed >= SELDOM || self.bytes >= MOST
    }
}

fn create(folder: &Path, number: u64, kind: Kind) -> Result<(File, PathBuf), RecordingError> {
    let path = folder::path(folder, number, kind);
    match File::create_new(&path) {
        Ok(file) => Ok((file, path)),
        Err(error) => Err(RecordingError::io("cannot make", path, error)),
    }
}

/// Whether a path leads to a file that is open.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata().map(id), fs::metadata(path).map(id)) {
        (Ok(open), Ok(found)) => open == found,
        // What cannot be looked at may still be there.
        (_, Err(error)) => error.kind() != ErrorKind::NotFound,
        _ => true,
    }
}

/// Whether a path leads to a file that is open. Elsewhere it cannot be removed
/// before it is closed.
#[cfg(not(unix))]
fn is_file_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Writes all bytes, or says how many.
fn write(mut file: &File, path: &Path, bytes: &[u8]) -> Result<(), Broken> {
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
        return Err(Broken {
            written: (bytes.len() - rest.len()) as u64,
            error: RecordingError::io("cannot write", path, error),
        });
    }
    Ok(())
}

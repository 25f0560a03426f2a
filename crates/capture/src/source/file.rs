//! Files, including growing ones.

use super::backoff::Backoff;
use super::interface::{Source, SourceError, SourceEvent};
use crate::address::FileAddress;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::thread;
use std::time::{Duration, Instant};

/// Size of the read buffer in bytes.
const READ_BUFFER_LEN: usize = 256 << 10;

/// Interval between checks whether a file has grown.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A source that reads a file, and optionally follows it at its end.
pub(super) struct FileSource {
    address: FileAddress,
    file: Option<File>,
    /// Whether the user was informed that the file is open, or missing.
    is_announced: bool,
    is_missing_announced: bool,
    /// Number of bytes read.
    position: u64,
    /// Why the file will not grow any more, once known. The rest of it is read first.
    end_reason: Option<String>,
    backoff: Backoff,
    buffer: Box<[u8]>,
}

/// Opens a file.
pub(super) fn open(address: &FileAddress) -> io::Result<FileSource> {
    Ok(FileSource {
        file: Some(File::open(&address.path)?),
        address: address.clone(),
        is_announced: false,
        is_missing_announced: false,
        position: 0,
        end_reason: None,
        backoff: Backoff::new(),
        buffer: vec![0; READ_BUFFER_LEN].into_boxed_slice(),
    })
}

impl Source for FileSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let deadline = Instant::now() + wait;
        loop {
            if self.file.is_none() {
                if !self.is_missing_announced {
                    self.is_missing_announced = true;
                    return SourceEvent::Waiting(format!("{} to be there", self.address.path));
                }
                if !self.backoff.wait(deadline) {
                    return SourceEvent::Nothing;
                }
                self.reopen();
                continue;
            }
            if !self.is_announced {
                self.is_announced = true;
                return SourceEvent::Connected(self.address.path.clone());
            }
            match self.read() {
                Ok(0) => match self.end_reason.take() {
                    Some(why) => return self.lost(&why),
                    None if self.address.follow => self.end_reason = self.detect_end(),
                    None => return SourceEvent::Ended,
                },
                Ok(count) => {
                    return SourceEvent::Bytes(self.buffer.get(..count).unwrap_or_default());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if self.address.follow => return self.lost(&error.to_string()),
                Err(source) => {
                    let subject = self.address.path.clone();
                    return SourceEvent::Failed(SourceError::Read { subject, source });
                }
            }
            if self.end_reason.is_none() {
                let remaining = deadline.saturating_duration_since(Instant::now());
                if remaining.is_zero() {
                    return SourceEvent::Nothing;
                }
                thread::sleep(remaining.min(POLL_INTERVAL));
            }
        }
    }
}

impl FileSource {
    fn reopen(&mut self) {
        match File::open(&self.address.path) {
            Ok(file) => {
                self.file = Some(file);
                self.position = 0;
                self.is_announced = false;
            }
            Err(_) => self.backoff.failed(),
        }
    }

    fn read(&mut self) -> io::Result<usize> {
        let Some(file) = &mut self.file else {
            return Err(ErrorKind::NotFound.into());
        };
        let count = file.read(&mut self.buffer)?;
        self.position += count as u64;
        if count > 0 {
            self.backoff.succeeded();
        }
        Ok(count)
    }

    /// Why a file that was read to its end will not grow any more.
    fn detect_end(&self) -> Option<String> {
        let now = match fs::metadata(&self.address.path) {
            Ok(now) => now,
            Err(error) => return Some(error.to_string()),
        };
        let open = self.file.as_ref()?.metadata().ok()?;
        if !is_same(&open, &now) {
            Some("another file has taken its place".to_owned())
        } else if now.len() < self.position {
            Some("it was truncated".to_owned())
        } else {
            None
        }
    }

    fn lost(&mut self, why: &str) -> SourceEvent<'_> {
        self.file = None;
        self.is_missing_announced = false;
        self.backoff.failed();
        SourceEvent::Lost(format!("{}: {why}", self.address.path))
    }
}

/// Whether two files are the same, as far as the system reports it.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.created().ok() == other.created().ok()
}

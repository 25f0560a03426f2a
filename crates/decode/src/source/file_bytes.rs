//! A file that is read by ranges.

use rtoscope_trace::events::records::ByteSource;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

static FIRST_FAILURE: OnceLock<String> = OnceLock::new();

/// Why this process could not read events of a recording any more, if that happened: what it
/// computed since may be wrong.
pub fn read_failure() -> Option<&'static str> {
    FIRST_FAILURE.get().map(String::as_str)
}

/// An open file whose content must not change.
#[derive(Debug)]
pub struct FileBytes {
    file: File,
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl FileBytes {
    /// Creates the bytes of a file as it is now.
    pub(super) fn new(file: File, path: &Path) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            file,
            path: path.to_owned(),
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The error of a file that changed, which [`read_failure`] has from now on.
    pub(super) fn changed(&self) -> io::Error {
        fail(format!("{} changed while it was open", self.path.display()))
    }

    fn is_unchanged(&self, metadata: &Metadata) -> bool {
        metadata.len() == self.length && metadata.modified().ok() == self.modified
    }
}

impl ByteSource for FileBytes {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let read = read_exact_at(&self.file, offset, bytes);
        // The bytes are those of the decoded file if it is the same after they were read.
        let is_unchanged = |metadata: Metadata| self.is_unchanged(&metadata);
        let is_same = self.file.metadata().is_ok_and(is_unchanged);
        match read {
            Ok(()) if is_same => Ok(()),
            Err(error) if is_same => Err(fail(format!(
                "cannot read {}: {error}",
                self.path.display()
            ))),
            _ => Err(self.changed()),
        }
    }
}

fn fail(failure: String) -> io::Error {
    FIRST_FAILURE.get_or_init(|| failure.clone());
    io::Error::other(failure)
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = bytes.get_mut(count..).unwrap_or_default();
                offset += count as u64;
            }
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let mut named = tempfile::NamedTempFile::new().unwrap();
        named.write_all(b"0123456789").unwrap();
        let file = File::open(named.path()).unwrap();
        let source = FileBytes::new(file, named.path()).unwrap();
        let mut bytes = [0; 4];
        source.read_at(3, &mut bytes).unwrap();
        assert_eq!(&bytes, b"3456");
        let error = source.read_at(8, &mut bytes).unwrap_err();
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        named.as_file().set_len(7).unwrap();
        let error = source.read_at(0, &mut bytes).unwrap_err();
        assert!(error.to_string().ends_with("changed while it was open"));
        assert!(read_failure().is_some());
    }
}

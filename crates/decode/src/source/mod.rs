//! Reads the bytes of a recording.

mod extents;
mod file_bytes;
mod mapped_file;

pub use file_bytes::{FileBytes, read_failure};
pub use mapped_file::MappedFile;

use crate::DecodeError;
use rtoscope_trace::events::records::ByteSource;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Maximum number of bytes to read from a pipe or device.
const MAX_STREAM_BYTES: u64 = 4 << 30;

/// The bytes of a recording, and the ranges that contain data.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    bytes: Cow<'a, [u8]>,
    data_ranges: Vec<Range<u64>>,
    file: Option<Arc<dyn ByteSource>>,
}

type InputParts<'a> = (Cow<'a, [u8]>, Vec<Range<u64>>, Option<Arc<dyn ByteSource>>);

impl<'a> Input<'a> {
    /// Creates an input that contains data everywhere.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = bytes.into();
        let data = 0..bytes.len() as u64;
        Self {
            bytes,
            data_ranges: vec![data],
            file: None,
        }
    }

    /// Creates an input in which only the offsets `data` may contain bytes
    /// other than zero.
    pub fn sparse(bytes: impl Into<Cow<'a, [u8]>>, data: Vec<Range<u64>>) -> Self {
        let bytes = bytes.into();
        Self {
            bytes,
            data_ranges: data,
            file: None,
        }
    }

    /// The same, with a file that contains the bytes and stays readable after decoding.
    pub fn with_file(mut self, file: Arc<dyn ByteSource>) -> Self {
        self.file = Some(file);
        self
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The extents that contain data, as offsets in the bytes; the rest is
    /// zeros.
    pub fn data_ranges(&self) -> &[Range<u64>] {
        &self.data_ranges
    }

    pub(crate) fn into_parts(self) -> InputParts<'a> {
        (self.bytes, self.data_ranges, self.file)
    }
}

/// An open recording that owns its bytes.
#[derive(Debug)]
pub enum Source {
    /// A memory-mapped file. It is mapped while it is decoded; the events of a large one are
    /// read when they are needed.
    Mapped {
        /// The mapping.
        map: MappedFile,
        /// The extents that contain data, as offsets in the file.
        data_ranges: Vec<Range<u64>>,
    },
    /// Bytes in memory.
    Bytes(Vec<u8>),
}

impl Source {
    /// Opens a file: maps a regular file into memory, reads a pipe or device to
    /// its end.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DecodeError> {
        let path = path.as_ref();
        let failed = |source| DecodeError::Io {
            path: path.into(),
            source,
        };
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if metadata.is_dir() {
            return Err(DecodeError::Directory { path: path.into() });
        }
        let file = File::open(path).map_err(failed)?;
        // Files under /proc and /sys appear as regular and empty.
        if !metadata.is_file() || metadata.len() == 0 {
            return Self::read_stream(file, path);
        }
        let data = extents::data_extents(&file, metadata.len());
        let file = FileBytes::new(file, path).map_err(failed)?;
        Ok(Self::Mapped {
            map: MappedFile::new(file).map_err(failed)?,
            data_ranges: data,
        })
    }

    /// Reads standard input to its end.
    pub fn stdin() -> Result<Self, DecodeError> {
        Self::read_stream(io::stdin().lock(), Path::new("standard input"))
    }

    /// Creates a source from bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }

    /// The stored bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped { map, .. } => map.bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The input for decoding.
    pub fn input(&self) -> Input<'_> {
        match self {
            Self::Mapped { map, data_ranges } => {
                let file = Arc::clone(map.file());
                Input::sparse(map.bytes(), data_ranges.clone()).with_file(file)
            }
            Self::Bytes(bytes) => Input::new(bytes.as_slice()),
        }
    }

    /// Fails if the file became shorter while its bytes were used: what was decoded is wrong.
    ///
    /// # Errors
    ///
    /// An error that names the file.
    pub fn ensure_complete(&self) -> io::Result<()> {
        match self {
            Self::Mapped { map, .. } => map.ensure_complete(),
            Self::Bytes(_) => Ok(()),
        }
    }

    fn read_stream(stream: impl Read, path: &Path) -> Result<Self, DecodeError> {
        let mut bytes = Vec::new();
        let read = stream.take(MAX_STREAM_BYTES + 1).read_to_end(&mut bytes);
        let length = read.map_err(|source| DecodeError::Io {
            path: path.into(),
            source,
        })?;
        match length as u64 {
            0 => Err(DecodeError::Empty),
            1..=MAX_STREAM_BYTES => Ok(Self::Bytes(bytes)),
            _ => Err(DecodeError::EndlessStream {
                path: path.into(),
                limit: MAX_STREAM_BYTES,
            }),
        }
    }
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_mapped() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"some bytes").unwrap();
        let source = Source::open(file.path()).unwrap();
        assert!(matches!(source, Source::Mapped { .. }));
        assert_eq!(source.input().bytes(), b"some bytes");
        assert_eq!(source.input().data_ranges().first(), Some(&(0..10)));
    }

    #[test]
    fn what_is_no_file_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        let error = Source::open(folder.path()).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("is a directory, expected a file")
        );
        let missing = folder.path().join("missing.trx");
        let error = Source::open(&missing).unwrap_err();
        assert!(error.to_string().contains("missing.trx"));
        let empty = tempfile::NamedTempFile::new().unwrap();
        let error = Source::open(empty.path()).unwrap_err();
        assert!(matches!(error, DecodeError::Empty));
    }

    #[test]
    fn streams_are_read_to_their_end() {
        let source = Source::read_stream(&b"abc"[..], Path::new("pipe")).unwrap();
        assert_eq!(source.input().bytes(), b"abc");
        let error = Source::read_stream(&b""[..], Path::new("pipe")).unwrap_err();
        assert!(matches!(error, DecodeError::Empty));
    }
}

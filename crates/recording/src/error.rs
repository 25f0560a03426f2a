//! Errors and problems of recordings.

use rtoscope_trace::printable::Printable;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

/// Why a recording cannot be written or read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RecordingError {
    /// {action} {path}
    #[error("{action} {}", Printable::path(&path))]
    Io {
        /// What failed: "cannot write".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: Arc<io::Error>,
    },
    /// The recording, or a file of it, was removed or renamed while it was written.
    #[error("{} no longer exists: it was removed or renamed during the capture", Printable::path(&path))]
    Removed {
        /// The folder or the file.
        path: PathBuf,
    },
    /// A segment was truncated while it was written.
    #[error("{} was truncated by another program during the capture", Printable::path(&path))]
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// The folder for a new recording is not empty.
    #[error("{} is not empty, expected an empty or a new folder for the recording", Printable::path(&folder))]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder contains no recording.
    #[error(
        "{} is a directory without a recording, expected a file, or rtoscope.json and 000001.bin in it",
        Printable::path(&folder)
    )]
    NoRecording {
        /// The folder.
        folder: PathBuf,
    },
    /// The recording has a newer schema.
    #[error("{} is a recording with schema {found:?}, expected {expected:?}", Printable::path(&folder))]
    UnsupportedSchema {
        /// The folder.
        folder: PathBuf,
        /// Its schema.
        found: String,
        /// The supported schema.
        expected: &'static str,
    },
}

impl RecordingError {
    pub(super) fn io(what: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io {
            action: what,
            path: path.into(),
            source: Arc::new(source),
        }
    }

    /// Whether the disk, a quota, or a file of the largest possible size is full, so that
    /// fewer or other files may help.
    pub(super) fn is_full_disk(&self) -> bool {
        let Self::Io { source, .. } = self else {
            return false;
        };
        matches!(
            source.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
        )
    }
}

/// Damage of a recording that can still be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordingProblem {
    /// `rtoscope.json` cannot be read, so source and start are unknown.
    Manifest {
        /// The error.
        problem: String,
    },
    /// Bytes in the middle or at the end are missing: segments were removed, or the
    /// disk was full.
    Missing {
        /// Offset of the missing bytes.
        offset: u64,
        /// Number of missing bytes.
        bytes: u64,
    },
    /// Nothing marks the end: the capture was killed, or it still goes on.
    Unfinished,
    /// `rtoscope.loss` does not exist or cannot be read, so it is unknown whether bytes are
    /// missing at the end.
    LossRecord,
    /// A segment's index is unusable: times of arrival and interruptions are unknown.
    Index {
        /// The number of the segment.
        segment: u64,
    },
    /// Entries of a segment's index are damaged and skipped.
    Entries {
        /// The number of the segment.
        segment: u64,
        /// Number of entries.
        count: u64,
    },
    /// The metadata for starting at a segment is damaged.
    Metadata {
        /// The number of the segment.
        segment: u64,
    },
}

impl fmt::Display for RecordingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Manifest { problem } => write!(
                f,
                "rtoscope.json is damaged ({problem}): source and start of the recording are not \
                 known"
            ),
            Self::Missing { offset, bytes } => write!(
                f,
                "{bytes} bytes after byte {offset} of the recording are missing from its folder"
            ),
            Self::Unfinished => f.write_str(
                "nothing marks the end of the recording: the capture was killed, the power \
                 failed, or it still goes on",
            ),
            Self::LossRecord => f.write_str(
                "rtoscope.loss is damaged or gone: it is unknown whether bytes are missing at the \
                 end",
            ),
            Self::Index { segment } => write!(
                f,
                "{segment:06}.index is damaged or gone: it is not known when the bytes of the \
                 segment came, nor where the connection broke among them"
            ),
            Self::Entries { segment, count } => write!(
                f,
                "{segment:06}.index has {count} damaged entries, which are skipped"
            ),
            Self::Metadata { segment } => write!(
                f,
                "{segment:06}.preface is damaged: names that were recorded before the segment may \
                 not be known"
            ),
        }
    }
}

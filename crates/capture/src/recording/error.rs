//! What can be wrong with a recording.

use rtoscope_trace::printable::Printable;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a recording cannot be written or read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RecordingError {
    /// {what} {path}
    #[error("{action} {}", Printable::path(&path))]
    Io {
        /// What was tried: "cannot write".
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// A recording, or a file of it, was removed or renamed while it was written.
    #[error("{} is no longer there: it was removed or renamed during the capture", Printable::path(&path))]
    Removed {
        /// The folder or the file.
        path: PathBuf,
    },
    /// The folder for a new recording holds something.
    #[error("{} is not empty, expected an empty or a new folder for the recording", Printable::path(&folder))]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder holds no recording.
    #[error(
        "{} is a directory without a recording, expected a file, or rtoscope.json and 000001.bin in it",
        Printable::path(&folder)
    )]
    NoRecording {
        /// The folder.
        folder: PathBuf,
    },
    /// A recording is newer than this reader.
    #[error("{} is a recording of the schema {found:?}, expected {expected:?}", Printable::path(&folder))]
    UnsupportedSchema {
        /// The folder.
        folder: PathBuf,
        /// Its schema.
        found: String,
        /// The schema that can be read.
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
}

/// What is damaged in a recording that can be read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordingProblem {
    /// `rtoscope.json` cannot be read, so that source and start are not known.
    Manifest {
        /// What is wrong with it.
        problem: String,
    },
    /// Bytes in the middle or at the end of the recording are not in the folder:
    /// segments are gone, or there was no room for the bytes.
    Missing {
        /// Bytes of the recording before them.
        offset: u64,
        /// How many.
        bytes: u64,
    },
    /// `rtoscope.loss` cannot be read, so that it is not known whether bytes are
    /// missing at the end.
    LossRecord,
    /// A segment's index cannot be used: it is not known when its bytes
    /// came, nor where the connection broke among them.
    Index {
        /// The number of the segment.
        segment: u64,
    },
    /// Entries of a segment's index are damaged; they are left aside.
    Entries {
        /// The number of the segment.
        segment: u64,
        /// How many.
        count: u64,
    },
    /// What is needed to begin with a segment is damaged.
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
                "{bytes} bytes behind byte {offset} of the recording are not in its folder"
            ),
            Self::LossRecord => f.write_str(
                "rtoscope.loss is damaged: it is not known whether bytes are missing at the end",
            ),
            Self::Index { segment } => write!(
                f,
                "{segment:06}.index is damaged or gone: it is not known when the bytes of the \
                 segment came, nor where the connection broke among them"
            ),
            Self::Entries { segment, count } => write!(
                f,
                "{segment:06}.index has {count} damaged entries, which are left aside"
            ),
            Self::Metadata { segment } => write!(
                f,
                "{segment:06}.preface is damaged: names that were recorded before the segment may \
                 not be known"
            ),
        }
    }
}

//! The description of a recording, in `rtoscope.json`.

use super::RecordingError;
use super::error::RecordingProblem;
use super::folder::MANIFEST_FILE_NAME;
use rtoscope_decode::files;
use rtoscope_decode::live::HostTime;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// The schema of `rtoscope.json`.
const SCHEMA: &str = "rtoscope/recording/1";

/// Maximum size of `rtoscope.json` that is read: far more than is written.
const MAX_FILE_BYTES: u64 = 1 << 16;

/// The description of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Display name of the source.
    pub source: String,
    /// When the recording was started.
    pub started: HostTime,
    /// The version of rtoscope that wrote it.
    pub version: String,
}

#[derive(Serialize, Deserialize)]
struct ManifestDocument {
    schema: String,
    source: String,
    begun_unix_ns: u64,
    version: String,
}

/// The member that shows whether the rest can be read.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

impl Manifest {
    /// The manifest of a recording that starts now.
    pub(super) fn new(source: String, begun: HostTime) -> Self {
        Self {
            source,
            started: begun,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Writes the manifest to a new folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), RecordingError> {
        let path = folder.join(MANIFEST_FILE_NAME);
        let document = ManifestDocument {
            schema: SCHEMA.to_owned(),
            source: self.source.clone(),
            begun_unix_ns: self.started.0,
            version: self.version.clone(),
        };
        let write = || {
            let mut text = serde_json::to_vec_pretty(&document)?;
            text.push(b'\n');
            let mut file = File::create_new(&path)?;
            file.write_all(&text)?;
            file.sync_all()
        };
        write().map_err(|source| RecordingError::io("cannot write", &path, source))
    }

    /// Reads the manifest of a folder; the inner error if it is damaged.
    pub(super) fn read(folder: &Path) -> Result<Result<Self, RecordingProblem>, RecordingError> {
        let path = folder.join(MANIFEST_FILE_NAME);
        let text = match files::length(&path) {
            Ok(length) if length <= MAX_FILE_BYTES => files::read(&path),
            Ok(_) => return Ok(Err(problem(&"it is too long"))),
            Err(error) => Err(error),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => return Ok(Err(problem(&error))),
        };
        let versioned = serde_json::from_slice::<SchemaOnly>(&text);
        if let Ok(SchemaOnly { schema: found }) = versioned
            && found != SCHEMA
        {
            return Err(RecordingError::UnsupportedSchema {
                folder: folder.into(),
                found,
                expected: SCHEMA,
            });
        }
        Ok(match serde_json::from_slice::<ManifestDocument>(&text) {
            Ok(document) => Ok(Self {
                source: document.source,
                started: HostTime(document.begun_unix_ns),
                version: document.version,
            }),
            Err(error) => Err(problem(&error)),
        })
    }
}

fn problem(error: &impl ToString) -> RecordingProblem {
    RecordingProblem::Manifest {
        problem: error.to_string(),
    }
}

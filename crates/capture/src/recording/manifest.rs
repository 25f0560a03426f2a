//! What a recording says of itself.

use super::RecordingError;
use super::error::RecordingProblem;
use super::folder::MANIFEST_FILE_NAME;
use rtoscope_decode::live::HostTime;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

/// The schema of `rtoscope.json`.
const SCHEMA: &str = "rtoscope/recording/1";

/// Bytes of `rtoscope.json` that are looked at: far more than are written.
const MAX_FILE_BYTES: u64 = 1 << 16;

/// What a recording says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The source, for people.
    pub source: String,
    /// When it was begun.
    pub started: HostTime,
    /// The version of the program that wrote it.
    pub version: String,
}

#[derive(Serialize, Deserialize)]
struct ManifestDocument {
    schema: String,
    source: String,
    begun_unix_ns: u64,
    version: String,
}

/// Only what tells whether the rest can be read.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

impl Manifest {
    /// Of a recording that this program begins.
    pub(super) fn new(source: String, begun: HostTime) -> Self {
        Self {
            source,
            started: begun,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Writes them to a folder that has none.
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

    /// Reads those of a folder; what is wrong with them if they are damaged.
    pub(super) fn read(folder: &Path) -> Result<Result<Self, RecordingProblem>, RecordingError> {
        let path = folder.join(MANIFEST_FILE_NAME);
        let text = match fs::metadata(&path) {
            Ok(metadata) if metadata.len() <= MAX_FILE_BYTES => fs::read(&path),
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

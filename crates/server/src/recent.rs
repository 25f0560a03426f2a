//! Recordings that were opened last, which the page can open again.

use crate::TraceOpener;
use crate::sql::RecordingFile;
use serde::Serialize;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// The list of recordings that were opened last. The program keeps it: a request names an
/// entry of this list and no other file.
pub trait RecentRecordings: Send + Sync {
    /// The recordings, the newest first.
    fn list(&self) -> Vec<RecentRecording>;

    /// How SQL queries open a recording of the list.
    fn file(&self, path: &Path) -> RecordingFile;

    /// Opens a recording of the list; calls `detected` once its format is known.
    ///
    /// # Errors
    ///
    /// If it cannot be opened; with a message for the user.
    fn open(&self, path: &Path, opener: TraceOpener, detected: &dyn Fn()) -> Result<(), String>;

    /// Empties the list.
    ///
    /// # Errors
    ///
    /// If it cannot be written; with a message for the user.
    fn clear(&self) -> Result<(), String>;
}

/// A recording that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentRecording {
    /// Its absolute path.
    pub path: PathBuf,
    /// When it was opened, in seconds since 1970.
    pub opened: u64,
}

/// An entry of the list in the HTTP interface.
#[derive(Debug, Serialize)]
pub(crate) struct RecentListEntry {
    /// Identifies the recording in requests.
    id: String,
    /// The name of its file or folder.
    name: String,
    /// The folder that contains it.
    folder: String,
    /// When it was opened, in seconds since 1970.
    opened: u64,
    /// Whether it still exists.
    exists: bool,
}

impl RecentRecording {
    /// Identifies the recording, also if the list changes.
    pub(crate) fn id(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.path.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// The name of its file or folder.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

impl From<&RecentRecording> for RecentListEntry {
    fn from(recording: &RecentRecording) -> Self {
        let folder = recording.path.parent().unwrap_or(Path::new(""));
        Self {
            id: recording.id(),
            name: recording.name(),
            folder: folder.to_string_lossy().into_owned(),
            opened: recording.opened,
            exists: recording.path.exists(),
        }
    }
}

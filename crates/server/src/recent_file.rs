//! The recordings that the viewer opened last, in a file of the user.

use crate::RecentRecording;
use crate::notes::replace;
use rtoscope_trace::printable::Printable;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// Maximum number of recordings.
const MAX_RECORDINGS: usize = 12;
/// Maximum size of the file in bytes.
const MAX_BYTES: u64 = 1 << 20;

const SCHEMA: &str = "rtoscope/recent/1";

/// The file with the list; without a file, nothing is kept.
#[derive(Debug)]
pub struct RecentFile(Option<PathBuf>, Mutex<()>);

#[derive(Debug, Serialize, Deserialize)]
struct RecentDocument {
    schema: String,
    /// The newest first.
    recordings: Vec<RecentEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RecentEntry {
    /// Its absolute path.
    path: String,
    /// In seconds since 1970.
    opened: u64,
}

impl RecentFile {
    /// The file in the folder `rtoscope` of `XDG_STATE_HOME`, or of the usual folder of the
    /// system for state.
    pub fn of_user() -> Self {
        Self::at(state_folder(|name| env::var_os(name).map(PathBuf::from)))
    }

    /// The folder for recordings that a command gets from elsewhere: beside this file, so that
    /// their notes last.
    pub fn recordings_folder(&self) -> Option<PathBuf> {
        let file = self.0.as_deref()?;
        Some(file.with_file_name("recordings"))
    }

    fn at(folder: Option<PathBuf>) -> Self {
        Self(folder.map(|it| it.join("recent.json")), Mutex::new(()))
    }

    /// The recordings, the newest first. A file that cannot be read is an empty list.
    pub fn list(&self) -> Vec<RecentRecording> {
        let entries = self.read().unwrap_or_default().into_iter();
        let recordings = entries.map(|entry| RecentRecording {
            path: PathBuf::from(entry.path),
            opened: entry.opened,
        });
        recordings.collect()
    }

    /// Puts a recording at the front of the list. A path that is not Unicode is not kept.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the error names it.
    pub fn add(&self, path: &Path) -> io::Result<()> {
        let absolute = match cfg!(windows) {
            // A canonical one would have a prefix that users do not write.
            true => std::path::absolute(path),
            false => fs::canonicalize(path),
        };
        let path = absolute.unwrap_or_else(|_| path.to_owned());
        let Some(path) = path.to_str() else {
            return Ok(());
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let opened = now.unwrap_or_default().as_secs();
        let _lock = self.lock();
        let mut entries = self.read().unwrap_or_default();
        entries.retain(|entry| entry.path != path);
        let path = path.to_owned();
        entries.insert(0, RecentEntry { path, opened });
        entries.truncate(MAX_RECORDINGS);
        self.write(entries)
    }

    /// Empties the list.
    ///
    /// # Errors
    ///
    /// If the file cannot be written; the error names it.
    pub fn clear(&self) -> io::Result<()> {
        let _lock = self.lock();
        self.write(Vec::new())
    }

    fn lock(&self) -> impl Drop + '_ {
        self.1.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> Option<Vec<RecentEntry>> {
        let path = self.0.as_ref()?;
        let is_small = fs::metadata(path).is_ok_and(|found| found.len() <= MAX_BYTES);
        let text = is_small.then(|| fs::read_to_string(path).ok())??;
        let document: RecentDocument = serde_json::from_str(&text).ok()?;
        let mut recordings = document.recordings;
        recordings.truncate(MAX_RECORDINGS);
        (document.schema == SCHEMA).then_some(recordings)
    }

    fn write(&self, recordings: Vec<RecentEntry>) -> io::Result<()> {
        let Some(path) = &self.0 else {
            return Ok(());
        };
        let document = RecentDocument {
            schema: SCHEMA.to_owned(),
            recordings,
        };
        let text = serde_json::to_string_pretty(&document)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let written = create_private_folder(folder).and_then(|()| replace(path, text.as_bytes()));
        written.map_err(|error| {
            let name = Printable::path(path);
            io::Error::new(error.kind(), format!("{name}: {error}"))
        })
    }
}

/// Creates the folder; others cannot read it, as for the history of a shell.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// The folder for what programs keep between their runs: `XDG_STATE_HOME`, or the usual one
/// of the system.
fn state_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    let usual = || {
        if cfg!(windows) {
            return absolute("LOCALAPPDATA");
        }
        let home = absolute("HOME")?;
        Some(home.join(match cfg!(target_os = "macos") {
            true => "Library/Application Support",
            false => ".local/state",
        }))
    };
    let folder = absolute("XDG_STATE_HOME").or_else(usual)?;
    Some(folder.join("rtoscope"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_recordings_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let recent = RecentFile::at(Some(folder.path().join("state")));
        assert_eq!(recent.list(), []);
        let names: Vec<_> = (0..MAX_RECORDINGS + 2)
            .map(|it| format!("{it}.trx"))
            .collect();
        for name in &names {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            recent.add(&path).unwrap();
        }
        let listed = || -> Vec<_> {
            let all = recent.list().into_iter();
            all.map(|it| it.path.file_name().unwrap().to_str().unwrap().to_owned())
                .collect()
        };
        let newest: Vec<_> = names.iter().rev().take(MAX_RECORDINGS).cloned().collect();
        assert_eq!(listed(), newest);
        recent.add(&folder.path().join("7.trx")).unwrap();
        assert_eq!(
            (listed()[0].as_str(), listed().len()),
            ("7.trx", MAX_RECORDINGS)
        );
        recent.clear().unwrap();
        assert_eq!(recent.list(), []);
    }

    #[test]
    fn a_damaged_file_is_an_empty_list() {
        let folder = tempfile::tempdir().unwrap();
        let recent = RecentFile::at(Some(folder.path().to_owned()));
        let file = folder.path().join("recent.json");
        let other = r#"{"schema": "other", "recordings": [{"path": "/a", "opened": 1}]}"#;
        for content in ["", "{", "[]", other] {
            fs::write(&file, content).unwrap();
            assert_eq!(recent.list(), [], "{content}");
        }
        recent.add(&file).unwrap();
        assert_eq!(recent.list().len(), 1);
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let recent = RecentFile::at(None);
        recent.add(Path::new("/a.trx")).unwrap();
        assert_eq!(recent.list(), []);
        recent.clear().unwrap();
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_folder_is_the_users() {
        let of = |state: &str, home: &str| {
            state_folder(|name| match name {
                "XDG_STATE_HOME" => Some(state.into()),
                "HOME" => Some(home.into()),
                _ => None,
            })
        };
        assert_eq!(of("/state", "/home/me"), Some("/state/rtoscope".into()));
        let home = Some("/home/me/.local/state/rtoscope".into());
        // Relative paths are invalid.
        assert_eq!(of("state", "/home/me"), home);
        assert_eq!(of("", ""), None);
    }
}

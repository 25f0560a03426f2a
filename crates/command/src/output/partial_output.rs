//! Partial outputs: hidden files and folders beside the final one.
//!
//! An interrupted command removes its own partial outputs. A killed command cannot,
//! so the next command that writes into the same folder removes them: each partial
//! output is locked by the process that writes it, and the system releases the lock
//! when the process ends. A partial output that can be locked therefore belongs to
//! a dead process. Process ids would not work: they are reused, and other machines
//! and containers have the same ones.

use crate::signals;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

const PARTIAL_PREFIX: &str = ".rtoscope-";
const PARTIAL_SUFFIX: &str = ".part";

/// Attempts to create a partial output, in case other commands remove it before it
/// is locked.
const MAX_ATTEMPTS: usize = 100;

/// Keeps other commands from removing a partial output, and removes it when this
/// command is interrupted.
pub(super) struct PartialOutputGuard {
    path: PathBuf,
    /// Holds the lock until it is closed.
    _lock: File,
}

/// Creates a partial file in a folder. `builder` sets its permissions.
pub(super) fn create_file(
    mut builder: tempfile::Builder<'static, 'static>,
    folder: &Path,
) -> io::Result<(tempfile::NamedTempFile, PartialOutputGuard)> {
    remove_stale(folder);
    builder.prefix(PARTIAL_PREFIX).suffix(PARTIAL_SUFFIX);
    for _ in 0..MAX_ATTEMPTS {
        let part = builder.tempfile_in(folder)?;
        if let Some(guard) = PartialOutputGuard::lock(part.path(), part.as_file().try_clone()?) {
            return Ok((part, guard));
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Creates an empty partial folder in a folder.
pub(super) fn create_folder(folder: &Path) -> io::Result<(tempfile::TempDir, PartialOutputGuard)> {
    remove_stale(folder);
    for _ in 0..MAX_ATTEMPTS {
        let part = create_temp_dir(folder, PARTIAL_SUFFIX)?;
        if let Some(guard) = PartialOutputGuard::lock(part.path(), open_folder(part.path())?) {
            return Ok((part, guard));
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Creates an empty hidden folder whose name ends with `suffix`.
pub(super) fn create_temp_dir(folder: &Path, suffix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL_PREFIX).suffix(suffix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.tempdir_in(folder)
}

/// Removes the partial outputs of dead processes, once per folder: a dataset has
/// many files in one folder.
fn remove_stale(folder: &Path) {
    static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.insert(folder.to_owned()) {
        remove_stale_in(folder);
    }
}

/// The partial outputs in a folder.
fn parts(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(PARTIAL_PREFIX) && name.ends_with(PARTIAL_SUFFIX)
    })
}

/// Whether a folder has a partial folder.
pub(super) fn has_folder(folder: &Path) -> bool {
    parts(folder).any(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
}

fn remove_stale_in(folder: &Path) {
    for entry in parts(folder) {
        let path = entry.path();
        // A file that cannot be opened or removed belongs to another user.
        let opened = match entry.file_type() {
            Ok(kind) if kind.is_file() => File::open(&path),
            Ok(kind) if kind.is_dir() => open_folder(&path),
            _ => continue,
        };
        if opened.is_ok_and(|file| try_lock(&file) == LockOutcome::Acquired) {
            remove(&path);
        }
    }
}

/// The result of an attempt to lock a partial output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LockOutcome {
    /// It is locked now.
    Acquired,
    /// Another process holds the lock, or the file system does not support locks.
    NotAcquired,
}

#[cfg(unix)]
fn try_lock(file: &File) -> LockOutcome {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => LockOutcome::Acquired,
        Err(_) => LockOutcome::NotAcquired,
    }
}

/// Without file locks, the outputs of other commands are never removed.
#[cfg(not(unix))]
fn try_lock(_: &File) -> LockOutcome {
    LockOutcome::NotAcquired
}

#[cfg(unix)]
fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Folders cannot be opened here; no lock is needed.
#[cfg(not(unix))]
fn open_folder(_: &Path) -> io::Result<File> {
    tempfile::tempfile()
}

/// Whether an open partial output still exists under its name.
#[cfg(unix)]
fn has_name(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let [open, named] = [file.metadata(), fs::symlink_metadata(path)].map(|it| it.map(id).ok());
    open == named
}

#[cfg(not(unix))]
fn has_name(_: &File, _: &Path) -> bool {
    true
}

/// The paths to remove when the command is interrupted.
static UNFINISHED_PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl PartialOutputGuard {
    /// Locks a partial output. Returns `None` if another command has removed it as
    /// that of a dead process.
    fn lock(path: &Path, file: File) -> Option<Self> {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler, the next command removes the leftovers.
            let _ = signals::on_termination(|code| {
                unfinished_paths().drain(..).for_each(|path| remove(&path));
                std::process::exit(code);
            });
        });
        // If it cannot be locked here, other commands cannot lock it either, and
        // leave it alone.
        try_lock(&file);
        if !has_name(&file, path) {
            return None;
        }
        unfinished_paths().push(path.to_owned());
        Some(Self {
            path: path.to_owned(),
            _lock: file,
        })
    }
}

impl Drop for PartialOutputGuard {
    fn drop(&mut self) {
        unfinished_paths().retain(|path| *path != self.path);
    }
}

/// Removes a file or folder, including files written into the folder meanwhile.
fn remove(path: &Path) {
    for _ in 0..100 {
        let removed = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
        if removed.is_ok() || !path.exists() {
            break;
        }
    }
}

fn unfinished_paths() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED_PATHS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn only_stale_partial_outputs_are_removed() {
        let outer = tempfile::tempdir().unwrap();
        let path = |name: &str| outer.path().join(name);
        let dead = [".rtoscope-a.part", ".rtoscope-b.part"].map(path);
        fs::write(&dead[0], "half").unwrap();
        fs::create_dir(&dead[1]).unwrap();
        fs::write(dead[1].join("stream"), "half").unwrap();
        let others = [".rtoscope-a.old", ".other.part", "rtoscope-a.part"].map(path);
        for other in &others {
            fs::write(other, "whole").unwrap();
        }
        std::os::unix::fs::symlink(&others[0], path(".rtoscope-link.part")).unwrap();
        let (living_file, _file_guard) =
            create_file(tempfile::Builder::new(), outer.path()).unwrap();
        // They were removed when this command created its first partial output
        // here.
        assert!(dead.iter().all(|dead| !dead.exists()));
        let (living_folder, _folder_guard) = create_folder(outer.path()).unwrap();
        remove_stale_in(outer.path());
        assert!(living_file.path().exists() && living_folder.path().exists());
        assert!(others.iter().all(|other| other.exists()));
        assert!(path(".rtoscope-link.part").is_symlink());
    }
}

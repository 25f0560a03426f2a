//! Unfinished outputs: hidden files and folders beside the place of the whole one.
//!
//! An interrupted command removes its own. A command that is killed cannot, so the
//! next one that writes into the same folder does: each part is locked by the process
//! that writes it, and the system ends the lock with the process. A part whose lock
//! can be had is a dead one's. Process ids would not do: they are used again, and
//! other machines and containers have the same.

use crate::signals;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

const PARTIAL_PREFIX: &str = ".rtoscope-";
const PARTIAL_SUFFIX: &str = ".part";

/// Parts are created again if another command removes them before they are locked.
const MAX_ATTEMPTS: usize = 100;

/// Keeps other commands from removing a part, and removes it when this command is
/// interrupted.
pub(super) struct PartialOutputGuard {
    path: PathBuf,
    /// Has the lock until it is closed.
    _lock: File,
}

/// Creates a file in a folder. `builder` decides on its permissions.
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

/// Creates an empty folder in another.
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

/// An empty folder in another, whose name ends like this.
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

/// Removes what dead commands left in a folder. Once for each folder: a data set has
/// many files in one.
fn remove_stale(folder: &Path) {
    static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.insert(folder.to_owned()) {
        remove_stale_in(folder);
    }
}

fn remove_stale_in(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_part =
            |name: &str| name.starts_with(PARTIAL_PREFIX) && name.ends_with(PARTIAL_SUFFIX);
        if !name.to_str().is_some_and(is_part) {
            continue;
        }
        let path = entry.path();
        // What cannot be opened or removed is another user's.
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

/// What came of a try to lock a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LockOutcome {
    /// It is locked now.
    Acquired,
    /// Another process has it, or the file system has no locks.
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

/// Elsewhere nothing is removed that another command may have left.
#[cfg(not(unix))]
fn try_lock(_: &File) -> LockOutcome {
    LockOutcome::NotAcquired
}

#[cfg(unix)]
fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Folders cannot be opened; no lock is needed.
#[cfg(not(unix))]
fn open_folder(_: &Path) -> io::Result<File> {
    tempfile::tempfile()
}

/// Whether a part that is open still has its name.
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

/// What is removed when the command is interrupted.
static UNFINISHED_PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl PartialOutputGuard {
    /// Locks a part. `None` if another command has taken it for a dead one's.
    fn lock(path: &Path, file: File) -> Option<Self> {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler, the next command removes what is left.
            let _ = signals::on_termination(|code| {
                unfinished_paths().drain(..).for_each(|path| remove(&path));
                std::process::exit(code);
            });
        });
        // Where it cannot be locked, others cannot lock it either and leave it.
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

/// Removes a file or folder. What is written into a folder meanwhile must go, too.
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
    fn only_parts_of_the_dead_are_removed() {
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
        // They went when the first part of this command was created here.
        assert!(dead.iter().all(|dead| !dead.exists()));
        let (living_folder, _folder_guard) = create_folder(outer.path()).unwrap();
        remove_stale_in(outer.path());
        assert!(living_file.path().exists() && living_folder.path().exists());
        assert!(others.iter().all(|other| other.exists()));
        assert!(path(".rtoscope-link.part").is_symlink());
    }
}

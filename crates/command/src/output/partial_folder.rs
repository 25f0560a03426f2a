//! Files that take their places together.

use super::atomic_output::{without_path, write_file, write_to};
use super::partial_output::{self, PartialOutputGuard};
use anyhow::Context as _;
use rtoscope_trace::printable::Printable;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Creates the folder of a file.
///
/// # Errors
///
/// If it cannot be created.
pub fn create_parent(path: &Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(folder) => {
            fs::create_dir_all(folder).with_context(|| Printable::path(&folder).to_string())
        }
        None => Ok(()),
    }
}

/// A hidden folder with files, which are moved to their places when all are complete. It is
/// removed at the end.
pub struct PartialFolder {
    folder: tempfile::TempDir,
    _guard: PartialOutputGuard,
}

impl PartialFolder {
    /// Creates the hidden folder.
    ///
    /// # Errors
    ///
    /// If `parent` cannot be written.
    pub fn create_in(parent: &Path) -> anyhow::Result<Self> {
        let created = partial_output::create_folder(parent).map_err(|error| without_path(&error));
        let (folder, _guard) = created.with_context(|| Printable::path(&parent).to_string())?;
        Ok(Self { folder, _guard })
    }

    /// Whether there is one: a command writes it, or was killed.
    pub fn exists_in(parent: &Path) -> bool {
        partial_output::has_folder(parent)
    }

    /// Writes a file for a place.
    ///
    /// # Errors
    ///
    /// If `write` fails, or the output does; the error names the place.
    pub fn write(
        &self,
        name: &str,
        place: &Path,
        write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let file = File::create(self.folder.path().join(name));
        let file = file.with_context(|| Printable::path(&place).to_string())?;
        write_to(file, place, write)
    }

    /// Moves a file to its place, whose folder is created, and removes the file there if none
    /// was written.
    ///
    /// # Errors
    ///
    /// As for [`write_file`].
    pub fn place(&self, name: &str, place: &Path) -> anyhow::Result<()> {
        let written = self.folder.path().join(name);
        if !written.exists() {
            return match fs::remove_file(place) {
                Err(error)
                    if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
                {
                    Err(error).with_context(|| Printable::path(&place).to_string())
                }
                _ => Ok(()),
            };
        }
        create_parent(place)?;
        let is_new = fs::symlink_metadata(place).is_err();
        // The place may be on another file system.
        if is_new && fs::rename(&written, place).is_ok() {
            return Ok(());
        }
        write_file(Some(place), |output| {
            io::copy(&mut File::open(&written)?, output)?;
            Ok(())
        })
    }
}

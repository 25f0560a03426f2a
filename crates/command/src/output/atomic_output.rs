//! Atomic output: files and folders appear when they are complete.

use super::partial_output;
use anyhow::{Context as _, bail, ensure};
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Writes a file, or standard output if the path is `-` or `None`, and returns the
/// result of `write`. The file is created or replaced when all of it has been
/// written. Pipes and devices are written to directly.
///
/// # Errors
///
/// If `write` fails; the file is removed then. If the output fails; the error names
/// the path. If standard output is a terminal and no path was given.
pub fn write_file<T>(
    path: Option<&Path>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if path.is_none() && io::stdout().is_terminal() {
        bail!("standard output is a terminal; set a file with --output, or use a pipe");
    }
    let Some(path) = path.filter(|path| !STDOUT_PATHS.contains(&path.to_str().unwrap_or_default()))
    else {
        return write_to(io::stdout(), Path::new("standard output"), write);
    };
    let name = || Printable::path(&path).to_string();
    let target = resolve_link(path);
    let found = fs::metadata(&target).ok();
    let mut builder = tempfile::Builder::new();
    match found {
        _ if is_device(path) => {
            let opened = fs::File::options().write(true).open(path);
            return write_to(opened.with_context(name)?, path, write);
        }
        Some(found) if found.is_dir() => bail!("{}: is a folder", Printable::path(&path)),
        Some(found) if !found.is_file() || path.starts_with("/dev/fd") => {
            let opened = fs::File::options().write(true).open(path);
            return write_to(opened.with_context(name)?, path, write);
        }
        Some(found) => {
            let permissions = found.permissions();
            ensure!(
                !permissions.readonly(),
                "{}: is read-only",
                Printable::path(&path)
            );
            builder.permissions(permissions);
        }
        #[cfg(unix)]
        None => {
            // The umask reduces these permissions, as for any file.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        #[cfg(not(unix))]
        None => {}
    }
    let part = partial_output::create_file(builder, parent_folder(&target))
        .map_err(|error| without_path(&error));
    let (temporary, _guard) = part.with_context(name)?;
    let (opened, temporary) = temporary.into_parts();
    let result = write_to(opened, path, write)?;
    let placed = temporary.persist(target).map_err(|failed| failed.error);
    placed.with_context(name)?;
    Ok(result)
}

/// Paths of standard output.
const STDOUT_PATHS: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes to an open output; errors include its name.
pub(super) fn write_to<T>(
    output: impl Write + Send,
    name: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut output = BufWriter::with_capacity(1 << 18, NamedOutput { output, name });
    let result = write(&mut output)?;
    output.flush()?;
    Ok(result)
}

/// Whether a path is the name of a device of Windows.
fn is_device(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default().to_ascii_uppercase();
    let is_name = match name.trim_end_matches(|digit: char| digit.is_ascii_digit()) {
        "COM" | "LPT" => name.len() == 4,
        _ => ["NUL", "CON", "AUX", "PRN"].contains(&name.as_str()),
    };
    let is_prefixed = path.as_os_str().as_encoded_bytes().starts_with(br"\\.\");
    cfg!(windows) && (is_name || is_prefixed)
}

/// Follows a symbolic link, so that its target is replaced instead of the link. The path of a
/// new file in an existing folder gets the form of paths that Windows does not limit to 260
/// characters.
fn resolve_link(path: &Path) -> PathBuf {
    let dangling = || Some(parent_folder(path).join(fs::read_link(path).ok()?));
    let new = || {
        let folder = fs::canonicalize(parent_folder(path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    let exists = fs::canonicalize(path).ok();
    let found = exists.or_else(dangling).or_else(new);
    found.unwrap_or_else(|| path.to_owned())
}

/// The error without the name of the temporary file.
pub(super) fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// Writes a folder, which appears when all of it has been written. An existing
/// folder is replaced if it is empty or `is_ours`.
///
/// # Errors
///
/// If `write` fails; the folder is removed then. If there is already a file or
/// another folder.
pub fn write_folder(
    path: &Path,
    is_ours: impl FnOnce(&Path) -> bool,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let name = || Printable::path(&path).to_string();
    let target = &resolve_link(path);
    let exists = target.exists();
    let is_empty = || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    if exists && !is_empty() && !is_ours(target) {
        bail!(
            "{}: already exists, and rtoscope did not write it",
            Printable::path(&path)
        );
    }
    let part =
        partial_output::create_folder(parent_folder(target)).map_err(|error| without_path(&error));
    let (temporary, _guard) = part.with_context(name)?;
    write(temporary.path())?;
    if !exists {
        fs::rename(temporary.path(), target).with_context(name)?;
    } else if exchange(temporary.path(), target) {
        // The old folder now has the name of the partial one, and is removed with
        // it.
        return Ok(());
    } else {
        // Move the old folder aside and remove it when the new one is in place. If
        // this command is killed in between, the only copy is here, so its name
        // must not look like a partial output.
        let backup =
            partial_output::create_temp_dir(parent_folder(target), ".old").with_context(name)?;
        let old = backup.path().join("old");
        fs::rename(target, &old).with_context(name)?;
        if let Err(error) = fs::rename(temporary.path(), target) {
            fs::rename(&old, target).with_context(name)?;
            return Err(error).with_context(name);
        }
    }
    // It has its final name now.
    let _ = temporary.keep();
    Ok(())
}

/// Exchanges the names of two folders atomically, where the system supports that.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// An output whose errors include its name.
struct NamedOutput<'a, W> {
    output: W,
    name: &'a Path,
}

impl<W: Write> Write for NamedOutput<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(|error| {
            let message = format!("{}: {error}", Printable::path(&self.name));
            io::Error::new(error.kind(), message)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The folder of a path.
fn parent_folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn file_is_complete_or_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write_file(Some(&path), |output| Ok(output.write_all(b"one")?)).unwrap();
        let failed = write_file::<()>(Some(&path), |output| {
            output.write_all(&[0; 1 << 20])?;
            bail!("no more")
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(Some(&path), |output| Ok(output.write_all(b"two")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn file_in_memory_is_replaced() {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().join("out");
        for text in ["longer", "short"] {
            write_file(Some(&path), |output| Ok(output.write_all(text.as_bytes())?)).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"short");
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_link_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["out", "link"].map(|name| folder.path().join(name));
        fs::write(&path, "one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_file(Some(&link), |output| Ok(output.write_all(b"two")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(link.is_symlink());
    }

    #[test]
    fn folder_is_complete_or_unchanged() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("out");
        let put = |text: &'static str| {
            move |at: &Path| -> anyhow::Result<()> {
                fs::write(at.join("mark"), text)?;
                Ok(())
            }
        };
        write_folder(&path, |_| false, put("one")).unwrap();
        assert!(write_folder(&path, |_| false, put("two")).is_err());
        write_folder(&path, |_| true, put("two")).unwrap();
        let failed = write_folder(&path, |_| true, |_| bail!("no more"));
        assert!(failed.is_err());
        assert_eq!(fs::read(path.join("mark")).unwrap(), b"two");
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
    }
}

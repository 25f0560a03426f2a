//! Files and folders that are there when they are whole, and not before.

use super::partial_output;
use anyhow::{Context as _, bail, ensure};
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Writes a file, or standard output if the path is `-` or there is none, and
/// gives what `write` gives. The file is there, or replaced, when all of it was
/// written. Pipes and devices are written to as they are.
///
/// # Errors
///
/// What `write` says; nothing is left of the file then. Errors of the output
/// name the path. If standard output is a terminal and no path was given.
pub fn write_file<T>(
    path: Option<&Path>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if path.is_none() && io::stdout().is_terminal() {
        bail!("standard output is a terminal; give a file with --output, or a pipe");
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
        Some(found) if found.is_dir() => bail!("{}: this is a folder", Printable::path(&path)),
        Some(found) if !found.is_file() || path.starts_with("/dev/fd") => {
            let opened = fs::File::options().write(true).open(path);
            return write_to(opened.with_context(name)?, path, write);
        }
        Some(found) => {
            let permissions = found.permissions();
            ensure!(
                !permissions.readonly(),
                "{}: this is read-only",
                Printable::path(&path)
            );
            builder.permissions(permissions);
        }
        #[cfg(unix)]
        None => {
            // What the user's mask leaves of it, as with any file.
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

/// How shells and systems call standard output.
const STDOUT_PATHS: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes to something that is open, and knows it by a name.
fn write_to<T>(
    output: impl Write + Send,
    name: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut output = BufWriter::with_capacity(1 << 18, NamedOutput { output, name });
    let result = write(&mut output)?;
    output.flush()?;
    Ok(result)
}

/// Where a symbolic link leads to, so that what is there is replaced and not the
/// link; else the path itself.
fn resolve_link(path: &Path) -> PathBuf {
    let dangling = || Some(parent_folder(path).join(fs::read_link(path).ok()?));
    let exists = fs::canonicalize(path).ok();
    exists.or_else(dangling).unwrap_or_else(|| path.to_owned())
}

/// What went wrong, without the name of a temporary file.
fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// Writes a folder, which is there when all of it was written. One that is
/// there already is replaced if it is empty or `is_ours`.
///
/// # Errors
///
/// What `write` says; nothing is left of the folder then. If something else is
/// there already, a file or another folder.
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
            "{}: there is something else already",
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
        // What was there has the name of the part now, and goes with it.
        return Ok(());
    } else {
        // Out of the way, and removed when the new one is in its place. A killed
        // command leaves the only copy here, so that no other takes it for a part.
        let aside =
            partial_output::create_temp_dir(parent_folder(target), ".old").with_context(name)?;
        let old = aside.path().join("old");
        fs::rename(target, &old).with_context(name)?;
        if let Err(error) = fs::rename(temporary.path(), target) {
            fs::rename(&old, target).with_context(name)?;
            return Err(error).with_context(name);
        }
    }
    // It has another name now.
    let _ = temporary.keep();
    Ok(())
}

/// Exchanges the names of two folders, where the system can do that at once.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// An output whose errors name it.
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

/// Where something of that path lies.
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
    fn a_file_is_whole_or_as_it_was() {
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
    fn a_file_in_memory_is_one_as_any() {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().join("out");
        for text in ["longer", "short"] {
            write_file(Some(&path), |output| Ok(output.write_all(text.as_bytes())?)).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"short");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["out", "link"].map(|name| folder.path().join(name));
        fs::write(&path, "one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_file(Some(&link), |output| Ok(output.write_all(b"two")?)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(link.is_symlink());
    }

    #[test]
    fn a_folder_is_whole_or_as_it_was() {
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

//! Notes of a trace, stored in a file beside it.

use rtoscope_session::{Notes, Session};
use rtoscope_trace::printable::Printable;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// Maximum size of a notes file in bytes; larger than the notes that a session accepts.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The notes file beside a trace.
#[derive(Debug)]
pub struct NotesFile {
    path: PathBuf,
    /// The clock's frequency in the notes.
    clock_hz: Option<NonZeroU64>,
    /// The last known content of the file: anything else is backed up, not overwritten.
    last_known: Option<Vec<u8>>,
    /// The last backup: its path and content.
    last_backup: Option<(PathBuf, Vec<u8>)>,
}

/// Why notes cannot be read or saved.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", Printable::path(&path))]
pub struct NotesError {
    path: PathBuf,
    reason: String,
}

impl NotesFile {
    /// The notes file of a trace: `FILE.rtoscope.json`.
    pub fn beside(trace: &Path) -> Self {
        let mut path = OsString::from(trace);
        path.push(".rtoscope.json");
        Self {
            path: PathBuf::from(path),
            clock_hz: None,
            last_known: None,
            last_backup: None,
        }
    }

    /// Applies the notes of the file, if it exists, to a session; the clock only if the
    /// session's is unknown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or parsed. The session is then unchanged, and saving
    /// notes will back up the file first.
    pub fn load(&mut self, session: &mut Session) -> Result<(), NotesError> {
        let target = resolve_path(&self.path).map_err(|error| self.error(&error))?;
        let Some(bytes) = read(&target).map_err(|error| self.error(&error))? else {
            return Ok(());
        };
        let notes = Notes::parse(&bytes).map_err(|reason| self.error(&reason))?;
        let clock_hz = notes.clock_hz();
        let applied = notes.apply_to(session);
        applied.map_err(|reason| self.error(&reason))?;
        self.clock_hz = clock_hz;
        self.last_known = Some(bytes);
        Ok(())
    }

    /// Saves the notes of a session; the file is replaced atomically. They have the clock that
    /// was set on the page, not one of an option or of the recording.
    ///
    /// # Errors
    ///
    /// If the folder or the file cannot be written.
    pub(crate) fn save(&mut self, session: &Session) -> Result<(), NotesError> {
        let notes = Notes::of(session, self.clock_hz);
        self.clock_hz = notes.clock_hz();
        let text = notes.to_text().map_err(|error| self.error(&error))?;
        if self.last_known.as_ref() == Some(&text) {
            return Ok(());
        }
        let target = resolve_path(&self.path).map_err(|error| self.error(&error))?;
        self.back_up_foreign(&target)
            .map_err(|error| self.error(&error))?;
        replace(&target, &text).map_err(|error| self.error(&error))?;
        self.last_known = Some(text);
        Ok(())
    }

    /// Backs up content that another program wrote meanwhile, or that cannot be parsed.
    /// If two viewers save alternately, each keeps one file: a new backup replaces the
    /// viewer's previous one.
    fn back_up_foreign(&mut self, target: &Path) -> io::Result<()> {
        let found = match read(target) {
            Ok(None) => return Ok(()),
            Ok(found) if found == self.last_known => return Ok(()),
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
            Err(error) => return Err(error),
        };
        let notes = found.filter(|bytes| Notes::parse(bytes).is_ok());
        let before = self.last_backup.take().filter(|(name, bytes)| {
            let now = read(name).ok().flatten();
            notes.is_some() && now.as_ref() == Some(bytes)
        });
        let name = match before {
            Some((name, _)) => name,
            None => backup_name(target, notes.as_deref()),
        };
        fs::rename(target, &name)?;
        self.last_backup = notes.map(|bytes| (name, bytes));
        Ok(())
    }

    fn error(&self, reason: &impl ToString) -> NotesError {
        NotesError {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

/// The path of the notes: a link may point to notes elsewhere, but to no other file.
/// Otherwise an archive with a trace could have any file of the user replaced.
fn resolve_path(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) {
        return Ok(path.to_owned());
    }
    let refused = |reason: &str| io::Error::other(format!("this link is not followed: {reason}"));
    let target = fs::canonicalize(path).map_err(|error| refused(&error.to_string()))?;
    let bytes = read(&target).map_err(|error| refused(&error.to_string()))?;
    match bytes.map(|bytes| Notes::parse(&bytes)) {
        Some(Ok(_)) => Ok(target),
        _ => Err(refused("it points to a file that is not a notes file")),
    }
}

/// A free name, or one that already holds the same notes.
fn backup_name(target: &Path, notes: Option<&[u8]>) -> PathBuf {
    let suffixes = std::iter::once(".bak".to_owned());
    let mut suffixes = suffixes.chain((1..).map(|number: u64| format!(".bak{number}")));
    let name = suffixes.find_map(|suffix| {
        let mut name = target.to_owned().into_os_string();
        name.push(suffix);
        let name = PathBuf::from(name);
        let is_same = || notes.is_some() && read(&name).ok().flatten().as_deref() == notes;
        let is_free = fs::symlink_metadata(&name).is_err();
        (is_free || is_same()).then_some(name)
    });
    // The numbers are unlimited.
    name.unwrap_or_else(|| target.with_extension("bak"))
}

/// Opens a file for reading, without blocking on a pipe without a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// The content of a file, or `None` if it does not exist.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("this is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let reason = format!("larger than {MAX_FILE_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(Some(bytes))
}

/// Replaces a file atomically.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rtoscope");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file, the user's umask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

//! Notes about a trace, kept in a file beside it.

use rtoscope_session::query::Bookmark;
use rtoscope_session::{Command, Session};
use rtoscope_trace::printable::Printable;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "rtoscope/notes/1";

/// Bytes of notes that are read; more than can be told to a session.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The file beside a trace that keeps its notes.
#[derive(Debug)]
pub struct NotesFile {
    path: PathBuf,
    /// What is in the file as far as we know: nothing else is overwritten.
    last_known: Option<Vec<u8>>,
    /// The notes of another viewer that were kept last, and under which name.
    last_backup: Option<(PathBuf, Vec<u8>)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotesDocument {
    schema: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_hz: Option<NonZeroU64>,
    bookmarks: Vec<Bookmark>,
}

/// Why notes are not read, or not saved.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", Printable::path(&path))]
pub struct NotesError {
    path: PathBuf,
    reason: String,
}

impl NotesDocument {
    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let document: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if document.schema != SCHEMA {
            let found = &document.schema;
            return Err(format!("schema is {found:?}, expected {SCHEMA:?}"));
        }
        Ok(document)
    }
}

impl NotesFile {
    /// The notes beside a trace: in `FILE.rtoscope.json`.
    pub fn beside(trace: &Path) -> Self {
        let mut path = OsString::from(trace);
        path.push(".rtoscope.json");
        Self {
            path: PathBuf::from(path),
            last_known: None,
            last_backup: None,
        }
    }

    /// Tells a session what the file says, if there is one. The clock only if
    /// the session does not know its own.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not ours. The session is unchanged then,
    /// and the file will be kept under another name when notes are saved.
    pub fn load(&mut self, session: &mut Session) -> Result<(), NotesError> {
        let target = resolve_path(&self.path).map_err(|error| self.error(&error))?;
        let Some(bytes) = read(&target).map_err(|error| self.error(&error))? else {
            return Ok(());
        };
        let document = NotesDocument::parse(&bytes).map_err(|reason| self.error(&reason))?;
        let bookmarks = document.bookmarks;
        let mut told = session.apply(Command::Bookmarks { bookmarks });
        if session.frequency_hz().is_none() {
            let hz = document.clock_hz.map(NonZeroU64::get);
            told = told.and_then(|()| session.apply(Command::Clock { frequency_hz: hz }));
        }
        told.map_err(|error| self.error(&error))?;
        self.last_known = Some(bytes);
        Ok(())
    }

    /// Writes what a session knows; the file is whole at any time.
    ///
    /// # Errors
    ///
    /// If the folder or the file cannot be written.
    pub(crate) fn save(&mut self, session: &Session) -> Result<(), NotesError> {
        let document = NotesDocument {
            schema: SCHEMA.to_owned(),
            clock_hz: session.frequency_hz().and_then(NonZeroU64::new),
            bookmarks: session.bookmarks().to_vec(),
        };
        let mut text = serde_json::to_vec_pretty(&document).map_err(|error| self.error(&error))?;
        text.push(b'\n');
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

    /// Keeps under another name what another program wrote since we looked, or
    /// what we do not understand. Two viewers that take turns keep one file each:
    /// the notes that a viewer keeps replace those that it kept before.
    fn back_up_foreign(&mut self, target: &Path) -> io::Result<()> {
        let found = match read(target) {
            Ok(None) => return Ok(()),
            Ok(found) if found == self.last_known => return Ok(()),
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
            Err(error) => return Err(error),
        };
        let notes = found.filter(|bytes| NotesDocument::parse(bytes).is_ok());
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

/// Where the notes are: a link may lead to notes elsewhere, but to nothing else.
/// An archive with a trace could else have any file of the user replaced.
fn resolve_path(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink()) {
        return Ok(path.to_owned());
    }
    let refused = |reason: &str| io::Error::other(format!("this link is not followed: {reason}"));
    let target = fs::canonicalize(path).map_err(|error| refused(&error.to_string()))?;
    let bytes = read(&target).map_err(|error| refused(&error.to_string()))?;
    match bytes.map(|bytes| NotesDocument::parse(&bytes)) {
        Some(Ok(_)) => Ok(target),
        _ => Err(refused("it leads to something that is not a notes file")),
    }
}

/// A name that is free, or under which the same notes are kept already.
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
    // The numbers do not end.
    name.unwrap_or_else(|| target.with_extension("bak"))
}

/// Opens a file to read it. A pipe does not block, though nobody writes to it.
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

/// The bytes of a file, or nothing if there is none.
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

/// Writes another file and gives it the name.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rtoscope");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As of any new file: the user's mask decides.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

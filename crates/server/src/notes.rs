//! Notes about a trace, kept in a file beside it.

use rtoscope_session::query::Bookmark;
use rtoscope_session::{Command, Session};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "rtoscope/notes/1";

/// Bytes of notes that are read; more than can be told to a session.
const LARGEST: u64 = 256 << 20;

/// The file beside a trace that keeps its notes.
#[derive(Debug)]
pub struct Notes {
    path: PathBuf,
    /// What is in the file as far as we know: nothing else is overwritten.
    known: Option<Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_hz: Option<NonZeroU64>,
    bookmarks: Vec<Bookmark>,
}

/// Why notes are not read, or not saved.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct NotesError {
    path: PathBuf,
    reason: String,
}

impl Notes {
    /// The notes beside a trace: in `FILE.rtoscope.json`.
    pub fn beside(trace: &Path) -> Self {
        let mut path = OsString::from(trace);
        path.push(".rtoscope.json");
        let path = PathBuf::from(path);
        Self {
            // Where notes are a link to another place, they stay there.
            path: fs::canonicalize(&path).unwrap_or(path),
            known: None,
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
        let Some(bytes) = read(&self.path).map_err(|error| self.error(&error))? else {
            return Ok(());
        };
        let document: Document =
            serde_json::from_slice(&bytes).map_err(|error| self.error(&error))?;
        if document.schema != SCHEMA {
            let reason = format!("schema is {:?}, expected {SCHEMA:?}", document.schema);
            return Err(self.error(&reason));
        }
        let bookmarks = document.bookmarks;
        let mut told = session.tell(Command::Bookmarks { bookmarks });
        if session.hz().is_none() {
            let hz = document.clock_hz.map(NonZeroU64::get);
            told = told.and_then(|()| session.tell(Command::Clock { hz }));
        }
        told.map_err(|error| self.error(&error))?;
        self.known = Some(bytes);
        Ok(())
    }

    /// Writes what a session knows; the file is whole at any time.
    ///
    /// # Errors
    ///
    /// If the folder or the file cannot be written.
    pub(crate) fn save(&mut self, session: &Session) -> Result<(), NotesError> {
        let document = Document {
            schema: SCHEMA.to_owned(),
            clock_hz: session.hz().and_then(NonZeroU64::new),
            bookmarks: session.bookmarks().to_vec(),
        };
        let mut text = serde_json::to_vec_pretty(&document).map_err(|error| self.error(&error))?;
        text.push(b'\n');
        if self.known.as_ref() == Some(&text) {
            return Ok(());
        }
        self.keep_others().map_err(|error| self.error(&error))?;
        replace(&self.path, &text).map_err(|error| self.error(&error))?;
        self.known = Some(text);
        Ok(())
    }

    /// Moves away what somebody else wrote since we looked, or what we did not
    /// understand.
    fn keep_others(&self) -> io::Result<()> {
        let found = match read(&self.path) {
            Ok(None) => return Ok(()),
            Ok(Some(bytes)) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
            Err(error) => return Err(error),
        };
        if found.is_some() && found == self.known {
            return Ok(());
        }
        let mut number = 0;
        let kept = loop {
            let mut name = self.path.clone().into_os_string();
            name.push(if number == 0 {
                ".bak".to_owned()
            } else {
                format!(".bak{number}")
            });
            if fs::symlink_metadata(&name).is_err() {
                break name;
            }
            number += 1;
        };
        fs::rename(&self.path, kept)
    }

    fn error(&self, reason: &impl ToString) -> NotesError {
        NotesError {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

/// The bytes of a file, or nothing if there is none.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("this is no file"));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let reason = format!("larger than {LARGEST} bytes");
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

//! SQL queries, answered by a separate program that contains the database engine.
//!
//! The program opens the recording itself, with the same options, and then reads one
//! request per line from its standard input and writes one answer per line to its
//! standard output. It ends with its standard input.

mod pool;
mod process;

pub use pool::{ProcessKey, ProcessPool};

use rtoscope_trace::printable::Printable;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;
use tempfile::NamedTempFile;

/// How to run the program for SQL queries.
#[derive(Clone)]
pub struct SqlOptions {
    find: Arc<FindProgram>,
    /// Options with which it decodes a file dropped on the page.
    pub upload_options: Vec<OsString>,
}

/// Returns the program with its subcommand, or how to get it.
type FindProgram = dyn Fn() -> Result<Command, String> + Send + Sync;

impl SqlOptions {
    /// Options with a function that finds the program, or else explains how to install
    /// it. It is called for each request, since a user may install the program at any
    /// time.
    pub fn new(find: impl Fn() -> Result<Command, String> + Send + Sync + 'static) -> Self {
        Self {
            find: Arc::new(find),
            upload_options: Vec::new(),
        }
    }

    /// The program and its subcommand.
    pub(crate) fn find(&self) -> Result<Command, String> {
        (self.find)()
    }

    /// Keeps an uploaded recording for the program, if it is installed.
    pub(crate) fn keep_upload(&self, bytes: &[u8]) -> RecordingFile {
        if let Err(reason) = self.find() {
            let reason = format!("{reason}. Then drop the file on the page again");
            return RecordingFile::Unavailable(reason);
        }
        let keep = || -> io::Result<NamedTempFile> {
            let mut file = NamedTempFile::with_prefix("rtoscope-")?;
            file.write_all(bytes)?;
            Ok(file)
        };
        match keep() {
            Ok(file) => RecordingFile::Upload {
                file,
                options: self.upload_options.clone(),
            },
            Err(error) => RecordingFile::Unavailable(format!(
                "SQL needs a temporary copy of the dropped file, which cannot be written: {error}"
            )),
        }
    }
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self::new(|| Err("this viewer has no program for SQL".to_owned()))
    }
}

impl fmt::Debug for SqlOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("SqlOptions");
        text.field("upload_options", &self.upload_options);
        text.finish_non_exhaustive()
    }
}

/// How the program opens the recording of a trace.
#[derive(Debug)]
pub enum RecordingFile {
    /// A file, or a folder, with the options that the trace was opened with.
    Path {
        /// The path.
        path: PathBuf,
        /// The options.
        options: Vec<OsString>,
        /// The state of the file when the trace was opened; `None` for a folder.
        opened: Option<FileState>,
    },
    /// A copy of an upload, deleted with the trace.
    Upload {
        /// The copy.
        file: NamedTempFile,
        /// The options.
        options: Vec<OsString>,
    },
    /// It cannot, for this reason.
    Unavailable(String),
}

/// Differs if a file was written or replaced, as a memory dump of the same size often is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// The state of a regular file.
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

impl RecordingFile {
    /// A file or a folder that is about to be opened with these options.
    pub fn opening(path: PathBuf, options: Vec<OsString>) -> Self {
        Self::Path {
            opened: FileState::of(&path),
            path,
            options,
        }
    }

    /// Adds the options and the file to the arguments of the program.
    ///
    /// # Errors
    ///
    /// The reason if there is no file, or another one than when the trace was opened.
    pub fn add_to(&self, command: &mut Command) -> Result<(), String> {
        let (path, options) = match self {
            Self::Path {
                path,
                options,
                opened,
            } => {
                if FileState::of(path) != *opened {
                    let path = Printable::path(path);
                    return Err(format!(
                        "{path} has changed since rtoscope opened it. Run the command again to \
                         see the new recording"
                    ));
                }
                (path.as_path(), options)
            }
            Self::Upload { file, options } => (file.path(), options),
            Self::Unavailable(reason) => return Err(reason.clone()),
        };
        command.args(options).arg("--").arg(path);
        Ok(())
    }
}

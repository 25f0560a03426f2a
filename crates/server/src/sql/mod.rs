//! SQL queries, answered by a separate program that contains the database engine.

mod pool;

pub use pool::{ProcessKey, ProcessPool};
pub use rtoscope_command::sql_process::RecordingFile;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::process::Command;
use std::sync::Arc;
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

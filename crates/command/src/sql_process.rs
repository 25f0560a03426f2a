//! The program that answers SQL queries on a recording, and how it opens the recording.
//!
//! It opens the recording itself, with the same options, and then reads one
//! [request](crate::sql_protocol) per line from its standard input and writes one answer per
//! line to its standard output. It ends with its standard input.

use crate::input::{FileArgs, GivenDecodeOptions};
use rtoscope_trace::printable::Printable;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;

/// Maximum time for an answer, which includes decoding the recording.
pub const MAX_ANSWER_TIME: Duration = Duration::from_secs(300);

/// Maximum length of an answer in bytes; the program itself stops earlier.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// Maximum number of bytes of standard error that a message contains.
const MAX_MESSAGE_BYTES: usize = 2000;

/// A running program, killed when it is dropped.
#[derive(Debug)]
pub struct SqlProcess {
    child: Child,
    input: ChildStdin,
    messages: Option<JoinHandle<Vec<u8>>>,
}

impl SqlProcess {
    /// Starts the program. `receive` gets its answers, until it returns `false`; it is dropped
    /// when the program ends.
    ///
    /// # Errors
    ///
    /// If the program cannot be started.
    pub fn start(
        mut command: Command,
        receive: impl FnMut(Vec<u8>) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are pipes");
        };
        let mut process = Self {
            child,
            input,
            messages: None,
        };
        let reader = thread::Builder::new().name("sql".to_owned());
        reader.spawn(move || read_answers(output, receive))?;
        let reader = thread::Builder::new().name("sql-messages".to_owned());
        process.messages = Some(reader.spawn(move || read_last_bytes(errors))?);
        Ok(process)
    }

    /// Whether it has not ended.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends a request, one line.
    ///
    /// # Errors
    ///
    /// If the program has ended.
    pub fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.input.write_all(request)?;
        self.input.write_all(b"\n")
    }

    /// Why it ended: what it wrote last on standard error, or its exit status. Ends it
    /// if it still runs.
    pub fn end_reason(mut self) -> String {
        // A program that only closed its output must not be waited for.
        let ended = self.child.try_wait().ok().flatten();
        let _ = self.child.kill();
        let status = ended.map_or_else(|| self.child.wait().ok(), Some);
        let messages = self.messages.take().map(JoinHandle::join);
        let messages = messages.and_then(Result::ok).unwrap_or_default();
        let text = String::from_utf8_lossy(&messages);
        match (text.trim(), status) {
            // The program limits its own memory, and the system aborts it.
            (text, _) if text.contains("memory allocation of ") => {
                "stopped: the query needs more memory than it can use".to_owned()
            }
            ("", Some(status)) => format!("the program for SQL ended unexpectedly ({status})"),
            ("", None) => "the program for SQL ended unexpectedly".to_owned(),
            (text, _) => text.trim_start_matches("rtoscope: ").to_owned(),
        }
    }
}

impl Drop for SqlProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the end of the output, or until one is too long.
fn read_answers(output: impl Read, mut receive: impl FnMut(Vec<u8>) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let mut limited = output.by_ref().take(MAX_ANSWER_BYTES);
        let read = limited.read_until(b'\n', &mut line);
        if read.is_err() || line.pop() != Some(b'\n') || !receive(line) {
            return;
        }
    }
}

/// The last bytes of standard error.
fn read_last_bytes(mut errors: impl Read) -> Vec<u8> {
    let mut last = Vec::new();
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut chunk) {
        last.extend(chunk.iter().take(count));
        let surplus = last.len().saturating_sub(MAX_MESSAGE_BYTES);
        last.drain(..surplus);
    }
    last
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
    /// How the program opens the recording of a command.
    pub fn of(file: &FileArgs, given: &GivenDecodeOptions) -> Self {
        match file.path() {
            Some(path) => Self::opening(path.to_owned(), file.arguments(given)),
            None => Self::Unavailable(
                "SQL needs the file of a recording; this one came from standard input".to_owned(),
            ),
        }
    }

    /// A file or a folder that is about to be opened with these options.
    pub fn opening(path: PathBuf, options: Vec<OsString>) -> Self {
        Self::Path {
            opened: FileState::of(&path),
            path,
            options,
        }
    }

    /// Adds the arguments of the program: the name of the trace, the number of its events, the
    /// frequency of its clock, the options and the file.
    ///
    /// # Errors
    ///
    /// The reason if there is no file, or another one than when the trace was opened.
    pub fn add_to(
        &self,
        command: &mut Command,
        title: &str,
        events: usize,
        frequency_hz: Option<u64>,
    ) -> Result<(), String> {
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
        command.arg("--title").arg(title);
        command.arg(format!("--expected-events={events}"));
        if let Some(hz) = frequency_hz {
            command.arg(format!("--frequency-hz={hz}"));
        }
        command.args(options).arg("--").arg(path);
        Ok(())
    }
}

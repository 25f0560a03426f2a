//! A running program for SQL queries.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};
use tokio::sync::mpsc;

/// Maximum length of an answer in bytes; the program itself stops earlier.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// Maximum number of bytes of standard error that a message contains.
const MAX_MESSAGE_BYTES: usize = 2000;

/// A running program, killed when it is dropped.
pub(super) struct SqlProcess {
    child: Child,
    input: ChildStdin,
    answers: mpsc::Receiver<Vec<u8>>,
    messages: Option<JoinHandle<Vec<u8>>>,
}

impl SqlProcess {
    /// Starts the program.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are pipes");
        };
        let (sender, answers) = mpsc::channel(1);
        let mut process = Self {
            child,
            input,
            answers,
            messages: None,
        };
        let reader = thread::Builder::new().name("sql".to_owned());
        reader.spawn(move || read_answers(output, &sender))?;
        let reader = thread::Builder::new().name("sql-messages".to_owned());
        process.messages = Some(reader.spawn(move || read_last_bytes(errors))?);
        Ok(process)
    }

    /// The program, unless it has ended.
    pub(super) fn if_running(mut self) -> Option<Self> {
        let is_running = matches!(self.child.try_wait(), Ok(None));
        is_running.then_some(self)
    }

    /// Sends a request, one line.
    pub(super) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.input.write_all(request)?;
        self.input.write_all(b"\n")
    }

    /// The next answer; `None` if the program ended.
    pub(super) async fn receive(&mut self) -> Option<Vec<u8>> {
        self.answers.recv().await
    }

    /// Why it ended: what it wrote last on standard error, or its exit status. Ends it
    /// if it still runs.
    pub(super) fn end_reason(mut self) -> String {
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
fn read_answers(output: impl Read, sender: &mpsc::Sender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let mut limited = output.by_ref().take(MAX_ANSWER_BYTES);
        let read = limited.read_until(b'\n', &mut line);
        if read.is_err() || line.pop() != Some(b'\n') || sender.blocking_send(line).is_err() {
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

//! Captures in progress.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// More than any step takes on the slowest machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until this is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < TIMEOUT, "{what}: not after {TIMEOUT:?}");
        sleep(Duration::from_millis(2));
    }
}

/// Waits until a recording has this number of bytes.
pub(crate) fn wait_for_saved(run: &Path, bytes: usize) {
    let size = || -> u64 {
        let files = fs::read_dir(run).into_iter().flatten().flatten();
        let segments = files.filter(|file| file.path().extension().is_some_and(|it| it == "bin"));
        segments
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum()
    };
    wait_until(&format!("{bytes} saved bytes"), || size() >= bytes as u64);
}

/// A command with a source that listens: `live`, or `check --live`.
pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) port: u16,
    pub(crate) errors: BufReader<ChildStderr>,
}

pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) error: String,
}

impl Listening {
    pub(crate) fn start(command: &[&str], arguments: &[&str]) -> Self {
        Self::at("tcp-listen://127.0.0.1:0", command, arguments)
    }

    /// Starts with a source that chooses a port.
    pub(crate) fn at(source: &str, command: &[&str], arguments: &[&str]) -> Self {
        let program = assert_cmd::cargo::cargo_bin("rtoscope");
        let mut child = in_own_group(&mut Command::new(program))
            .args(command)
            .arg(source)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let port = line.trim().rsplit(':').next();
        let port = port.and_then(|port| port.parse().ok());
        Self {
            port: port.unwrap_or_else(|| panic!("{line}")),
            child,
            errors,
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// Waits until it ends by itself.
    pub(crate) fn end(mut self) -> Ended {
        let [mut output, mut error] = [String::new(), String::new()];
        let mut pipe = self.child.stdout.take().unwrap();
        pipe.read_to_string(&mut output).unwrap();
        self.errors.read_to_string(&mut error).unwrap();
        assert!(!error.contains("panicked"), "{error}");
        let code = self.child.wait().unwrap().code().unwrap();
        Ended {
            code,
            output,
            error,
        }
    }

    pub(crate) fn signal(&self, signal: &str) {
        send_signal(&self.child, signal);
    }
}

/// Starts a command in a group of its own, so that its end is not that of the tests.
pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        /// Of winbase.h.
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }
    command
}

/// Sends a signal; on Windows, each is Ctrl+Break.
#[cfg(unix)]
pub(crate) fn send_signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.unwrap().success());
}

#[cfg(windows)]
pub(crate) fn send_signal(child: &Child, _: &str) {
    /// Of wincon.h.
    const CTRL_BREAK_EVENT: u32 = 1;
    #[allow(unsafe_code)]
    unsafe extern "system" {
        // It has no requirements.
        safe fn GenerateConsoleCtrlEvent(event: u32, group: u32) -> i32;
    }
    let sent = GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id());
    assert_ne!(sent, 0, "{}", std::io::Error::last_os_error());
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

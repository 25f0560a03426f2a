//! QEMU with a board.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::NamedTempFile;

/// A running board. It ends when this is dropped.
pub(crate) struct QemuBoard {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    port: u16,
    /// File to which QEMU saves memory.
    memory: NamedTempFile,
}

impl QemuBoard {
    /// Boots the board; it waits before its first instruction.
    pub(crate) fn boot(program: &Path) -> Self {
        let mut process = Command::new("qemu-system-arm")
            .args(["-machine", "mps2-an385", "-nodefaults", "-display", "none"])
            .args(["-serial", "null", "-qmp", "stdio"])
            .args(["-gdb", "tcp:127.0.0.1:0", "-S"])
            .arg("-kernel")
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut board = Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
            port: 0,
            memory: NamedTempFile::new().unwrap(),
        };
        board.command("qmp_capabilities", "{}");
        // "disconnected:tcp:127.0.0.1:40221,server=on"
        let devices = board.command("query-chardev", "{}");
        let (_, place) = devices.split_once("disconnected:tcp:127.0.0.1:").unwrap();
        let (port, _) = place.split_once(',').unwrap();
        board.port = port.parse().unwrap();
        board
    }

    /// The port of its stub.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn stop(&mut self) {
        self.command("stop", "{}");
    }

    pub(crate) fn resume(&mut self) {
        self.command("cont", "{}");
    }

    /// Waits until it runs.
    pub(crate) fn wait_until_running(&mut self) {
        let is_running = |board: &mut Self| {
            let status = board.command("query-status", "{}");
            status.contains("\"running\": true")
        };
        for _ in 0..300 {
            if is_running(self) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("the board was left halted");
    }

    pub(crate) fn read(&mut self, address: u32, length: usize) -> Vec<u8> {
        let file = self.memory.path().display().to_string();
        let what = format!(r#"{{"val": {address}, "size": {length}, "filename": "{file}"}}"#);
        self.command("pmemsave", &what);
        let bytes = std::fs::read(self.memory.path()).unwrap();
        assert_eq!(bytes.len(), length);
        bytes
    }

    /// Sends a command to QEMU and waits for the reply.
    fn command(&mut self, what: &str, arguments: &str) -> String {
        writeln!(
            self.input,
            r#"{{"execute": "{what}", "arguments": {arguments}}}"#
        )
        .unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "QEMU ended");
            assert!(!line.contains(r#""error""#), "{what}: {line}");
            if line.starts_with(r#"{"return""#) {
                return line;
            }
        }
    }
}

impl Drop for QemuBoard {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

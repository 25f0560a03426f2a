//! Recordings of many devices, and the program.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use tempfile::TempDir;

/// A folder with recordings, and a place for tables.
pub(crate) struct Fleet {
    folder: TempDir,
}

/// A recording of the repository.
pub(crate) fn testdata(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    fs::read(root.join(name)).unwrap()
}

impl Fleet {
    /// Recordings of `count` devices, `DEVICE/VERSION/trace.trx`, all with different bytes.
    pub(crate) fn new(count: usize) -> Self {
        let fleet = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let trace = testdata("threadx/cm3_short.trx");
        for device in 0..count {
            let mut bytes = trace.clone();
            // After the trace: its content stays.
            bytes.extend(format!("device {device}").bytes());
            fleet.write(
                &format!("src/dev-{device:04}/1.{}/trace.trx", device % 2),
                &bytes,
            );
        }
        fleet
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, bytes: &[u8]) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The program, in the folder.
    pub(crate) fn program(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_rtoscope-fleet"));
        program.current_dir(self.folder.path());
        program
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.program().args(arguments).output().unwrap()
    }

    /// Runs it; returns what it prints on standard error.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {messages}");
        messages
    }

    /// The arguments that add all recordings to `tables`.
    pub(crate) const INGEST: [&str; 8] = [
        "ingest",
        "src",
        "--path-pattern",
        "{device}/{firmware}/*",
        "--clock",
        "25MHz",
        "--to",
        "tables",
    ];

    /// The rows of a query on `tables`, as CSV without its header.
    pub(crate) fn query(&self, tables: &str, sql: &str) -> Vec<String> {
        let output = self.run(&["query", tables, sql, "--format", "csv"]);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{sql}: {messages}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().skip(1).map(str::to_owned).collect()
    }

    /// Number of files with an extension in `tables`.
    pub(crate) fn files(&self, extension: &str) -> usize {
        let paths = self.paths("tables").into_iter();
        let is_one = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
        paths.filter(is_one).count()
    }

    /// The files in a folder and below it, sorted.
    pub(crate) fn paths(&self, folder: &str) -> Vec<PathBuf> {
        fn add(folder: &Path, paths: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => add(&path, paths),
                    false => paths.push(path),
                }
            }
        }
        let mut paths = Vec::new();
        add(&self.path(folder), &mut paths);
        paths.sort_unstable();
        paths
    }
}

/// A web server with one file, `/trace.trx`. It ends with the tests.
pub(crate) struct WebServer {
    pub(crate) url: String,
}

impl WebServer {
    pub(crate) fn start(file: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let mut byte = [0];
                    if stream.read(&mut byte).unwrap_or(0) == 0 {
                        break;
                    }
                    request.push(byte[0]);
                }
                let (status, body) = match request.starts_with(b"GET /trace.trx ") {
                    true => ("200 OK", &file[..]),
                    false => ("404 Not Found", &b""[..]),
                };
                // The client may be gone.
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\
                     Last-Modified: Mon, 02 Mar 2026 10:00:00 GMT\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(body);
            }
        });
        Self { url }
    }
}

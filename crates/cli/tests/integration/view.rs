//! Runs `rtoscope view` as scripts do.

#![cfg(feature = "viewer")]

use crate::common::live::{in_own_group, send_signal};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

/// A running viewer, stopped at the end of the test.
struct Viewer {
    child: Child,
    output: BufReader<ChildStdout>,
    /// The printed URL.
    url: String,
}

fn trace(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata("threadx").join(name)
}

fn view(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    in_own_group(&mut command)
        .args(["view", "--no-open"])
        .args(arguments)
        .current_dir(trace(""))
        // The list of recent recordings.
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn refusal(arguments: &[&str]) -> String {
    let output: Output = view(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

impl Viewer {
    fn start(arguments: &[&str]) -> Self {
        Self::from_child(view(arguments).spawn().unwrap())
    }

    fn from_child(mut child: Child) -> Self {
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        output.read_line(&mut url).unwrap();
        Self {
            child,
            output,
            url: url.trim_end().to_owned(),
        }
    }

    /// The response for a path, with its header.
    fn get(&self, path: &str, header: &str) -> String {
        let authority = self.url.split('/').nth(2).unwrap();
        let mut stream = TcpStream::connect(authority).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n{header}\r\n\r\n"
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// The response for JSON that is posted.
    #[cfg(unix)]
    fn post(&self, path: &str, json: &str) -> String {
        let authority = self.url.split('/').nth(2).unwrap();
        let mut stream = TcpStream::connect(authority).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{json}",
            json.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Stops it as a terminal or a service manager does; returns its whole output.
    fn end(&mut self, signal: &str) -> (Option<i32>, String, String) {
        send_signal(&self.child, signal);
        let status = self.child.wait().unwrap();
        let (mut more, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut more).unwrap();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut errors).unwrap();
        (status.code(), more, errors)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_comparison_takes_two_recordings() {
    let message = refusal(&["--compare", "cm3_system.trx"]);
    assert!(message.contains("--compare takes two recordings"));
    let viewer = Viewer::start(&["--compare", "cm3_system.trx", "cm3_short.trx"]);
    assert!(viewer.url.ends_with("/#compare=0.1&side=comparison"));
}

#[test]
fn view_prints_its_url_and_stops_on_signal() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let mut viewer = Viewer::start(&["cm3_short.trx"]);
        assert!(
            viewer.url.starts_with("http://127.0.0.1:"),
            "{}",
            viewer.url
        );
        assert!(viewer.get("/", "").contains("<title>rtoscope</title>"));
        let nothing = String::new;
        assert_eq!(viewer.end(signal), (Some(0), nothing(), nothing()));
    }
}

#[test]
fn several_traces_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("cm3_short.trx");
    fs::copy(trace("cm3_short.trx"), &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let viewer = Viewer::start(&["cm3_short.trx", copy, "linux32_isr.trx"]);
    let list = viewer.get("/api/traces", "");
    let shown = copy.replace('\\', "\\\\");
    for name in ["cm3_short.trx", &shown, "linux32_isr.trx"] {
        assert!(list.contains(&format!("\"name\":\"{name}\"")), "{list}");
    }
}

#[test]
fn without_a_file_no_trace_is_open() {
    let viewer = Viewer::start(&[]);
    assert!(viewer.get("/", "").contains("200 OK"));
    let list = viewer.get("/api/traces", "");
    assert!(list.ends_with("\r\n\r\n[]"), "{list}");
    let error = refusal(&["--text-log", "console.txt"]);
    assert!(error.contains("--text-log needs a single trace"), "{error}");
}

/// An open page finds a restarted command at the same URL.
#[test]
fn same_files_get_the_same_port_or_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("trace.trx");
    fs::copy(trace("cm3_short.trx"), &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let port = |viewer: &Viewer| -> u16 {
        let authority = viewer.url.split('/').nth(2).unwrap();
        authority.rsplit_once(':').unwrap().1.parse().unwrap()
    };
    let mut first = Viewer::start(&[copy]);
    let instance = |viewer: &Viewer| {
        let reply = viewer.get("/healthz", "");
        let line = reply
            .lines()
            .find(|line| line.starts_with("rtoscope-instance: "));
        line.unwrap().to_owned()
    };
    let (usual, run) = (port(&first), instance(&first));
    assert_eq!(run, instance(&first));
    let beside = Viewer::start(&[copy]);
    let next = port(&beside);
    assert!(
        next > usual && next < usual + 50 || next < usual,
        "{usual} {next}"
    );
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let again = Viewer::start(&[copy]);
    assert_eq!(port(&again), usual);
    assert_ne!(instance(&again), run);
}

#[test]
fn view_reads_standard_input() {
    let mut command = view(&["-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let bytes = fs::read(trace("cm3_short.trx")).unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let viewer = Viewer::from_child(child);
    let list = viewer.get("/api/traces", "");
    assert!(list.contains("\"name\":\"standard input\""), "{list}");
}

#[test]
fn other_machines_need_the_token() {
    let viewer = Viewer::start(&["cm3_short.trx", "--listen", "0.0.0.0"]);
    let (address, token) = viewer.url.split_once("/?token=").unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert!(viewer.get("/api/traces", "").starts_with("HTTP/1.1 401 "));
    let bearer = format!("Authorization: Bearer {token}");
    assert!(
        viewer
            .get("/api/traces", &bearer)
            .starts_with("HTTP/1.1 200 ")
    );
}

#[test]
fn the_token_is_read_from_a_file_or_the_environment() {
    const VARIABLE: &str = "RTOSCOPE_TOKEN";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "From-a-file_0123456789\r\n").unwrap();
    let file = ["--token-file", file.to_str().unwrap()];
    let environment = "From.the.environment~";
    for (file, token) in [
        (&file[..], "From-a-file_0123456789"),
        (&[], "From.the.environment~"),
    ] {
        let mut command = view(&[&["cm3_short.trx"], file].concat());
        command.env(VARIABLE, environment);
        let viewer = Viewer::from_child(command.spawn().unwrap());
        assert!(
            viewer.url.ends_with(&format!("/?token={token}")),
            "{}",
            viewer.url
        );
        let get = |token: &str| {
            let bearer = format!("Authorization: Bearer {token}");
            viewer.get("/api/traces", &bearer)
        };
        assert!(get(token).starts_with("HTTP/1.1 200 "));
        assert!(get("Neither-of-these-two").starts_with("HTTP/1.1 401 "));
    }
    let mut command = view(&["cm3_short.trx"]);
    let output = command.env(VARIABLE, "short").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("RTOSCOPE_TOKEN: expected 16"), "{error}");
}

#[test]
fn damaged_notes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("cm3_short.trx");
    fs::copy(trace("cm3_short.trx"), &copy).unwrap();
    fs::write(folder.path().join("cm3_short.trx.rtoscope.json"), "{").unwrap();
    let mut viewer = Viewer::start(&[copy.to_str().unwrap()]);
    let mut errors = BufReader::new(viewer.child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.contains("cm3_short.trx.rtoscope.json"), "{line}");
    assert!(viewer.get("/healthz", "").ends_with("\r\n\r\nok\n"));
}

#[test]
fn unservable_input_is_refused() {
    assert!(refusal(&["missing.trx"]).contains("missing.trx"));
    assert!(refusal(&["missing.trx", "cm3_short.gt.json"]).contains("cm3_short.gt.json"));
    let listen = refusal(&["cm3_short.trx", "--listen", "everywhere"]);
    assert!(listen.contains("IP address"), "{listen}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let path = file.to_str().unwrap();
    for text in [
        &b"short\n"[..],
        b"",
        b"\xFFQuite-a-long-secret",
        &[b'x'; 5000],
    ] {
        fs::write(&file, text).unwrap();
        let token = refusal(&["cm3_short.trx", "--token-file", path]);
        assert!(token.contains(path) && token.contains("16"), "{token}");
    }
    let missing = refusal(&["cm3_short.trx", "--token-file", "missing.token"]);
    assert!(missing.contains("missing.token"), "{missing}");
    let size = refusal(&["cm3_short.trx", "--max-upload", "much"]);
    assert!(size.contains("number"), "{size}");
    let twice = refusal(&["cm3_short.trx", "--listen", "[::1]:7070", "--port", "7070"]);
    assert!(twice.contains("both set the port"), "{twice}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let listen = refusal(&["cm3_short.trx", "--port", &port]);
    assert!(listen.contains(&format!("127.0.0.1:{port}")), "{listen}");
    let foreign = refusal(&["cm3_short.trx", "--listen", "192.0.2.1"]);
    assert!(foreign.contains("192.0.2.1"), "{foreign}");
}

#[cfg(unix)]
#[test]
fn recordings_that_were_opened_are_listed() {
    let state = tempfile::tempdir().unwrap();
    let start = |arguments: &[&str]| {
        let mut command = view(arguments);
        command.env("XDG_STATE_HOME", state.path());
        Viewer::from_child(command.spawn().unwrap())
    };
    let mut viewer = start(&["cm3_short.trx", "cm3_system.trx"]);
    // The second one is open when its overview is.
    let wait = |viewer: &Viewer| {
        let query = r#"{"query":"overview"}"#;
        viewer.post("/api/traces/2/query", query)
    };
    assert!(wait(&viewer).contains("cm3_system.trx"));
    let listed = viewer.get("/api/recent", "");
    let [newer, older] = ["cm3_system.trx", "cm3_short.trx"].map(|name| listed.find(name));
    assert!(newer.is_some() && newer < older, "{listed}");
    assert_eq!(viewer.end("-TERM").0, Some(0));
    // A file that cannot be opened is not added, and a list that cannot be written is no
    // reason to show nothing.
    let file = state.path().join("rtoscope/recent.json");
    let before = fs::read_to_string(&file).unwrap();
    let damaged = state.path().join("damaged.trx");
    fs::write(&damaged, "TXTB").unwrap();
    let output = view(&[damaged.to_str().unwrap()])
        .env("XDG_STATE_HOME", state.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    fs::remove_dir_all(state.path().join("rtoscope")).unwrap();
    fs::write(state.path().join("rtoscope"), "no folder").unwrap();
    let mut viewer = start(&["cm3_short.trx", "cm3_system.trx"]);
    assert!(wait(&viewer).contains("cm3_system.trx"));
    assert!(viewer.get("/api/recent", "").ends_with("[]"));
    let (code, _, errors) = viewer.end("-TERM");
    assert_eq!(code, Some(0));
    assert!(
        errors.contains("not added to the recent recordings"),
        "{errors}"
    );
}

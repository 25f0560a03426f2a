//! A server with traces, and a client that sends exact bytes.

pub(crate) mod live;

use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodedRecording, UnpackedInput};
use rtoscope_server::{NotesFile, RecordingFile, Server, ServerOptions, TraceOpener};
use rtoscope_session::Session;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// More than any step takes on the slowest machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// A server that runs until it is dropped.
pub(crate) struct TestServer {
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The path of a trace of the repository.
pub(crate) fn trace(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata("threadx").join(name)
}

/// The bytes of a trace of the repository.
pub(crate) fn session_bytes(name: &str) -> Vec<u8> {
    std::fs::read(trace(name)).unwrap()
}

/// A trace that is being opened.
pub(crate) fn opening(server: &Server, name: &str) -> TraceOpener {
    let file = RecordingFile::Unavailable("no file".to_owned());
    server.add_opening(name.to_owned(), file).unwrap()
}

/// A decoded trace of the repository.
pub(crate) fn decoded(name: &str) -> DecodedRecording {
    let bytes = session_bytes(name);
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    content.decode(&Default::default()).unwrap()
}

pub(crate) fn session(path: &Path) -> Session {
    let bytes = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    Session::open(name, &bytes, &Default::default()).unwrap()
}

/// A server with one trace and default options.
pub(crate) fn start() -> TestServer {
    start_with(ServerOptions::default(), |server| {
        server.add(session(&trace("cm3_short.trx")), None).unwrap();
    })
}

pub(crate) fn start_with(settings: ServerOptions, fill: impl FnOnce(&Server)) -> TestServer {
    let server = Server::bind(settings).unwrap();
    fill(&server);
    let url = server.url().to_owned();
    let authority = url.trim_start_matches("http://").split('/').next().unwrap();
    let address = authority.parse().unwrap();
    let (end, ended) = oneshot::channel();
    let thread = std::thread::spawn(move || {
        let ended = async { ended.await.unwrap_or(()) };
        server.run_until(ended).unwrap();
    });
    TestServer {
        url,
        address,
        end: Some(end),
        thread: Some(thread),
    }
}

/// A session with a notes file beside its trace.
pub(crate) fn noted(path: &Path) -> (Session, NotesFile, Option<String>) {
    let mut session = session(path);
    let mut notes = NotesFile::beside(path);
    let loaded = notes.load(&mut session);
    (session, notes, loaded.err().map(|error| error.to_string()))
}

impl TestServer {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends bytes on a new connection.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        reply(&mut stream)
    }

    /// Sends a request with a valid Host and additional headers.
    pub(crate) fn request(&self, line: &str, headers: &[&str], body: &[u8]) -> Reply {
        let host = format!("Host: {}", self.address);
        let mut all = vec![host.as_str()];
        all.extend(headers);
        self.exchange(&message(line, &all, body))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request(&format!("GET {path}"), &[], b"")
    }

    pub(crate) fn query(&self, id: u64, query: &str) -> Reply {
        self.post(&format!("/api/traces/{id}/query"), query)
    }

    pub(crate) fn command(&self, id: u64, command: &str) -> Reply {
        self.post(&format!("/api/traces/{id}/command"), command)
    }

    fn post(&self, path: &str, json: &str) -> Reply {
        let headers = ["Content-Type: application/json"];
        self.request(&format!("POST {path}"), &headers, json.as_bytes())
    }

    /// Asks the server to shut down.
    pub(crate) fn end(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
    }

    /// Waits until it has shut down.
    pub(crate) fn join(&mut self) {
        self.join_within(TIMEOUT);
    }

    pub(crate) fn join_within(&mut self, timeout: Duration) {
        self.end();
        let Some(thread) = self.thread.take() else {
            return;
        };
        let start = Instant::now();
        while !thread.is_finished() {
            assert!(start.elapsed() < timeout, "no shutdown in {timeout:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        thread.join().unwrap();
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A request that asks to close the connection after its response.
pub(crate) fn message(line: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    let mut bytes = format!("{text}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// Reads until the server closes the connection.
pub(crate) fn reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let split = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..split].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Reply {
        status,
        head,
        body: bytes[split + 4..].to_vec(),
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The message of an error with this status.
    pub(crate) fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

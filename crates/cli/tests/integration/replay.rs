//! `rtoscope replay`.

use crate::common::{self, TestFolder};
use rtoscope_decode::live::HostTime;
use rtoscope_recording::Recorder;
use rtoscope_recording::RecorderOptions;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

const RKH: TestFolder = TestFolder("rkh");
const THREADX: TestFolder = TestFolder("threadx");

const MILLISECOND: u64 = 1_000_000;

fn read(beside: TestFolder, name: &str) -> Vec<u8> {
    fs::read(beside.folder().join(name)).unwrap()
}

/// Killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(beside: TestFolder, arguments: &[&str]) -> (Running, BufReader<ChildStderr>) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("rtoscope"))
        .args(arguments)
        .current_dir(beside.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (Running(child), stderr)
}

/// Reads the next message.
fn line(stderr: &mut BufReader<ChildStderr>) -> String {
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    line
}

/// Reads everything from the next connection.
fn receive(listener: &TcpListener) -> Vec<u8> {
    let mut bytes = Vec::new();
    listener
        .accept()
        .unwrap()
        .0
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    (listener, address)
}

/// Starts a recording with these bytes.
fn begin(folder: &Path, bytes: &[u8]) -> Recorder {
    let settings = RecorderOptions {
        folder: folder.into(),
        source: "a test".to_owned(),
        segment_bytes: None,
        segment_time: None,
        max_segments: None,
    };
    let mut recorder = Recorder::create(settings, HostTime(0)).unwrap();
    recorder.write(bytes, HostTime(0)).unwrap();
    recorder
}

/// Records the bytes in two parts, 300 ms apart.
fn record(folder: &Path, bytes: &[u8]) {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let mut recorder = begin(folder, first);
    recorder.interrupt("unplugged", HostTime(0)).unwrap();
    recorder.write(second, HostTime(300 * MILLISECOND)).unwrap();
}

#[test]
fn all_formats_are_sent_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.cswl");
    common::write_generated_log(&log);
    let log = log.to_str().unwrap();
    for (beside, name) in [
        (RKH, "nat_short.bin"),
        (THREADX, "cm3_short.trx"),
        (RKH, log),
    ] {
        let sent = beside.run(&["replay", name, "--to", "-", "--speed", "max"]);
        assert!(sent.status.success(), "{sent:?}");
        assert_eq!(sent.stdout, read(beside, name), "{name}");
        let stderr = String::from_utf8(sent.stderr).unwrap();
        assert!(
            stderr.contains(&format!("sent {} bytes in ", sent.stdout.len())),
            "{stderr}"
        );
        // To a file, in small parts.
        let file = folder.path().join("copy");
        let to = file.to_str().unwrap();
        beside.stdout(&["replay", name, "--to", to, "--speed", "max", "--chunk", "7"]);
        assert_eq!(fs::read(file).unwrap(), sent.stdout, "{name}");
    }
}

#[test]
fn stream_is_sent_at_recorded_times() {
    let (listener, to) = listen();
    // The stream takes 21.322 s.
    let (mut running, mut stderr) = start(
        RKH,
        &["replay", "nat_short.bin", "--to", &to, "--speed", "5x"],
    );
    let (mut stream, _) = listener.accept().unwrap();
    let mut bytes = Vec::new();
    let mut pieces = 0;
    let mut buffer = [0; 1 << 16];
    let begun = Instant::now();
    loop {
        let count = stream.read(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        pieces += 1;
        bytes.extend_from_slice(&buffer[..count]);
    }
    // Never too early; a busy machine may be late.
    assert!(
        begun.elapsed() > Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
    assert!(pieces > 10, "{pieces}");
    assert_eq!(bytes, read(RKH, "nat_short.bin"));
    assert!(running.0.wait().unwrap().success());
    let sent = line(&mut stderr);
    let (_, seconds) = sent.split_once("sent 15537 bytes in ").unwrap();
    let seconds = seconds.split(' ').next().unwrap();
    assert!(seconds.parse::<f64>().unwrap() >= 4.0, "{sent}");
}

#[test]
fn interruptions_close_the_connection() {
    let bytes = read(RKH, "nat_short.bin");
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &bytes);
    let path = folder.path().to_str().unwrap();
    // The command connects.
    let (listener, to) = listen();
    let (mut running, mut stderr) = start(RKH, &["replay", path, "--to", &to]);
    let first = receive(&listener);
    let broke = Instant::now();
    let second = receive(&listener);
    assert!(broke.elapsed() > Duration::from_millis(200));
    assert_eq!([first, second].concat(), bytes);
    assert!(running.0.wait().unwrap().success());
    assert!(line(&mut stderr).contains("1 interruption replayed"));
    // The command listens.
    let arguments = [
        "replay",
        path,
        "--to",
        "tcp-listen://127.0.0.1:0",
        "--speed",
        "max",
    ];
    let (mut running, mut stderr) = start(RKH, &arguments);
    let mut all = Vec::new();
    for _ in 0..2 {
        let stderr = line(&mut stderr);
        let address = stderr.trim_end().rsplit_once("//").unwrap().1.to_owned();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.read_to_end(&mut all).unwrap();
    }
    assert_eq!(all, bytes);
    assert!(running.0.wait().unwrap().success());
}

#[test]
fn buffers_are_sent_when_they_are_full() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("several.trx");
    let one = read(THREADX, "cm3_short.trx");
    fs::write(&file, [one.as_slice(), &one, &one].concat()).unwrap();
    let file = file.to_str().unwrap();
    let refusal = THREADX.usage_error(&["replay", file, "--to", "-"]);
    assert!(refusal.contains("--clock"), "{refusal}");
    // The second and the third add nothing to the first.
    let sent = THREADX.run(&["replay", file, "--to", "-", "--clock", "1MHz"]);
    assert_eq!(sent.stdout, fs::read(file).unwrap());
    // A single buffer needs no clock, unless it is sent repeatedly.
    assert_eq!(
        THREADX
            .run(&["replay", "cm3_short.trx", "--to", "-"])
            .stdout,
        one
    );
    let refusal = THREADX.usage_error(&["replay", "cm3_short.trx", "--to", "-", "--loop"]);
    assert!(refusal.contains("--clock"), "{refusal}");
}

#[test]
fn stream_with_unknown_clock_is_paced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy");
    let to = file.to_str().unwrap();
    let arguments = ["replay", "ahsm_all.bin", "--to", to, "--speed", "0.001x"];
    let refusal = RKH.usage_error(&arguments);
    assert!(refusal.contains("--speed max"), "{refusal}");
    assert!(!file.exists());
    RKH.stdout(&["replay", "ahsm_all.bin", "--to", to, "--speed", "max"]);
    assert_eq!(fs::read(file).unwrap(), read(RKH, "ahsm_all.bin"));
}

#[cfg(unix)]
#[test]
fn input_is_recognised_by_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = read(RKH, "nat_short.bin");
    let [run, input, link] = ["run", "input", "link"].map(|name| folder.path().join(name));
    drop(begin(&run, &bytes));
    fs::write(&input, &bytes).unwrap();
    for (input, of) in [(&input, &input), (&run, &run.join("000001.bin"))] {
        fs::hard_link(of, &link).unwrap();
        let [input, to] = [input, &link].map(|path| path.to_str().unwrap());
        let refusal = RKH.usage_error(&["replay", input, "--to", to, "--speed", "max"]);
        assert!(refusal.contains("overwrite"), "{refusal}");
        assert_eq!(fs::read(of).unwrap(), bytes);
        fs::remove_file(&link).unwrap();
    }
}

#[test]
fn repeat_restarts() {
    let (listener, to) = listen();
    let arguments = [
        "replay",
        "nat_short.bin",
        "--to",
        &to,
        "--speed",
        "max",
        "--loop",
    ];
    let (_running, _stderr) = start(RKH, &arguments);
    let bytes = read(RKH, "nat_short.bin");
    let (mut stream, _) = listener.accept().unwrap();
    let mut received = vec![0; 3 * bytes.len()];
    stream.read_exact(&mut received).unwrap();
    assert_eq!(received, bytes.repeat(3));
}

#[test]
fn disconnected_receiver_is_reported_or_awaited() {
    let folder = tempfile::tempdir().unwrap();
    // More than the system buffers without a reader.
    let bytes = read(RKH, "nat_short.bin").repeat(2000);
    let file = folder.path().to_str().unwrap();
    drop(begin(folder.path(), &bytes));
    let (listener, to) = listen();
    let arguments = ["replay", file, "--to", &to, "--speed", "max"];
    let (mut running, mut stderr) = start(RKH, &arguments);
    let mut some = [0; 1000];
    listener.accept().unwrap().0.read_exact(&mut some).unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(2));
    let text = line(&mut stderr);
    assert!(text.contains("--reconnect"), "{text}");
    let arguments = ["replay", file, "--to", &to, "--speed", "max", "--reconnect"];
    let (mut running, mut stderr) = start(RKH, &arguments);
    listener.accept().unwrap().0.read_exact(&mut some).unwrap();
    let rest = receive(&listener);
    assert!(rest.len() < bytes.len());
    assert!(bytes.ends_with(&rest));
    assert!(running.0.wait().unwrap().success());
    assert!(line(&mut stderr).contains("disconnected"));
    assert!(line(&mut stderr).contains("disconnected 1 time"));
}

#[test]
fn missing_receiver_is_awaited() {
    let (listener, to) = listen();
    drop(listener);
    let refusal = RKH.usage_error(&["replay", "nat_short.bin", "--to", &to, "--speed", "max"]);
    assert!(refusal.contains("cannot send to tcp://"), "{refusal}");
    let arguments = [
        "replay",
        "nat_short.bin",
        "--to",
        &to,
        "--speed",
        "max",
        "--reconnect",
    ];
    let (mut running, mut stderr) = start(RKH, &arguments);
    assert!(line(&mut stderr).contains("waiting for a receiver at tcp://"));
    let listener = TcpListener::bind(to.strip_prefix("tcp://").unwrap()).unwrap();
    assert_eq!(receive(&listener), read(RKH, "nat_short.bin"));
    assert!(running.0.wait().unwrap().success());
}

#[test]
fn impossible_requests_are_reported() {
    for (arguments, expected) in [
        (
            &["--to", "gdb://localhost:3333"][..],
            "expected tcp://HOST:PORT",
        ),
        (&["--to", "tcp-listen://0.0.0.0:0"], "--public"),
        (&["--to", "nat_short.bin"], "overwrite"),
        (&["--to", "-", "--speed", "fast"], "expected a speed"),
        (&["--to", "-", "--buffer", "0"], "convert"),
        (&["--to", "missing/folder/file"], "cannot send to"),
        (&[], "--to"),
    ] {
        let mut all = vec!["replay", "nat_short.bin"];
        all.extend(arguments);
        let refusal = RKH.usage_error(&all);
        assert!(refusal.contains(expected), "{arguments:?}: {refusal}");
    }
    let refusal = RKH.usage_error(&["replay", "missing.bin", "--to", "-"]);
    assert!(refusal.contains("missing.bin"), "{refusal}");
    let refusal = RKH.usage_error(&["replay", "README.md", "--to", "-"]);
    assert!(refusal.contains("README.md: no usable"), "{refusal}");
}

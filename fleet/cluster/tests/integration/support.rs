//! Tables of several devices, the programs, and a cluster.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time in which processes must start.
const START_LIMIT: Duration = Duration::from_secs(120);

/// Recordings of several formats, with several cores, inversions, damage and a clock that stands
/// still.
const RECORDINGS: [&str; 8] = [
    "threadx/cm3_dwt_zero.trx",
    "threadx/cm3_system.trx",
    "threadx/linux32_inv_nondet.trx",
    "threadx/linux32_services_all.trx",
    "threadx/rv64_system.trx",
    "threadx/smp32_cores.trx",
    "rkh/ahsm_all.bin",
    "rkh/dmg_flip.bin",
];

/// A folder with recordings and tables of them.
pub(crate) struct Fleet {
    folder: TempDir,
}

/// A program that cargo has built beside the one that is tested.
fn program(name: &str) -> PathBuf {
    let tested = Path::new(env!("CARGO_BIN_EXE_rtoscope-cluster"));
    let path = tested.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing; `cargo xtask test fleet` builds it",
        path.display()
    );
    path
}

fn testdata(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    fs::read(root.join(name)).unwrap()
}

impl Fleet {
    /// Tables of one recording of each kind.
    pub(crate) fn of_all_kinds() -> Self {
        let fleet = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (device, name) in RECORDINGS.into_iter().enumerate() {
            fleet.add(device, &testdata(name));
        }
        fleet.ingest("tables");
        fleet
    }

    /// Tables of one recording of many devices.
    pub(crate) fn of_devices(count: usize) -> Self {
        let fleet = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for device in 0..count {
            let mut bytes = testdata("threadx/cm3_short.trx");
            // After the trace: its content stays.
            bytes.extend(format!("device {device}").bytes());
            fleet.add(device, &bytes);
        }
        fleet.ingest("tables");
        fleet
    }

    fn add(&self, device: usize, bytes: &[u8]) {
        let path = format!(
            "src/dev-{device:04}/1.{}/2026-03-0{}.trx",
            device % 2,
            device % 3 + 1
        );
        let path = self.path(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Adds the recordings to tables, with a commit for every third one.
    pub(crate) fn ingest(&self, tables: &str) {
        let output = self.fleet_program(&[
            "ingest",
            "src",
            "--path-pattern",
            "{device}/{firmware}/{recorded_at}.trx",
            "--batch",
            "3",
            "--to",
            tables,
        ]);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// Runs `rtoscope-fleet` in the folder.
    pub(crate) fn fleet_program(&self, arguments: &[&str]) -> Output {
        self.fleet_command().args(arguments).output().unwrap()
    }

    /// `rtoscope-fleet` in the folder.
    pub(crate) fn fleet_command(&self) -> Command {
        let mut command = Command::new(program("rtoscope-fleet"));
        command.current_dir(self.folder.path());
        command
    }

    /// A query on a cluster.
    pub(crate) fn cluster_query(&self, engine: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-cluster"));
        command
            .current_dir(self.folder.path())
            .args(["query", "--engine", engine])
            .args(arguments);
        command
    }

    /// The answers of rtoscope and of a cluster, as lines of CSV with a header.
    pub(crate) fn answers(&self, cluster: &Cluster, arguments: &[&str]) -> [Vec<String>; 2] {
        let arguments = [arguments, &["--format", "csv"]].concat();
        let own = self.fleet_program(&[&["query"], &arguments[..]].concat());
        let other = self.cluster_query(&cluster.url(), &arguments).output();
        [own, other.unwrap()].map(|output| {
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{arguments:?}: {messages}");
            let text = String::from_utf8(output.stdout).unwrap();
            text.lines().map(str::to_owned).collect()
        })
    }

    /// Asserts that rtoscope and a cluster have the same rows, in any order; returns their number.
    pub(crate) fn assert_same_rows(&self, cluster: &Cluster, arguments: &[&str]) -> usize {
        let [own, other] = self.answers(cluster, arguments).map(|mut lines| {
            lines[1..].sort_unstable();
            lines
        });
        assert_eq!(own, other, "{arguments:?}");
        own.len() - 1
    }
}

/// A scheduler with executors. They end when this is dropped.
pub(crate) struct Cluster {
    folder: TempDir,
    scheduler: Child,
    port: u16,
    pub(crate) executors: Vec<Child>,
}

impl Cluster {
    /// Starts a scheduler, and executors with one thread each.
    pub(crate) fn start(executors: usize) -> Self {
        let port = free_port();
        let scheduler = Command::new(program("ballista-scheduler"))
            .args(["--bind-host", "127.0.0.1", "--external-host", "127.0.0.1"])
            .args(["--bind-port", &port.to_string()])
            .args(["--executor-timeout-seconds", "5"])
            .args(["--expire-dead-executor-interval-seconds", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut cluster = Self {
            folder: tempfile::tempdir().unwrap(),
            scheduler,
            port,
            executors: Vec::new(),
        };
        wait_for("the scheduler", || cluster.api("executors").is_some());
        for _ in 0..executors {
            cluster.add_executor();
        }
        wait_for("the executors", || cluster.executor_count() == executors);
        cluster
    }

    pub(crate) fn add_executor(&mut self) {
        let number = self.executors.len();
        let folder = self.folder.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let [flight, grpc, health] = [(); 3].map(|()| free_port().to_string());
        let executor = Command::new(program("ballista-executor"))
            .args(["--bind-host", "127.0.0.1", "--external-host", "127.0.0.1"])
            .args(["--scheduler-host", "127.0.0.1"])
            .args(["--scheduler-port", &self.port.to_string()])
            .args(["--bind-port", &flight, "--bind-grpc-port", &grpc])
            .args(["--bind-health-port", &health, "--vcores", "1"])
            .args(["--executor-heartbeat-interval-seconds", "1"])
            .arg("--work-dir")
            .arg(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.executors.push(executor);
    }

    /// The URL for `--engine`.
    pub(crate) fn url(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    /// The answer of the scheduler's HTTP interface.
    pub(crate) fn api(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        let request = format!(
            "GET /api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.port
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        head.starts_with("HTTP/1.1 200").then(|| body.to_owned())
    }

    /// Whether the scheduler has a job with a status.
    pub(crate) fn has_job(&self, status: &str) -> bool {
        self.api("jobs").is_some_and(|jobs| jobs.contains(status))
    }

    /// The number of executors that the scheduler knows.
    pub(crate) fn executor_count(&self) -> usize {
        let answer = self.api("executors");
        answer.map_or(0, |answer| answer.matches("\"host\"").count())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in self.executors.iter_mut().chain([&mut self.scheduler]) {
            // It may have ended already.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// A port that nothing listens on at the moment.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// Waits until a condition holds.
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < START_LIMIT, "no {what}");
        sleep(Duration::from_millis(20));
    }
}

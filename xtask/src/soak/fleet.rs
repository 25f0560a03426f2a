//! A fleet: traces of many devices, ingested by four processes, two of them killed, and the
//! canned queries that must find what is wrong with some devices.

use crate::object_store_server::{BUCKET, ObjectStoreServer};
use crate::{fleet, interop, shell};
use anyhow::{Context as _, ensure};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use rtoscope_generate::ThreadXOptions;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// The versions of the firmware; the devices run them in turn.
const VERSIONS: [&str; 4] = ["2.0.3", "2.1.0", "2.1.1", "2.2.0"];
/// The version in which everything takes 20 % longer.
const SLOW_VERSION: &str = "2.1.1";
/// The days of the recordings.
const DAYS: usize = 5;
/// Threads of a device. With one more, a thread prolongs the inversions of two others.
const THREADS: u16 = 5;
/// Processes that ingest at the same time.
const PROCESSES: usize = 4;
/// How often the state of the processes is looked at.
const POLL: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct FleetArgs {
    /// Folder for the traces and the tables; traces of an earlier run are used again
    #[arg(long)]
    folder: PathBuf,

    /// Number of devices, with one recording each
    #[arg(long, default_value_t = 20_000)]
    devices: usize,

    /// Events of a recording
    #[arg(long, default_value_t = 10_000)]
    events: u64,

    /// Recordings in a commit
    #[arg(long, default_value_t = 500)]
    batch: usize,

    /// Keep the traces and the tables in a bucket of an S3 server, which this command starts
    #[arg(long)]
    bucket: bool,

    /// The program `rtoscope-fleet`; built if omitted
    #[arg(long)]
    program: Option<PathBuf>,
}

pub(super) fn run(arguments: &FleetArgs) -> anyhow::Result<()> {
    ensure!(arguments.devices >= 100, "at least 100 devices are needed");
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => fleet::build_release()?,
    };
    fs::create_dir_all(&arguments.folder)?;
    if !manifest(arguments).exists() {
        generate(arguments)?;
    }
    let trial = Trial {
        arguments,
        program,
        storage: match arguments.bucket {
            true => Storage::Bucket(ObjectStoreServer::start(&interop::install_fleet()?)?),
            false => Storage::Folder(arguments.folder.clone()),
        },
    };
    let traces = shell::files_below(&arguments.folder.join("traces"))?;
    let mut bytes = 0;
    for path in traces {
        bytes += fs::metadata(&path)?.len();
        if let Storage::Bucket(server) = &trial.storage {
            let name = path.file_name().context("no name")?.to_string_lossy();
            server.put(&format!("traces/{name}"), &fs::read(&path)?)?;
        }
    }
    figure("bytes of the compressed traces", bytes);
    trial.ingest()?;
    trial.check_rows()?;
    trial.find()?;
    trial.describe_files("before compaction")?;
    let start = Instant::now();
    let mut compact = trial.command(&["compact", "--vacuum", "1s"]);
    shell::run(compact.arg(trial.storage.path("tables")))?;
    figure("seconds to compact", seconds(start));
    trial.describe_files("after compaction")?;
    trial.check_rows()?;
    trial.find()
}

#[expect(clippy::print_stdout, reason = "the table is what was asked for")]
fn figure(name: &str, value: impl std::fmt::Display) {
    println!("| {name} | {value} |");
}

fn seconds(start: Instant) -> String {
    format!("{:.1}", start.elapsed().as_secs_f64())
}

fn device_name(device: usize) -> String {
    format!("dev-{device:06}")
}

/// The devices with an unbounded priority inversion.
fn inverted(devices: usize) -> [usize; 3] {
    [devices / 7, devices / 2, devices - 3]
}

fn manifest(arguments: &FleetArgs) -> PathBuf {
    arguments.folder.join("traces/list.csv")
}

/// Writes the traces, and their manifest when they are complete.
fn generate(arguments: &FleetArgs) -> anyhow::Result<()> {
    let folder = arguments.folder.join("traces");
    fs::create_dir_all(&folder)?;
    let devices = arguments.devices;
    let parts = thread::available_parallelism()?.get();
    let part = |part: usize| -> anyhow::Result<()> {
        let mut mine = (part..devices).step_by(parts);
        mine.try_for_each(|device| generate_one(arguments, &folder, device))
    };
    thread::scope(|scope| {
        let part = &part;
        let threads: Vec<_> = (0..parts).map(|at| scope.spawn(move || part(at))).collect();
        threads.into_iter().try_for_each(|thread| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    let mut list = "path,device,firmware,recorded_at\n".to_owned();
    for device in 0..devices {
        let name = device_name(device);
        let version = VERSIONS[device % VERSIONS.len()];
        let day = 1 + device * DAYS / devices;
        let _ = writeln!(
            list,
            "{name}.trx.gz,{name},{version},2026-03-{day:02}T06:00:00Z"
        );
    }
    Ok(fs::write(manifest(arguments), list)?)
}

fn generate_one(arguments: &FleetArgs, folder: &Path, device: usize) -> anyhow::Result<()> {
    let options = ThreadXOptions {
        events: arguments.events,
        threads: THREADS + u16::from(inverted(arguments.devices).contains(&device)),
        seed: device as u64 + 1,
        ..ThreadXOptions::default()
    };
    let mut trace = Vec::new();
    rtoscope_generate::write(&options, &mut trace, &mut |_| {})?;
    if VERSIONS[device % VERSIONS.len()] == SLOW_VERSION {
        slow_down(&mut trace, arguments.events)?;
    }
    let path = folder.join(format!("{}.trx.gz", device_name(device)));
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    file.write_all(&trace)?;
    let bytes = file.finish()?;
    fs::write(&path, &bytes).with_context(|| path.display().to_string())
}

/// Lets every duration take 20 % longer: the time stamps of a ring of 32-byte entries at the end
/// of the trace.
fn slow_down(trace: &mut [u8], events: u64) -> anyhow::Result<()> {
    let ring = usize::try_from(events)? * 32;
    let start = trace.len().checked_sub(ring).context("a short trace")?;
    for entry in trace[start..].chunks_exact_mut(32) {
        let stamp = &mut entry[12..16];
        let time = u32::from_le_bytes([stamp[0], stamp[1], stamp[2], stamp[3]]);
        let longer = u64::from(time) * 6 / 5;
        stamp.copy_from_slice(&u32::try_from(longer)?.to_le_bytes());
    }
    Ok(())
}

/// Where the traces and the tables are.
enum Storage {
    Folder(PathBuf),
    Bucket(ObjectStoreServer),
}

impl Storage {
    /// The path or URL of a folder or file.
    fn path(&self, name: &str) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.join(name),
            Self::Bucket(_) => format!("s3://{BUCKET}/{name}").into(),
        }
    }

    /// The files in a folder and below it, and their sizes.
    fn files(&self, folder: &str) -> anyhow::Result<Vec<(PathBuf, u64)>> {
        match self {
            Self::Folder(root) => {
                let files = shell::files_below(&root.join(folder))?.into_iter();
                files
                    .map(|path| {
                        let bytes = fs::metadata(&path)?.len();
                        Ok((path, bytes))
                    })
                    .collect()
            }
            Self::Bucket(server) => {
                let files = server.list(&format!("{folder}/"))?.into_iter();
                Ok(files.map(|(key, bytes)| (key.into(), bytes)).collect())
            }
        }
    }
}

struct Trial<'a> {
    arguments: &'a FleetArgs,
    program: PathBuf,
    storage: Storage,
}

impl Trial<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words);
        if let Storage::Bucket(server) = &self.storage {
            server.set_environment(&mut command);
        }
        command
    }

    /// One of the processes that ingest.
    fn start(&self, number: usize) -> anyhow::Result<Child> {
        let manifest = self.storage.path("traces/list.csv");
        let mut command = self.command(&["ingest", "--clock", "10MHz", "--manifest"]);
        command
            .arg(manifest)
            .arg("--to")
            .arg(self.storage.path("tables"));
        command.args(["--shard", &format!("{}/{PROCESSES}", number + 1)]);
        command.args(["--batch", &self.arguments.batch.to_string()]);
        let log = self.arguments.folder.join(format!("ingest-{number}.log"));
        let log = fs::File::options().create(true).append(true).open(log)?;
        let started = command.stdout(Stdio::null()).stderr(log).spawn();
        started.with_context(|| self.program.display().to_string())
    }

    /// The number of commits.
    fn commits(&self) -> usize {
        // None before the first.
        let log = self.storage.files("tables/_delta_log").unwrap_or_default();
        let is_commit = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
        log.iter().filter(|(path, _)| is_commit(path)).count()
    }

    /// Ingests with all processes; kills two when some batches are committed, and starts them
    /// again.
    fn ingest(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        let mut processes = (0..PROCESSES)
            .map(|number| self.start(number))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let batches = self.arguments.devices.div_ceil(self.arguments.batch);
        let enough = (batches / 4).max(2);
        while self.commits() < enough {
            ensure!(
                processes
                    .iter_mut()
                    .any(|it| matches!(it.try_wait(), Ok(None))),
                "all processes have ended early; see the logs"
            );
            sleep(POLL);
        }
        for (number, process) in processes.iter_mut().enumerate().take(2) {
            process.kill()?;
            process.wait()?;
            *process = self.start(number)?;
        }
        figure("commits when two processes were killed", self.commits());
        for process in &mut processes {
            let ended = process.wait()?;
            ensure!(ended.success(), "a process failed: {ended}; see the logs");
        }
        figure("seconds to ingest", seconds(start));
        Ok(())
    }

    fn rows(&self, words: &[&str]) -> anyhow::Result<Vec<Value>> {
        let mut command = self.command(&["query", "--format", "jsonl"]);
        command.arg(self.storage.path("tables")).args(words);
        let text = String::from_utf8(shell::output(&mut command)?)?;
        text.lines()
            .map(|line| serde_json::from_str(line).context("a line of JSON"))
            .collect()
    }

    /// Each recording is there exactly once, with all its events.
    fn check_rows(&self) -> anyhow::Result<()> {
        let rows = self.rows(&[
            "SELECT count(*) AS recordings, count(DISTINCT recording_id) AS ids, \
             count(DISTINCT device) AS devices, sum(events) AS events FROM recordings",
        ])?;
        let row = rows.first().context("no row")?;
        let expected = self.arguments.devices as u64;
        for name in ["recordings", "ids", "devices"] {
            ensure!(row[name] == expected, "{name}: {row}, expected {expected}");
        }
        let events = expected * self.arguments.events;
        ensure!(row["events"] == events, "{row}, expected {events} events");
        let rows = self.rows(&["SELECT count(*) AS events FROM events"])?;
        ensure!(rows[0]["events"] == events, "{rows:?}, expected {events}");
        figure("recordings, each exactly once", expected);
        figure("events", events);
        Ok(())
    }

    /// The canned queries find the devices with an inversion, and the slow version.
    fn find(&self) -> anyhow::Result<()> {
        let devices = self.arguments.devices;
        let category = "category=unbounded-inversion";
        let rows = self.timed("worst-devices", &["--set", category])?;
        let found: Vec<_> = rows.iter().map(|row| row["device"].clone()).collect();
        let mut expected = inverted(devices).map(device_name);
        expected.sort();
        let mut names: Vec<_> = found.iter().filter_map(Value::as_str).collect();
        names.sort_unstable();
        ensure!(names == expected, "{rows:?}, expected {expected:?}");
        figure("devices with an unbounded inversion", names.join(", "));
        let rows = self.timed("firmware-regressions", &[])?;
        ensure!(!rows.is_empty(), "no regression");
        for row in &rows {
            ensure!(row["firmware"] == SLOW_VERSION, "{row}");
        }
        let changes = rows.iter().filter_map(|row| row["change_percent"].as_f64());
        let (first, last) = changes.fold((f64::MAX, f64::MIN), |(first, last), change| {
            (first.min(change), last.max(change))
        });
        figure(
            "slower version",
            format!(
                "{SLOW_VERSION}: {} metrics, by {first:.1} to {last:.1} %",
                rows.len()
            ),
        );
        for name in [
            "recordings-by-firmware",
            "findings-by-firmware",
            "new-findings",
            "latency-by-firmware",
        ] {
            self.timed(name, &[])?;
        }
        let device = device_name(devices / 2);
        let rows = self.timed("device-history", &["--set", &format!("device={device}")])?;
        ensure!(rows.len() == 1, "{rows:?}");
        let sql = format!("SELECT count(*) AS n FROM events WHERE device = '{device}'");
        let start = Instant::now();
        let rows = self.rows(&[&sql])?;
        ensure!(rows[0]["n"] == self.arguments.events, "{rows:?}");
        figure("seconds to count the events of one device", seconds(start));
        let plan = self.rows(&[&format!("EXPLAIN ANALYZE {sql}")])?;
        let plan = plan.iter().map(Value::to_string).collect::<String>();
        let (_, files) = plan
            .split_once("count_files_scanned=")
            .context("no count")?;
        let digits = files.find(|it: char| !it.is_ascii_digit());
        figure(
            "files that it opens",
            &files[..digits.unwrap_or(files.len())],
        );
        Ok(())
    }

    fn timed(&self, name: &str, words: &[&str]) -> anyhow::Result<Vec<Value>> {
        let start = Instant::now();
        let named = [&["--named", name][..], words].concat();
        let rows = self.rows(&named)?;
        figure(&format!("seconds of `{name}`"), seconds(start));
        Ok(rows)
    }

    /// The files of the tables and their bytes, and the bytes of the traces.
    fn describe_files(&self, when: &str) -> anyhow::Result<()> {
        let files = self.storage.files("tables")?;
        let bytes_of = |extension: &str| -> (usize, u64) {
            let files = files.iter();
            let files =
                files.filter(|(path, _)| path.extension().is_some_and(|it| it == extension));
            let sizes: Vec<_> = files.map(|(_, bytes)| bytes).collect();
            (sizes.len(), sizes.into_iter().sum())
        };
        let (tables, table_bytes) = bytes_of("parquet");
        let (packs, pack_bytes) = bytes_of("zst");
        figure(&format!("files of tables {when}"), tables);
        figure(&format!("bytes of tables {when}"), table_bytes);
        figure("packs of recordings", packs);
        figure("bytes of the packs", pack_bytes);
        Ok(())
    }
}

//! Benchmarks of many small recordings: exporting them as a dataset, and queries on the
//! dataset and on the recordings, as users run them.
//!
//! ```text
//! cargo bench --manifest-path crates/sql/Cargo.toml --bench fleet
//! ```

use divan::Bencher;
use divan::counter::ItemsCount;
use rtoscope_generate::ThreadXOptions;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const DEVICES: usize = 2000;

/// Events per recording: 113 kB.
const EVENTS: u64 = 3500;

/// Recordings of devices, and their dataset.
struct Fleet {
    folder: tempfile::TempDir,
    recordings: Vec<PathBuf>,
}

static FLEET: LazyLock<Fleet> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let device = |device: usize| {
        let settings = ThreadXOptions {
            events: EVENTS,
            seed: device as u64,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        rtoscope_generate::write(&settings, &mut bytes, &mut |_| ()).expect("valid settings");
        let path = folder.path().join(format!("{device}/trace.trx"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        path
    };
    let recordings: Vec<_> = (0..DEVICES).map(device).collect();
    let fleet = Fleet { folder, recordings };
    fleet.export(&fleet.dataset());
    fleet
});

impl Fleet {
    fn dataset(&self) -> PathBuf {
        self.folder.path().join("dataset")
    }

    fn export(&self, to: &Path) {
        let options = [
            "--to=parquet",
            "--clock=100MHz",
            "--tag=device={folder}",
            "--output",
        ];
        let options = ["export"].into_iter().chain(options).map(OsStr::new);
        let files = self.recordings.iter().map(|path| path.as_os_str());
        run(options.chain([to.as_os_str()]).chain(files));
    }

    fn query(&self, sql: &str) {
        let files = self.recordings.iter().map(|path| path.as_os_str());
        let words = ["query".as_ref(), "--clock=100MHz".as_ref()].into_iter();
        run(words.chain(files).chain([sql.as_ref()]));
    }

    fn query_dataset(&self, sql: &str) {
        run(["query".as_ref(), self.dataset().as_os_str(), sql.as_ref()]);
    }
}

fn run<'a>(words: impl IntoIterator<Item = &'a OsStr>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
    let status = command.args(words).stdout(Stdio::null()).status();
    assert!(status.expect("the program").success());
}

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 1, sample_size = 1)]
fn export(bencher: Bencher<'_, '_>) {
    let to = FLEET.folder.path().join("exported");
    bencher
        .counter(ItemsCount::new(DEVICES))
        .bench(|| FLEET.export(&to));
}

/// One device, by its tag and by its recording; all devices.
#[divan::bench(args = [
    "SELECT context, sum(duration_ns) FROM slices WHERE device = '7' GROUP BY context",
    "SELECT context, sum(duration_ns) FROM slices WHERE recording_id = 'device=7/trace' GROUP BY context",
    "SELECT context, sum(duration_ns) FROM slices GROUP BY context",
], sample_count = 5, sample_size = 1)]
fn dataset(bencher: Bencher<'_, '_>, sql: &str) {
    bencher.bench(|| FLEET.query_dataset(sql));
}

#[divan::bench(args = [
    "SELECT context, sum(duration_ns) FROM slices WHERE recording_id = 'trace-7' GROUP BY context",
    "SELECT context, sum(duration_ns) FROM slices GROUP BY context",
], sample_count = 3, sample_size = 1)]
fn recordings(bencher: Bencher<'_, '_>, sql: &str) {
    bencher.bench(|| FLEET.query(sql));
}

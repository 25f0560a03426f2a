//! Captures in progress.

use std::fs;
use std::path::Path;
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

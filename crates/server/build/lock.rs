//! A lock between builds that share a checkout. The system releases it even if its
//! holder crashes.

use std::fs::File;
use std::path::Path;

/// Waits for the lock; held until the file is dropped.
pub(crate) fn acquire(path: &Path) -> Result<File, String> {
    acquire_impl(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn acquire_impl(path: &Path) -> std::io::Result<File> {
    use rustix::fs::{FlockOperation, flock};
    let file = File::create(path)?;
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Err(rustix::io::Errno::INTR) => {}
            other => {
                other?;
                return Ok(file);
            }
        }
    }
}

#[cfg(windows)]
fn acquire_impl(path: &Path) -> std::io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    /// Of winerror.h: another process has the file open.
    const HELD: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).share_mode(0);
    loop {
        match options.open(path) {
            Err(error) if error.raw_os_error() == Some(HELD) => {
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            other => return other,
        }
    }
}

#[cfg(not(any(unix, windows)))]
fn acquire_impl(path: &Path) -> std::io::Result<File> {
    File::create(path)
}

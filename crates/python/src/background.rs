//! Work without the interpreter's lock, which Ctrl+C interrupts.

use crate::error;
use anyhow::anyhow;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The interval at which signals are handled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` in a thread of its own. If a signal's handler raises an exception, such as
/// `KeyboardInterrupt`, this returns at once; the result of the work is then dropped when it ends.
///
/// # Errors
///
/// `rtoscope.Error` if the work fails or panics.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    file: Option<&str>,
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        // Without a receiver, the work was interrupted.
        let _ = sender.send(catch(work));
    });
    let mut receiver = receiver;
    loop {
        let waited = py.detach(move || (receiver.recv_timeout(POLL_INTERVAL), receiver));
        receiver = waited.1;
        match waited.0 {
            Ok(result) => return result.map_err(|cause| error::new(py, &cause, file)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(error::new(py, &anyhow!("the thread ended"), file));
            }
        }
    }
}

/// Runs `work`; a panic, which is a fault of rtoscope, becomes an error.
pub(crate) fn catch<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_error(&*panic)))
}

fn panic_error(panic: &(dyn Any + Send)) -> anyhow::Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    anyhow!("a fault of rtoscope: {}", text.unwrap_or("unknown"))
}

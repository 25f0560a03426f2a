//! Termination signals.

use std::io;
use std::sync::{Mutex, PoisonError};

type Handler = Box<dyn FnMut(i32) + Send>;

/// The handlers, in the order in which they were added.
static HANDLERS: Mutex<Vec<Handler>> = Mutex::new(Vec::new());

/// Calls `handler` in a separate thread for each termination signal: interrupt
/// (Ctrl-C), SIGTERM or SIGHUP; handlers that were added before come first, and may
/// end the program. Without a handler, these signals end the program.
/// The handler gets the exit code that shells use for a program ended by the
/// signal: 130 for SIGINT, 143 for SIGTERM.
///
/// # Errors
///
/// If the system does not accept a handler.
pub fn on_termination(handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut handlers = HANDLERS.lock().unwrap_or_else(PoisonError::into_inner);
    if handlers.is_empty() {
        install(|code| {
            let mut handlers = HANDLERS.lock().unwrap_or_else(PoisonError::into_inner);
            handlers.iter_mut().for_each(|handler| handler(code));
        })?;
    }
    handlers.push(Box::new(handler));
    Ok(())
}

#[cfg(unix)]
fn install(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || {
        for signal in signals.forever() {
            handle(128 + signal);
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn install(handle: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handle(130)).map_err(io::Error::other)
}

//! Termination signals.

use std::io;

/// Calls `handler` in a separate thread for each termination signal: interrupt
/// (Ctrl-C), SIGTERM or SIGHUP. Without a handler, these signals end the program.
/// The handler gets the exit code that shells use for a program ended by the
/// signal: 130 for SIGINT, 143 for SIGTERM.
///
/// # Errors
///
/// If the system does not accept a handler.
#[cfg(unix)]
pub fn on_termination(mut handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || {
        for signal in signals.forever() {
            handler(128 + signal);
        }
    })?;
    Ok(())
}

/// Calls `handler` in a separate thread when the user terminates the program. The
/// handler gets the exit code, 130.
///
/// # Errors
///
/// If the system does not accept a handler.
#[cfg(not(unix))]
pub fn on_termination(mut handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(130)).map_err(io::Error::other)
}

//! Signals that ask the program to end.

use std::io;

/// Calls `handler` in a thread of its own for each signal that asks the program to
/// end: an interrupt (Ctrl-C), SIGTERM, SIGHUP. Without it, they end the program.
/// The handler gets the exit code by which a shell knows a program that the signal
/// ended, 130 or 143.
///
/// # Errors
///
/// What the system says if it does not accept a handler.
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

/// Calls `handler` in a thread of its own when the user asks the program to end.
/// The handler gets the exit code, 130.
///
/// # Errors
///
/// What the system says if it does not accept a handler.
#[cfg(not(unix))]
pub fn on_termination(mut handler: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(130)).map_err(io::Error::other)
}

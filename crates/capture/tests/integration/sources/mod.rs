//! Sources and their targets.

mod file;
mod listen;
mod send;
#[cfg(unix)]
mod serial;
mod stdin;
mod tcp;
mod test_source;
mod udp;

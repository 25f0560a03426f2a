//! Sources and their targets.

mod file;
mod listen;
mod rtt;
mod send;
#[cfg(unix)]
mod serial;
mod stdin;
mod swo;
mod tcp;
mod test_source;
mod udp;

//! Where traces come from.

mod backoff;
mod file;
pub mod gdb;
mod pipe;
mod refusals;
mod resolve;
mod serial;
mod target_connection;
mod tcp;
mod tcp_listen;
mod waiting;

use crate::Address;
use crate::address::FileAddress;
use rtoscope_decode::Format;
use rtoscope_decode::symbols::Firmware;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// What happened at a source.
#[derive(Debug)]
pub enum SourceEvent<'a> {
    /// Bytes came, at least one.
    Bytes(&'a [u8]),
    /// Nothing, for as long as it was waited for.
    Nothing,
    /// It waits for a target, or for one to answer.
    Waiting(String),
    /// A target is there: what is known of it, such as its address. What it
    /// sends need not follow what came before.
    Connected(String),
    /// The target is gone, and why. The source tries to reach it again.
    Lost(String),
    /// Something to tell the user that changes nothing: the probe had to halt the
    /// target.
    Message(String),
    /// Connections were refused; what they sent is lost.
    Refused(RefusedConnections),
    /// Nothing will come any more: the end of a file.
    Ended,
    /// It cannot go on.
    Failed(SourceError),
}

/// Connections that were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedConnections {
    /// How many.
    pub connections: u64,
    /// Which, and why, for people.
    pub message: String,
}

/// Gives the bytes of a trace as they come: a stream of RKH, or whole trace
/// buffers or CSWL containers one after the other.
pub trait Source: Send {
    /// Waits for what happens next, for about `wait` at most.
    fn next(&mut self, wait: Duration) -> SourceEvent<'_>;

    /// Closes the source. Returns connections of which nothing was read and that
    /// [`Source::next`] has not reported.
    fn close(self: Box<Self>) -> Option<RefusedConnections> {
        None
    }
}

/// What sources have to know.
#[derive(Debug, Clone, Default)]
pub struct SourceOptions {
    /// The format that is expected, if the user says.
    pub format: Option<Format>,
    /// The firmware that runs on the target, to find its buffers by name.
    pub firmware: Vec<Arc<Firmware>>,
    /// Whether other machines may connect to an address that listens.
    pub public: bool,
}

/// Why there is no source.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// cannot open {what}
    #[error("cannot open {what}")]
    Open {
        /// What cannot be opened.
        what: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// cannot read {what}
    #[error("cannot read {what}")]
    Read {
        /// What cannot be read any more.
        what: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A sentence that says what cannot be done, where, and what to do.
    #[error("{0}")]
    Unsupported(String),
}

/// Opens a source.
///
/// # Errors
///
/// If there can be none of that address: the port to listen on is taken, the
/// host is not known, there is no such device or file. That nobody answers yet
/// is no error.
pub fn open(address: &Address, settings: &SourceOptions) -> Result<Box<dyn Source>, SourceError> {
    match address {
        Address::TcpListen(endpoint) => Ok(Box::new(tcp_listen::open(endpoint, settings)?)),
        Address::Tcp(endpoint) => Ok(Box::new(tcp::open(endpoint)?)),
        Address::Serial(serial) => Ok(Box::new(serial::open(serial)?)),
        Address::File(file) => open_file(file),
        Address::Stdin => Ok(Box::new(pipe::standard_input()?)),
        Address::Gdb(gdb) => gdb::open(gdb, settings),
    }
}

/// Opens a file, or a pipe that has a name.
fn open_file(address: &FileAddress) -> Result<Box<dyn Source>, SourceError> {
    let path = &address.path;
    let failed = |source| SourceError::Open {
        what: path.clone(),
        source,
    };
    let kind = fs::metadata(path).map_err(failed)?.file_type();
    if kind.is_dir() {
        return Err(SourceError::Unsupported(format!(
            "{path} is a folder: `rtoscope replay` reads a recording"
        )));
    }
    Ok(match kind.is_file() {
        true => Box::new(file::open(address).map_err(failed)?),
        false => Box::new(pipe::open_named(path).map_err(failed)?),
    })
}

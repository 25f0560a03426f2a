//! Sources of traces.

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

/// An event of a source.
#[derive(Debug)]
pub enum SourceEvent<'a> {
    /// Received bytes, at least one.
    Bytes(&'a [u8]),
    /// Nothing happened until the timeout.
    Nothing,
    /// The source waits for a target, or for a reply.
    Waiting(String),
    /// A target connected, with a description such as its address. Its bytes need not
    /// continue the ones before.
    Connected(String),
    /// The connection to the target was lost, with the reason. The source tries to
    /// reconnect.
    Lost(String),
    /// A message for the user that changes nothing, for example that the probe had to
    /// halt the target.
    Message(String),
    /// Connections were refused; their bytes are lost.
    Refused(RefusedConnections),
    /// The source has ended, such as at the end of a file.
    Ended,
    /// The source has failed.
    Failed(SourceError),
}

/// Refused connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedConnections {
    /// Number of connections.
    pub connections: u64,
    /// Which connections, and why, for the user.
    pub message: String,
}

/// Delivers the bytes of a trace: a stream of records, or consecutive buffers or
/// containers.
pub trait Source: Send {
    /// Waits for the next event, at most about `wait`.
    fn next(&mut self, wait: Duration) -> SourceEvent<'_>;

    /// Closes the source. Returns connections whose bytes were not read and that
    /// [`Source::next`] has not reported.
    fn close(self: Box<Self>) -> Option<RefusedConnections> {
        None
    }
}

/// Options of sources.
#[derive(Debug, Clone, Default)]
pub struct SourceOptions {
    /// The expected format, if the user gave one.
    pub format: Option<Format>,
    /// The firmware on the target, to find its buffers by name.
    pub firmware: Vec<Arc<Firmware>>,
    /// Whether other machines may connect to an address that listens.
    pub public: bool,
}

/// Why a source cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// cannot open {subject}
    #[error("cannot open {subject}")]
    Open {
        /// What cannot be opened.
        subject: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// cannot read {subject}
    #[error("cannot read {subject}")]
    Read {
        /// What cannot be read.
        subject: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The operation is not supported, with an explanation.
    #[error("{0}")]
    Unsupported(String),
}

/// Opens a source.
///
/// # Errors
///
/// If the address cannot be used: the port is in use, the host is unknown, the device
/// or file does not exist. A server that does not answer yet is not an error.
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

/// Opens a file or a named pipe.
fn open_file(address: &FileAddress) -> Result<Box<dyn Source>, SourceError> {
    let path = &address.path;
    let failed = |source| SourceError::Open {
        subject: path.clone(),
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

//! Sources of traces.

mod backoff;
mod datagrams;
mod file;
pub mod gdb;
mod interface;
pub mod itm;
mod pipe;
mod queued;
mod refusals;
mod resolve;
mod rtt;
mod serial;
mod swo;
mod target_connection;
mod tcp;
mod tcp_listen;
mod udp;
mod waiting;

pub use interface::{RefusedConnections, Source, SourceError, SourceEvent, SourceOptions};

use crate::Address;
use crate::address::{FileAddress, Scheme};
use std::fs;

/// Opens a source.
///
/// # Errors
///
/// If the address cannot be used: the port is in use, the host is unknown, the device
/// or file does not exist. A server that does not answer yet is not an error.
pub fn open(address: &Address, settings: &SourceOptions) -> Result<Box<dyn Source>, SourceError> {
    match address {
        Address::TcpListen(endpoint) => Ok(Box::new(tcp_listen::open(endpoint, settings)?)),
        Address::Tcp(endpoint) => Ok(Box::new(tcp::open(Scheme::Tcp, endpoint, String::new())?)),
        Address::Udp(endpoint) => Ok(Box::new(udp::open(endpoint, settings)?)),
        Address::Rtt(rtt) => Ok(Box::new(rtt::open(rtt)?)),
        Address::Swo(swo) => Ok(Box::new(swo::open(swo)?)),
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

//! Resolution of host names.

use crate::address::Endpoint;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs as _};

impl Endpoint {
    /// The current addresses of the host, at least one. May block as long as the
    /// system's resolver.
    ///
    /// # Errors
    ///
    /// If the host is unknown.
    pub(crate) fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let addresses: Vec<_> = (self.host.as_str(), self.port).to_socket_addrs()?.collect();
        match addresses.is_empty() {
            true => Err(ErrorKind::AddrNotAvailable.into()),
            false => Ok(addresses),
        }
    }
}

//! The addresses of hosts.

use crate::address::Endpoint;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs as _};

impl Endpoint {
    /// The addresses that its host has now, at least one. May take as long as the
    /// system asks others.
    ///
    /// # Errors
    ///
    /// If the host is not known.
    pub(crate) fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let addresses: Vec<_> = (self.host.as_str(), self.port).to_socket_addrs()?.collect();
        match addresses.is_empty() {
            true => Err(ErrorKind::AddrNotAvailable.into()),
            false => Ok(addresses),
        }
    }
}

//! Resolution of host names.

use super::interface::{SourceError, SourceOptions};
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

    /// As [`addresses`](Self::addresses), to receive at: those of IPv4 first, because
    /// `localhost` also means ::1, where most targets do not connect.
    pub(super) fn local_addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let mut addresses = self.addresses()?;
        addresses.sort_by_key(SocketAddr::is_ipv6);
        Ok(addresses)
    }

    /// Fails if other machines could send to one of these addresses and the user has not
    /// allowed it.
    pub(super) fn require_public(
        &self,
        scheme: &str,
        addresses: &[SocketAddr],
        settings: &SourceOptions,
    ) -> Result<(), SourceError> {
        let is_local = |address: &SocketAddr| address.ip().to_canonical().is_loopback();
        if settings.public || addresses.iter().all(is_local) {
            return Ok(());
        }
        Err(SourceError::Unsupported(format!(
            "{scheme}://{self} would let other machines connect: allow it with --public, or \
             listen on 127.0.0.1"
        )))
    }
}

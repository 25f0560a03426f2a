//! Host names of this server. Under any other name, a foreign page could talk to it as
//! its own: DNS rebinding.

use axum::http::uri::Authority;
use axum::http::{Request, header};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// A name of this machine, such as `scope.lan`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(String);

/// All names of a server.
pub(super) struct AllowedHosts {
    listen_address: SocketAddr,
    names: Vec<HostName>,
}

/// Whether only this machine can reach an address.
pub(crate) fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

impl AllowedHosts {
    pub(super) fn new(listens: SocketAddr, given: Vec<HostName>) -> Self {
        Self {
            listen_address: listens,
            names: given,
        }
    }

    /// The host of a request, if it is one of the server's names.
    pub(super) fn requested_host<B>(&self, request: &Request<B>) -> Option<Authority> {
        let mut named = request.headers().get_all(header::HOST).iter();
        let (first, more) = (named.next()?, named.next());
        let host: Authority = first.to_str().ok()?.parse().ok()?;
        let plain = more.is_none() && !host.as_str().contains('@');
        // The request line can contain a host as well.
        let agreed = request.uri().authority().is_none_or(|line| *line == host);
        (plain && agreed && self.contains(&host)).then_some(host)
    }

    fn contains(&self, host: &Authority) -> bool {
        let name = host.host();
        if self
            .names
            .iter()
            .any(|given| given.0.eq_ignore_ascii_case(name))
        {
            return true;
        }
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        let this_machine = name.eq_ignore_ascii_case("localhost");
        if !is_local(self.listen_address.ip()) {
            // An address or `localhost` cannot be rebound, and a forwarded port may
            // differ.
            return this_machine || address.is_some();
        }
        let loopback = [
            self.listen_address.ip(),
            Ipv4Addr::LOCALHOST.into(),
            Ipv6Addr::LOCALHOST.into(),
        ];
        let known = this_machine || address.is_some_and(|address| loopback.contains(&address));
        known && host.port_u16().unwrap_or(80) == self.listen_address.port()
    }
}

impl FromStr for HostName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        if (1..=253).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected a name such as scope.lan, without a port")
        }
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listens: &str, given: &[&str]) -> AllowedHosts {
        let given = given.iter().map(|name| name.parse().unwrap()).collect();
        AllowedHosts::new(listens.parse().unwrap(), given)
    }

    fn accepted(hosts: &AllowedHosts, names: &[&str]) -> bool {
        let mut request = Request::get("/");
        for name in names {
            request = request.header(header::HOST, *name);
        }
        hosts.requested_host(&request.body(()).unwrap()).is_some()
    }

    #[test]
    fn loopback_servers_accept_loopback_names() {
        let hosts = hosts("127.0.0.1:7070", &[]);
        for name in [
            "localhost:7070",
            "LocalHost:7070",
            "127.0.0.1:7070",
            "[::1]:7070",
        ] {
            assert!(accepted(&hosts, &[name]), "{name}");
        }
        for name in [
            "evil.example:7070",
            "localhost",
            "localhost:7071",
            "localhost:",
            "localhost.:7070",
            "localhost.evil.example:7070",
            "127.0.0.1.evil.example:7070",
            "127.0.0.2:7070",
            "10.0.0.1:7070",
            "[::2]:7070",
            "::1:7070",
            "evil@localhost:7070",
            "localhost:7070@evil",
            "localhost:7070, evil",
            "",
        ] {
            assert!(!accepted(&hosts, &[name]), "{name}");
        }
        assert!(!accepted(&hosts, &[]));
        assert!(!accepted(&hosts, &["localhost:7070", "localhost:7070"]));
    }

    #[test]
    fn default_port_may_be_omitted() {
        assert!(accepted(&hosts("127.0.0.1:80", &[]), &["localhost"]));
    }

    #[test]
    fn public_servers_accept_their_address_and_given_names() {
        let hosts = hosts("0.0.0.0:7070", &["scope.lan"]);
        for name in [
            "10.0.0.1:7070",
            "10.0.0.1:80",
            "[fe80::1]:7070",
            "localhost",
            "Scope.lan:1",
        ] {
            assert!(accepted(&hosts, &[name]), "{name}");
        }
        for name in ["evil.example:7070", "xscope.lan", "scope.lan.evil.example"] {
            assert!(!accepted(&hosts, &[name]), "{name}");
        }
    }

    #[test]
    fn host_header_and_uri_must_agree() {
        let hosts = hosts("127.0.0.1:7070", &[]);
        let asks = |line: &str| {
            let request = Request::get(line).header(header::HOST, "localhost:7070");
            hosts.requested_host(&request.body(()).unwrap()).is_some()
        };
        assert!(asks("http://localhost:7070/"));
        assert!(!asks("http://evil.example/"));
    }

    #[test]
    fn host_names_are_validated() {
        for bad in ["", "a b", "a/b", "a:80", "[::1]", "a@b"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }
}

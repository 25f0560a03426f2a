//! Hosts and ports.

use super::AddressErrorKind;
use std::fmt;
use std::net::Ipv6Addr;

/// Where to connect to, or to be connected to, when nothing else is said.
const LOOPBACK: &str = "127.0.0.1";

/// A host and a port of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its name or address; an IPv6 address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Endpoint {
    /// One to connect to.
    pub(super) fn parse(text: &str) -> Result<Self, AddressErrorKind> {
        let (host, port) = split(text)?;
        match host {
            "" => Err(AddressErrorKind::NoHost),
            _ => parse_parts(host, port, 1),
        }
    }

    /// One to listen on: the host may be left out, and port 0 is any.
    pub(super) fn parse_listen(text: &str) -> Result<Self, AddressErrorKind> {
        let (host, port) = match text.contains([':', ']']) {
            true => split(text)?,
            false => ("", text),
        };
        match host {
            "" => parse_parts(LOOPBACK, port, 0),
            _ => parse_parts(host, port, 0),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// Takes host, still in its brackets, and port apart.
fn split(text: &str) -> Result<(&str, &str), AddressErrorKind> {
    let text = text.strip_suffix('/').unwrap_or(text);
    match text.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => Ok((host, port)),
        _ => Err(AddressErrorKind::NoPort(text.to_owned())),
    }
}

fn parse_parts(host: &str, port: &str, least: u16) -> Result<Endpoint, AddressErrorKind> {
    let bad_port = || AddressErrorKind::BadPort {
        port: port.to_owned(),
        min: least,
    };
    let number =
        super::parse_number::parse_digits(port, 10).and_then(|port| u16::try_from(port).ok());
    Ok(Endpoint {
        host: parse_host(host)?,
        port: number.filter(|port| *port >= least).ok_or_else(bad_port)?,
    })
}

fn parse_host(text: &str) -> Result<String, AddressErrorKind> {
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let is_host = match inner {
        Some(inner) => {
            let (address, zone) = inner.split_once('%').unwrap_or((inner, "-"));
            address.parse::<Ipv6Addr>().is_ok() && is_name(zone)
        }
        None => is_name(text),
    };
    match is_host {
        true => Ok(inner.unwrap_or(text).to_owned()),
        false => Err(AddressErrorKind::BadHost(text.to_owned())),
    }
}

/// Whether it could be a name, of letters of any script.
fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "-._".contains(letter);
    !text.is_empty() && text.chars().all(is_part)
}

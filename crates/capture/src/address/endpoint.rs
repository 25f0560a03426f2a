//! Hosts and ports.

use super::AddressErrorKind;
use std::fmt;
use std::net::Ipv6Addr;

/// The default host.
const LOOPBACK: &str = "127.0.0.1";

/// A host and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Name or address; an IPv6 address without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
}

impl Endpoint {
    /// Parses an endpoint to connect to.
    pub(super) fn parse(text: &str) -> Result<Self, AddressErrorKind> {
        let (host, port) = split(text)?;
        match host {
            "" => Err(AddressErrorKind::NoHost),
            _ => parse_parts(host, port, 1),
        }
    }

    /// Parses an endpoint to listen on: the host is optional, and port 0 is any.
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

/// Splits host, still in brackets, and port.
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

/// Whether it could be a host name, in letters of any script.
fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "-._".contains(letter);
    !text.is_empty() && text.chars().all(is_part)
}

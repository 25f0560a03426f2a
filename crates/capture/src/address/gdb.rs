//! The addresses of debuggers' servers.

use super::number::{number, plain};
use super::query::{Query, escape};
use super::{AddressProblem, Endpoint};
use rtoscope_trace::Address as TargetAddress;
use std::fmt;
use std::time::Duration;

/// A debugger's server, and what of the target's memory is read through it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GdbAddress {
    /// The server's name or address; an IPv6 address without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The name of what is read, in the symbols of the firmware.
    pub symbol: Option<String>,
    /// The address of what is read.
    pub address: Option<TargetAddress>,
    /// Where it is searched for.
    pub scan: Option<ScanRange>,
    /// The time from one read to the next, in whole milliseconds; chosen by how
    /// fast events come if it is not given.
    pub poll: Option<Duration>,
    /// Whether the target is halted for every read, even if its memory could be
    /// read while it runs.
    pub halt: bool,
}

/// A part of a target's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanRange {
    /// Where it begins.
    pub start: TargetAddress,
    /// Its size in bytes, not 0; it does not go beyond the end of the memory.
    pub length: u64,
}

impl GdbAddress {
    pub(super) fn parse(place: &str, query: &mut Query<'_>) -> Result<Self, AddressProblem> {
        let Endpoint { host, port } = Endpoint::parse(place)?;
        let symbol = query.read("symbol", "a name", |text| {
            (!text.is_empty()).then(|| text.to_owned())
        })?;
        let address = query.read("address", "an address such as 0x20000000", |text| {
            number(text).map(TargetAddress)
        })?;
        let expected = "an address and a number of bytes, such as 0x20000000+0x40000";
        let scan = query.read("scan", expected, ScanRange::parse)?;
        let poll = query.read("poll", "a number of milliseconds, 1 to 3600000", |text| {
            let milliseconds = plain(text, 10)?;
            (1..=3_600_000)
                .contains(&milliseconds)
                .then(|| Duration::from_millis(milliseconds))
        })?;
        let halt = query.flag("halt")?;
        match (&symbol, address, scan) {
            (Some(_), Some(_), _) => Err(AddressProblem::Conflict("symbol", "address")),
            (Some(_), _, Some(_)) => Err(AddressProblem::Conflict("symbol", "scan")),
            (_, Some(_), Some(_)) => Err(AddressProblem::Conflict("address", "scan")),
            _ => Ok(Self {
                host,
                port,
                symbol,
                address,
                scan,
                poll,
                halt,
            }),
        }
    }

    /// The server.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint {
            host: self.host.clone(),
            port: self.port,
        }
    }
}

impl fmt::Display for GdbAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.endpoint())?;
        let halt = self.halt.then(|| "1".to_owned());
        let options = [
            ("symbol", self.symbol.as_deref().map(escape)),
            ("address", self.address.map(|address| address.to_string())),
            ("scan", self.scan.map(|range| range.to_string())),
            ("poll", self.poll.map(|poll| poll.as_millis().to_string())),
            ("halt", halt),
        ];
        let mut separator = '?';
        for (name, value) in options {
            if let Some(value) = value {
                write!(f, "{separator}{name}={value}")?;
                separator = '&';
            }
        }
        Ok(())
    }
}

impl ScanRange {
    fn parse(text: &str) -> Option<Self> {
        let (start, length) = text.split_once('+')?;
        let (start, length) = (number(start)?, number(length)?);
        let last = start.checked_add(length.checked_sub(1)?);
        last.map(|_| Self {
            start: TargetAddress(start),
            length,
        })
    }
}

impl fmt::Display for ScanRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:#x}", self.start, self.length)
    }
}

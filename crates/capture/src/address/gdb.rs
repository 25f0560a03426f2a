//! Addresses of GDB servers.

use super::options::{AddressOptions, escape};
use super::parse_number::{parse_digits, parse_number};
use super::rtt::parse_channel;
use super::{AddressErrorKind, Endpoint};
use rtoscope_trace::Address as TargetAddress;
use std::fmt;
use std::time::Duration;

/// A GDB server, and the part of the target's memory to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GdbAddress {
    /// The server's name or address; an IPv6 address without brackets.
    pub host: String,
    /// The server's port.
    pub port: u16,
    /// The symbol of the trace.
    pub symbol: Option<String>,
    /// The address of the trace.
    pub address: Option<TargetAddress>,
    /// The range to scan for a trace.
    pub scan: Option<ScanRange>,
    /// The RTT channel to read, if the trace is in one.
    pub channel: Option<u8>,
    /// The polling interval in whole milliseconds; by default it follows the event
    /// rate.
    pub poll_interval: Option<Duration>,
    /// Whether to halt the target for every read, even if its memory can be read while
    /// it runs.
    pub halt: bool,
}

/// A range of a target's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanRange {
    /// Start address.
    pub start: TargetAddress,
    /// Size in bytes, not 0; the range does not exceed the address space.
    pub len_bytes: u64,
}

impl GdbAddress {
    pub(super) fn parse(
        place: &str,
        query: &mut AddressOptions<'_>,
    ) -> Result<Self, AddressErrorKind> {
        let Endpoint { host, port } = Endpoint::parse(place)?;
        let symbol = query.take_parsed("symbol", "a name", |text| {
            (!text.is_empty()).then(|| text.to_owned())
        })?;
        let address = query.take_parsed("address", "an address such as 0x20000000", |text| {
            parse_number(text).map(TargetAddress)
        })?;
        let expected = "an address and a number of bytes, such as 0x20000000+0x40000";
        let scan = query.take_parsed("scan", expected, ScanRange::parse)?;
        let channel = parse_channel(query)?;
        let poll = query.take_parsed("poll", "a number of milliseconds, 1 to 3600000", |text| {
            let milliseconds = parse_digits(text, 10)?;
            (1..=3_600_000)
                .contains(&milliseconds)
                .then(|| Duration::from_millis(milliseconds))
        })?;
        let halt = query.take_flag("halt")?;
        match (&symbol, address, scan) {
            (Some(_), Some(_), _) => Err(AddressErrorKind::Conflict("symbol", "address")),
            (Some(_), _, Some(_)) => Err(AddressErrorKind::Conflict("symbol", "scan")),
            (_, Some(_), Some(_)) => Err(AddressErrorKind::Conflict("address", "scan")),
            _ => Ok(Self {
                host,
                port,
                symbol,
                address,
                scan,
                channel,
                poll_interval: poll,
                halt,
            }),
        }
    }

    /// The server's endpoint.
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
            ("channel", self.channel.map(|channel| channel.to_string())),
            (
                "poll",
                self.poll_interval.map(|poll| poll.as_millis().to_string()),
            ),
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
        let (start, length) = (parse_number(start)?, parse_number(length)?);
        let last = start.checked_add(length.checked_sub(1)?);
        last.map(|_| Self {
            start: TargetAddress(start),
            len_bytes: length,
        })
    }
}

impl fmt::Display for ScanRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:#x}", self.start, self.len_bytes)
    }
}

//! Addresses of sources, as users write them.
//!
//! ```
//! # fn main() -> Result<(), rtoscope_capture::address::AddressError> {
//! use rtoscope_capture::Address;
//!
//! let address: Address = "tcp-listen://:7000".parse()?;
//! assert_eq!(address.to_string(), "tcp-listen://127.0.0.1:7000");
//! # Ok(())
//! # }
//! ```

mod classify;
mod endpoint;
mod error;
mod file;
mod gdb;
mod options;
mod parse_number;
mod rtt;
mod scheme;
mod serial;
mod swo;
#[cfg(test)]
mod tests;

pub use endpoint::Endpoint;
pub use error::{AddressError, AddressErrorKind};
pub use file::FileAddress;
pub use gdb::{GdbAddress, ScanRange};
pub use rtt::RttAddress;
pub use scheme::Scheme;
pub use serial::{DataBits, FlowControl, Parity, SerialAddress, SerialFraming, StopBits};
pub use swo::SwoAddress;

use options::AddressOptions;
use std::fmt;
use std::str::FromStr;

/// Address of a source. Parsed from user input; displayed as an equivalent URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A port that the target connects to; port 0 is any free port.
    TcpListen(Endpoint),
    /// A port to connect to, which delivers the raw bytes of a trace.
    Tcp(Endpoint),
    /// A port that the target sends datagrams to; port 0 is any free port.
    Udp(Endpoint),
    /// A server of RTT channels.
    Rtt(RttAddress),
    /// A server that delivers the bytes of a target's SWO pin.
    Swo(SwoAddress),
    /// A serial port.
    Serial(SerialAddress),
    /// A file, possibly growing.
    File(FileAddress),
    /// Standard input.
    Stdin,
    /// The memory of a target, through a GDB server.
    Gdb(GdbAddress),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        match classify::classify(text)? {
            classify::AddressForm::Stdin => Ok(Self::Stdin),
            classify::AddressForm::Path(file) => Ok(Self::File(file)),
            classify::AddressForm::Url(scheme, rest) => {
                Self::parse_scheme(scheme, rest).map_err(|problem| problem.with_scheme(scheme))
            }
        }
    }
}

impl Address {
    /// Parses the rest after a scheme and its colon.
    fn parse_scheme(scheme: Scheme, rest: &str) -> Result<Self, AddressErrorKind> {
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (place, mut query) = AddressOptions::split_options(rest)?;
        let address = match scheme {
            Scheme::TcpListen => Self::TcpListen(Endpoint::parse_listen(place)?),
            Scheme::Tcp => Self::Tcp(Endpoint::parse(place)?),
            Scheme::Udp => Self::Udp(Endpoint::parse_listen(place)?),
            Scheme::Rtt => Self::Rtt(RttAddress::parse(place, &mut query)?),
            Scheme::Swo => Self::Swo(SwoAddress::parse(place, &mut query)?),
            Scheme::Serial => Self::Serial(SerialAddress::parse(place, &mut query)?),
            Scheme::File => Self::File(FileAddress::parse(place, &mut query)?),
            Scheme::Gdb => Self::Gdb(GdbAddress::parse(place, &mut query)?),
            Scheme::Stdin if place.is_empty() => Self::Stdin,
            Scheme::Stdin => return Err(AddressErrorKind::Trailing(place.to_owned())),
        };
        query.finish()?;
        Ok(address)
    }

    /// The kind of source.
    pub fn scheme(&self) -> Scheme {
        match self {
            Self::TcpListen(_) => Scheme::TcpListen,
            Self::Tcp(_) => Scheme::Tcp,
            Self::Udp(_) => Scheme::Udp,
            Self::Rtt(_) => Scheme::Rtt,
            Self::Swo(_) => Scheme::Swo,
            Self::Serial(_) => Scheme::Serial,
            Self::File(_) => Scheme::File,
            Self::Stdin => Scheme::Stdin,
            Self::Gdb(_) => Scheme::Gdb,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.scheme().name())?;
        match self {
            Self::TcpListen(endpoint) | Self::Tcp(endpoint) | Self::Udp(endpoint) => {
                write!(f, "//{endpoint}")
            }
            Self::Rtt(rtt) => rtt.fmt(f),
            Self::Swo(swo) => swo.fmt(f),
            Self::Serial(serial) => serial.fmt(f),
            Self::File(file) => file.fmt(f),
            Self::Stdin => Ok(()),
            Self::Gdb(gdb) => gdb.fmt(f),
        }
    }
}

//! Addresses of servers of SWO.

use super::options::AddressOptions;
use super::parse_number::parse_digits;
use super::{AddressErrorKind, Endpoint};
use std::fmt;

/// A server that delivers the bytes of a target's SWO pin, and the ITM's stimulus port
/// that the target writes its trace to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwoAddress {
    /// The server.
    pub endpoint: Endpoint,
    /// The stimulus port, 0 to 31.
    pub stimulus: u8,
}

/// Number of stimulus ports that an ITM packet can name.
const STIMULUS_PORTS: u64 = 32;

impl SwoAddress {
    pub(super) fn parse(
        place: &str,
        query: &mut AddressOptions<'_>,
    ) -> Result<Self, AddressErrorKind> {
        let stimulus = query.take_parsed("stimulus", "a number, 0 to 31", |text| {
            let number = parse_digits(text, 10).filter(|number| *number < STIMULUS_PORTS)?;
            u8::try_from(number).ok()
        })?;
        Ok(Self {
            endpoint: Endpoint::parse(place)?,
            stimulus: stimulus.unwrap_or_default(),
        })
    }
}

impl fmt::Display for SwoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.endpoint)?;
        match self.stimulus {
            0 => Ok(()),
            stimulus => write!(f, "?stimulus={stimulus}"),
        }
    }
}

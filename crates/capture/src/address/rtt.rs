//! Addresses of servers of RTT channels.

use super::options::AddressOptions;
use super::parse_number::parse_digits;
use super::{AddressErrorKind, Endpoint};
use std::fmt;

/// A server of RTT channels, as J-Link's programs and OpenOCD have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RttAddress {
    /// The server.
    pub endpoint: Endpoint,
    /// The channel to ask J-Link for; without it, the server's own choice.
    pub channel: Option<u8>,
}

impl RttAddress {
    pub(super) fn parse(
        place: &str,
        query: &mut AddressOptions<'_>,
    ) -> Result<Self, AddressErrorKind> {
        Ok(Self {
            endpoint: Endpoint::parse(place)?,
            channel: parse_channel(query)?,
        })
    }
}

/// The number of an RTT channel.
pub(super) fn parse_channel(
    query: &mut AddressOptions<'_>,
) -> Result<Option<u8>, AddressErrorKind> {
    query.take_parsed("channel", "a number, 0 to 255", |text| {
        parse_digits(text, 10).and_then(|channel| u8::try_from(channel).ok())
    })
}

impl fmt::Display for RttAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.endpoint)?;
        match self.channel {
            Some(channel) => write!(f, "?channel={channel}"),
            None => Ok(()),
        }
    }
}

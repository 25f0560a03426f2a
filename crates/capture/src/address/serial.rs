//! Addresses of serial ports.

pub use serialport::{DataBits, FlowControl, Parity, StopBits};

use super::AddressErrorKind;
use super::options::{AddressOptions, escape, unescape};
use super::parse_number::parse_digits;
use std::fmt;

/// Default rate in bits per second.
const DEFAULT_BAUD: u32 = 115_200;

/// A serial port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerialAddress {
    /// The device, such as `/dev/ttyUSB0` or `COM3`.
    pub device: String,
    /// Bits per second.
    pub baud: u32,
    /// Framing of a byte.
    pub framing: SerialFraming,
    /// Flow control.
    pub flow_control: FlowControl,
}

/// Framing of a byte; by default 8 data bits, no parity, one stop bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SerialFraming {
    /// Data bits.
    pub data_bits: DataBits,
    /// Parity bit, if any.
    pub parity: Parity,
    /// Stop bits.
    pub stop_bits: StopBits,
}

const FLOW_CONTROLS: [(FlowControl, &str); 3] = [
    (FlowControl::None, "none"),
    (FlowControl::Hardware, "hardware"),
    (FlowControl::Software, "software"),
];

impl SerialAddress {
    pub(super) fn parse(
        place: &str,
        query: &mut AddressOptions<'_>,
    ) -> Result<Self, AddressErrorKind> {
        let device = unescape(place)?;
        if device.is_empty() {
            return Err(AddressErrorKind::NoPath("device"));
        }
        // Two slashes instead of three.
        if device.starts_with("dev/") {
            return Err(AddressErrorKind::Device(format!("/{device}")));
        }
        let baud = query.take_parsed("baud", "a number of bits per second", |text| {
            u32::try_from(parse_digits(text, 10)?)
                .ok()
                .filter(|baud| *baud > 0)
        })?;
        let framing = query.take_parsed(
            "framing",
            "5 to 8 data bits, parity N, E or O, 1 or 2 stop bits, such as 8N1",
            SerialFraming::parse,
        )?;
        let flow = query.take_parsed("flow", "none, hardware or software", |text| {
            let flow = FLOW_CONTROLS.iter().find(|(_, name)| *name == text)?;
            Some(flow.0)
        })?;
        Ok(Self {
            device,
            baud: baud.unwrap_or(DEFAULT_BAUD),
            framing: framing.unwrap_or_default(),
            flow_control: flow.unwrap_or(FlowControl::None),
        })
    }
}

impl fmt::Display for SerialAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = escape(&self.device);
        write!(f, "//{device}?baud={}&framing={}", self.baud, self.framing)?;
        for (_, name) in FLOW_CONTROLS
            .iter()
            .skip(1)
            .filter(|(flow, _)| *flow == self.flow_control)
        {
            write!(f, "&flow={name}")?;
        }
        Ok(())
    }
}

impl SerialFraming {
    fn parse(text: &str) -> Option<Self> {
        let &[data, parity, stop] = text.as_bytes() else {
            return None;
        };
        Some(Self {
            data_bits: DataBits::try_from(data.checked_sub(b'0')?).ok()?,
            parity: match parity.to_ascii_uppercase() {
                b'N' => Parity::None,
                b'E' => Parity::Even,
                b'O' => Parity::Odd,
                _ => return None,
            },
            stop_bits: StopBits::try_from(stop.checked_sub(b'0')?).ok()?,
        })
    }
}

impl Default for SerialFraming {
    fn default() -> Self {
        Self {
            data_bits: DataBits::Eight,
            parity: Parity::None,
            stop_bits: StopBits::One,
        }
    }
}

impl fmt::Display for SerialFraming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parity = match self.parity {
            Parity::None => 'N',
            Parity::Even => 'E',
            Parity::Odd => 'O',
        };
        let (data, stop) = (u8::from(self.data_bits), u8::from(self.stop_bits));
        write!(f, "{data}{parity}{stop}")
    }
}

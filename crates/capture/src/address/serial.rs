//! The addresses of serial ports.

pub use serialport::{DataBits, FlowControl, Parity, StopBits};

use super::AddressProblem;
use super::number::plain;
use super::query::{Query, escape, unescape};
use std::fmt;

/// Bits a second, if nothing else is said.
const DEFAULT_BAUD: u32 = 115_200;

/// A serial port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerialAddress {
    /// The device, such as `/dev/ttyUSB0` or `COM3`.
    pub device: String,
    /// Bits a second.
    pub baud: u32,
    /// The bits around a byte.
    pub framing: Framing,
    /// How the target can be told to wait.
    pub flow: FlowControl,
}

/// The bits around a byte; without being told otherwise 8 data bits, no parity,
/// one stop bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framing {
    /// Bits that carry data.
    pub data: DataBits,
    /// What the parity bit says, if there is one.
    pub parity: Parity,
    /// Bits at the end.
    pub stop: StopBits,
}

const FLOWS: [(FlowControl, &str); 3] = [
    (FlowControl::None, "none"),
    (FlowControl::Hardware, "hardware"),
    (FlowControl::Software, "software"),
];

impl SerialAddress {
    pub(super) fn parse(place: &str, query: &mut Query<'_>) -> Result<Self, AddressProblem> {
        let device = unescape(place)?;
        if device.is_empty() {
            return Err(AddressProblem::NoPath("device"));
        }
        // Two slashes where three are needed.
        if device.starts_with("dev/") {
            return Err(AddressProblem::Device(format!("/{device}")));
        }
        let baud = query.read("baud", "a number of bits a second", |text| {
            u32::try_from(plain(text, 10)?)
                .ok()
                .filter(|baud| *baud > 0)
        })?;
        let framing = query.read(
            "framing",
            "5 to 8 data bits, parity N, E or O, 1 or 2 stop bits, such as 8N1",
            Framing::parse,
        )?;
        let flow = query.read("flow", "none, hardware or software", |text| {
            let flow = FLOWS.iter().find(|(_, name)| *name == text)?;
            Some(flow.0)
        })?;
        Ok(Self {
            device,
            baud: baud.unwrap_or(DEFAULT_BAUD),
            framing: framing.unwrap_or_default(),
            flow: flow.unwrap_or(FlowControl::None),
        })
    }
}

impl fmt::Display for SerialAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = escape(&self.device);
        write!(f, "//{device}?baud={}&framing={}", self.baud, self.framing)?;
        for (_, name) in FLOWS.iter().skip(1).filter(|(flow, _)| *flow == self.flow) {
            write!(f, "&flow={name}")?;
        }
        Ok(())
    }
}

impl Framing {
    fn parse(text: &str) -> Option<Self> {
        let &[data, parity, stop] = text.as_bytes() else {
            return None;
        };
        Some(Self {
            data: DataBits::try_from(data.checked_sub(b'0')?).ok()?,
            parity: match parity.to_ascii_uppercase() {
                b'N' => Parity::None,
                b'E' => Parity::Even,
                b'O' => Parity::Odd,
                _ => return None,
            },
            stop: StopBits::try_from(stop.checked_sub(b'0')?).ok()?,
        })
    }
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            data: DataBits::Eight,
            parity: Parity::None,
            stop: StopBits::One,
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parity = match self.parity {
            Parity::None => 'N',
            Parity::Even => 'E',
            Parity::Odd => 'O',
        };
        let (data, stop) = (u8::from(self.data), u8::from(self.stop));
        write!(f, "{data}{parity}{stop}")
    }
}
